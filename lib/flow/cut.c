/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "internal.h"

/*
 * Cuts entries into pieces. A full block is handed out alone; tail-ends, holes
 * and entries without content gather in the open block, so that small files
 * share one job, and one read where their content lies close together in the
 * input. The open block is handed out before any full block, which keeps the
 * order of the input.
 */

#include <string.h>

/* Bytes between two tail-ends that are read in vain rather than apart. */
#define GAP_MAX 16384

/*
 * A tail-end of so many bytes is read right behind the one before, and what
 * lies between them into some other place: as a fragment block has them, so
 * that they need not be moved there. Of shorter ones the many places to read to
 * cost the system more than moving the bytes does: at 400 bytes twice the time
 * of the read, at 2000 a third more, at 8192 a tenth.
 */
#define APART_MIN 1024

int cut_flush(struct flow *flow, struct err *err)
{
	struct block *b = flow->open;

	flow->open = NULL;
	return b ? flow_hand_out(flow, b, err) : 0;
}

/* Makes sure that the open block is there and has room for a piece. */
static int open_for_piece(struct flow *flow, struct err *err)
{
	if (flow->open && flow->open->piece_count == flow->piece_max &&
	    cut_flush(flow, err) < 0)
		return -1;
	if (!flow->open) {
		if (flow_take_free(flow, &flow->open, err) < 0)
			return -1;
		flow->open->kind = BLOCK_TAIL_ENDS;
	}
	return 0;
}

/* Appends a piece to a block; the entry goes along with its last piece. */
static struct piece *add_piece(struct block *b, struct entry *entry,
			       uint64_t offset, uint64_t len, bool *given)
{
	struct piece *piece = &b->pieces[b->piece_count++];

	*piece = (struct piece){
		.entry = entry,
		.offset = offset,
		.len = len,
		.is_first = offset == 0,
		.is_last = offset + len == entry->size,
	};
	*given = piece->is_last;
	return piece;
}

/* A piece without bytes: holes, or an entry without content. */
static int cut_no_bytes(struct flow *flow, struct entry *entry,
			uint64_t offset, uint64_t len, bool *given,
			struct err *err)
{
	if (open_for_piece(flow, err) < 0)
		return -1;
	add_piece(flow->open, entry, offset, len, given)->is_hole = len > 0;
	return 0;
}

/*
 * Takes the plain bytes that begin here, whole blocks of them or all that is
 * left of the file, as a piece without bytes. 1 if there are too few.
 */
static int cut_plain(struct flow *flow, struct entry *entry, uint64_t offset,
		     uint64_t *len, bool *given, struct err *err)
{
	const struct source *src = source_of(flow, entry);
	const uint64_t left = entry->size - offset;
	size_t i = extent_at(entry, offset);
	struct piece *piece;
	uint64_t at, n;
	int fd;

	if (!flow->sink->cut.plain || !src->ops->plain ||
	    i == entry->extent_count || entry->extents[i].offset > offset)
		return 1;

	const struct extent *e = &entry->extents[i];

	if (!src->ops->plain(src, entry, e->at + (offset - e->offset), &fd,
			     &at, &n))
		return 1;
	if (n > e->offset + e->len - offset)
		n = e->offset + e->len - offset;
	if (n < left)
		n -= n % flow->block_size;
	if (n == 0)
		return 1;
	if (open_for_piece(flow, err) < 0)
		return -1;
	piece = add_piece(flow->open, entry, offset, n, given);
	piece->is_plain = true;
	piece->plain_fd = fd;
	piece->plain_at = at;
	*len = n;
	return 0;
}

/*
 * True and *at is the place in the input, if the part of a file lies there in
 * one run and workers read it.
 */
static bool is_one_run(const struct flow *flow, const struct entry *entry,
		       uint64_t offset, uint64_t len, uint64_t *at)
{
	size_t i;

	if (is_forward(flow, entry))
		return false;
	i = extent_at(entry, offset);
	if (i == entry->extent_count)
		return false;

	const struct extent *e = &entry->extents[i];

	if (offset < e->offset || offset + len > e->offset + e->len)
		return false;
	*at = e->at + (offset - e->offset);
	return true;
}

/*
 * True if a tail-end at a place of the input can be read together with the
 * bytes that the open block has; *begin is where it comes to lie then.
 */
static bool fits_span(const struct flow *flow, const struct entry *entry,
		      uint64_t at, uint32_t len, uint32_t *begin)
{
	struct block *b = flow->open;
	uint64_t gap;
	bool apart;

	if (!b->read_as_one ||
	    source_of(flow, b->span_entry) != source_of(flow, entry))
		return false;
	if (at < b->span_end || at - b->span_end > GAP_MAX)
		return false;
	gap = at - b->span_end;
	apart = gap > 0 && len >= APART_MIN && gap <= flow->block_size;
	if (apart)
		gap = 0;
	if (b->len + gap + len > flow->block_size)
		return false;
	b->has_gaps |= apart;
	*begin = b->len + (uint32_t)gap;
	return true;
}

/*
 * Finds room for the bytes of a tail-end in the open block, or in the next.
 */
static int place_tail_end(struct flow *flow, const struct entry *entry,
			  uint64_t offset, uint32_t len, uint32_t *begin,
			  struct err *err)
{
	uint64_t at = 0;
	bool one_run = source_of(flow, entry)->one_input &&
		       is_one_run(flow, entry, offset, len, &at);

	if (open_for_piece(flow, err) < 0)
		return -1;
	if (flow->open->len > 0) {
		if (one_run && fits_span(flow, entry, at, len, begin)) {
			flow->open->span_end = at + len;
			return 0;
		}
		if (!one_run && !flow->open->read_as_one &&
		    flow->open->is_filled == is_forward(flow, entry) &&
		    len <= flow->block_size - flow->open->len) {
			*begin = flow->open->len;
			return 0;
		}
		if (cut_flush(flow, err) < 0 || open_for_piece(flow, err) < 0)
			return -1;
	}
	flow->open->read_as_one = one_run;
	flow->open->span_at = at;
	flow->open->span_end = at + len;
	flow->open->span_entry = entry;
	*begin = 0;
	return 0;
}

static int cut_tail_end(struct flow *flow, struct entry *entry,
			uint64_t offset, uint32_t len, bool *given,
			struct err *err)
{
	struct piece *piece;
	uint32_t begin;

	if (place_tail_end(flow, entry, offset, len, &begin, err) < 0)
		return -1;

	struct block *b = flow->open;

	b->len = begin + len;
	if (!is_forward(flow, entry)) {
		add_piece(b, entry, offset, len, given)->at = begin;
		return 0;
	}
	/* The entry is not given away before its bytes are there. */
	piece = add_piece(b, entry, offset, len, given);
	piece->at = begin;
	b->is_filled = true;
	if (read_piece_forward(flow, b, piece, err) < 0) {
		b->piece_count--;
		*given = false;
		return -1;
	}
	return 0;
}

/* A block of its own: full, or a tail-end that is not packed with others. */
static int cut_data(struct flow *flow, struct entry *entry, uint64_t offset,
		    uint32_t len, bool *given, struct err *err)
{
	struct block *b;
	struct piece *piece;

	if (cut_flush(flow, err) < 0 || flow_take_free(flow, &b, err) < 0)
		return -1;
	b->kind = BLOCK_DATA;
	b->len = len;
	piece = add_piece(b, entry, offset, len, given);
	b->read_as_one = is_one_run(flow, entry, offset, len, &b->span_at);
	b->span_entry = entry;
	b->is_filled = is_forward(flow, entry);
	if (b->is_filled && read_piece_forward(flow, b, piece, err) < 0) {
		*given = false;
		flow_release(flow, b);
		return -1;
	}
	return flow_hand_out(flow, b, err);
}

/* Bytes from offset on that lie in a hole, 0 if offset is in an extent. */
static uint64_t hole_len(const struct entry *entry, uint64_t offset)
{
	size_t i = extent_at(entry, offset);

	if (i == entry->extent_count)
		return entry->size - offset;
	if (entry->extents[i].offset <= offset)
		return 0;
	return entry->extents[i].offset - offset;
}

int cut_entry(struct flow *flow, struct entry *entry, bool *given,
	      struct err *err)
{
	const struct sink_cut *cut = &flow->sink->cut;
	const uint64_t size = entry->size; /* entry may be gone at the end */
	const bool holes = cut->holes && !(entry->flags & ENTRY_NO_SPARSE);
	const bool fragment = !(entry->flags & ENTRY_NO_FRAGMENT);
	uint64_t offset = 0;

	*given = false;
	flow->head_len = 0;
	if (flow->sink->ops->announce &&
	    flow->sink->ops->announce(flow->sink, entry, err) < 0)
		return -1;
	if (size == 0)
		return cut_no_bytes(flow, entry, 0, 0, given, err);
	while (offset < size) {
		uint64_t left = size - offset;
		uint64_t len = left < flow->block_size ? left
						       : flow->block_size;
		uint64_t hole = holes ? hole_len(entry, offset) : 0;
		bool is_tail = len < flow->block_size && fragment &&
			       (offset == 0 ? cut->tail_ends
					    : cut->long_tail_ends);
		int ret;

		if (hole >= len) {
			len = hole == left ? left : hole - hole % len;
			ret = cut_no_bytes(flow, entry, offset, len, given,
					   err);
		} else if ((ret = cut_plain(flow, entry, offset, &len, given,
					    err)) <= 0) {
			/* done, or failed */
		} else if (is_tail) {
			ret = cut_tail_end(flow, entry, offset, (uint32_t)len,
					   given, err);
		} else {
			ret = cut_data(flow, entry, offset, (uint32_t)len,
				       given, err);
		}
		if (ret < 0)
			return -1;
		offset += len;
	}
	return 0;
}
