/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "internal.h"

/*
 * Inodes with several names, of both sides. Of each the first name is kept, as
 * a chain of components: paths in a tree can be many times longer than what an
 * image needs to say them. Paths come in the order of the tree, so the chain of
 * a directory is made once and then at hand.
 */
#include <stdlib.h>
#include <string.h>

#include "util/account.h"
#include "util/err.h"

struct link_name {
	const struct link_name *parent; /* NULL: the root */
	size_t len;
	char text[]; /* len bytes */
};

struct link_level {
	size_t end; /* of this component, in the last path */
	const struct link_name *name;
};

/* Keeps as many levels as the last path and this one have in common. */
static void pop_levels(struct links *links, const char *path)
{
	const char *last = (const char *)links->last.data;
	size_t same = 0;

	while (same < links->last.len && path[same] == last[same])
		same++;
	while (links->depth > 0) {
		size_t end = links->levels[links->depth - 1].end;

		if (end <= same && (path[end] == '/' || path[end] == '\0'))
			break;
		links->depth--;
	}
}

static int push_level(struct links *links, const char *path, size_t from,
		      size_t end, struct err *err)
{
	struct link_name *name;

	if (array_reserve(&links->levels, &links->level_cap, links->depth + 1,
			  sizeof(*links->levels), err) < 0)
		return -1;
	name = arena_alloc(&links->arena, sizeof(*name) + end - from, err);
	if (!name)
		return -1;
	name->parent = links->depth > 0 ? links->levels[links->depth - 1].name
					: NULL;
	name->len = end - from;
	copy_bytes(name->text, path + from, name->len);
	links->levels[links->depth].end = end;
	links->levels[links->depth++].name = name;
	return 0;
}

/* The chain of a path, which is not the root. */
static int find_name(struct links *links, const char *path,
		     const struct link_name **out, struct err *err)
{
	size_t len = strlen(path), at = 0;

	if (links->last.len > 0)
		pop_levels(links, path);
	if (links->depth > 0)
		at = links->levels[links->depth - 1].end;
	while (at < len) {
		size_t from = at + (links->depth > 0);
		size_t end = from + strcspn(path + from, "/");

		if (push_level(links, path, from, end, err) < 0)
			return -1;
		at = end;
	}
	links->last.len = 0;
	if (buffer_append(&links->last, path, len, err) < 0)
		return -1;
	*out = links->levels[links->depth - 1].name;
	return 0;
}

int links_find(struct links *links, struct digest_map *map,
	       const uint64_t inode[2], const char *path, struct group **out,
	       bool *is_new, struct err *err)
{
	struct group *group;
	struct digest key;
	const uint64_t *known;

	/* Keyed, so that no input can make the map slow. */
	hash128(&links->key->hash, inode, 2 * sizeof(*inode), &key);
	known = digest_map_find(map, &key);
	*is_new = !known;
	if (known) {
		*out = (struct group *)(uintptr_t)*known;
		return 0;
	}
	group = arena_alloc(&links->arena, sizeof(*group), err);
	if (!group)
		return -1;
	*group = (struct group){ .first = NULL };
	if (find_name(links, path, &group->first, err) < 0 ||
	    digest_map_add(map, &key, (uintptr_t)group, err) < 0)
		return -1;
	*out = group;
	return 0;
}

int link_name_text(const struct link_name *name, struct buffer *out,
		   struct err *err)
{
	size_t len = 0, at;

	for (const struct link_name *n = name; n; n = n->parent)
		len += n->len + 1;
	out->len = 0;
	if (buffer_reserve(out, len, err) < 0)
		return -1;
	at = len;
	for (const struct link_name *n = name; n; n = n->parent) {
		out->data[--at] = n == name ? '\0' : '/';
		at -= n->len;
		copy_bytes(out->data + at, n->text, n->len);
	}
	out->len = len;
	return 0;
}

void links_cleanup(struct links *links)
{
	digest_map_cleanup(&links->old);
	digest_map_cleanup(&links->new);
	arena_cleanup(&links->arena);
	buffer_cleanup(&links->last);
	free(links->levels);
}
