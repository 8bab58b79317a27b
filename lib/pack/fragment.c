/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "internal.h"

/*
 * Fragment blocks: tail-ends of many files, one behind the other, compressed
 * together. One is open at a time; a tail-end that does not fit closes it, and
 * the block that brought the tail-end becomes the next open one, its bytes
 * moved to the front: so adding never needs a block that may not be there.
 * Format: doc/squashfs.md, "Fragments".
 */

#include <stdlib.h>
#include <string.h>

#include "util/account.h"
#include "util/err.h"
#include "util/num.h"

/* What a fragment block is, by the machine that most of its code is for. */
static enum codec_use fragment_use(const struct pack *pack)
{
	unsigned most = CODE_NONE;

	for (unsigned i = CODE_NONE + 1; i < CODE_MACHINE_COUNT; i++)
		if (pack->fragment_code[i] > pack->fragment_code[most])
			most = i;
	return pack_use((enum code_machine)most, pack->fragment_code[most],
			pack->fragment->len);
}

int fragment_close(struct pack *pack, struct err *err)
{
	struct block *b = pack->fragment;

	if (!b)
		return 0;
	b->use = (int)fragment_use(pack);
	pack->fragment = NULL;
	b->owner = NULL;
	b->align = 0;
	b->pad = 0;
	b->is_first = false;
	b->is_ready = false;
	flow_submit(pack->flow, b);
	return queue_push(pack, b, err);
}

int pack_collect(struct sink *sink, struct block *b, struct err *err)
{
	struct pack *pack = (struct pack *)sink;

	b->is_ready = true;
	pack->stats.blocks++;
	pack->stats.fragment_blocks++;
	pack->stats.bytes_stored += b->stored_len;
	return queue_advance(pack, err);
}

/* Makes b the open fragment block, still without a tail-end. */
static int open_fragment(struct pack *pack, struct block *b, struct err *err)
{
	if (pack->fragment_count == NODE_NO_FRAGMENT - 1)
		return err_set(err, ERR_LIMIT,
			       "more than 2^32 - 2 fragment blocks");
	if (buffer_reserve(&pack->fragments, FRAGMENT_LEN, err) < 0)
		return -1;
	pack->fragments.len += FRAGMENT_LEN;
	b->index = pack->fragment_count++;
	b->len = 0;
	b->is_raw = false;
	memset(pack->fragment_code, 0, sizeof(pack->fragment_code));
	pack->fragment = b;
	return 0;
}

/*
 * Appends a tail-end to the open fragment block. Where that is b itself, its
 * bytes move to the front, if they are not there yet: what is in use is never
 * more than what the tail-ends before it took.
 */
static int append(struct pack *pack, struct block *b,
		  const struct piece *piece, bool *keep, struct err *err)
{
	uint32_t len = (uint32_t)piece->len;

	if (pack->fragment &&
	    len > pack->sink.cut.block_size - pack->fragment->len &&
	    fragment_close(pack, err) < 0)
		return -1;
	if (!pack->fragment) {
		if (open_fragment(pack, b, err) < 0)
			return -1;
		*keep = true;
	}

	struct block *to = pack->fragment;

	if (to != b || to->len != piece->at)
		move_bytes(to->data + to->len, b->data + piece->at, len);
	pack->file.node->u.file.fragment = to->index;
	pack->file.node->u.file.fragment_offset = to->len;
	to->len += len;
	if (piece->code.machine != CODE_NONE)
		pack->fragment_code[piece->code.machine] += piece->code.len;
	if (piece->entry->flags & ENTRY_NO_COMPRESS)
		to->is_raw = true;
	return 0;
}

void fragment_prefetch(struct pack *pack, const struct block *b)
{
	for (uint32_t i = 0; i < b->piece_count; i++)
		if (b->pieces[i].len > 0)
			digest_map_prefetch(&pack->tails,
					    &b->pieces[i].digest);
}

int fragment_add(struct pack *pack, struct block *b, struct piece *piece,
		 bool *keep, struct err *err)
{
	struct node *node = pack->file.node;
	bool search = pack_looks_for_duplicates(pack, piece->entry);

	pack->stats.tail_ends++;
	if (search) {
		const uint64_t *found =
			digest_map_find(&pack->tails, &piece->digest);

		if (found) {
			node->u.file.fragment = (uint32_t)(*found >> 32);
			node->u.file.fragment_offset = (uint32_t)*found;
			pack->stats.duplicate_tail_ends++;
			pack->stats.duplicate_tail_bytes += piece->len;
			return 0;
		}
	}
	if (append(pack, b, piece, keep, err) < 0)
		return -1;
	if (!search)
		return 0;
	return digest_map_add(&pack->tails, &piece->digest,
			      (uint64_t)node->u.file.fragment << 32 |
				      node->u.file.fragment_offset,
			      err);
}

/* The node after this one in an order that visits each once. */
static struct node *next_node(struct node *node)
{
	if (node->type == NODE_DIR && node->u.dir.children)
		return node->u.dir.children;
	while (node && !node->next)
		node = node->parent;
	return node ? node->next : NULL;
}

/* Sets new numbers for fragment blocks; each inode is visited once. */
static void renumber(struct pack *pack, const uint32_t *numbers)
{
	struct node *node, *inode;

	for (node = tree_root(pack->tree); node; node = next_node(node)) {
		inode = node_inode(node);
		if (inode->type != NODE_FILE ||
		    inode->u.file.fragment == NODE_NO_FRAGMENT)
			continue;
		/* A removed original is reached by its links only: count it
		 * with the first, which is marked by is_written. */
		if (inode != node && (!inode->is_removed || inode->is_written))
			continue;
		inode->is_written = inode != node;
		inode->u.file.fragment = numbers[inode->u.file.fragment];
	}
	for (node = tree_root(pack->tree); node; node = next_node(node))
		node_inode(node)->is_written = false;
}

int fragment_drop_unused(struct pack *pack, struct err *err)
{
	uint32_t count = pack->fragment_count, kept = 0;
	uint32_t *numbers;

	if (count == 0)
		return 0;
	numbers = calloc(count, sizeof(*numbers));
	if (!numbers)
		return err_nomem(err);
	for (struct node *node = tree_root(pack->tree); node;
	     node = next_node(node)) {
		struct node *inode = node_inode(node);

		if (inode->type == NODE_FILE &&
		    inode->u.file.fragment != NODE_NO_FRAGMENT)
			numbers[inode->u.file.fragment] = 1;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (!numbers[i])
			continue;
		move_bytes(pack->fragments.data + (size_t)kept * FRAGMENT_LEN,
			   pack->fragments.data + (size_t)i * FRAGMENT_LEN,
			   FRAGMENT_LEN);
		numbers[i] = kept++;
	}
	if (kept < count)
		renumber(pack, numbers);
	pack->fragment_count = kept;
	free(numbers);
	return 0;
}
