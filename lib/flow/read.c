/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "internal.h"

/* How the bytes of a block get from the input into its buffer. */

#include <string.h>
#include <sys/uio.h>

#include "util/account.h"

size_t extent_at(const struct entry *entry, uint64_t offset)
{
	size_t low = 0, high = entry->extent_count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct extent *e = &entry->extents[mid];

		if (e->offset + e->len <= offset)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/*
 * Walks the part [offset, offset + len) of a file: zeros for what lies in no
 * extent, and for the rest fetches bytes; forward says how.
 */
static int gather(const struct flow *flow, const struct entry *entry, bool forward,
		  uint64_t offset, uint8_t *data, uint64_t len,
		  struct err *err)
{
	struct source *src = source_of(flow, entry);
	size_t i = extent_at(entry, offset);

	while (len > 0) {
		const struct extent *e = &entry->extents[i];
		uint64_t n = len;

		if (i == entry->extent_count || offset < e->offset) {
			if (i < entry->extent_count && n > e->offset - offset)
				n = e->offset - offset;
			memset(data, 0, n);
		} else {
			uint64_t skip = offset - e->offset;
			int ret;

			if (n > e->len - skip)
				n = e->len - skip;
			ret = forward ? source_read(src, data, n, err)
				      : source_read_at(src, entry, e->at + skip,
						       data, n, err);
			if (ret < 0)
				return -1;
			if (skip + n == e->len)
				i++;
		}
		offset += n;
		data += n;
		len -= n;
	}
	return 0;
}

/* Finds the code of a piece, whose file begins with head. */
static void find_code(struct block *b, struct piece *piece, const uint8_t *head,
		      size_t head_len)
{
	piece->code = code_find(head, head_len, piece->offset,
				b->data + piece->at, (uint32_t)piece->len);
}

static size_t head_len_of(uint64_t len)
{
	return len < CODE_HEAD_LEN ? (size_t)len : CODE_HEAD_LEN;
}

int read_piece_forward(struct flow *flow, struct block *b, struct piece *piece,
		       struct err *err)
{
	uint8_t *data = b->data + piece->at;

	if (gather(flow, piece->entry, true, piece->offset, data, piece->len,
		   err) < 0)
		return -1;
	if (!flow->sink->cut.code)
		return 0;
	if (piece->offset == 0) {
		flow->head_len = head_len_of(piece->len);
		copy_bytes(flow->head, data, flow->head_len);
	}
	find_code(b, piece, flow->head, flow->head_len);
	return 0;
}

/*
 * Finds the code of a piece that was read. A part further behind costs another
 * look at the beginning of its file, which is little against compressing it.
 */
static int look_for_code(const struct flow *flow, struct block *b,
			 struct piece *piece, struct err *err)
{
	uint8_t head[CODE_HEAD_LEN];
	size_t len;

	if (piece->offset == 0) {
		find_code(b, piece, b->data + piece->at,
			  head_len_of(piece->len));
		return 0;
	}
	len = head_len_of(piece->entry->size);
	if (gather(flow, piece->entry, false, 0, head, len, err) < 0)
		return -1;
	find_code(b, piece, head, len);
	return 0;
}

static bool has_bytes(const struct piece *piece)
{
	return !piece->is_hole && !piece->is_plain && piece->len > 0;
}

/* One read was to fill all pieces: none has its bytes. */
static void fail_all(struct block *b, const struct err *err)
{
	for (uint32_t i = 0;
	     i < b->piece_count && b->err.code == ERR_NONE; i++) {
		struct piece *piece = &b->pieces[i];

		if (has_bytes(piece))
			piece_fail(b, piece, err);
	}
}

/* Where a piece begins in the input, which has it in one run. */
static uint64_t place_of(const struct piece *piece)
{
	const struct extent *e =
		&piece->entry->extents[extent_at(piece->entry, piece->offset)];

	return e->at + (piece->offset - e->offset);
}

/*
 * Reads a run of the input, of which what lies between some pieces goes to
 * scratch, a block size long, and the rest to the block.
 */
static int read_apart(const struct flow *flow, struct block *b,
		      uint8_t *scratch, struct err *err)
{
	struct iovec iov[2 * PIECE_COUNT_MAX];
	uint64_t at = b->span_at;
	uint32_t len = 0;
	int count = 0;

	for (uint32_t i = 0; i < b->piece_count; i++) {
		const struct piece *piece = &b->pieces[i];

		if (!has_bytes(piece))
			continue;

		uint64_t gap = place_of(piece) - at;
		uint32_t part = piece->at + (uint32_t)piece->len - len;
		bool apart = piece->at == len && gap > 0;

		if (apart)
			iov[count++] = (struct iovec){ scratch, (size_t)gap };
		if (apart || count == 0)
			iov[count++] = (struct iovec){ b->data + len, 0 };
		iov[count - 1].iov_len += part;
		at += gap + piece->len;
		len += part;
	}
	return source_readv_at(source_of(flow, b->span_entry), b->span_entry,
			       b->span_at, iov, count, err);
}

static void read_pieces(struct flow *flow, struct block *b, unsigned worker)
{
	if (b->read_as_one) {
		struct err err;
		int ret = b->has_gaps
				  ? read_apart(flow, b,
					       *flow_spare(flow, worker), &err)
				  : source_read_at(
					    source_of(flow, b->span_entry),
					    b->span_entry, b->span_at, b->data,
					    b->len, &err);

		if (ret < 0)
			fail_all(b, &err);
		return;
	}
	for (uint32_t i = 0; i < b->piece_count; i++) {
		struct piece *piece = &b->pieces[i];

		struct err err;

		if (!has_bytes(piece))
			continue;
		if (gather(flow, piece->entry, false, piece->offset,
			   b->data + piece->at, piece->len, &err) == 0)
			continue;
		piece_fail(b, piece, &err);
		if (b->err.code != ERR_NONE)
			return;
	}
}

void read_block(struct flow *flow, struct block *b, unsigned worker)
{
	struct err err;

	read_pieces(flow, b, worker);
	for (uint32_t i = 0; flow->sink->cut.code && i < b->piece_count &&
			     b->err.code == ERR_NONE;
	     i++) {
		struct piece *piece = &b->pieces[i];

		if (has_bytes(piece) && !piece->fault &&
		    look_for_code(flow, b, piece, &err) < 0)
			piece_fail(b, piece, &err);
	}
}
