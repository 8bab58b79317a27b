/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "internal.h"

#include <string.h>

#include "util/err.h"

int links_find(struct links *links, const uint64_t inode[2], const char *path,
	       struct group **out, bool *is_new, struct err *err)
{
	struct group *group;
	struct digest key;
	const uint64_t *known;

	/* Keyed, so that no input can make the map slow. */
	hash128(links->key, inode, 2 * sizeof(*inode), &key);
	known = digest_map_find(&links->map, &key);
	*is_new = !known;
	if (known) {
		*out = (struct group *)(uintptr_t)*known;
		return 0;
	}
	group = arena_alloc(&links->arena, sizeof(*group), err);
	if (!group)
		return -1;
	*group = (struct group){ .path = arena_text(&links->arena, path,
						    strlen(path), err) };
	if (!group->path || digest_map_add(&links->map, &key,
					   (uintptr_t)group, err) < 0)
		return -1;
	*out = group;
	return 0;
}

void links_cleanup(struct links *links)
{
	digest_map_cleanup(&links->map);
	arena_cleanup(&links->arena);
}
