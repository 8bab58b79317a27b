/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef UNPACK_WALK_H
#define UNPACK_WALK_H

#include <stdbool.h>
#include <stddef.h>

#include "sqfs/inode.h"
#include "sqfs/meta.h"

struct err;
struct image;
struct image_source_options;
struct walk;

/* One name of an image, with its inode. */
struct walk_item {
	const char *path; /* path_len bytes, borrowed until the next step; with
			   * a NUL behind them but for directories that
			   * options.parents and .is_excluded bring along */
	size_t path_len;
	size_t depth; /* directories that it was found in since its start */
	struct meta_ref ref;
	const struct inode *inode; /* borrowed likewise */
	const char *first; /* path of the inode's first name, if it had one
			    * already; borrowed from the walk */
};

/*
 * The names of an image, depth first, parents before children, children in the
 * order of their names.
 *
 * image       borrowed, as are options, of which those that say what is given
 *	       count
 * with_index  inodes come with their directory index
 * fails       ERR_NOMEM; ERR_IO: no random key
 */
int walk_create(struct image *image,
		const struct image_source_options *options, bool with_index,
		struct walk **out, struct err *err);

/*
 * Gives the next name. What a directory holds comes only if walk_enter was
 * called for it.
 *
 * returns  0 with *out, 1 at the end, -1
 * fails    ERR_USAGE: a start that is not there; ERR_CORRUPT, ERR_LIMIT: a path
 *	    over IMAGE_PATH_MAX; ERR_NOMEM, ERR_IO; with the path in front
 */
int walk_next(struct walk *walk, struct walk_item *out, struct err *err);

/*
 * Goes into the directory that was given last; all else has nothing to be
 * entered. ERR_CORRUPT: also if it is entered for the second time.
 */
int walk_enter(struct walk *walk, struct err *err);

/* walk may be NULL. */
void walk_destroy(struct walk *walk);

#endif
