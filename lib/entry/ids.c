/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "entry/ids.h"

/* Ids by ranges, as user namespaces map them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/err.h"
#include "util/parse.h"

/* The range that holds id, or the first behind it. */
static size_t find_range(const struct id_map *map, uint32_t id)
{
	size_t low = 0, high = map->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct id_range *r = &map->ranges[mid];

		if (r->from + (r->count - 1) < id)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Takes a number up to stop, or up to the end where that is 0. */
static int take_number(const char **text, char stop, uint64_t min,
		       uint32_t *out, struct err *err)
{
	size_t len = stop ? strcspn(*text, ":") : strlen(*text);
	uint64_t value;
	char word[32];

	if (len >= sizeof(word) || (stop && (*text)[len] != stop))
		return err_set(err, ERR_USAGE,
			       "needs three numbers: FROM:TO:COUNT");
	memcpy(word, *text, len);
	word[len] = '\0';
	if (parse_u64(word, min, UINT32_MAX, &value, err) < 0)
		return -1;
	*out = (uint32_t)value;
	*text += len + (stop != 0);
	return 0;
}

static int parse_range(const char *text, struct id_range *out, struct err *err)
{
	if (take_number(&text, ':', 0, &out->from, err) < 0 ||
	    take_number(&text, ':', 0, &out->to, err) < 0 ||
	    take_number(&text, 0, 1, &out->count, err) < 0)
		return -1;
	if (out->count - 1 > UINT32_MAX - out->from ||
	    out->count - 1 > UINT32_MAX - out->to)
		return err_set(err, ERR_USAGE,
			       "a range of %" PRIu32
			       " ids passes the last, %" PRIu32,
			       out->count, UINT32_MAX);
	return 0;
}

int id_map_add(struct id_map *map, const char *text, struct err *err)
{
	struct id_range range;

	if (parse_range(text, &range, err) < 0)
		return -1;

	size_t i = find_range(map, range.from);

	if (i < map->count &&
	    map->ranges[i].from <= range.from + (range.count - 1))
		return err_set(err, ERR_USAGE,
			       "ids from %" PRIu32 " on are mapped twice",
			       map->ranges[i].from > range.from
				       ? map->ranges[i].from
				       : range.from);
	if (array_reserve(&map->ranges, &map->cap, map->count + 1,
			  sizeof(*map->ranges), err) < 0)
		return -1;
	memmove(map->ranges + i + 1, map->ranges + i,
		(map->count - i) * sizeof(*map->ranges));
	map->ranges[i] = range;
	map->count++;
	return 0;
}

uint32_t id_map_apply(const struct id_map *map, uint32_t id)
{
	size_t i = find_range(map, id);

	if (i == map->count || map->ranges[i].from > id)
		return id;
	return map->ranges[i].to + (id - map->ranges[i].from);
}

void id_map_cleanup(struct id_map *map)
{
	free(map->ranges);
	*map = (struct id_map) { 0 };
}
