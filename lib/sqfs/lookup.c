/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "image_state.h"

/*
 * Reading look-up tables, one entry at a time: what a table claims to hold is
 * never loaded as a whole. Format: doc/squashfs.md, "Look-up tables".
 */
#include <inttypes.h>
#include <string.h>

#include "util/account.h"
#include "util/err.h"
#include "util/num.h"

int lookup_check(const struct image *image, const struct lookup *lookup,
		 struct err *err)
{
	uint64_t len = lookup->count * lookup->entry_len; /* under 2^36 */
	uint64_t blocks = len / META_LEN + (len % META_LEN != 0);
	uint64_t end = image->super.bytes_used;

	if (lookup->index > end || blocks * 8 > end - lookup->index)
		return err_set(err, ERR_CORRUPT,
			       "%s: %" PRIu64 " entries at byte %" PRIu64
			       " have an index past the end of the image",
			       lookup->name, lookup->count, lookup->index);
	return 0;
}

int lookup_block(struct image *image, struct lookup *lookup, uint64_t block,
		 uint64_t *at, struct err *err)
{
	uint8_t raw[8];

	if (lookup->block != block + 1) {
		lookup->block = 0;
		if (image_read(image, lookup->index + block * 8, raw,
			       sizeof(raw), err) < 0)
			return err_in(err, "%s", lookup->name);
		lookup->block_at = get_le64(raw);
		lookup->block = block + 1;
	}
	*at = lookup->block_at;
	if (*at >= SUPER_LEN && *at < lookup->index)
		return 0;
	return err_set(err, ERR_CORRUPT,
		       "%s: byte %" PRIu64 ": metadata block at %" PRIu64
		       ", not before its index",
		       lookup->name, lookup->index + block * 8, *at);
}

int lookup_get(struct image *image, struct lookup *lookup, uint64_t index,
	       uint8_t *out, struct err *err)
{
	uint64_t len = lookup->count * lookup->entry_len;
	uint64_t byte = index * lookup->entry_len;
	uint64_t first = byte - byte % META_LEN;
	uint64_t want = len - first < META_LEN ? len - first : META_LEN;
	const struct meta_block *block;
	uint64_t at;

	if (lookup_block(image, lookup, byte / META_LEN, &at, err) < 0)
		return -1;
	image->lookups.name = lookup->name;
	image->lookups.start = SUPER_LEN;
	image->lookups.end = lookup->index;
	if (meta_load(image, &image->lookups, at, &block, err) < 0)
		return -1;
	if (block->len != want)
		return err_set(err, ERR_CORRUPT,
			       "%s: metadata block at byte %" PRIu64
			       ": it holds %" PRIu32 " bytes, not %" PRIu64,
			       lookup->name, at, block->len, want);
	copy_bytes(out, block->data + byte % META_LEN, lookup->entry_len);
	return 0;
}
