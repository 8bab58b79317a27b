/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "path_map.h"

/* Paths need not be kept to be known again. */

int path_map_init(struct path_map *map, struct err *err)
{
	*map = (struct path_map) { 0 };
	return hash_key_draw(&map->key, err);
}

const uint64_t *path_map_find(const struct path_map *map, const char *path,
			      size_t len)
{
	struct digest digest;

	if (map->map.count == 0)
		return NULL;
	hash128(&map->key, path, len, &digest);
	return digest_map_find(&map->map, &digest);
}

int path_map_put(struct path_map *map, const char *path, size_t len,
		 uint64_t number, uint64_t *out, struct err *err)
{
	struct digest digest;
	const uint64_t *found;

	hash128(&map->key, path, len, &digest);
	found = digest_map_find(&map->map, &digest);
	*out = found ? *found : number;
	return found ? 0 : digest_map_add(&map->map, &digest, number, err);
}

void path_map_cleanup(struct path_map *map)
{
	digest_map_cleanup(&map->map);
}
