/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "internal.h"

/*
 * Two parts of files are compared the cheapest way that tells: blocks and
 * fragment blocks that are stored alike are not decompressed.
 */
#include <stdlib.h>
#include <string.h>

#include "entry/entry.h"
#include "entry/source.h"
#include "sqfs/image.h"
#include "sqfs/inode.h"
#include "sqfs/super.h"
#include "unpack/unpack.h"
#include "util/err.h"

/* A slot of pairs: the two indexes, and what became of them. */
#define PAIR_INDEX_MAX UINT32_C(0x7FFFFFFF)
#define PAIR_KNOWN     (UINT64_C(1) << 63)
#define PAIR_SAME      (UINT64_C(1) << 62)

static void set_differs(struct piece *piece, uint64_t at, uint64_t span)
{
	piece->differs = true;
	piece->differs_at = at;
	piece->differs_span = span;
}

static int read_side(const struct side *side, const struct content *content,
		     uint64_t offset, uint8_t *buf, uint64_t len,
		     struct err *err)
{
	const struct source *origin = content->entry->origin;
	const char *path = content->entry->path;
	char name[NAME_TEXT_LEN];

	if (content_read(content, offset, buf, len, err) == 0)
		return 0;
	err_in(err, "%s", name_text(path, strlen(path), name));
	if (!side->input->name && origin && origin->name)
		return err_in(err, "%s", name_text(origin->name,
						   strlen(origin->name), name));
	return side_fail(side, err);
}

/* Reads both and compares byte by byte. */
static int compare_bytes(struct piece *piece, uint64_t offset, uint64_t len,
			 struct piece_kit *kit, struct err *err)
{
	uint64_t i = 0;

	if (read_side(piece->old_side, piece->old, offset, kit->old, len,
		      err) < 0 ||
	    read_side(piece->new_side, piece->new, offset, kit->new, len,
		      err) < 0)
		return -1;
	if (memcmp(kit->old, kit->new, len) == 0)
		return 0;
	while (kit->old[i] == kit->new[i])
		i++;
	set_differs(piece, offset + i, 1);
	return 0;
}

/*
 * True if both images store the same bytes under the same word there. What
 * cannot be read is for those to tell who want it decompressed.
 */
static bool is_stored_alike(const struct piece *piece, uint64_t old_at,
			    uint64_t new_at, uint32_t word,
			    struct piece_kit *kit)
{
	uint32_t len = BLOCK_WORD_LEN(word);

	return len <= PIECE_LEN &&
	       image_read(piece->old_side->input->image, old_at, kit->old, len,
			  NULL) == 0 &&
	       image_read(piece->new_side->input->image, new_at, kit->new, len,
			  NULL) == 0 &&
	       memcmp(kit->old, kit->new, len) == 0;
}

static bool same_block(const struct piece *piece, const struct stored *old,
		       const struct stored *new, uint64_t i,
		       struct piece_kit *kit)
{
	uint32_t word = old->words[i];

	if (word != new->words[i])
		return false;
	return word == 0 || is_stored_alike(piece, stored_block_at(old, i),
					    stored_block_at(new, i), word, kit);
}

/* The same for tail-ends: fragment blocks that are alike hold many of them. */
static bool same_tail_end(const struct piece *piece, const struct stored *old,
			  const struct stored *new, struct pairs *pairs,
			  struct piece_kit *kit)
{
	_Atomic uint64_t *slot;
	uint64_t pair, known;
	bool same;

	if (old->fragment_offset != new->fragment_offset ||
	    old->fragment_word != new->fragment_word ||
	    old->fragment_word == 0 || old->fragment > PAIR_INDEX_MAX ||
	    new->fragment > PAIR_INDEX_MAX)
		return false;
	pair = PAIR_KNOWN | (uint64_t)old->fragment << 31 | new->fragment;
	slot = &pairs->slots[old->fragment % PAIRS_LEN];
	known = atomic_load_explicit(slot, memory_order_relaxed);
	if ((known & ~PAIR_SAME) == pair)
		return known & PAIR_SAME;
	same = is_stored_alike(piece, old->fragment_start, new->fragment_start,
			       old->fragment_word, kit);
	atomic_store_explicit(slot, same ? pair | PAIR_SAME : pair,
			      memory_order_relaxed);
	return same;
}

/* True if equal stored bytes mean equal content. */
static bool is_comparable(const struct side *old, const struct side *new)
{
	const struct super *a, *b;

	if (!old->input->image || !new->input->image)
		return false;
	a = image_super(old->input->image);
	b = image_super(new->input->image);
	return a->block_size == b->block_size &&
	       a->compression_id == b->compression_id;
}

static int compare_blocks(struct piece *piece, struct pairs *pairs,
			  struct piece_kit *kit, struct err *err)
{
	const struct stored *old = entry_stored(piece->old->entry);
	const struct stored *new = entry_stored(piece->new->entry);
	uint64_t step = image_super(piece->old_side->input->image)->block_size;
	uint64_t end = piece->offset + piece->len;

	for (uint64_t o = piece->offset; o < end && !piece->differs;
	     o += step) {
		uint64_t i = o / step, len = end - o < step ? end - o : step;
		bool same;

		if (i < old->word_count && i < new->word_count)
			same = same_block(piece, old, new, i, kit);
		else
			same = i == old->word_count && i == new->word_count &&
			       same_tail_end(piece, old, new, pairs, kit);
		if (!same && compare_bytes(piece, o, len, kit, err) < 0)
			return -1;
	}
	return 0;
}

/* One granule after the other as a digest, from what is read or noted. */
struct granules {
	const struct content *content;
	const uint8_t *data; /* of the piece; NULL: take the noted ones */
	size_t digest;	     /* the next noted one */
	size_t at;	     /* content_next's */
};

static struct digest next_digest(struct granules *g, const struct piece *piece,
				 const struct digest_key *key, uint64_t offset,
				 uint64_t len)
{
	struct digest digest = { 0, 0 };

	if (g->data)
		granule_digest(key, g->data + (offset - piece->offset), len,
			       &digest);
	else if (content_next(g->content, offset, &g->at) < offset + len)
		digest = g->content->digests[g->digest++];
	return digest;
}

static int compare_digests(struct piece *piece, const struct digest_key *key,
			   struct piece_kit *kit, struct err *err)
{
	struct granules old = { .content = piece->old,
				.digest = piece->old_digest };
	struct granules new = { .content = piece->new,
				.digest = piece->new_digest };
	uint64_t step = granule_of(piece->old->size);
	uint64_t end = piece->offset + piece->len;

	if (!piece->old->digests) {
		old.data = kit->old;
		if (read_side(piece->old_side, piece->old, piece->offset,
			      kit->old, piece->len, err) < 0)
			return -1;
	}
	if (!piece->new->digests) {
		new.data = kit->new;
		if (read_side(piece->new_side, piece->new, piece->offset,
			      kit->new, piece->len, err) < 0)
			return -1;
	}
	for (uint64_t o = piece->offset; o < end; o += step) {
		uint64_t len = end - o < step ? end - o : step;
		struct digest a = next_digest(&old, piece, key, o, len);
		struct digest b = next_digest(&new, piece, key, o, len);

		if (digest_equal(&a, &b))
			continue;
		set_differs(piece, o, len);
		return 0;
	}
	return 0;
}

static int make_kit(struct piece_kit *kit, struct err *err)
{
	if (!kit->old)
		kit->old = malloc(PIECE_LEN);
	if (!kit->new)
		kit->new = malloc(PIECE_LEN);
	return kit->old && kit->new ? 0 : err_nomem(err);
}

int piece_compare(struct piece *piece, const struct digest_key *key,
		  struct pairs *pairs, struct piece_kit *kit, struct err *err)
{
	if (make_kit(kit, err) < 0)
		return -1;
	if (piece->old->digests || piece->new->digests)
		return compare_digests(piece, key, kit, err);
	if (is_comparable(piece->old_side, piece->new_side))
		return compare_blocks(piece, pairs, kit, err);
	return compare_bytes(piece, piece->offset, piece->len, kit, err);
}
