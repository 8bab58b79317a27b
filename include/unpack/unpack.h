/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef UNPACK_UNPACK_H
#define UNPACK_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sqfs/meta.h"

struct entry;
struct err;
struct image;
struct source;
struct warner;

/*
 * How an entry of an image is stored there. One for each entry that an image
 * source gives; words are those of a file.
 */
struct stored {
	struct meta_ref ref; /* of the inode */
	uint32_t number;
	uint32_t nlink;
	uint32_t xattr; /* index, INODE_NO_XATTR if there is none */

	/* files; all 0 and no words for others */
	uint64_t start;		 /* of the first stored block */
	uint32_t fragment;	 /* index, or INODE_NO_FRAGMENT */
	uint32_t fragment_offset;
	uint64_t fragment_start; /* of the fragment block */
	uint32_t fragment_word;
	size_t word_count;
	uint64_t *sums; /* bytes stored before word STORED_STEP * i */
	uint32_t words[];
};

#define STORED_STEP 128u

struct image_source_options {
	/*
	 * Where to start: paths in the image, cleaned, and what they become in
	 * the entries; "" is the root. One that is no directory is given
	 * alone. NULL and 0: the whole image as it is. A path whose inode is
	 * known need not be looked up, which takes as long as its directories
	 * are.
	 */
	const struct image_start {
		const char *path;
		const char *as;
		const struct meta_ref *ref; /* of the inode, or NULL */
	} *starts;
	size_t start_count;
	bool parents; /* also the directories above each start, with what they
		       * are in the image; each start's as is its path */
	/*
	 * True if a path, as the entries have it, is left out; NULL: none is.
	 * Directories above what is not left out are given all the same. What
	 * is left out is no first name either.
	 */
	bool (*is_excluded)(void *arg, const char *path, bool is_dir);
	void *arg;
	bool no_xattrs;
	bool no_hard_links; /* give content again instead */
	uint64_t cache_len; /* bytes for fragment blocks; 0: the default */
	struct warner *warner; /* or NULL */
};

/* Bytes of fragment blocks that are kept, by default; at least 4 of them. */
#define IMAGE_CACHE_LEN (UINT64_C(16) * 1024 * 1024)

/*
 * The entries of an image, parents before children, children in the order of
 * their names, each with its content, which workers read and decompress. Every
 * directory is given once: one that is reached twice is ERR_CORRUPT. The second
 * name of an inode is a hard link to the first, which a source that begins
 * elsewhere may choose otherwise.
 *
 * image    borrowed
 * options  borrowed until the source is gone
 * fails    ERR_USAGE: a start that is not there; what image_* fail with
 */
int image_source_create(struct image *image,
			const struct image_source_options *options,
			struct source **out, struct err *err);

/*
 * Where block number i of a file begins, from the super block: where its bytes
 * would, if it is a hole. i is less than word_count.
 */
uint64_t stored_block_at(const struct stored *stored, uint64_t i);

/* How an entry that such a source gave is stored; borrowed from it. */
const struct stored *entry_stored(const struct entry *entry);

/*
 * Decompresses stored blocks; serves any number of threads at once. For what
 * is not read through a source.
 */
struct unpacker;

int unpacker_create(struct image *image, struct unpacker **out,
		    struct err *err);

/*
 * Reads and decompresses one stored block.
 *
 * at, word  position from the super block, and its word, which is no hole
 * buf       cap bytes
 * len       bytes it holds
 * fails     ERR_CORRUPT: also if it holds more than cap; ERR_IO, ERR_NOMEM
 * thread    any, many at once
 */
int unpacker_read(struct unpacker *unpacker, uint64_t at, uint32_t word,
		  void *buf, size_t cap, size_t *len, struct err *err);

/* unpacker may be NULL. */
void unpacker_destroy(struct unpacker *unpacker);

#endif
