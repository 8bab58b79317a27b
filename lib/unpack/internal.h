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

#endif
