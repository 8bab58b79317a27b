/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TAR_SINK_H
#define TAR_SINK_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct sink;
struct warner;
struct writer;

enum tar_format { TAR_FORMAT_PAX, TAR_FORMAT_GNU, TAR_FORMAT_USTAR };

struct tar_sink_options {
	enum tar_format format;
	uint32_t block_size; /* in which content comes, bytes */
	/*
	 * Whole aligned units of so many bytes that lie in holes are told as
	 * holes, unless the format is ustar; the rest is written as zeros. 0:
	 * no holes are told. Rounded up to a multiple of 512. If it is one of
	 * every block size that an image can have (1 MiB is), the archive does
	 * not depend on that.
	 */
	uint64_t sparse;
	bool no_root; /* leave out the entry of the root */
	bool dot;     /* names and targets of hard links begin with "./" */
	struct warner *warner; /* sockets, what a format cannot hold; or NULL */
};

struct tar_sink_stats {
	uint64_t entries; /* written */
	uint64_t skipped; /* sockets and hard links to them */
	uint64_t bytes;	  /* written, headers included, before compression */
};

/*
 * Writes an archive, in order.
 *
 * A hard link is written as one also where it brings its content along.
 * The content of a file comes with its entry: entry/order.h, which moves it, is
 * not for archives.
 *
 * writer   borrowed; the caller calls writer_finish when the flow is done
 * options  copied
 * fails    ERR_NOMEM. begin: ERR_LIMIT: what the format cannot hold and an
 *	    archive would lie about without; ERR_SKIPPED, ERR_NOMEM. All:
 *	    ERR_WRITE
 * format   doc/tar.md, "Writing"
 */
int tar_sink_create(struct writer *writer,
		    const struct tar_sink_options *options, struct sink **out,
		    struct err *err);

const struct tar_sink_stats *tar_sink_stats(const struct sink *sink);

#endif
