/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ENTRY_IDS_H
#define ENTRY_IDS_H

#include <stddef.h>
#include <stdint.h>

struct err;

/* count ids from from on become those from to on; none passes 2^32 - 1. */
struct id_range {
	uint32_t from, to, count; /* count is 1 or more */
};

/* Ranges that do not overlap in from. All zero is an empty map. */
struct id_map {
	struct id_range *ranges; /* ascending */
	size_t count, cap;
};

/*
 * Adds the range FROM:TO:COUNT. ERR_USAGE: not of that form, past the last id,
 * or over another one; ERR_NOMEM.
 */
int id_map_add(struct id_map *map, const char *text, struct err *err);

/* What an id becomes: itself if it lies in no range. */
uint32_t id_map_apply(const struct id_map *map, uint32_t id);

void id_map_cleanup(struct id_map *map);

#endif
