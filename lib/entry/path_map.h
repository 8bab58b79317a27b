/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ENTRY_PATH_MAP_H
#define ENTRY_PATH_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "util/hash.h"

struct err;

/* A map from paths to numbers; paths are known by their digests. */
struct path_map {
	struct hash_key key;
	struct digest_map map;
};

/* ERR_IO: no random key. */
int path_map_init(struct path_map *map, struct err *err);

/* The number behind a path, borrowed until the next put; NULL if none. */
const uint64_t *path_map_find(const struct path_map *map, const char *path,
			      size_t len);

/* The number behind a path, put there first if there is none. ERR_NOMEM. */
int path_map_put(struct path_map *map, const char *path, size_t len,
		 uint64_t number, uint64_t *out, struct err *err);

void path_map_cleanup(struct path_map *map);

#endif
