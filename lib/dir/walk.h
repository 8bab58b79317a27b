/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef DIR_WALK_H
#define DIR_WALK_H

#include <stdbool.h>
#include <stddef.h>

struct err;

/*
 * The way from the root to a directory: descriptors of the last few levels,
 * each opened from the one above and never through a symlink. Paths that come
 * in the order of a tree find most of their way open.
 */
struct walk {
	int root; /* borrowed */
	struct walk_level {
		int fd;	    /* owned */
		size_t len; /* of path, up to the end of its name */
	} *levels;	    /* neighbours, the deepest last */
	size_t count, max;  /* 1 or more */
	char *path;	    /* of the deepest level */
	size_t path_cap;
};

/* max is the number of levels that stay open. ERR_NOMEM. */
int walk_init(struct walk *walk, int root, size_t max, struct err *err);

/*
 * Opens the directory that a path lies in.
 *
 * path   relative, of names other than "." and "..", not empty
 * make   directories on the way that are missing are made
 * fd     borrowed until the next call; opened for nothing but a base
 * name   the path's last name, borrowed from it
 * fails  ERR_CORRUPT: the path is not like that; ERR_IO: a directory cannot be
 *	  opened, or is none; ERR_WRITE, ERR_NOMEM
 */
int walk_parent(struct walk *walk, const char *path, bool make, int *fd,
		const char **name, struct err *err);

/* Closes all levels. walk may be all zero. */
void walk_cleanup(struct walk *walk);

#endif
