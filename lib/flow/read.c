/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "internal.h"

/* How the bytes of a block get from the input into its buffer. */

#include <string.h>

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

int read_piece_forward(struct flow *flow, struct block *b,
		       const struct piece *piece, struct err *err)
{
	return gather(flow, piece->entry, true, piece->offset,
		      b->data + piece->at, piece->len, err);
}

/* One read was to fill all pieces: none has its bytes. */
static void fail_all(struct block *b, const struct err *err)
{
	for (uint32_t i = 0;
	     i < b->piece_count && b->err.code == ERR_NONE; i++) {
		struct piece *piece = &b->pieces[i];

		if (!piece->is_hole && !piece->is_plain && piece->len > 0)
			piece_fail(b, piece, err);
	}
}

void read_block(const struct flow *flow, struct block *b)
{
	if (b->read_as_one) {
		struct err err;

		if (source_read_at(source_of(flow, b->span_entry),
				   b->span_entry, b->span_at, b->data, b->len,
				   &err) < 0)
			fail_all(b, &err);
		return;
	}
	for (uint32_t i = 0; i < b->piece_count; i++) {
		struct piece *piece = &b->pieces[i];

		struct err err;

		if (piece->is_hole || piece->is_plain || piece->len == 0)
			continue;
		if (gather(flow, piece->entry, false, piece->offset,
			   b->data + piece->at, piece->len, &err) == 0)
			continue;
		piece_fail(b, piece, &err);
		if (b->err.code != ERR_NONE)
			return;
	}
}
