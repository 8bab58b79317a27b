/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef SQFS_META_H
#define SQFS_META_H

#include <stddef.h>
#include <stdint.h>

#include "util/array.h"

struct codec;
struct err;

#define META_LEN 8192 /* bytes in a metadata block, but for the last */

/*
 * Where a record starts: position of its metadata block from the start of the
 * table, and the offset in the block before compression, 0 to META_LEN - 1.
 */
struct meta_ref {
	uint64_t block;
	uint16_t offset;
};

/* The stored form: block << 16 | offset. */
static inline uint64_t meta_ref_pack(struct meta_ref ref)
{
	return ref.block << 16 | ref.offset;
}

/*
 * Cuts a stream of records into metadata blocks. Finished blocks are appended
 * to out; whoever owns the writer may take bytes away from out at any time
 * (write them to the image, set len to 0): positions are counted apart.
 * Format: doc/squashfs.md, "Metadata blocks".
 */
struct meta_writer {
	struct codec *codec; /* borrowed; NULL stores blocks as they are */
	struct buffer out;
	uint64_t block_position; /* of the block that is being filled */
	size_t fill;		 /* bytes in it, less than META_LEN */
	uint8_t *raw;		 /* META_LEN bytes */
	uint8_t *packed;
};

int meta_writer_init(struct meta_writer *writer, struct codec *codec,
		     struct err *err);

/* ERR_NOMEM. */
int meta_writer_append(struct meta_writer *writer, const void *data,
		       size_t len, struct err *err);

/* Where the next byte goes. */
struct meta_ref meta_writer_position(const struct meta_writer *writer);

/* Ends the last block. Afterwards block_position is the table's length. */
int meta_writer_flush(struct meta_writer *writer, struct err *err);

/* Accepts zeroed memory. */
void meta_writer_cleanup(struct meta_writer *writer);

/*
 * A look-up table: metadata blocks, then the index of their absolute
 * positions.
 *
 * entries   count * entry_len bytes, already encoded; count 1 or more
 * position  of the table in the image
 * out       the table's bytes are appended
 * index     absolute position of the index, for the super block
 * format    doc/squashfs.md, "Look-up tables"
 */
int meta_table_encode(struct codec *codec, const uint8_t *entries, size_t len,
		      uint64_t position, struct buffer *out, uint64_t *index,
		      struct err *err);

#endif
