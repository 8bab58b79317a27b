/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef UTIL_HASH_H
#define UTIL_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/*
 * SipHash-1-3, a keyed pseudo-random function (Aumasson and Bernstein, 2012).
 * Keys are drawn afresh each run, so that no input can be made to collide.
 * The reasoning is in doc/duplicates.md.
 */
struct hash_key {
	uint64_t k0, k1;
};

struct digest {
	uint64_t lo, hi;
};

/* Draws a key from the system. ERR_IO. */
int hash_key_draw(struct hash_key *key, struct err *err);

/* 64 bits, for hash tables. */
uint64_t hash64(const struct hash_key *key, const void *data, size_t len);

/* 128 bits; equal digests of equal lengths are taken as equal content. */
void hash128(const struct hash_key *key, const void *data, size_t len,
	     struct digest *out);

static inline bool digest_equal(const struct digest *a, const struct digest *b)
{
	return a->lo == b->lo && a->hi == b->hi;
}

/*
 * A map from digests to 64-bit values; look-up and insertion take constant
 * time on average. All zero is an empty map.
 */
struct digest_map_item {
	struct digest key;
	uint64_t value;
};

struct digest_map {
	struct digest_map_item *items; /* in the order they were added */
	size_t count, cap;
	uint64_t *slots; /* 32 bits of the key << 32 | index into items + 1 */
	size_t slot_count; /* a power of two up to 2^32, or 0 */
};

/* The value behind a digest, borrowed until the next add; NULL if none. */
const uint64_t *digest_map_find(const struct digest_map *map,
				const struct digest *key);

/*
 * Has the processor fetch what a look-up of the key will read. A large map lies
 * in no cache: looking up many keys, prefetch some of them ahead.
 */
void digest_map_prefetch(const struct digest_map *map,
			 const struct digest *key);

/* Adds a digest that is not in the map. ERR_NOMEM; ERR_LIMIT at 2^32 - 2. */
int digest_map_add(struct digest_map *map, const struct digest *key,
		   uint64_t value, struct err *err);

void digest_map_cleanup(struct digest_map *map);

/* True if all len bytes are zero. */
bool mem_is_zero(const void *data, size_t len);

#endif
