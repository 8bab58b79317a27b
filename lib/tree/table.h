/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef LIB_TREE_TABLE_H
#define LIB_TREE_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "util/hash.h"

struct err;
struct node;

/*
 * All names of the tree by directory and name: open addressing, keyed, at most
 * three quarters full. Names never leave it, they only change hands. All zero
 * is an empty table without a key.
 */
struct table {
	struct hash_key key;
	struct node **slots;
	uint32_t *tags; /* one per slot: 0 free, else half of the hash */
	size_t slot_count;
	size_t count;
};

/* Where a name is or belongs; valid until a name is added. */
struct table_place {
	uint32_t tag;
	size_t slot;
};

/* Draws the key. ERR_IO. */
int table_init(struct table *table, struct err *err);

/*
 * The node of that name in dir; NULL if there is none.
 *
 * place    where to put a node of that name; may be NULL
 */
struct node *table_find(const struct table *table, const struct node *dir,
			const char *name, size_t len,
			struct table_place *place);

/*
 * Puts a node, complete with parent and name, into the place that table_find
 * gave for them, over the one that is there. ERR_NOMEM.
 */
int table_put(struct table *table, const struct table_place *place,
	      struct node *node, struct err *err);

void table_cleanup(struct table *table);

#endif
