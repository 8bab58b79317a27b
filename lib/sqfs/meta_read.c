/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "image_state.h"

/*
 * Reading streams of records out of metadata blocks. Blocks that were wanted
 * lately are kept, which is what makes walking a tree cheap: the inodes of one
 * directory lie in few blocks. Format: doc/squashfs.md, "Metadata blocks".
 */
#include <inttypes.h>
#include <string.h>

#include "codec/codec.h"
#include "util/account.h"
#include "util/err.h"
#include "util/num.h"

#define HEADER_LEN 2
#define HEADER_RAW 0x8000u

static int damaged(const struct meta_table_range *table, uint64_t at,
		   struct err *err)
{
	return err_in(err, "%s: metadata block at byte %" PRIu64, table->name,
		      at);
}

/* Reads and checks the header; *len is what is stored behind it. */
static int read_stored(struct image *image, struct meta_table_range *table,
		       uint64_t at, uint32_t *len, bool *is_raw,
		       struct err *err)
{
	uint64_t room;
	uint32_t header;

	room = table->end - at;
	if (room > HEADER_LEN + META_LEN)
		room = HEADER_LEN + META_LEN;
	if (image_read(image, at, image->raw, room, err) < 0)
		return -1;
	header = get_le16(image->raw);
	*is_raw = header & HEADER_RAW;
	*len = header & ~HEADER_RAW;
	if (*len == 0 || *len > META_LEN)
		return err_set(err, ERR_CORRUPT,
			       "%" PRIu32 " bytes are stored, not 1 to %u",
			       *len, META_LEN);
	if (*len > room - HEADER_LEN)
		return err_set(err, ERR_CORRUPT,
			       "its %" PRIu32 " bytes run past byte %" PRIu64,
			       *len, table->end);
	return 0;
}

static int load(struct image *image, struct meta_table_range *table,
		uint64_t at, struct meta_block *block, struct err *err)
{
	uint32_t stored;
	bool is_raw;
	size_t len;

	block->at = 0;
	if (read_stored(image, table, at, &stored, &is_raw, err) < 0)
		return -1;
	if (is_raw) {
		copy_bytes(block->data, image->raw + HEADER_LEN, stored);
		len = stored;
	} else if (codec_decompress(image->codec, image->raw + HEADER_LEN,
				    stored, block->data, META_LEN, &len,
				    err) < 0) {
		return -1;
	}
	if (len == 0)
		return err_set(err, ERR_CORRUPT, "it holds nothing");
	block->len = (uint32_t)len;
	block->next = at + HEADER_LEN + stored;
	block->at = at;
	return 0;
}

int meta_load(struct image *image, struct meta_table_range *table, uint64_t at,
	      const struct meta_block **out, struct err *err)
{
	struct meta_block *found = NULL, *oldest = image->slots;

	if (at < table->start || at >= table->end ||
	    table->end - at <= HEADER_LEN)
		return err_set(err, ERR_CORRUPT,
			       "%s: byte %" PRIu64 " is to be a metadata "
			       "block, outside of bytes %" PRIu64
			       " to %" PRIu64,
			       table->name, at, table->start, table->end);
	if (table->last && table->last->at == at) {
		*out = table->last;
		return 0;
	}
	for (size_t i = 0; i < META_SLOTS && !found; i++) {
		struct meta_block *slot = &image->slots[i];

		if (slot->at == at && at != 0)
			found = slot;
		else if (slot->used < oldest->used)
			oldest = slot;
	}
	if (!found) {
		found = oldest;
		if (load(image, table, at, found, err) < 0)
			return damaged(table, at, err);
	}
	found->used = ++image->clock;
	table->last = found;
	*out = found;
	return 0;
}

/*
 * The bytes of the stream from ref on that lie in one block; ref is moved to
 * the next block where this one is used up.
 */
static int chunk(struct image *image, struct meta_table_range *table,
		 struct meta_ref *ref, const uint8_t **data, size_t *len,
		 struct err *err)
{
	const struct meta_block *block;
	uint64_t at;

	if (!add_u64(table->start, ref->block, &at))
		return err_set(err, ERR_CORRUPT,
			       "%s: metadata block at %" PRIu64 " past its end",
			       table->name, ref->block);
	if (meta_load(image, table, at, &block, err) < 0)
		return -1;
	if (ref->offset == META_LEN) {
		if (meta_load(image, table, block->next, &block, err) < 0)
			return -1;
		ref->block = block->at - table->start;
		ref->offset = 0;
	}
	if (ref->offset >= block->len) {
		err_set(err, ERR_CORRUPT,
			"it holds %" PRIu32 " bytes, offset %u is wanted",
			block->len, ref->offset);
		return damaged(table, block->at, err);
	}
	*data = block->data + ref->offset;
	*len = block->len - ref->offset;
	return 0;
}

int meta_get(struct image *image, struct meta_table_range *table,
	     struct meta_ref *ref, void *buf, size_t len, struct err *err)
{
	uint8_t *to = buf;

	while (len > 0) {
		const uint8_t *data;
		size_t n;

		if (chunk(image, table, ref, &data, &n, err) < 0)
			return -1;
		if (n > len)
			n = len;
		if (to) {
			copy_bytes(to, data, n);
			to += n;
		}
		ref->offset = (uint16_t)(ref->offset + n);
		len -= n;
	}
	return 0;
}

int meta_append(struct image *image, struct meta_table_range *table,
		struct meta_ref *ref, struct buffer *out, uint64_t len,
		struct err *err)
{
	while (len > 0) {
		const uint8_t *data;
		size_t n;

		if (chunk(image, table, ref, &data, &n, err) < 0)
			return -1;
		if (n > len)
			n = (size_t)len;
		if (buffer_append(out, data, n, err) < 0)
			return -1;
		ref->offset = (uint16_t)(ref->offset + n);
		len -= n;
	}
	return 0;
}
