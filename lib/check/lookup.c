/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "internal.h"

/*
 * Look-up tables: metadata blocks one behind the other, then the index of
 * their positions, which must touch them. Format: doc/squashfs.md, "Look-up
 * tables".
 */
#include <inttypes.h>

#include "sqfs/image.h"
#include "sqfs/meta.h"
#include "sqfs/super.h"
#include "util/num.h"

#define HEADER_LEN   2
#define HEADER_RAW   0x8000u
#define POSITION_LEN 8

/* One block of a table. */
struct block {
	uint64_t number;
	uint64_t at;
	uint64_t end;	/* behind it, or 0 */
	uint32_t want;	/* bytes it must hold */
	uint8_t *data;	/* META_LEN bytes */
};

static int unpack(struct check *c, const struct lookup *l, struct block *b,
		  uint32_t stored, bool is_raw, struct err *err)
{
	struct err damage = { 0 };
	size_t len;

	if (decoder_read(&c->decoder, b->at + HEADER_LEN, stored, is_raw,
			 b->data, META_LEN, &len, &damage) < 0) {
		if (!is_damage(&damage)) {
			*err = damage;
			return -1;
		}
		fault(c, FAULT_TABLE, b->at,
		      "%s: metadata block %" PRIu64 ": %s", l->name,
		      b->number, damage.text);
		return 1;
	}
	if (len == b->want && stored <= len)
		return 0;
	fault(c, FAULT_TABLE, b->at,
	      "%s: metadata block %" PRIu64 " holds %zu bytes of %" PRIu32
	      ", %" PRIu32 " are stored",
	      l->name, b->number, len, b->want, stored);
	return len == b->want ? 0 : 1;
}

/* Reads a block whose position is known. */
static int read_block(struct check *c, const struct lookup *l,
		      struct block *b, struct err *err)
{
	uint8_t raw[HEADER_LEN];
	uint32_t stored;
	int ret;

	b->end = 0;
	if (b->at < SUPER_LEN || b->at >= l->head ||
	    l->head - b->at <= HEADER_LEN) {
		fault(c, FAULT_TABLE, l->index + b->number * POSITION_LEN,
		      "%s: metadata block %" PRIu64 " at byte %" PRIu64
		      ", not before the index",
		      l->name, b->number, b->at);
		return 1;
	}
	ret = window_get(c, b->at, raw, sizeof(raw), err);
	if (ret != 0)
		return ret;
	stored = get_le16(raw) & ~HEADER_RAW;
	if (stored == 0 || stored > META_LEN ||
	    stored > l->head - b->at - HEADER_LEN) {
		fault(c, FAULT_TABLE, b->at,
		      "%s: metadata block %" PRIu64 " of %" PRIu32
		      " bytes, not 1 to %u, or past byte %" PRIu64,
		      l->name, b->number, stored, META_LEN, l->head);
		return 1;
	}
	b->end = b->at + HEADER_LEN + stored;
	return unpack(c, l, b, stored, get_le16(raw) & HEADER_RAW, err);
}

static int give(struct check *c, const struct lookup *l,
		const struct block *b, struct err *err)
{
	uint64_t first = b->number * (META_LEN / l->entry_len);

	for (uint32_t i = 0; l->each && i < b->want / l->entry_len; i++)
		if (l->each(c, first + i, b->data + i * l->entry_len, b->at,
			    err) < 0)
			return -1;
	return 0;
}

/* True if the block stands where the one before ends. */
static void check_place(struct check *c, const struct lookup *l,
			const struct block *b, uint64_t expected)
{
	if (expected != 0 && b->at != expected)
		fault(c, FAULT_TABLE, l->index + b->number * POSITION_LEN,
		      "%s: metadata block %" PRIu64 " at byte %" PRIu64
		      ", but what is before it ends at %" PRIu64,
		      l->name, b->number, b->at, expected);
}

int check_lookup(struct check *c, const struct lookup *l, struct err *err)
{
	uint64_t len = l->count * l->entry_len; /* under 2^37 */
	uint64_t blocks = len / META_LEN + (len % META_LEN != 0);
	uint64_t used = c->super->bytes_used, expected = l->begin;
	uint8_t data[META_LEN];

	if (l->index > used || blocks > (used - l->index) / POSITION_LEN) {
		fault(c, FAULT_TABLE, l->index,
		      "%s: an index of %" PRIu64
		      " positions runs past the end of the image",
		      l->name, blocks);
		return 0;
	}
	for (uint64_t i = 0; i < blocks; i++) {
		uint64_t left = len - i * META_LEN;
		struct block b = { .number = i,
				   .want = left < META_LEN ? (uint32_t)left
							   : META_LEN,
				   .data = data };
		uint8_t raw[POSITION_LEN];
		int ret = window_get(c, l->index + i * POSITION_LEN, raw,
				     sizeof(raw), err);

		if (ret != 0)
			return ret < 0 ? -1 : 0;
		b.at = get_le64(raw);
		check_place(c, l, &b, expected);
		ret = read_block(c, l, &b, err);
		if (ret < 0 || (ret == 0 && give(c, l, &b, err) < 0))
			return -1;
		expected = b.end;
	}
	if (expected != 0 && blocks > 0 && expected != l->head)
		fault(c, FAULT_TABLE, l->head,
		      "%s: its last metadata block ends at byte %" PRIu64
		      ", not where the index begins",
		      l->name, expected);
	return 0;
}
