/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sink_map.h"

#include <stdlib.h>

#include "entry/entry.h"
#include "tar/tar.h"
#include "util/array.h"
#include "util/err.h"

static int add_segment(struct sink_map *map, uint64_t offset, uint64_t end,
		       struct err *err)
{
	if (array_reserve(&map->items, &map->cap, map->count + 1,
			  sizeof(*map->items), err) < 0)
		return -1;
	map->items[map->count].offset = offset;
	map->items[map->count++].len = end - offset;
	map->data_len += end - offset;
	return 0;
}

/*
 * Takes the whole units out of a hole of the file; what is written goes on
 * behind them, from *from.
 */
static int add_hole(struct sink_map *map, uint64_t begin, uint64_t end,
		    uint64_t unit, uint64_t *from, struct err *err)
{
	uint64_t up = begin % unit ? unit - begin % unit : 0;

	if (end - begin <= up)
		return 0;
	begin += up;
	end -= end % unit;
	if (end <= begin)
		return 0;
	if (begin > *from && add_segment(map, *from, begin, err) < 0)
		return -1;
	*from = end;
	return 0;
}

int sink_map_make(struct sink_map *map, const struct entry *entry,
		  uint64_t unit, struct err *err)
{
	uint64_t from = 0, end = 0;

	map->count = 0;
	map->data_len = 0;
	for (size_t i = 0; unit > 0 && i <= entry->extent_count; i++) {
		const struct extent *e = &entry->extents[i];
		uint64_t next =
			i < entry->extent_count ? e->offset : entry->size;

		if (next > end &&
		    add_hole(map, end, next, unit, &from, err) < 0)
			return -1;
		if (i < entry->extent_count)
			end = e->offset + e->len;
	}
	/* Readers know maps up to a length, and files without one. */
	if (from == 0 || map->count >= TAR_SEGMENT_MAX) {
		map->count = 0;
		map->data_len = entry->size;
		return 0;
	}
	/* Even of no bytes: GNU tar makes the file as long as this says. */
	return add_segment(map, from, entry->size, err);
}

void sink_map_cleanup(struct sink_map *map)
{
	free(map->items);
	map->items = NULL;
	map->count = map->cap = 0;
}
