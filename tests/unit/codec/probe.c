/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "codec/probe.h"

#include <string.h>

#include "blocks.h"

#define LEN 131072

static uint64_t state = 1;

/* Good enough to look random to the probe: splitmix64. */
static uint64_t draw(void)
{
	uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static void fill(uint8_t *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		p[i] = (uint8_t)(draw() >> 56);
}

static void test_random(void)
{
	static const size_t lens[] = { 4096, 4097, 5000, 16384, 65535, 131072,
				       131073, 1048576 };

	for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++)
		for (int k = 0; k < 5; k++) {
			uint8_t *p = block_memory(lens[i]);

			fill(p, lens[i]);
			check(probe_is_dense(p, lens[i]));
			check(!probe_is_dense(p, 4095));
			check(!probe_is_dense(p, 0));
			free(p);
		}
}

static void test_kinds(void)
{
	for (int kind = FILL_TEXT; kind < FILL_COUNT; kind++)
		for (size_t len = 4096; len <= LEN; len *= 2) {
			uint8_t *p = block_make((enum block_fill)kind, len, 1);

			if (kind != FILL_RANDOM)
				check(!probe_is_dense(p, len));
			free(p);
		}
}

/* Part of a block that compresses is enough, wherever it is. */
static void test_parts(void)
{
	uint8_t *p = block_memory(LEN), *text = block_make(FILL_TEXT, LEN, 1);

	for (size_t at = 0; at <= LEN - 8192; at += 8192) {
		fill(p, LEN);
		memcpy(p + at, text, 8192);
		check(!probe_is_dense(p, LEN));
		fill(p, LEN);
		memset(p + at, 0x5a, 2048);
		check(!probe_is_dense(p, LEN));
	}
	free(text);
	free(p);
}

/* Random bytes that come again, at any distance. */
static void test_matches(void)
{
	uint8_t *p = block_memory(LEN);

	for (size_t apart = 3001; apart < LEN - 3000; apart += 4321) {
		fill(p, LEN);
		memcpy(p + apart, p, 3000);
		check(!probe_is_dense(p, LEN));
	}
	fill(p, LEN / 2);
	memcpy(p + LEN / 2, p, LEN / 2);
	check(!probe_is_dense(p, LEN));

	/* Words out of many, as random as their letters are. */
	fill(p, LEN);
	for (size_t i = 4096; i + 16 <= LEN; i += 16)
		memcpy(p + i, p + draw() % 256 * 16, 16);
	check(!probe_is_dense(p, LEN));
	free(p);
}

/* All bytes are equally frequent, but each is told by one before it. */
static void test_steps(void)
{
	uint8_t *p = block_memory(LEN);

	for (size_t apart = 1; apart <= 4; apart++) {
		fill(p, apart);
		for (size_t i = apart; i < LEN; i++)
			p[i] = (uint8_t)(p[i - apart] + draw() % 32);
		check(!probe_is_dense(p, LEN));
		for (size_t i = apart; i < LEN; i++)
			p[i] = (uint8_t)(p[i - apart] + draw() % 128);
		check(!probe_is_dense(p, LEN));
	}
	free(p);
}

/* Fewer bits: what a code of 7 bits or of 64 letters makes of random data. */
static void test_letters(void)
{
	uint8_t *p = block_memory(LEN);

	for (unsigned letters = 2; letters < 250; letters++) {
		for (size_t i = 0; i < LEN; i++)
			p[i] = (uint8_t)((draw() >> 32) % letters);
		check(!probe_is_dense(p, LEN));
	}
	free(p);
}

/* What is held for dense, the best compressor cannot make much smaller. */
static void test_loss(void)
{
	const struct codec_ops *ops = codec_by_name(NULL, "xz");
	uint8_t *p = block_memory(LEN), *packed = block_memory(CODEC_BOUND(LEN));
	struct codec *codec;
	int dense = 0;

	ops = ops ? ops : codec_builtin[0];
	codec = codec_make(ops, NULL, LEN);
	for (size_t part = 0; part <= 2048; part += 128) {
		size_t len;

		/* More and more text in the middle. */
		fill(p, LEN);
		for (size_t i = 0; i < part; i++)
			p[LEN / 3 + i] = (uint8_t)"seldom "[i % 7];
		if (!probe_is_dense(p, LEN))
			continue;
		dense++;
		check(codec_compress(codec, CODEC_USE_DATA, p, LEN, packed,
				     CODEC_BOUND(LEN), &len, NULL) == 0);
		check(len == 0 || len > LEN - LEN / 100);
	}
	check(dense > 0 && dense < 16);
	codec_destroy(codec);
	free(packed);
	free(p);
}

int main(void)
{
	test_random();
	test_kinds();
	test_parts();
	test_matches();
	test_steps();
	test_letters();
	test_loss();
	return check_report();
}
