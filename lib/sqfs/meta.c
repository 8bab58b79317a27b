/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sqfs/meta.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "codec/codec.h"
#include "util/account.h"
#include "util/err.h"
#include "util/num.h"

/*
 * Metadata blocks and the tables that are found through an index of them.
 * A block is stored the moment it is full, so that the position of the next
 * byte is always that of a block that exists or can begin.
 */

#define HEADER_LEN 2
#define HEADER_RAW 0x8000u /* the block is stored as it is */

/* Block positions in inodes, listings and references have 32 bits. */
#define POSITION_LIMIT (UINT64_C(1) << 32)

int meta_writer_init(struct meta_writer *writer, struct codec *codec,
		     const char *table, struct err *err)
{
	*writer = (struct meta_writer) { .codec = codec, .table = table };
	writer->raw = malloc(META_LEN);
	writer->packed = malloc(CODEC_BOUND(META_LEN));
	if (!writer->raw || !writer->packed) {
		meta_writer_cleanup(writer);
		return err_nomem(err);
	}
	return 0;
}

/* Stores the block that has been filled. */
static int store(struct meta_writer *writer, struct err *err)
{
	uint8_t header[HEADER_LEN];
	const uint8_t *data = writer->raw;
	size_t len = 0;
	unsigned word;

	if (writer->codec &&
	    codec_compress(writer->codec, CODEC_USE_METADATA, writer->raw,
			   writer->fill, writer->packed, CODEC_BOUND(META_LEN),
			   &len, err) < 0)
		return -1;
	if (len > 0 && len < writer->fill) {
		data = writer->packed;
		word = (unsigned)len;
	} else {
		len = writer->fill;
		word = (unsigned)len | HEADER_RAW;
	}
	put_le16(header, (uint16_t)word);
	if (buffer_reserve(&writer->out, HEADER_LEN + len, err) < 0 ||
	    buffer_append(&writer->out, header, HEADER_LEN, err) < 0 ||
	    buffer_append(&writer->out, data, len, err) < 0)
		return -1;
	writer->block_position += HEADER_LEN + len;
	writer->fill = 0;
	return 0;
}

int meta_writer_append(struct meta_writer *writer, const void *data, size_t len,
		       struct err *err)
{
	const uint8_t *from = data;

	while (len > 0) {
		size_t part = META_LEN - writer->fill;

		if (writer->table && writer->block_position >= POSITION_LIMIT)
			return err_set(err, ERR_LIMIT, "%s: longer than 4 GiB",
				       writer->table);
		if (part > len)
			part = len;
		copy_bytes(writer->raw + writer->fill, from, part);
		writer->fill += part;
		from += part;
		len -= part;
		if (writer->fill == META_LEN && store(writer, err) < 0)
			return -1;
	}
	return 0;
}

struct meta_ref meta_writer_position(const struct meta_writer *writer)
{
	return (struct meta_ref) { .block = writer->block_position,
				   .offset = (uint16_t)writer->fill };
}

int meta_writer_flush(struct meta_writer *writer, struct err *err)
{
	return writer->fill > 0 ? store(writer, err) : 0;
}

void meta_writer_cleanup(struct meta_writer *writer)
{
	buffer_cleanup(&writer->out);
	free(writer->raw);
	free(writer->packed);
	*writer = (struct meta_writer) { 0 };
}

/* Stores the blocks and notes where each begins, from the table's start. */
static int store_entries(struct meta_writer *writer,
			 const struct meta_table *table, struct buffer *index,
			 struct err *err)
{
	for (size_t at = 0; at < table->len; at += META_LEN) {
		size_t left = table->len - at;
		uint8_t position[8];

		put_le64(position, writer->block_position);
		if (buffer_append(index, position, sizeof(position), err) < 0 ||
		    meta_writer_append(writer, table->entries + at,
				       left < META_LEN ? left : META_LEN,
				       err) < 0)
			return -1;
	}
	return meta_writer_flush(writer, err);
}

int meta_table_encode(struct codec *codec, const struct meta_table *table,
		      uint64_t position, struct buffer *out, uint64_t *index,
		      struct err *err)
{
	struct meta_writer writer = { 0 };
	struct buffer starts = { 0 };
	uint64_t end;
	int ret = -1;

	assert(table->len > 0);
	if (meta_writer_init(&writer, codec, NULL, err) < 0 ||
	    store_entries(&writer, table, &starts, err) < 0)
		goto out;
	if (!add_u64(position, writer.block_position, &end)) {
		err_set(err, ERR_LIMIT, "image is longer than 2^64 bytes");
		goto out;
	}
	for (size_t i = 0; i < starts.len; i += 8)
		put_le64(starts.data + i, position + get_le64(starts.data + i));
	if (buffer_append(out, writer.out.data, writer.out.len, err) < 0 ||
	    buffer_append(out, table->head, table->head_len, err) < 0 ||
	    buffer_append(out, starts.data, starts.len, err) < 0)
		goto out;
	*index = end;
	ret = 0;
out:
	buffer_cleanup(&starts);
	meta_writer_cleanup(&writer);
	return ret;
}
