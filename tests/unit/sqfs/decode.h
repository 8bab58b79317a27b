/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_UNIT_SQFS_DECODE_H
#define TESTS_UNIT_SQFS_DECODE_H

/*
 * A small reader of metadata blocks that owes nothing to the writer, a codec
 * made of counted runs, and numbers that look random.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "codec/codec.h"
#include "sqfs/meta.h"
#include "util/err.h"
#include "util/num.h"

static inline uint32_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33);
}

/* Pairs of count and byte; nothing where that does not help. */
static inline int runs_compress(struct codec *codec, enum codec_use use,
				const uint8_t *src, size_t len, uint8_t *dst,
				size_t cap, size_t *out_len, struct err *err)
{
	size_t n = 0;

	(void)codec;
	(void)err;
	check(use == CODEC_USE_METADATA);
	check(cap >= CODEC_BOUND(len));
	*out_len = 0;
	for (size_t i = 0, run; i < len; i += run) {
		for (run = 1; i + run < len && run < 255; run++)
			if (src[i + run] != src[i])
				break;
		if (n + 2 >= len)
			return 0;
		dst[n++] = (uint8_t)run;
		dst[n++] = src[i];
	}
	*out_len = n;
	return 0;
}

static inline struct codec *runs_codec(void)
{
	static const struct codec_ops ops = { .name = "runs",
					      .id = CODEC_GZIP,
					      .compress = runs_compress };
	static struct codec codec = { .ops = &ops };

	return &codec;
}

/* The bytes of a table, and where its blocks begin and would begin next. */
struct plain {
	uint8_t *data;
	size_t len;
	uint32_t *starts;
	size_t block_count;
	size_t raw_count; /* blocks stored as they are */
};

/* Decodes one block at raw; the stored bytes, header included, or 0. */
static inline size_t plain_block(struct plain *plain, const uint8_t *raw,
				 size_t left)
{
	uint8_t *data = plain->data + plain->len;
	size_t n, out = 0;

	if (left < 3)
		return 0;
	n = get_le16(raw) & 0x7FFF;
	if (n == 0 || n > META_LEN || n > left - 2)
		return 0;
	if (get_le16(raw) & 0x8000) {
		memcpy(data, raw + 2, n);
		out = n;
		plain->raw_count++;
	} else {
		for (size_t i = 0; i + 1 < n; i += 2) {
			if (out + raw[2 + i] > META_LEN)
				return 0;
			memset(data + out, raw[3 + i], raw[2 + i]);
			out += raw[2 + i];
		}
		if (n >= out)
			return 0;
	}
	plain->len += out;
	return n + 2;
}

/* Decodes len bytes of blocks; all but the last must be full. */
static inline bool plain_decode(struct plain *plain, const uint8_t *raw,
				size_t len)
{
	size_t at = 0, most = len / 3 + 1;

	*plain = (struct plain){ 0 };
	plain->data = malloc(most * META_LEN);
	plain->starts = calloc(most + 1, sizeof(*plain->starts));
	if (!plain->data || !plain->starts)
		abort();
	while (at < len) {
		size_t step;

		if (plain->len % META_LEN != 0)
			return false;
		plain->starts[plain->block_count] = (uint32_t)at;
		step = plain_block(plain, raw + at, len - at);
		if (step == 0)
			return false;
		at += step;
		plain->block_count++;
	}
	return true;
}

/* The place in data of a reference; SIZE_MAX if no block starts there. */
static inline size_t plain_at(const struct plain *plain, uint64_t block,
			      size_t offset)
{
	for (size_t i = 0; i < plain->block_count; i++)
		if (plain->starts[i] == block && offset < META_LEN &&
		    i * META_LEN + offset < plain->len)
			return i * META_LEN + offset;
	return SIZE_MAX;
}

static inline void plain_cleanup(struct plain *plain)
{
	free(plain->data);
	free(plain->starts);
}

#endif
