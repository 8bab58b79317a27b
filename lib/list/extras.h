/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef LIST_EXTRAS_H
#define LIST_EXTRAS_H

#include <stddef.h>
#include <stdint.h>

#include "line.h"
#include "util/hash.h"

struct entry;
struct err;

/*
 * What time and xattr lines say, which may stand anywhere: where these lines
 * are, by their path. All zero but for the key is none.
 */
struct extra {
	size_t at; /* of the line in the list */
	uint32_t line;
	uint32_t next; /* of the same path; 0: none, else index + 1 */
};

struct extra_path {
	uint32_t first, last; /* as next */
	bool is_used;
};

struct extras {
	struct hash_key key;
	struct digest_map map; /* digest of a path to its index in paths */
	struct extra_path *paths;
	size_t path_count, path_cap;
	struct extra *items;
	size_t count, cap;
};

/* Draws the key. ERR_IO. */
int extras_init(struct extras *extras, struct err *err);

/*
 * Notes a line.
 *
 * at, number  where it begins, and its number
 * fails       ERR_NOMEM, ERR_LIMIT
 */
int extras_add(struct extras *extras, const char *path, size_t at,
	       uint32_t number, struct err *err);

/* The first for a path, which is marked as used; NULL if there is none. */
const struct extra *extras_find(struct extras *extras, const char *path);

/* The next for the same path, or NULL. */
const struct extra *extras_next(const struct extras *extras,
				const struct extra *extra);

/* Does to an entry what a line says. ERR_USAGE with the word, ERR_NOMEM. */
int extra_apply(const struct words *words, const struct line *line,
		struct entry *entry, struct err *err);

/* The number of the first line whose path was never asked for; 0: none. */
uint32_t extras_unused(const struct extras *extras);

void extras_cleanup(struct extras *extras);

#endif
