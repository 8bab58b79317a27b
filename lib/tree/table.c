/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The index of the tree. A slot costs twelve bytes: the node, which holds the
 * key itself, and half of the key's hash. That half alone decides where a name
 * belongs, so that growing visits no node, and looking up visits hardly any but
 * the one looked for; each would be a cache miss in a large tree.
 */
#include "table.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "entry/path.h"
#include "tree/tree.h"
#include "util/account.h"
#include "util/err.h"
#include "util/huge.h"

#define SLOTS_MIN 64
#define SLOTS_MAX ((uint64_t)1 << 32) /* as many as home_slot tells apart */

/*
 * Never 0, which marks a free slot. The address stands for the directory: it
 * decides where a node lies in the table, and nothing ever walks through the
 * table in its own order.
 */
static uint32_t name_tag(const struct table *table, const struct node *dir,
			 const char *name, size_t len)
{
	uint8_t key[sizeof(dir) + PATH_NAME_MAX];
	uint32_t tag;

	copy_bytes(key, &dir, sizeof(dir));
	copy_bytes(key + sizeof(dir), name, len);
	tag = (uint32_t)hash64(&table->key, key, sizeof(dir) + len);
	return tag ? tag : 1;
}

/* Where the search begins: the tag, scaled to the number of slots. */
static size_t home_slot(const struct table *table, uint32_t tag)
{
	return (size_t)((uint64_t)tag * table->slot_count >> 32);
}

static size_t next_slot(const struct table *table, size_t slot)
{
	return slot + 1 < table->slot_count ? slot + 1 : 0;
}

static size_t free_slot(const struct table *table, uint32_t tag)
{
	size_t i = home_slot(table, tag);

	while (table->tags[i])
		i = next_slot(table, i);
	return i;
}

/*
 * A quarter of the slots more: doubling would leave the table nearly two thirds
 * empty after each step. Tags ascend along the slots, but for some neighbours,
 * in the old table as in the new one, so each is passed through once.
 */
static int grow(struct table *table, struct err *err)
{
	struct table wide = *table;
	uint64_t count = table->slot_count;

	count += count ? count / 4 : SLOTS_MIN;
	if (count > SLOTS_MAX)
		count = SLOTS_MAX;
	if (count == table->slot_count || count > SIZE_MAX / sizeof(void *))
		return err_nomem(err);
	wide.slot_count = (size_t)count;
	wide.slots = malloc(wide.slot_count * sizeof(*wide.slots));
	wide.tags = calloc(wide.slot_count, sizeof(*wide.tags));
	if (!wide.slots || !wide.tags) {
		free(wide.slots);
		free(wide.tags);
		return err_nomem(err);
	}
	huge_pages(wide.slots, wide.slot_count * sizeof(*wide.slots));
	huge_pages(wide.tags, wide.slot_count * sizeof(*wide.tags));
	for (size_t i = 0; i < table->slot_count; i++) {
		size_t slot;

		if (!table->tags[i])
			continue;
		slot = free_slot(&wide, table->tags[i]);
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

	uint32_t tag = name_tag(table, dir, name, len);
	size_t i = 0;
	struct node *found = NULL;

	if (table->slot_count > 0) {
		for (i = home_slot(table, tag); table->tags[i];
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
		*place = (struct table_place){ tag, i };
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
		slot = free_slot(table, place->tag);
	}
	table->slots[slot] = node;
	table->tags[slot] = place->tag;
	table->count += is_new;
	return 0;
}

void table_cleanup(struct table *table)
{
	free(table->slots);
	free(table->tags);
	*table = (struct table) { 0 };
}
