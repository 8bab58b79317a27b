/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/digest.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "util/err.h"

#ifdef __SIZEOF_INT128__

/*
 * Digests under the hash key 00 01 ... 0f and the words (i + 1) times 2^64 /
 * the golden ratio, of messages with the byte 7 i + i / 256 at i, by an
 * implementation with integers of any size.
 */
static const struct {
	size_t len;
	struct digest digest;
} vectors[] = {
	{ 65, { 0xc7c5d397c5f71fc6, 0xb8285d151f33d47c } },
	{ 79, { 0x09e13ee2e1ab7247, 0x47cc40e030aa60c9 } },
	{ 80, { 0x6831aba89f7ae797, 0x341b32832278b6f5 } },
	{ 81, { 0xa8acfb7bd429dab4, 0x37ef7ad7c3828b2f } },
	{ 127, { 0x7476f62689781336, 0x9095f4c41a2c84f3 } },
	{ 128, { 0x111e530acfe6b19d, 0xf2325096c80cf4e3 } },
	{ 1023, { 0x4db7f55b0f5d7481, 0xf3f01ec59b17b835 } },
	{ 1024, { 0x4c56540a8f8f1cd1, 0x94b866eff314728a } },
	{ 1025, { 0xb1974c9278ffb449, 0xcf6558df8f153d4f } },
	{ 1040, { 0x41eda99f4a4e4a7d, 0xe698493d9139346d } },
	{ 2048, { 0x357dff96902be74f, 0xc924aa23dde9cd07 } },
	{ 2049, { 0x208baa9dc1479b7b, 0xa808f45833b44588 } },
	{ 5000, { 0x512b1074a3f90ee6, 0xb4dd009cd3770235 } },
	{ 131072, { 0x4c1f3d4b048b40c3, 0x73297821534494e7 } },
};

static void test_vectors(const struct digest_key *key, uint8_t *raw)
{
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		for (size_t shift = 0; shift < 8; shift += 3) {
			uint8_t *p = raw + shift;
			struct digest digest;

			for (size_t k = 0; k < vectors[i].len; k++)
				p[k] = (uint8_t)(7 * k + k / 256);
			digest_content(key, p, vectors[i].len, &digest);
			check_u64(digest.lo, vectors[i].digest.lo);
			check_u64(digest.hi, vectors[i].digest.hi);
		}
	}
}

#endif

/* Any other byte, and any other length, is another digest. */
static void test_changes(const struct digest_key *key, uint8_t *raw)
{
	static const size_t lens[] = { 1, 63, 64, 65, 80, 1023, 1024, 1025,
				       3000 };

	memset(raw, 0, 4096);
	for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		struct digest whole, other;

		digest_content(key, raw, lens[i], &whole);
		digest_content(key, raw, lens[i], &other);
		check(digest_equal(&whole, &other));
		for (size_t k = 0; k < lens[i]; k++) {
			raw[k] = 1;
			digest_content(key, raw, lens[i], &other);
			check(!digest_equal(&whole, &other));
			raw[k] = 0;
		}
		digest_content(key, raw, lens[i] + 1, &other);
		check(!digest_equal(&whole, &other));
		digest_content(key, raw, lens[i] - 1, &other);
		check(!digest_equal(&whole, &other));
	}
}

/* Chunks and words that change places are not the same. */
static void test_places(const struct digest_key *key, uint8_t *raw)
{
	static const size_t gaps[] = { 8, 16, 24, 1016, 1024, 2048 };
	struct digest one, other;

	for (size_t i = 0; i < sizeof(gaps) / sizeof(gaps[0]); i++) {
		memset(raw, 0, 4096);
		raw[0] = 1;
		digest_content(key, raw, 4096, &one);
		raw[0] = 0;
		raw[gaps[i]] = 1;
		digest_content(key, raw, 4096, &other);
		check(!digest_equal(&one, &other));
	}
}

static void test_key(uint8_t *raw)
{
	struct digest_key a = { 0 }, b = { 0 };
	struct digest with_a, with_b;
	struct err err = { 0 };

	check(digest_key_draw(&a, &err) == 0);
	check(digest_key_draw(&b, &err) == 0);
	for (size_t i = 0; i < sizeof(a.nh) / sizeof(a.nh[0]); i++)
		check(a.nh[i] != 0 && a.nh[i] != b.nh[i]);
	digest_content(&a, raw, 4096, &with_a);
	b.hash = a.hash;
	digest_content(&b, raw, 4096, &with_b);
	check(sizeof(size_t) < 8 || !digest_equal(&with_a, &with_b));
}

int main(void)
{
	struct digest_key key = {
		.hash = { 0x0706050403020100, 0x0f0e0d0c0b0a0908 }
	};
	uint8_t *raw = malloc(131072 + 8);

	if (!raw)
		return 1;
	for (size_t i = 0; i < sizeof(key.nh) / sizeof(key.nh[0]); i++)
		key.nh[i] = (i + 1) * 0x9e3779b97f4a7c15;
#ifdef __SIZEOF_INT128__
	test_vectors(&key, raw);
#endif
	test_changes(&key, raw);
	test_places(&key, raw);
	test_key(raw);
	free(raw);
	return check_report();
}
