/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RDSQUASHFS_PATHS_H
#define RDSQUASHFS_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "sqfs/inode.h"
#include "sqfs/meta.h"
#include "util/arena.h"

struct err;
struct node;
struct view;

/* An entry that the user has named. */
struct match {
	const char *path; /* cleaned; "" is the root */
	struct meta_ref ref;
	enum inode_type type;
	bool is_of_glob;
};

/* All zero is none. */
struct matches {
	struct match *items;
	size_t count, cap;
	struct arena arena; /* of the paths */
};

enum paths_kind {
	PATHS_ANY,  /* all that matches */
	PATHS_TOP,  /* of what a glob matches, nothing below what it matches */
	PATHS_FILES /* a glob matches regular files only */
};

/*
 * Finds what the paths of the command line name. One that is there as it was
 * written is taken as it is; else it is a glob (entry/pattern.h) of whole
 * paths.
 *
 * out      to be given to matches_cleanup in any case; 1 or more, in the order
 *	    of the command line, those of a glob in the order of the tree
 * fails    ERR_IO: one names nothing; ERR_USAGE: a bad path or glob; else as
 *	    image_lookup and node_walk
 */
int paths_find(const struct view *view, enum paths_kind kind,
	       struct matches *out, struct err *err);

void matches_cleanup(struct matches *matches);

/*
 * Finds what the paths of the command line name and calls each for it, and with
 * --recursive for all that lies below. With --json this stands in an array, and
 * view->json is where each goes.
 *
 * each     as of node_walk
 * fails    as paths_find and node_walk
 */
int paths_walk(struct view *view, bool with_index,
	       int (*each)(void *arg, const struct node *node,
			   struct err *err),
	       void *arg, struct err *err);

#endif
