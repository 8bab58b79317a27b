/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ENTRY_ORDER_H
#define ENTRY_ORDER_H

#include <stddef.h>

struct err;
struct source;

/* What decides where content lies, among files of one priority. */
enum order_by {
	ORDER_INPUT, /* it stays where it is */
	ORDER_PATH,  /* bytes of the path, ascending */
	ORDER_SIZE   /* bytes of content, ascending */
};

/*
 * A source that hands on the entries of another and moves the content of files:
 * all entries come in their order, files without what they hold, and then
 * the contents, sorted (ENTRY_CONTENT_LATER). So the tree is the same as ever,
 * and only the place of data is not. Until then an entry of every file with
 * content is kept: 200 bytes and its path.
 *
 * A hard link that brings its content along keeps it where it is.
 *
 * Where nothing is to be moved, as by and all priorities are the default, the
 * flags of the file are set and no more.
 *
 * inner      the order's from then on, also on failure; its content is read
 *	      from each entry's origin, or from it
 * sort_file  priorities and flags (doc/select.md, "Order"), or NULL
 * fails      ERR_IO; ERR_USAGE: a bad line; ERR_NOMEM. next: as inner;
 *	      ERR_USAGE: content is to be moved that cannot be read at any place
 */
int order_create(struct source *inner, enum order_by by, const char *sort_file,
		 struct source **out, struct err *err);

/*
 * How many lines of the sort file have matched no file so far.
 *
 * order  made by order_create
 * line   the number of the first of them
 */
size_t order_unused(const struct source *order, size_t *line);

#endif
