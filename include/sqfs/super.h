/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef SQFS_SUPER_H
#define SQFS_SUPER_H

#include <stdint.h>

struct err;

#define SUPER_LEN 96
#define SUPER_MAGIC 0x73717368u
#define SUPER_NONE UINT64_MAX /* a table that is not there */

#define BLOCK_SIZE_MIN 4096u
#define BLOCK_SIZE_MAX 1048576u
#define BLOCK_SIZE_DEFAULT 131072u

/* Words of block lists and of the fragment table. */
#define BLOCK_WORD_RAW (1u << 24) /* stored as it is */
#define BLOCK_WORD_LEN(word) ((word) & 0xFFFFFFu)

enum super_flag {
	SUPER_RAW_INODES = 0x0001,
	SUPER_RAW_DATA = 0x0002,
	SUPER_RAW_FRAGMENTS = 0x0008,
	SUPER_NO_FRAGMENTS = 0x0010,
	SUPER_ALWAYS_FRAGMENTS = 0x0020,
	SUPER_DEDUPLICATED = 0x0040,
	SUPER_EXPORTABLE = 0x0080,
	SUPER_RAW_XATTRS = 0x0100,
	SUPER_NO_XATTRS = 0x0200,
	SUPER_OPTIONS = 0x0400,
	SUPER_RAW_IDS = 0x0800
};

/* Format: doc/squashfs.md, "Super block". */
struct super {
	uint32_t inode_count;
	uint32_t mkfs_time;
	uint32_t block_size; /* bytes, a power of two */
	uint32_t fragment_count;
	uint16_t compression_id;
	uint16_t flags;
	uint16_t id_count;
	uint64_t root_inode;
	uint64_t bytes_used;
	uint64_t id_table;
	uint64_t xattr_table;
	uint64_t inode_table;
	uint64_t directory_table;
	uint64_t fragment_table;
	uint64_t export_table;
};

void super_encode(const struct super *super, uint8_t out[SUPER_LEN]);

/*
 * Decodes and checks whatever one can without the rest of the image.
 *
 * image_len  bytes of the image, padding included
 * fails      ERR_CORRUPT, ERR_UNSUPPORTED: field and value in the text
 */
int super_decode(const uint8_t raw[SUPER_LEN], uint64_t image_len,
		 struct super *out, struct err *err);

#endif
