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
	 * Holes of aligned units of so many bytes are told as such, 0: none.
	 * A multiple of block_size.
	 */
	uint64_t sparse;
	bool no_root; /* leave out the entry of the root */
	struct warner *warner; /* sockets, what a format cannot hold */
};

struct tar_sink_stats {
	uint64_t entries, skipped;
	uint64_t bytes; /* written, headers included, before compression */
};

/*
 * Writes an archive, in order.
 *
 * writer   borrowed; told when the archive is complete by the caller
 * fails    ERR_USAGE, ERR_NOMEM
 * format   doc/tar.md, "Writing"
 */
int tar_sink_create(struct writer *writer,
		    const struct tar_sink_options *options, struct sink **out,
		    struct err *err);

const struct tar_sink_stats *tar_sink_stats(const struct sink *sink);

#endif
