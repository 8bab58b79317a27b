/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef LIST_LIST_H
#define LIST_LIST_H

#include <stdint.h>

#include "dir/scan.h"

struct err;
struct files;
struct source;

/* A description of a tree, in lines: doc/describe.md, doc/scan.md. */
struct list_options {
	const char *name;    /* of the list, in messages; borrowed */
	struct files *files; /* reads the content; borrowed */
	const char *base;    /* what SOURCE and LOCATION are relative to */
	int64_t default_mtime;

	/*
	 * What glob lines take, unless they say otherwise; prefix, take,
	 * no_root and no_recursion are theirs. fault is told of a SOURCE that
	 * cannot be looked at, too.
	 */
	struct scan_options scan;
};

#define LIST_LEN_MAX (256 * 1024 * 1024) /* bytes */

/*
 * A source of what the lines of a list describe, in their order.
 *
 * fd       read to its end; borrowed
 * options  copied
 * fails    ERR_IO; ERR_LIMIT: longer than LIST_LEN_MAX; ERR_NOMEM; ERR_USAGE: a
 *	    line that says nothing that can be done: the text begins with the
 *	    list's name, line and word. next: the same, ERR_USAGE: something is
 *	    named twice, or never, and as scan_next
 */
int list_source_create(int fd, const struct list_options *options,
		       struct source **out, struct err *err);

#endif
