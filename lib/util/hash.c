/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "util/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_GETRANDOM
#include <sys/random.h>
#endif

#include "sip.h"
#include "util/array.h"
#include "util/err.h"
#include "util/huge.h"
#include "util/num.h"

static bool random_bytes(void *out, size_t len)
{
#ifdef HAVE_GETRANDOM
	/* Short only above 256 bytes, and for a signal. */
	if (getrandom(out, len, 0) == (ssize_t)len)
		return true;
#endif
	int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;

	bool done = read(fd, out, len) == (ssize_t)len;

	close(fd);
	return done;
}

int random_draw(void *out, size_t len, struct err *err)
{
	if (!random_bytes(out, len))
		return err_sys(err, "drawing a random key");
	return 0;
}

int hash_key_draw(struct hash_key *key, struct err *err)
{
	return random_draw(key, sizeof(*key), err);
}

/* All of the message; what is left is the finalization. */
static inline struct sip sip_message(const struct hash_key *key,
				     const uint8_t *p, size_t len,
				     enum sip_variant variant)
{
	struct sip s = sip_begin(key, variant);
	uint64_t last = (uint64_t)len << 56;
	const uint8_t *end = p + (len & ~(size_t)7);

	for (; p != end; p += 8)
		sip_absorb(&s, get_le64(p));
	for (size_t i = 0; i < (len & 7); i++)
		last |= (uint64_t)p[i] << (8 * i);
	sip_absorb(&s, last);
	return s;
}

uint64_t hash64(const struct hash_key *key, const void *data, size_t len)
{
	struct sip s = sip_message(key, data, len, SIP_64);

	s.v2 ^= 0xff;
	return sip_squeeze(&s);
}

void hash128(const struct hash_key *key, const void *data, size_t len,
	     struct digest *out)
{
	struct sip s = sip_message(key, data, len, SIP_128);

	sip_finish_wide(&s, out);
}

/*
 * A slot repeats half of the key's first word, so that a look-up goes to the
 * items for the one it finds only, and growing for none.
 */
static uint64_t slot_tag(const struct digest *key)
{
	return key->lo << 32;
}

static size_t first_slot(const struct digest_map *map, uint64_t slot)
{
	return (size_t)(slot >> 32) & (map->slot_count - 1);
}

/* The slot of a key: where it is, or the free one where it belongs. */
static size_t find_slot(const struct digest_map *map, const struct digest *key)
{
	const uint64_t tag = slot_tag(key);
	size_t i = first_slot(map, tag);
	uint64_t slot;

	while ((slot = map->slots[i]) != 0) {
		if ((slot ^ tag) >> 32 == 0 &&
		    digest_equal(&map->items[(uint32_t)slot - 1].key, key))
			break;
		i = (i + 1) & (map->slot_count - 1);
	}
	return i;
}

const uint64_t *digest_map_find(const struct digest_map *map,
				const struct digest *key)
{
	if (map->slot_count == 0)
		return NULL;

	uint64_t slot = map->slots[find_slot(map, key)];

	return slot ? &map->items[(uint32_t)slot - 1].value : NULL;
}

void digest_map_prefetch(const struct digest_map *map,
			 const struct digest *key)
{
	if (map->slot_count > 0)
		__builtin_prefetch(&map->slots[first_slot(map, slot_tag(key))]);
}

static int grow_slots(struct digest_map *map, struct err *err)
{
	struct digest_map next = *map;

	next.slot_count = map->slot_count ? map->slot_count * 2 : 64;
	if (next.slot_count > SIZE_MAX / sizeof(*next.slots))
		return err_nomem(err);
	next.slots = calloc(next.slot_count, sizeof(*next.slots));
	if (!next.slots)
		return err_nomem(err);
	huge_pages(next.slots, next.slot_count * sizeof(*next.slots));
	for (size_t i = 0; i < map->slot_count; i++) {
		size_t to;

		if (map->slots[i] == 0)
			continue;
		to = first_slot(&next, map->slots[i]);
		while (next.slots[to] != 0)
			to = (to + 1) & (next.slot_count - 1);
		next.slots[to] = map->slots[i];
	}
	free(map->slots);
	*map = next;
	return 0;
}

int digest_map_add(struct digest_map *map, const struct digest *key,
		   uint64_t value, struct err *err)
{
	if (map->count >= UINT32_MAX - 1)
		return err_set(err, ERR_LIMIT, "more than 2^32 - 2 digests");
	if (array_reserve(&map->items, &map->cap, map->count + 1,
			  sizeof(*map->items), err) < 0)
		return -1;
	if (map->count + 1 > map->slot_count / 8 * 7 &&
	    grow_slots(map, err) < 0)
		return -1;
	map->items[map->count].key = *key;
	map->items[map->count].value = value;
	map->count++;
	map->slots[find_slot(map, key)] = slot_tag(key) | map->count;
	return 0;
}

void digest_map_cleanup(struct digest_map *map)
{
	free(map->items);
	free(map->slots);
	*map = (struct digest_map){ 0 };
}

bool mem_is_zero(const void *data, size_t len)
{
	const uint8_t *p = data;
	size_t head = len < 16 ? len : 16;

	for (size_t i = 0; i < head; i++)
		if (p[i] != 0)
			return false;

	/* Sixteen zeros, and every byte equal to the one sixteen before. */
	return len <= 16 || memcmp(p, p + 16, len - 16) == 0;
}
