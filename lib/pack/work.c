/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "internal.h"

#include "codec/probe.h"

/* What a worker does with a block: all that needs no other block. */

/* Of less code a filter makes the rest worse by as much as it gains. */
#define CODE_SHARE_MIN 10 /* of which one */

enum codec_use pack_use(enum code_machine machine, uint32_t code_len,
			uint32_t len)
{
	if (machine == CODE_NONE || code_len <= len / CODE_SHARE_MIN)
		return CODEC_USE_DATA;
	return (enum codec_use)(CODEC_USE_CODE + (int)machine);
}

static enum codec_use use_of(const struct block *b)
{
	if (b->kind != BLOCK_DATA)
		return (enum codec_use)b->use;
	return pack_use(b->pieces[0].code.machine, b->pieces[0].code.len,
			b->len);
}

/* Compresses the block into the worker's spare buffer, which then changes
 * places with the block's. */
static void compress(const struct pack *pack, struct block *b,
		     unsigned worker)
{
	uint8_t **spare = flow_spare(pack->flow, worker);
	uint8_t *data = b->data;
	size_t len;

	b->is_compressed = false;
	b->stored_len = b->len;
	if (b->kind == BLOCK_DATA
		    ? pack->options.raw.data ||
			      (b->pieces[0].entry->flags & ENTRY_NO_COMPRESS)
		    : pack->options.raw.fragments || b->is_raw)
		return;
	if (pack->options.probe && probe_is_dense(data, b->len))
		return;
	if (codec_compress(pack->workers[worker], use_of(b), data, b->len,
			   *spare, CODEC_BOUND(pack->sink.cut.block_size),
			   &len, &b->err) < 0)
		return;
	if (len == 0)
		return;
	b->data = *spare;
	*spare = data;
	b->stored_len = (uint32_t)len;
	b->is_compressed = true;
}

static bool is_hole(const struct pack *pack, const struct piece *piece,
		    const uint8_t *data)
{
	return !pack->options.no_sparse &&
	       !(piece->entry->flags & ENTRY_NO_SPARSE) &&
	       mem_is_zero(data, piece->len);
}

static void work_data(const struct pack *pack, struct block *b,
		      unsigned worker)
{
	struct piece *piece = &b->pieces[0];

	if (piece->fault)
		return;
	piece->is_zero = is_hole(pack, piece, b->data);
	if (piece->is_zero)
		return;
	compress(pack, b, worker);

	/* The stored bytes are fewer, and as good: the same content gives the
	 * same bytes. */
	if (pack_looks_for_duplicates(pack, piece->entry))
		digest_content(&pack->key, b->data, b->stored_len,
			       &piece->digest);
}

static void work_tail_ends(const struct pack *pack, struct block *b)
{
	for (uint32_t i = 0; i < b->piece_count; i++) {
		struct piece *piece = &b->pieces[i];
		const uint8_t *data = b->data + piece->at;

		if (piece->is_hole || piece->len == 0 || piece->fault)
			continue;
		piece->is_zero = is_hole(pack, piece, data);
		if (!piece->is_zero &&
		    pack_looks_for_duplicates(pack, piece->entry))
			digest_content(&pack->key, data, piece->len,
				       &piece->digest);
	}
}

void pack_work(struct sink *sink, struct block *b, unsigned worker)
{
	const struct pack *pack = (const struct pack *)sink;

	if (b->kind == BLOCK_TAIL_ENDS)
		work_tail_ends(pack, b);
	else if (b->kind == BLOCK_DATA)
		work_data(pack, b, worker);
	else
		compress(pack, b, worker);
}
