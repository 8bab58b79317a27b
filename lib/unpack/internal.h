/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef UNPACK_INTERNAL_H
#define UNPACK_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sqfs/image.h"
#include "util/array.h"

struct entry;
struct err;
struct image_source_options;
struct inode;
struct unpacker;

/* cache.c: fragment blocks that were decompressed lately. */
struct cache;

int cache_create(struct unpacker *unpacker, uint32_t block_size, uint64_t len,
		 struct cache **out, struct err *err);

/*
 * Copies len bytes at offset of a fragment block. It is decompressed if it is
 * not there; whoever wants it meanwhile waits. Thread: any, many at once.
 */
int cache_read(struct cache *cache, uint32_t index, const struct fragment *at,
	       uint32_t offset, void *buf, size_t len, struct err *err);

/* cache may be NULL. */
void cache_destroy(struct cache *cache);

/*
 * walk.c: the names of an image, one after the other.
 */
struct walk;

/* One name. */
struct walk_item {
	const char *path; /* path_len bytes, borrowed until the next step */
	size_t path_len;
	struct meta_ref ref;
	const struct inode *inode; /* borrowed likewise */
	const char *first; /* path of the inode's first name, if it had one
			    * already; borrowed from the walk */
};

int walk_create(struct image *image,
		const struct image_source_options *options, struct walk **out,
		struct err *err);

/* 0 with *out, 1 at the end, -1. */
int walk_next(struct walk *walk, struct walk_item *out, struct err *err);

/* walk may be NULL. */
void walk_destroy(struct walk *walk);

#endif
