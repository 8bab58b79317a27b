/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef DIR_DIR_H
#define DIR_DIR_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct sink;
struct warner;

/*
 * What happens to a name that is there already, or comes a second time. The
 * root is always used, and gets what its entry says.
 */
enum dir_existing {
	DIR_EXISTING_FAIL,     /* it is an error; directories are used */
	DIR_EXISTING_KEEP,     /* it stays as it is, and is counted */
	DIR_EXISTING_OVERWRITE /* it is removed first; directories are used */
};

/* The unit of holes that costs nothing to look for: doc/unpack.md. */
#define DIR_SPARSE_DEFAULT 4096

struct dir_sink_options {
	uint32_t block_size; /* of the source, bytes */
	bool set_owner, set_mode, set_times, set_xattrs;
	bool no_devices, no_sockets, no_fifos, no_symlinks;
	bool no_empty_dirs; /* directories that stay empty are removed */
	enum dir_existing existing;
	bool keep_root; /* with DIR_EXISTING_KEEP: the root was there, too */

	/*
	 * Zeros of a file that fill aligned units of so many bytes become
	 * holes, 4096 or more, a power of two, taken as block_size where it is
	 * more; 0: only what the source calls a hole. Plain pieces are not
	 * looked at. no_sparse: nothing becomes a hole, whatever sparse says.
	 */
	uint32_t sparse;
	bool no_sparse;

	/* called for each entry that failed and was left out; main thread */
	void (*failed)(void *arg, const struct err *err);
	void *arg;
	struct warner *warner; /* what could not be set: WARN_OWNER, ... */
};

struct dir_sink_stats {
	uint64_t files, dirs, symlinks, hard_links, devices, fifos, sockets;
	uint64_t kept;	 /* names that were there and stayed */
	uint64_t failed; /* entries that were left out, each told */
	uint64_t bytes;	 /* of content */
	uint64_t holes;	 /* of them not written */
};

/*
 * Unpacks entries below a directory, in parallel: workers make the files. No
 * name is ever followed out of it: each directory is opened from its parent's
 * descriptor, without following symlinks.
 *
 * root     descriptor of the directory, borrowed; what entries call ""
 * fails    ERR_USAGE: options that contradict; ERR_NOMEM
 */
int dir_sink_create(int root, const struct dir_sink_options *options,
		    struct sink **out, struct err *err);

const struct dir_sink_stats *dir_sink_stats(const struct sink *sink);

#endif
