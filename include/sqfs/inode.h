/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef SQFS_INODE_H
#define SQFS_INODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buffer;
struct err;

/* Basic types; the extended ones are seven more. */
enum inode_type {
	INODE_DIR = 1,
	INODE_FILE = 2,
	INODE_SYMLINK = 3,
	INODE_BLOCK_DEVICE = 4,
	INODE_CHAR_DEVICE = 5,
	INODE_FIFO = 6,
	INODE_SOCKET = 7
};

#define INODE_NO_XATTR	  UINT32_MAX
#define INODE_NO_FRAGMENT UINT32_MAX

#define INODE_MAJOR_MAX	 4095u	  /* device numbers that can be stored */
#define INODE_MINOR_MAX	 1048575u
#define INODE_INDEX_MAX	 65535u	  /* points of a directory index */

/* One point of a directory index. */
struct dir_index {
	uint32_t index;	  /* of a header, from the start of the listing */
	uint32_t block;	  /* position of its metadata block in the table */
	const char *name; /* of the first entry after it; borrowed */
	uint16_t name_len;
};

struct inode {
	enum inode_type type;
	uint16_t mode; /* only the bits 07777 are stored */
	uint16_t uid_index, gid_index;
	uint32_t mtime;
	uint32_t number;
	uint32_t nlink;
	uint32_t xattr; /* INODE_NO_XATTR if there is none */
	bool is_extended; /* set by inode_decode */
	union {
		struct {
			uint64_t listing_block; /* less than 2^32 */
			uint16_t listing_offset;
			uint32_t listing_len; /* without the 3 */
			uint32_t parent_number;
			const struct dir_index *index; /* borrowed */
			size_t index_count; /* up to INODE_INDEX_MAX */
		} dir;
		struct {
			uint64_t start;
			uint64_t size;
			uint64_t sparse;
			uint32_t fragment;
			uint32_t fragment_offset;
			const uint32_t *words; /* borrowed */
			size_t word_count;
		} file;
		struct {
			const char *target; /* borrowed */
			uint32_t target_len;
		} symlink;
		struct {
			uint32_t major, minor; /* in range */
		} device;
	} u;
};

/*
 * Appends the stored form, basic or extended as the content demands.
 *
 * out      untouched after a failure
 * fails    ERR_NOMEM
 * format   doc/squashfs.md, "Inodes"
 */
int inode_encode(const struct inode *inode, struct buffer *out,
		 struct err *err);

#endif
