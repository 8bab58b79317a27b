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

static inline struct meta_ref meta_ref_unpack(uint64_t packed)
{
	return (struct meta_ref){ .block = packed >> 16,
				  .offset = (uint16_t)packed };
}

/*
 * Cuts a stream of records into metadata blocks. Finished blocks are appended
 * to out; whoever owns the writer may take bytes away from out at any time
 * (write them to the image, set len to 0): positions are counted apart.
 * Format: doc/squashfs.md, "Metadata blocks".
 */
struct meta_writer {
	struct codec *codec; /* borrowed; NULL stores blocks as they are */
	const char *table;   /* for messages, borrowed; NULL: no limit */
	struct buffer out;
	uint64_t block_position; /* of the block that is being filled */
	size_t fill;		 /* bytes in it, less than META_LEN */
	uint8_t *raw;		 /* META_LEN bytes */
	uint8_t *packed;	 /* CODEC_BOUND(META_LEN) bytes */
};

/*
 * table    name of the table for messages, if records are referred to by
 *	    position: no block then starts at or beyond 4 GiB. NULL if blocks
 *	    are found through an index, which knows no such limit
 * fails    ERR_NOMEM
 */
int meta_writer_init(struct meta_writer *writer, struct codec *codec,
		     const char *table, struct err *err);

/* ERR_NOMEM; ERR_LIMIT: the table reaches 4 GiB. */
int meta_writer_append(struct meta_writer *writer, const void *data,
		       size_t len, struct err *err);

/*
 * Where the next byte goes; never the end of a full block. The block's position
 * is below 2^32 if that byte can be appended, and table is not NULL.
 */
struct meta_ref meta_writer_position(const struct meta_writer *writer);

/*
 * Ends the last block. Afterwards block_position is the table's length, and
 * nothing may be appended. ERR_NOMEM.
 */
int meta_writer_flush(struct meta_writer *writer, struct err *err);

/* Accepts zeroed memory. */
void meta_writer_cleanup(struct meta_writer *writer);

/*
 * A look-up table: metadata blocks, then the index of their absolute
 * positions.
 */
struct meta_table {
	const uint8_t *entries; /* encoded, of a length that divides META_LEN */
	size_t len;		/* bytes, 1 or more */
	const uint8_t *head;	/* stored in front of the index, or NULL */
	size_t head_len;
};

/*
 * Encodes a look-up table.
 *
 * codec     NULL stores all as it is
 * position  of the table in the image
 * out       the table's bytes are appended
 * index     absolute position of the head, or of the index if there is no head:
 *	     what the super block says
 * fails     ERR_NOMEM; ERR_LIMIT: positions pass 2^64
 * format    doc/squashfs.md, "Look-up tables"
 */
int meta_table_encode(struct codec *codec, const struct meta_table *table,
		      uint64_t position, struct buffer *out, uint64_t *index,
		      struct err *err);

#endif
