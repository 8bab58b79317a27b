/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/hash.h"

#include <stdlib.h>

#include "check.h"
#include "util/err.h"

/*
 * SipHash-1-3 under the key 00 01 ... 0f of the message 00 01 ... of len bytes,
 * by another implementation, which gives the published values for 2-4 and the
 * same values for 1-3 as the hash function of Python 3.11.
 */
static const struct {
	size_t len;
	uint64_t hash;
	struct digest digest;
} vectors[] = {
	{ 0, 0xabac0158050fc4dc, { 0xbea58827b2bc7ee7, 0x013030dd6adb62fd } },
	{ 1, 0xc9f49bf37d57ca93, { 0xa8edd36004376ffc, 0x63f02f2bcc73055e } },
	{ 2, 0x82cb9b024dc7d44d, { 0x9b836905097f7875, 0x95ea6a8c54c95b85 } },
	{ 3, 0x8bf80ab8e7ddf7fb, { 0x9ff7dc1efaccc56b, 0x43d7eb1277182348 } },
	{ 7, 0xd3927d989bb11140, { 0xc3e0aaf223b98410, 0x77ab4808c82e2fa6 } },
	{ 8, 0x369095118d299a8e, { 0xb4dae3d5e1fe12aa, 0x99c7f935ab164f72 } },
	{ 9, 0x25a48eb36c063de4, { 0x9439f32c04b8dd81, 0x427c1394000e72f4 } },
	{ 15, 0xd320d86d2a519956, { 0x6c52bdb205557ec1, 0x09017e1eeccd2129 } },
	{ 16, 0xcc4fdd1a7d908b66, { 0xeb8e511557d9a8d0, 0x93179e3df8b013b5 } },
	{ 17, 0x9cf2689063dbd80c, { 0x8d66bb3ff9264123, 0xecf7bdfee8125197 } },
	{ 31, 0x2370dd1f8c21d1bc, { 0x8b853c5b1c96ea42, 0x1090a7df50e5c317 } },
	{ 63, 0x9d199062b7bbb3a8, { 0x6f42fe4ee300584c, 0xad6052a70a6b9f07 } },
	{ 64, 0xf17997ec4b4a6065, { 0x36a54a4bf2de5312, 0xc2666aba59a7c84e } },
	{ 255, 0xf76214e3153c4a15, { 0xa558210ac1a428f5, 0xe93ebbaed065a4f1 } },
	{ 256, 0x75b3e64e167de370, { 0x5a020c3a248b6cf5, 0x7a709cb9a27a686a } },
	{ 1000,
	  0x2cf8d9d4f270cadf,
	  { 0x48161d9dfffa82e7, 0xfaf3d320a6864225 } },
};

static const struct hash_key vector_key = { 0x0706050403020100,
					    0x0f0e0d0c0b0a0908 };

static void test_vectors(void)
{
	uint8_t *raw = malloc(1008);

	if (!raw)
		exit(1);
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		for (size_t shift = 0; shift < 8; shift++) {
			struct digest digest;

			for (size_t k = 0; k < vectors[i].len; k++)
				raw[shift + k] = (uint8_t)k;
			check_u64(hash64(&vector_key, raw + shift,
					 vectors[i].len),
				  vectors[i].hash);
			hash128(&vector_key, raw + shift, vectors[i].len,
				&digest);
			check_u64(digest.lo, vectors[i].digest.lo);
			check_u64(digest.hi, vectors[i].digest.hi);
			check(digest_equal(&digest, &vectors[i].digest));
		}
	}
	free(raw);
}

static void test_equal(void)
{
	struct digest a = { 1, 2 }, b = { 1, 3 }, c = { 2, 2 };

	check(digest_equal(&a, &a));
	check(!digest_equal(&a, &b));
	check(!digest_equal(&a, &c));
}

static void test_key(void)
{
	struct hash_key a = { 0, 0 }, b = { 0, 0 };
	struct err err = { 0 };

	check(hash_key_draw(&a, &err) == 0);
	check(hash_key_draw(&b, &err) == 0);
	check(a.k0 != b.k0 && a.k1 != b.k1 && a.k0 != a.k1);
	check(hash64(&a, "x", 1) != hash64(&b, "x", 1));
}

static struct digest digest_of(uint64_t i)
{
	struct digest digest;

	hash128(&vector_key, &i, sizeof(i), &digest);
	return digest;
}

static void test_map(void)
{
	enum { COUNT = 50000 };
	struct digest_map map = { 0 };
	struct err err = { 0 };
	struct digest key = digest_of(0);

	check(digest_map_find(&map, &key) == NULL);
	for (uint64_t i = 0; i < COUNT; i++) {
		key = digest_of(i);
		check(digest_map_find(&map, &key) == NULL);
		check(digest_map_add(&map, &key, i * 7, &err) == 0);
		check_u64(*digest_map_find(&map, &key), i * 7);
		check_u64(map.count, i + 1);
		check(map.count <= map.slot_count / 8 * 7);
	}
	for (uint64_t i = 0; i < COUNT; i++) {
		const uint64_t *value;

		key = digest_of(i);
		value = digest_map_find(&map, &key);
		check(value && *value == i * 7);
		check(digest_equal(&map.items[i].key, &key));
		key = digest_of(i + COUNT);
		check(digest_map_find(&map, &key) == NULL);
	}
	digest_map_cleanup(&map);
	check(map.items == NULL && map.slots == NULL && map.count == 0);
	check(digest_map_find(&map, &key) == NULL);
	digest_map_cleanup(&map);
}

/* Keys that share a slot, and differ in one half only. */
static void test_map_crowd(void)
{
	struct digest_map map = { 0 };
	struct err err = { 0 };

	for (uint64_t i = 0; i < 200; i++) {
		struct digest key = { 63, i };

		check(digest_map_add(&map, &key, i, &err) == 0);
		key = (struct digest) { 63 + (i << 32), 0 };
		if (i > 0)
			check(digest_map_add(&map, &key, i + 1000, &err) == 0);
	}
	for (uint64_t i = 0; i < 200; i++) {
		struct digest key = { 63, i };

		check_u64(*digest_map_find(&map, &key), i);
		key = (struct digest) { 63 + (i << 32), 0 };
		check_u64(*digest_map_find(&map, &key), i ? i + 1000 : 0);
		key = (struct digest) { 62, i };
		check(digest_map_find(&map, &key) == NULL);
	}
	digest_map_cleanup(&map);
}

/* Every length around a vector's, with the one odd byte everywhere. */
static void test_zero(void)
{
	uint8_t *bytes = calloc(300, 1);

	if (!bytes)
		exit(1);
	check(mem_is_zero(bytes, 0));
	for (size_t at = 0; at < 3; at++) {
		for (size_t len = 0; len < 100; len++) {
			bytes[at + len] = 1; /* just behind */
			check(mem_is_zero(bytes + at, len));
			bytes[at + len] = 0;
			for (size_t i = 0; i < len; i++) {
				bytes[at + i] = i % 2 ? 0x80 : 1;
				check(!mem_is_zero(bytes + at, len));
				bytes[at + i] = 0;
			}
		}
	}
	memset(bytes, 0x11, 300);
	check(!mem_is_zero(bytes, 300));
	free(bytes);
}

int main(void)
{
	test_vectors();
	test_equal();
	test_key();
	test_map();
	test_map_crowd();
	test_zero();
	return check_report();
}
