/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "internal.h"

/*
 * What only shows when all names were read: link counts, numbers that come
 * twice, inodes that no name leads to, directories that the root is not above.
 * Format: doc/squashfs.md, "Inodes".
 */
#include <inttypes.h>
#include <stdlib.h>

#include "sqfs/image.h"
#include "sqfs/meta.h"
#include "sqfs/super.h"
#include "util/num.h"

#define INODE_MIN 20 /* bytes of the shortest */

static uint64_t at_of(const struct check *c, uint32_t node)
{
	return stream_at(&c->inodes, c->nodes[node].pos);
}

/*
 * Numbers are unique. The map is as long as numbers can be, given what the
 * table holds: those beyond were told already, or the count of inodes is wrong.
 */
static int check_numbers(struct check *c, struct err *err)
{
	uint64_t limit = c->inodes.len / INODE_MIN;
	uint8_t *seen;

	if (limit > c->super->inode_count)
		limit = c->super->inode_count;
	seen = calloc((size_t)(limit / 8) + 1, 1);
	if (!seen)
		return err_nomem(err);
	for (uint32_t i = 0; i < c->node_count; i++) {
		uint32_t number = c->nodes[i].number;
		uint8_t bit = (uint8_t)(1u << number % 8);

		if (number == 0 || number > limit)
			continue;
		if (seen[number / 8] & bit)
			node_fault(c, FAULT_INODE, i, at_of(c, i),
				   "its number %" PRIu32
				   " is that of another inode, too",
				   number);
		seen[number / 8] |= bit;
	}
	free(seen);
	return 0;
}

static size_t dir_above(const struct check *c, size_t dir)
{
	return c->nodes[c->dirs[dir].node].dir;
}

/*
 * Goes up from a directory until it is known whether the root is above; all on
 * the way are then known, too. One that has no name is told elsewhere.
 */
static void trace(struct check *c, size_t dir)
{
	uint8_t state = DIR_APART;
	size_t at = dir;

	while (c->dirs[at].state == DIR_UNKNOWN) {
		struct directory *d = &c->dirs[at];

		if (d->node == c->root || c->nodes[d->node].dir == NONE) {
			d->state = d->node == c->root ? DIR_BELOW_ROOT
						      : DIR_APART;
			break;
		}
		d->state = DIR_ON_THE_WAY;
		at = dir_above(c, at);
	}
	if (c->dirs[at].state == DIR_ON_THE_WAY)
		node_fault(c, FAULT_DIRECTORY, c->dirs[at].node,
			   at_of(c, c->dirs[at].node),
			   "the directory is below itself");
	else
		state = c->dirs[at].state;
	for (at = dir; c->dirs[at].state == DIR_ON_THE_WAY;
	     at = dir_above(c, at))
		c->dirs[at].state = state;
}

static void check_directory(struct check *c, const struct directory *d)
{
	const struct node *n = &c->nodes[d->node];
	uint32_t above;

	/* Packers count either the directories or all names. */
	if (!d->is_broken && n->nlink != d->dirs + (uint64_t)2 &&
	    n->nlink != d->names + (uint64_t)2)
		node_fault(c, FAULT_LINKS, d->node, at_of(c, d->node),
			   "it counts %" PRIu32 " links, but has %" PRIu32
			   " directories and %" PRIu32 " names in it",
			   n->nlink, d->dirs, d->names);
	if (n->dir == NONE)
		return;
	above = c->nodes[c->dirs[n->dir].node].number;
	if (d->parent != above)
		node_fault(c, FAULT_DIRECTORY, d->node, at_of(c, d->node),
			   "it says that inode %" PRIu32
			   " is above, which is %" PRIu32,
			   d->parent, above);
}

/* False if names that are missing may stand where nothing could be read. */
static bool check_node(struct check *c, uint32_t i)
{
	const struct node *n = &c->nodes[i];

	if (i == c->root)
		return true;
	if (n->found == 0 || (n->type != INODE_DIR && n->found < n->nlink)) {
		if (c->dirs_broken > 0)
			return false;
		if (n->found == 0)
			node_fault(c, FAULT_LINKS, i, at_of(c, i),
				   "no name leads to it");
	}
	if (n->type != INODE_DIR && n->found > 0 && n->found != n->nlink)
		node_fault(c, FAULT_LINKS, i, at_of(c, i),
			   "it counts %" PRIu32 " links, but has %" PRIu32
			   " names",
			   n->nlink, n->found);
	return true;
}

int check_links(struct check *c, struct err *err)
{
	size_t missing = 0;

	if (check_numbers(c, err) < 0)
		return -1;
	for (size_t i = 0; i < c->dir_count; i++) {
		trace(c, i);
		check_directory(c, &c->dirs[i]);
	}
	for (uint32_t i = 0; i < c->node_count; i++)
		missing += !check_node(c, i);
	if (missing > 0)
		fault(c, FAULT_LINKS, UINT64_MAX,
		      "%zu inodes lack names; they may stand in the listings "
		      "that could not be read",
		      missing);
	return 0;
}

int check_export(struct check *c, uint64_t number, const uint8_t *entry,
		 uint64_t at, struct err *err)
{
	struct meta_ref ref = meta_ref_unpack(get_le64(entry));
	uint32_t node = NONE;
	uint64_t pos;

	(void)err;
	if (stream_find(&c->inodes, ref.block, ref.offset, &pos))
		node = find_node(c, pos);
	if (node == NONE && c->is_broken)
		return 0;
	if (node == NONE || c->nodes[node].number != number + 1)
		fault(c, FAULT_TABLE, at,
		      "export table: inode %" PRIu64 " is not at %" PRIu64
		      ":%u",
		      number + 1, ref.block, ref.offset);
	return 0;
}
