/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "dir/source.h"

/*
 * Names of one inode: its number and device lead to the first of them. Paths
 * may have been changed on the way, so that another entry comes to the place of
 * a first one; then the next name of that inode is the first again.
 */
#include <stdlib.h>
#include <string.h>

#include "dir/files.h"
#include "entry/entry.h"
#include "entry/source.h"
#include "util/arena.h"
#include "util/err.h"
#include "util/hash.h"

/* A name that others are hard links to. */
struct first {
	char *path; /* NULL: something else is there now */
};

/* A path at which a first one was. */
struct spot {
	struct first *first;
};

struct links_source {
	struct source source; /* first */
	struct source *inner; /* owned */
	struct hash_key key;
	struct digest_map firsts; /* digest of dev and ino to a struct first */
	struct digest_map paths;  /* digest of a path to a struct spot */
	struct arena arena;	  /* these, and their paths */
};

/* Makes an entry one more name of what is at path. */
static int make_link(struct entry *entry, const char *path, struct err *err)
{
	char *link = strdup(path);

	if (!link)
		return err_nomem(err);
	entry_free_part(entry, entry->link);
	entry_free_part(entry, entry->extents);
	entry->link = link;
	entry->type = ENTRY_HARDLINK;
	entry->size = 0;
	entry->extents = NULL;
	entry->extent_count = 0;
	entry_clear_xattrs(entry);
	return 0;
}

static void *find(const struct digest_map *map, const struct digest *digest)
{
	const uint64_t *found = digest_map_find(map, digest);

	return found ? (void *)(uintptr_t)*found : NULL;
}

/* Memory of len bytes that a digest leads to. NULL with ERR_NOMEM. */
static void *add(struct links_source *l, struct digest_map *map,
		 const struct digest *digest, size_t len, struct err *err)
{
	void *new = arena_alloc(&l->arena, len, err);

	if (!new ||
	    digest_map_add(map, digest, (uint64_t)(uintptr_t) new, err) < 0)
		return NULL;
	return new;
}

static void hash_path(const struct links_source *l, const struct entry *entry,
		      struct digest *out)
{
	hash128(&l->key, entry->path, strlen(entry->path), out);
}

/* Whatever was first at the path of an entry is there no longer. */
static void supersede(struct links_source *l, const struct entry *entry)
{
	struct digest digest;
	struct spot *spot;

	if (l->paths.count == 0)
		return;
	hash_path(l, entry, &digest);
	spot = find(&l->paths, &digest);
	if (spot)
		spot->first->path = NULL;
}

/* Makes the entry the first name of its inode. */
static int set_first(struct links_source *l, const struct entry *entry,
		     struct first *first, struct err *err)
{
	struct digest digest;
	struct spot *spot;

	first->path =
		arena_text(&l->arena, entry->path, strlen(entry->path), err);
	if (!first->path)
		return -1;
	hash_path(l, entry, &digest);
	spot = find(&l->paths, &digest);
	if (!spot)
		spot = add(l, &l->paths, &digest, sizeof(*spot), err);
	if (!spot)
		return -1;
	spot->first = first;
	return 0;
}

static int look_up(struct links_source *l, struct entry *entry, struct err *err)
{
	struct digest digest;
	struct first *first;
	uint64_t id[2];

	if (!files_has_names(entry, id)) {
		supersede(l, entry);
		return 0;
	}
	hash128(&l->key, id, sizeof(id), &digest);
	first = find(&l->firsts, &digest);
	if (first && first->path && strcmp(first->path, entry->path) == 0)
		return 0;
	supersede(l, entry);
	if (first && first->path)
		return make_link(entry, first->path, err);
	if (!first)
		first = add(l, &l->firsts, &digest, sizeof(*first), err);
	return first ? set_first(l, entry, first, err) : -1;
}

static int links_next(struct source *src, struct entry **out, struct err *err)
{
	struct links_source *l = (struct links_source *)src;
	struct entry *entry;
	int ret = source_next(l->inner, &entry, err);

	if (ret != 0)
		return ret;
	if (look_up(l, entry, err) < 0) {
		entry_destroy(entry);
		return -1;
	}
	*out = entry;
	return 0;
}

static int links_read_at(const struct source *src, const struct entry *entry,
			 uint64_t at, void *buf, size_t len, struct err *err)
{
	const struct links_source *l = (const struct links_source *)src;

	return source_read_at(l->inner, entry, at, buf, len, err);
}

static void links_progress(const struct source *src, uint64_t *done,
			   uint64_t *total)
{
	const struct source *inner = ((const struct links_source *)src)->inner;

	*done = 0;
	*total = 0;
	if (inner->ops->progress)
		inner->ops->progress(inner, done, total);
}

static void links_destroy(struct source *src)
{
	struct links_source *l = (struct links_source *)src;

	source_destroy(l->inner);
	digest_map_cleanup(&l->firsts);
	digest_map_cleanup(&l->paths);
	arena_cleanup(&l->arena);
	free(l);
}

static const struct source_ops links_ops = {
	.next = links_next,
	.read_at = links_read_at,
	.progress = links_progress,
	.destroy = links_destroy,
};

int links_source_create(struct source *inner, struct source **out,
			struct err *err)
{
	struct links_source *l = calloc(1, sizeof(*l));

	if (!l) {
		source_destroy(inner);
		return err_nomem(err);
	}
	l->source.ops = &links_ops;
	l->inner = inner;
	if (hash_key_draw(&l->key, err) < 0) {
		links_destroy(&l->source);
		return -1;
	}
	*out = &l->source;
	return 0;
}
