/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "seen.h"

#include <stdlib.h>
#include <string.h>

#include "entry/entry.h"
#include "util/array.h"
#include "util/err.h"

int seen_init(struct seen *seen, struct err *err)
{
	return hash_key_draw(&seen->key, err);
}

static struct seen_item *find(const struct seen *seen, const char *path,
			      size_t len, struct digest *digest)
{
	const uint64_t *index;

	hash128(&seen->key, path, len, digest);
	index = digest_map_find(&seen->map, digest);
	return index ? &seen->items[*index] : NULL;
}

static int put(struct seen *seen, const struct digest *digest,
	       const struct seen_item *item, struct err *err)
{
	if (array_reserve(&seen->items, &seen->cap, seen->count + 1,
			  sizeof(*seen->items), err) < 0 ||
	    digest_map_add(&seen->map, digest, seen->count, err) < 0)
		return -1;
	seen->items[seen->count++] = *item;
	return 0;
}

/* Bytes of the directory that a path lies in. */
static size_t parent_len(const char *path, size_t len)
{
	while (len > 0 && path[len - 1] != '/')
		len--;
	return len > 0 ? len - 1 : 0;
}

int seen_add_way(struct seen *seen, const char *path, size_t len, uint32_t line,
		 struct err *err)
{
	const struct seen_item item = { line, SEEN_LEADS, true };
	char name[NAME_TEXT_LEN];

	for (;; len = parent_len(path, len)) {
		struct digest digest;
		const struct seen_item *old = find(seen, path, len, &digest);

		if (old && !old->is_dir)
			return err_set(err, ERR_USAGE,
				       "\"%s\" is no directory: line %u",
				       name_text(path, len, name), old->line);
		if (old)
			return 0;
		if (put(seen, &digest, &item, err) < 0)
			return -1;
		if (len == 0)
			return 0;
	}
}

/* A symlink, and a hard link to one, may lead to a directory. */
static bool may_lead(const struct entry *entry)
{
	return entry->type == ENTRY_DIR || entry->type == ENTRY_SYMLINK ||
	       entry->type == ENTRY_HARDLINK;
}

int seen_add(struct seen *seen, const struct entry *entry, enum seen_how how,
	     uint32_t line, struct err *err)
{
	const bool is_dir = entry->type == ENTRY_DIR;
	const struct seen_item item = { line, (uint8_t)how, may_lead(entry) };
	size_t len = strlen(entry->path);
	struct digest digest;
	struct seen_item *old;

	if (len > 0 &&
	    seen_add_way(seen, entry->path, parent_len(entry->path, len), line,
			 err) < 0)
		return -1;
	old = find(seen, entry->path, len, &digest);
	if (!old)
		return put(seen, &digest, &item, err);
	if (is_dir && old->is_dir) {
		if (how == SEEN_FOUND && old->how != SEEN_LEADS)
			return 1;
		if (old->how != SEEN_NAMED) {
			*old = item;
			return 0;
		}
	}
	return err_set(err, ERR_USAGE, "is there already: line %u", old->line);
}

bool seen_has_parent(const struct seen *seen, const char *path)
{
	struct digest digest;

	return find(seen, path, parent_len(path, strlen(path)), &digest);
}

void seen_cleanup(struct seen *seen)
{
	digest_map_cleanup(&seen->map);
	free(seen->items);
	*seen = (struct seen) { .count = 0 };
}
