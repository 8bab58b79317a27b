/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_UNIT_CODEC_BLOCKS_H
#define TESTS_UNIT_CODEC_BLOCKS_H

/*
 * What must be true of every codec: made for blocks of some kinds, with given
 * options. Buffers are as long as they are said to be, so that a sanitizer
 * sees a step outside.
 */
#include <stdlib.h>

#include "check.h"
#include "codec/codec.h"
#include "util/err.h"

enum block_fill { FILL_TEXT, FILL_CODE, FILL_RANDOM, FILL_ZERO, FILL_COUNT };

static inline uint32_t block_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static inline void *block_memory(size_t len)
{
	void *memory = malloc(len ? len : 1);

	if (!memory)
		abort();
	return memory;
}

/* Words of a small vocabulary, or calls to a few places. */
static inline void block_words(uint8_t *out, size_t len, uint32_t *state,
			       int is_code)
{
	static const char *const words[] = { "squash", "inode ", "fragment ",
					     "the ", "block\n", "tail-end, " };
	size_t at = 0;

	while (at < len) {
		char one[16];
		uint32_t r = block_random(state);

		if (is_code && r % 3 == 0) {
			uint32_t to = 0x4000 + (r >> 8) % 8 * 64;

			one[0] = (char)0xe8; /* a call of x86, relative */
			to -= (uint32_t)at + 5;
			memcpy(one + 1, &to, 4);
			one[5] = '\0';
			for (int i = 0; i < 5 && at < len; i++)
				out[at++] = (uint8_t)one[i];
			continue;
		}
		snprintf(one, sizeof(one), "%s", words[r % 6]);
		for (char *p = one; *p && at < len; p++)
			out[at++] = (uint8_t)*p;
	}
}

/* A new block, to be freed; the same for the same arguments. */
static inline uint8_t *block_make(enum block_fill fill, size_t len,
				  uint32_t seed)
{
	uint8_t *out = block_memory(len);
	uint32_t state = seed * 2654435761u + 1;

	switch (fill) {
	case FILL_TEXT:
	case FILL_CODE:
		block_words(out, len, &state, fill == FILL_CODE);
		break;
	case FILL_RANDOM:
		for (size_t i = 0; i < len; i++)
			out[i] = (uint8_t)(block_random(&state) >> 11);
		break;
	default:
		memset(out, 0, len);
		break;
	}
	return out;
}

static inline struct codec_config config_make(const struct codec_ops *ops,
					      const char *words,
					      uint32_t block_size)
{
	struct codec_config cfg = { .block_size = block_size };
	struct err err = { 0 };

	if (codec_config_parse(ops, words, &cfg, &err) < 0)
		fprintf(stderr, "%s: %s\n", words ? words : "-", err.text);
	check(err.code == ERR_NONE);
	return cfg;
}

static inline struct codec *codec_make(const struct codec_ops *ops,
				       const char *words, uint32_t block_size)
{
	struct codec_config cfg = config_make(ops, words, block_size);
	struct codec *codec = NULL;
	struct err err = { 0 };

	check(ops->create(&cfg, &codec, &err) == 0);
	/* It keeps no pointer to cfg. */
	memset(&cfg, 0xee, sizeof(cfg));
	if (!codec)
		abort();
	check(codec->ops == ops);
	return codec;
}

/* Compresses into a new buffer; *out is to be freed. */
static inline size_t block_compress(struct codec *codec, enum codec_use use,
				    const uint8_t *src, size_t len,
				    uint8_t **out)
{
	size_t cap = CODEC_BOUND(len), out_len = SIZE_MAX;
	uint8_t *room = block_memory(cap);
	struct err err = { 0 };

	check(codec_compress(codec, use, src, len, room, cap, &out_len,
			     &err) == 0);
	check(err.code == ERR_NONE);
	check(out_len < len || out_len == 0);
	if (out_len >= len)
		out_len = 0;
	*out = block_memory(out_len);
	memcpy(*out, room, out_len);
	free(room);
	return out_len;
}

/* One block there and back; returns the bytes it took, 0 if not smaller. */
static inline size_t check_round(struct codec *codec, enum codec_use use,
				 const uint8_t *src, size_t len)
{
	struct err err = { 0 };
	uint8_t *packed, *back;
	size_t packed_len = block_compress(codec, use, src, len, &packed);
	size_t got = 0;

	if (packed_len) {
		back = block_memory(len);
		check(codec_decompress(codec, packed, packed_len, back, len,
				       &got, &err) == 0);
		check_u64(got, len);
		check_mem(back, src, len);
		/* One byte less of room is not enough. */
		got = 77;
		check(len == 1 ||
		      codec_decompress(codec, packed, packed_len, back,
				       len - 1, &got, &err) == -1 ||
		      codec->ops->id == CODEC_LZMA);
		check(len == 1 || err.code == ERR_CORRUPT);
		check_u64(got, 77);
		free(back);
	}
	free(packed);
	return packed_len;
}

/* The same block gives the same bytes, whatever came before it. */
static inline void check_same(const struct codec_ops *ops, const char *words,
			      uint32_t block_size, enum codec_use use,
			      const uint8_t *src, size_t len,
			      struct codec *used)
{
	struct codec *fresh = codec_make(ops, words, block_size);
	uint8_t *a, *b;
	size_t a_len = block_compress(fresh, use, src, len, &a);
	size_t b_len = block_compress(used, use, src, len, &b);

	check_u64(b_len, a_len);
	check(a_len == b_len && memcmp(a, b, a_len) == 0);
	free(a);
	free(b);
	codec_destroy(fresh);
}

/* Round trips of all kinds and lengths up to block_size, and sameness. */
static inline void check_blocks(const struct codec_ops *ops, const char *words,
				uint32_t block_size)
{
	const size_t lens[] = { block_size, 1, 2, 3, 17, 100, 1000, 4095,
				block_size };
	struct codec *codec = codec_make(ops, words, block_size);

	for (int fill = 0; fill < FILL_COUNT; fill++) {
		for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
			size_t len = lens[i];
			enum codec_use use = len <= CODEC_METADATA_LEN && i % 2
						     ? CODEC_USE_METADATA
						     : CODEC_USE_DATA;
			uint8_t *src = block_make((enum block_fill)fill, len,
						  (uint32_t)i);
			size_t got = check_round(codec, use, src, len);

			if (len == 1 || fill == FILL_RANDOM)
				check_u64(got, 0);
			else if (len >= 4095)
				check(got > 0 && got < len / 4 * 3);
			check_same(ops, words, block_size, use, src, len,
				   codec);
			free(src);
		}
	}
	codec_destroy(codec);
}

/* Decompresses what may be anything; only outrages are failures. */
static inline int block_try(struct codec *codec, const uint8_t *src,
			    size_t len, size_t cap, size_t *got)
{
	uint8_t *copy = block_memory(len), *back = block_memory(cap);
	struct err err = { 0 };
	int ret;

	*got = 0;
	memcpy(copy, src, len);
	ret = codec_decompress(codec, copy, len, back, cap, got, &err);
	check(ret == 0 || ret == -1);
	if (ret < 0)
		check(err.code == ERR_CORRUPT && err.text[0]);
	check(*got <= cap);
	free(copy);
	free(back);
	return ret;
}

/*
 * A stream cut at every byte, every byte of it changed, and noise. A cut is
 * always found by codecs that have an end or a checksum (cut_found).
 */
static inline void check_damage(const struct codec_ops *ops, const char *words,
				int cut_found)
{
	struct codec *codec = codec_make(ops, words, 4096);
	size_t len = 3000, got;
	uint8_t *src = block_make(FILL_CODE, len, 5), *packed;
	size_t packed_len = block_compress(codec, CODEC_USE_DATA, src, len,
					   &packed);

	check(packed_len > 0);
	for (size_t i = 0; i < packed_len; i++) {
		int ret = block_try(codec, packed, i, len, &got);

		check(ret < 0 || !cut_found);
		packed[i] ^= 0xff;
		block_try(codec, packed, packed_len, len, &got);
		packed[i] ^= 0xff ^ 1 << i % 8;
		block_try(codec, packed, packed_len, len, &got);
		packed[i] ^= (uint8_t)(1 << i % 8);
	}
	/* It still works after all that. */
	check(block_try(codec, packed, packed_len, len, &got) == 0);
	check_u64(got, len);
	check(block_try(codec, packed, packed_len, 2 * len, &got) == 0);
	check_u64(got, len);

	for (uint32_t seed = 0; seed < 200; seed++) {
		uint8_t *noise = block_make(FILL_RANDOM, seed, seed);

		block_try(codec, noise, seed, 1 + seed * 16, &got);
		free(noise);
	}
	free(src);
	free(packed);
	codec_destroy(codec);
}

/* ERR_USAGE whose text has both; cfg stays as it was. */
static inline void check_refused(const struct codec_ops *ops,
				 const char *words, const char *one,
				 const char *two)
{
	struct codec_config cfg, before;
	struct err err = { 0 };

	memset(&cfg, 0x5a, sizeof(cfg));
	cfg.block_size = 131072;
	memcpy(&before, &cfg, sizeof(cfg));
	check(codec_config_parse(ops, words, &cfg, &err) == -1);
	check(err.code == ERR_USAGE);
	check_mem(&cfg, &before, sizeof(cfg));
	if (!strstr(err.text, one) || !strstr(err.text, two))
		fprintf(stderr, "%s: %s\n", words ? words : "-", err.text);
	check(strstr(err.text, one) && strstr(err.text, two));
}

/* The options block of these words; len 0 if it is left out. */
static inline void check_options(const struct codec_ops *ops,
				 const char *words, uint32_t block_size,
				 const char *want, size_t want_len)
{
	struct codec_config cfg = config_make(ops, words, block_size);
	uint8_t out[CODEC_OPTIONS_MAX] = { 0 };

	check_u64(ops->options_encode(&cfg, out), want_len);
	check_mem(out, want, want_len);
}

#endif
