/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef DIR_LOOK_H
#define DIR_LOOK_H

#include <stdint.h>

struct entry;
struct err;
struct files;
struct scan_options;
struct stat;

/* Where something of a tree is. */
struct look {
	struct files *files;
	const struct scan_options *options;
	int root;
	int dir;	  /* that it lies in */
	const char *name; /* there */
	const char *path; /* below the root */
	const char *to;	  /* in the image */
};

/*
 * Makes an entry of what stat says, with its target, attributes and content.
 *
 * fails    ERR_IO, ERR_NOMEM; the text does not name it
 */
int look_at(const struct look *look, const struct stat *st, struct entry **out,
	    struct err *err);

#endif
