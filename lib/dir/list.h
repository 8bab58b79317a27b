/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef DIR_LIST_H
#define DIR_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/arena.h"

struct dir_sink;
struct entry;
struct err;

/*
 * The directories of a run, in the order they came, with what they get at its
 * end, when nothing is made in them any more. Paths are kept as a name and the
 * directory above, so a deep tree takes no more room than a flat one.
 */
struct dir_list {
	struct listed *items;
	size_t count, cap;
	struct arena arena; /* names and attributes */
	char *path;	    /* of the last one */
	size_t path_cap;
};

/*
 * Notes a directory.
 *
 * is_new  it was made in this run
 * fails   ERR_NOMEM, ERR_LIMIT
 */
int dir_list_add(struct dir_sink *sink, const struct entry *entry, bool is_new,
		 struct err *err);

/*
 * Removes those that stayed empty, if that is wanted, and gives the others
 * what their entries say; those below before those above.
 */
int dir_list_finish(struct dir_sink *sink, struct err *err);

void dir_list_cleanup(struct dir_list *list);

#endif
