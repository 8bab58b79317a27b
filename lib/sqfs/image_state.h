/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef SQFS_IMAGE_STATE_H
#define SQFS_IMAGE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sqfs/image.h"
#include "sqfs/meta.h"
#include "sqfs/super.h"

struct codec;
struct err;

/* A metadata block that was read and decompressed. */
struct meta_block {
	uint64_t at;   /* position of its header; 0: the slot is empty */
	uint64_t next; /* position behind it */
	uint64_t used; /* when it was last wanted: the oldest goes */
	uint32_t len;  /* 1 to META_LEN */
	uint8_t data[META_LEN];
};

/*
 * A stream of records in metadata blocks, and the block that was used last.
 * Blocks begin at start or behind, and end before or at end.
 */
struct meta_table_range {
	const char *name; /* for messages */
	uint64_t start, end;
	struct meta_block *last;
};

/* A look-up table: entries of one length behind an index of block positions. */
struct lookup {
	const char *name;
	uint64_t index; /* position */
	uint32_t entry_len;
	uint64_t count;
	uint64_t block; /* the block whose position is known, plus one */
	uint64_t block_at;
};

/* Where looking for a name ended. */
struct search {
	bool is_on; /* the rest holds */
	struct meta_ref dir;
	struct dir_reader reader;
	struct dir_item item; /* what it gave last */
};

#define META_SLOTS 64
#define SEARCHES   8 /* one for each level of a path, deeper ones share */

struct image {
	int fd; /* borrowed */
	uint64_t offset;
	struct super super;
	const struct codec_ops *ops;
	struct codec *codec; /* for metadata */
	struct meta_block *slots;
	uint64_t clock; /* counts uses of slots */
	uint8_t *raw;	/* META_LEN + 2 bytes, as read */
	struct meta_table_range inodes, directories, pairs, lookups;
	struct lookup id_table, fragment_table, export_table, xattr_table;
	uint32_t *ids; /* super.id_count of them */
	bool has_xattrs; /* pairs and xattr_table are known */
	struct buffer name, value; /* of the attribute at hand */
	struct search searches[SEARCHES];
};

/* meta_read.c: the block whose header stands at a position. */
int meta_load(struct image *image, struct meta_table_range *table, uint64_t at,
	      const struct meta_block **out, struct err *err);

/*
 * meta_read.c: reads the next len bytes of a table's stream and moves on; buf
 * NULL only moves.
 */
int meta_get(struct image *image, struct meta_table_range *table,
	     struct meta_ref *ref, void *buf, size_t len, struct err *err);

/* The same, appended to a buffer that grows as bytes are found. */
int meta_append(struct image *image, struct meta_table_range *table,
		struct meta_ref *ref, struct buffer *out, uint64_t len,
		struct err *err);

/* lookup.c: that the index lies inside of the image. */
int lookup_check(const struct image *image, const struct lookup *lookup,
		 struct err *err);

/* lookup.c: copies entry number index, which must be in range, to out. */
int lookup_get(struct image *image, struct lookup *lookup, uint64_t index,
	       uint8_t *out, struct err *err);

/* lookup.c: position of the metadata block number block. */
int lookup_block(struct image *image, struct lookup *lookup, uint64_t block,
		 uint64_t *at, struct err *err);

#endif
