/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The index of the tree. A slot costs nine bytes: the node, which holds the key
 * itself, and a tag of the hash, which spares the walk along a run of taken
 * slots nearly all visits to nodes, each of them a cache miss in a large tree.
 */
#include "table.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "entry/path.h"
#include "tree/tree.h"
#include "util/err.h"

#define SLOTS_MIN 64
#define SLOTS_MAX ((uint64_t)1 << 32) /* as many as home_slot tells apart */

/*
 * The address stands for the directory: it decides where a node lies in the
 * table, and nothing ever walks through the table in its own order.
 */
static uint64_t name_hash(const struct table *table, const struct node *dir,
			  const char *name, size_t len)
{
	uint8_t key[sizeof(dir) + PATH_NAME_MAX];

	memcpy(key, &dir, sizeof(dir));
	memcpy(key + sizeof(dir), name, len);
	return hash64(&table->key, key, sizeof(dir) + len);
}

/* Bits of the hash that home_slot does not look at. */
static uint8_t hash_tag(uint64_t hash)
{
	uint8_t tag = (uint8_t)hash;

	return tag ? tag : 1;
}

/* Where the search for a hash begins: its upper half, scaled to the slots. */
static size_t home_slot(const struct table *table, uint64_t hash)
{
	return (size_t)((hash >> 32) * (uint64_t)table->slot_count >> 32);
}

static size_t next_slot(const struct table *table, size_t slot)
{
	return slot + 1 < table->slot_count ? slot + 1 : 0;
}

static size_t free_slot(const struct table *table, uint64_t hash)
{
	size_t i = home_slot(table, hash);

	while (table->tags[i])
		i = next_slot(table, i);
	return i;
}

/*
 * Half as many slots again: doubling would leave the table nearly two thirds
 * empty after each step.
 */
static int grow(struct table *table, struct err *err)
{
	struct table wide = *table;
	uint64_t count = table->slot_count;

	count += count ? count / 2 : SLOTS_MIN;
	if (count > SLOTS_MAX)
		count = SLOTS_MAX;
	if (count == table->slot_count || count > SIZE_MAX / sizeof(void *))
		return err_nomem(err);
	wide.slot_count = (size_t)count;
	wide.slots = malloc(wide.slot_count * sizeof(*wide.slots));
	wide.tags = calloc(wide.slot_count, 1);
	if (!wide.slots || !wide.tags) {
		free(wide.slots);
		free(wide.tags);
		return err_nomem(err);
	}
	for (size_t i = 0; i < table->slot_count; i++) {
		const struct node *node;
		uint64_t hash;
		size_t slot;

		if (!table->tags[i])
			continue;
		node = table->slots[i];
		hash = name_hash(table, node->parent, node->name,
				 node->name_len);
		slot = free_slot(&wide, hash);
		wide.slots[slot] = table->slots[i];
		wide.tags[slot] = table->tags[i];
	}
	free(table->slots);
	free(table->tags);
	*table = wide;
	return 0;
}

int table_init(struct table *table, struct err *err)
{
	*table = (struct table) { 0 };
	return hash_key_draw(&table->key, err);
}

struct node *table_find(const struct table *table, const struct node *dir,
			const char *name, size_t len, struct table_place *place)
{
	if (len > PATH_NAME_MAX)
		return NULL;

	uint64_t hash = name_hash(table, dir, name, len);
	uint8_t tag = hash_tag(hash);
	size_t i = 0;
	struct node *found = NULL;

	if (table->slot_count > 0) {
		for (i = home_slot(table, hash); table->tags[i];
		     i = next_slot(table, i)) {
			struct node *node = table->slots[i];

			if (table->tags[i] == tag && node->parent == dir &&
			    node->name_len == len &&
			    memcmp(node->name, name, len) == 0) {
				found = node;
				break;
			}
		}
	}
	if (place)
		*place = (struct table_place) { hash, i };
	return found;
}

int table_put(struct table *table, const struct table_place *place,
	      struct node *node, struct err *err)
{
	size_t slot = place->slot;
	bool is_new = table->slot_count == 0 || !table->tags[slot];

	assert(node->name_len <= PATH_NAME_MAX);
	if (is_new && table->count + 1 > table->slot_count / 4 * 3) {
		if (grow(table, err) < 0)
			return -1;
		slot = free_slot(table, place->hash);
	}
	table->slots[slot] = node;
	table->tags[slot] = hash_tag(place->hash);
	table->count += is_new;
	return 0;
}

void table_cleanup(struct table *table)
{
	free(table->slots);
	free(table->tags);
	*table = (struct table) { 0 };
}
