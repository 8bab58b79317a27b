/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ENTRY_LEADS_H
#define ENTRY_LEADS_H

#include <stddef.h>

#include "path_map.h"

struct entry;
struct err;
struct lead;

/*
 * Directories that are not included themselves, held back until it is known
 * whether they lead to something that is: then they keep their attributes. All
 * zero but for the map, which path_map_init makes.
 */
struct leads {
	struct path_map map; /* from paths to items */
	struct lead *items;
	size_t count, cap;
};

/*
 * Holds back a directory, in place of an earlier one of its path. The entry is
 * the leads' from then on unless *entry is left as it is: then it leads to
 * something already, and is to be handed on. ERR_NOMEM.
 */
int leads_hold(struct leads *leads, struct entry **entry, struct err *err);

/*
 * Something at path is handed on: gives what was held back of the directories
 * above it, the uppermost first, chained by next; NULL if there is none.
 * ERR_NOMEM.
 */
int leads_open(struct leads *leads, const char *path, struct entry **out,
	       struct err *err);

void leads_cleanup(struct leads *leads);

#endif
