/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

/*
 * One stored block. The first byte chooses the compressor, the next two how
 * much room there is; the rest is what is stored. Every compressor must give
 * the same twice, and must still pack and unpack a block afterwards.
 */
#include "codec/codec.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/codecs.h"
#include "util/err.h"
#include "util/num.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define HEADER_LEN  3
#define BLOCK_SIZE  131072
#define ROUND_TRIP  0x80 /* of the first byte: pack and unpack the rest */
#define CODECS_MAX  8

static void require(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

/* The state for a number, made once and used for all inputs, as by readers. */
static struct codec *codec_of(unsigned number)
{
	static struct codec *codecs[CODECS_MAX];
	const struct codec_ops *all[CODECS_MAX];
	struct codec_config config = { .block_size = BLOCK_SIZE };
	unsigned count = 0;

	for (size_t i = 0; codec_builtin[i] && count < CODECS_MAX; i++)
		all[count++] = codec_builtin[i];
	for (size_t i = 0; codecs_more[i] && count < CODECS_MAX; i++)
		all[count++] = codecs_more[i];

	/* By the number in images, which does not depend on the build. */
	for (unsigned i = 0; i < count; i++) {
		if (all[i]->id != 1 + number % CODEC_ZSTD)
			continue;
		if (!codecs[i] &&
		    (codec_config_parse(all[i], NULL, &config, NULL) < 0 ||
		     all[i]->create(&config, &codecs[i], NULL) < 0))
			abort();
		return codecs[i];
	}
	return NULL;
}

static int unpack(struct codec *codec, const uint8_t *data, size_t len,
		  uint8_t *out, size_t cap, size_t *got)
{
	struct err err = { 0 };
	int ret = codec_decompress(codec, data, len, out, cap, got, &err);

	if (ret < 0)
		require(err.code == ERR_CORRUPT && err.text[0],
			"a failure says why");
	else
		require(*got <= cap, "no more than there is room for");
	return ret;
}

static void round_trip(struct codec *codec, const uint8_t *data, size_t len)
{
	static uint8_t packed[CODEC_BOUND(BLOCK_SIZE)];
	struct err err = { 0 };
	size_t packed_len, got;
	uint8_t *out;

	if (len == 0 || len > BLOCK_SIZE)
		return;
	require(codec_compress(codec, CODEC_USE_DATA, data, len, packed,
			       CODEC_BOUND(len), &packed_len, &err) == 0,
		err.text);
	if (packed_len == 0)
		return;
	require(packed_len < len, "packed is smaller");
	out = malloc(len);
	if (!out)
		abort();
	require(unpack(codec, packed, packed_len, out, len, &got) == 0,
		"what was packed unpacks");
	require(got == len && memcmp(out, data, len) == 0,
		"what was packed is the same again");
	free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t known[100] = "what is seldom is wonderful";
	struct codec *codec;
	size_t cap, got, again;
	uint8_t *first, *second;

	if (size < HEADER_LEN)
		return 0;
	codec = codec_of(data[0] & ~ROUND_TRIP);
	if (!codec)
		return 0;
	if (data[0] & ROUND_TRIP) {
		round_trip(codec, data + HEADER_LEN, size - HEADER_LEN);
		return 0;
	}

	/* As long as the room, so that a sanitizer sees a byte too far. */
	cap = get_le16(data + 1) + (size_t)1;
	first = malloc(cap);
	second = malloc(cap);
	if (!first || !second)
		abort();
	data += HEADER_LEN;
	size -= HEADER_LEN;

	int ret = unpack(codec, data, size, first, cap, &got);

	require(unpack(codec, data, size, second, cap, &again) == ret,
		"the same answer twice");
	if (ret == 0)
		require(got == again && memcmp(first, second, got) == 0,
			"the same bytes twice");
	round_trip(codec, known, sizeof(known));
	free(first);
	free(second);
	return 0;
}
