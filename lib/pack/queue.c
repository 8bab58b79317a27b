/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "internal.h"

/*
 * The write queue: blocks in the order of the image. Data blocks are ready
 * when they come, fragment blocks when they are compressed; a block gets its
 * place when all before it have theirs. A fragment block enters only between
 * files, so the blocks of a file stay adjacent.
 *
 * When a file turns out to be a duplicate, those of its blocks that still wait
 * are dropped, and the mark moves back over those that have left. The writer
 * writes in the order it is given blocks, so what comes next simply overwrites
 * them. Format: doc/squashfs.md, "Data blocks".
 */

#include "sqfs/super.h"
#include "util/num.h"
#include "writer.h"

static void put_fragment_entry(struct pack *pack, const struct block *b)
{
	uint8_t *raw = pack->fragments.data + (size_t)b->index * FRAGMENT_LEN;
	uint32_t word = b->stored_len;

	if (!b->is_compressed)
		word |= BLOCK_WORD_RAW;
	put_le64(raw, b->offset);
	put_le32(raw + 8, word);
	put_le32(raw + 12, 0);
}

/*
 * Gives a block its place in the image. What is left free in front of an
 * aligned one is written with it: something else may have been there that was
 * taken back.
 */
static void place(struct pack *pack, struct block *b)
{
	if (b->align > 0 && pack->mark % b->align > 0)
		b->pad = (uint32_t)(b->align - pack->mark % b->align);
	pack->mark += b->pad;
	b->offset = pack->mark;
	pack->mark += b->stored_len;
	if (b->kind == BLOCK_OF_SINK) {
		put_fragment_entry(pack, b);
		return;
	}

	struct node *node = b->owner;

	if (b->is_first)
		node->u.file.start = b->offset;
	if (node == pack->file.node)
		pack->file.is_placed = true;
	if (node == pack->file.node && b->is_first)
		pack->file.pad = b->pad;
}

int queue_advance(struct pack *pack, struct err *err)
{
	struct block *b;

	while ((b = pack->queue_head) && b->is_ready) {
		pack->queue_head = b->next;
		if (b->next)
			b->next->prev = NULL;
		else
			pack->queue_tail = NULL;
		place(pack, b);
		if (pack_writer_put(pack->writer, b, err) < 0)
			return -1;
	}
	return 0;
}

int queue_push(struct pack *pack, struct block *b, struct err *err)
{
	b->next = NULL;
	b->prev = pack->queue_tail;
	if (b->prev)
		b->prev->next = b;
	else
		pack->queue_head = b;
	pack->queue_tail = b;
	return queue_advance(pack, err);
}

void queue_take_back(struct pack *pack)
{
	struct block *b;

	while ((b = pack->queue_tail) && b->owner == pack->file.node) {
		pack->queue_tail = b->prev;
		if (b->prev)
			b->prev->next = NULL;
		else
			pack->queue_head = NULL;
		flow_release(pack->flow, b);
	}
	if (pack->file.is_placed)
		pack->mark = pack->file.node->u.file.start - pack->file.pad;
}
