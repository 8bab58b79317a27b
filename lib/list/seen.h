/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef LIST_SEEN_H
#define LIST_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/hash.h"

struct entry;
struct err;

/*
 * What was named so far, by which line: 40 bytes for each path and a slot. All
 * zero but for the key knows nothing.
 */
struct seen_item {
	uint32_t line;
	uint8_t how; /* enum seen_how */
	bool is_dir; /* or may lead to one */
};

struct seen {
	struct hash_key key;
	struct digest_map map; /* digest of a path to its index in items */
	struct seen_item *items;
	size_t count, cap;
};

enum seen_how {
	SEEN_LEADS, /* a directory on the way to something */
	SEEN_FOUND, /* by a glob line */
	SEEN_NAMED
};

/* Draws the key. ERR_IO. */
int seen_init(struct seen *seen, struct err *err);

/*
 * Notes an entry, and the directories that lead to it.
 *
 * how      SEEN_FOUND or SEEN_NAMED
 * returns  0, 1 if it is a found directory that was there before, -1
 * fails    ERR_USAGE: it was there before, or lies below what is no directory;
 *	    ERR_NOMEM
 */
int seen_add(struct seen *seen, const struct entry *entry, enum seen_how how,
	     uint32_t line, struct err *err);

/* Notes a directory, and what leads to it, unless it is there. As seen_add. */
int seen_add_way(struct seen *seen, const char *path, size_t len,
		 uint32_t line, struct err *err);

/* True if the directory that a path lies in is there. */
bool seen_has_parent(const struct seen *seen, const char *path);

void seen_cleanup(struct seen *seen);

#endif
