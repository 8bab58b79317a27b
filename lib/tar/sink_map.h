/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TAR_SINK_MAP_H
#define TAR_SINK_MAP_H

#include <stddef.h>
#include <stdint.h>

struct entry;
struct err;

struct segment {
	uint64_t offset, len;
};

/* What of a file is written; all zero is a file of nothing. Used again. */
struct sink_map {
	struct segment *items; /* ascending, apart; the last ends the file, and
				* only it may have no bytes */
	size_t count, cap;     /* count 0: all of the file is written */
	uint64_t data_len;     /* bytes of all segments */
};

/*
 * Leaves out all units of a file that lie wholly in it and in its holes, so
 * that the map is the same wherever extents begin and end within a unit.
 *
 * unit     bytes; 0: all is written
 * fails    ERR_NOMEM
 */
int sink_map_make(struct sink_map *map, const struct entry *entry,
		  uint64_t unit, struct err *err);

void sink_map_cleanup(struct sink_map *map);

#endif
