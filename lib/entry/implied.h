/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef LIB_ENTRY_IMPLIED_H
#define LIB_ENTRY_IMPLIED_H

#include <stdbool.h>
#include <stddef.h>

#include "path_map.h"

struct entry;
struct err;

/*
 * The directories that entries have named, or that lead to what they have
 * named. All zero, but for the map, knows none.
 */
struct implied {
	struct path_map known;

	/* The directory that the last entry lies in: its way is known. */
	char *dir;
	size_t dir_len, dir_cap;
	bool has_dir;
};

/*
 * The uppermost directory on the way to an entry that is not known so far, as
 * an entry with ENTRY_IMPLIED; once there is none, the entry itself is known,
 * too. The root is the first of all.
 *
 * out      the caller's; NULL if there is none
 * fails    ERR_NOMEM
 */
int implied_next(struct implied *implied, const struct entry *entry,
		 struct entry **out, struct err *err);

void implied_cleanup(struct implied *implied);

#endif
