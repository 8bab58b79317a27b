/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "lzma_common.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"
#include "util/account.h"
#include "util/err.h"
#include "util/num.h"

/*
 * "LZMA alone": properties, dictionary size and content size in 13 bytes,
 * then LZMA1 data. liblzma writes no content size and an end marker; readers
 * of this format want the size and expect the marker, so the size is put in
 * afterwards. Format: doc/codecs.md, "lzma".
 */

#define HEADER_LEN    13
#define DICT_OFFSET   1
#define SIZE_OFFSET   5
#define DICT_MIN      4096
#define LEVEL_DEFAULT 5

struct alone {
	struct codec codec;
	int effort_count;

	/* by enum lzma_effort and codec_use; set up when first used */
	lzma_options_lzma options[LZMA_EFFORT_COUNT][2];
	lzma_stream encoder[LZMA_EFFORT_COUNT][2];
	lzma_stream decoder;

	uint8_t *scratch; /* scratch_len bytes that a second try may fill;
			   * NULL if there is none */
	size_t scratch_len;
};

static void config_default(struct codec_config *cfg)
{
	codec_lzma_default(cfg, LEVEL_DEFAULT);
}

static size_t options_encode(const struct codec_config *cfg,
			     uint8_t out[CODEC_OPTIONS_MAX])
{
	/* The format has none. */
	(void)cfg;
	(void)out;
	return 0;
}

static int create(const struct codec_config *cfg, struct codec **out,
		  struct err *err)
{
	const lzma_stream empty = LZMA_STREAM_INIT;
	struct alone *alone = calloc(1, sizeof(*alone));

	if (!alone)
		return err_nomem(err);
	alone->codec.ops = &codec_lzma;
	alone->effort_count = cfg->u.xz.extreme ? 2 : 1;
	alone->decoder = empty;
	for (int i = 0; i < LZMA_EFFORT_COUNT * 2; i++)
		alone->encoder[i / 2][i % 2] = empty;
	if (codec_lzma_options(cfg, alone->options, err) < 0)
		goto out;
	if (alone->effort_count > 1) {
		alone->scratch_len = CODEC_LEN_MAX(cfg->block_size);
		alone->scratch = malloc(alone->scratch_len);
		if (!alone->scratch) {
			err_nomem(err);
			goto out;
		}
	}
	*out = &alone->codec;
	return 0;
out:
	free(alone);
	return -1;
}

static int compress(struct codec *codec, enum codec_use use,
		    const uint8_t *src, size_t len, uint8_t *dst, size_t cap,
		    size_t *out_len, struct err *err)
{
	struct alone *alone = (struct alone *)codec;
	size_t best = 0, got;

	(void)cap;
	if (use != CODEC_USE_METADATA)
		use = CODEC_USE_DATA;
	for (int i = 0; i < alone->effort_count; i++) {
		lzma_stream *stream = &alone->encoder[i][use];
		lzma_ret begun = lzma_alone_encoder(stream,
						    &alone->options[i][use]);
		/* Room for what would be an improvement, no more. */
		size_t room = (best ? best : len) - 1;
		uint8_t *to = best ? alone->scratch : dst;

		assert(!best || room <= alone->scratch_len);
		if (codec_lzma_encode(stream, begun, src, len, to, room, &got,
				      err) < 0)
			return err_in(err, "lzma");
		if (got && best)
			copy_bytes(dst, alone->scratch, got);
		if (got)
			best = got;
	}
	if (best)
		put_le64(dst + SIZE_OFFSET, len);
	*out_len = best;
	return 0;
}

/*
 * Starts the decoder on a header of our own: of the block's header it takes
 * the properties; the content size becomes "unknown", so that streams with and
 * without end marker are read by all versions of liblzma; and a dictionary
 * larger than the content, which could be 4 GiB, becomes the content's size.
 */
static lzma_ret begin_decode(lzma_stream *stream, const uint8_t *src,
			     uint8_t *dst, size_t size)
{
	uint8_t header[HEADER_LEN];
	uint32_t dict = get_le32(src + DICT_OFFSET);
	lzma_ret ret;

	if (dict > size)
		dict = size > DICT_MIN ? (uint32_t)size : DICT_MIN;
	header[0] = src[0];
	put_le32(header + DICT_OFFSET, dict);
	put_le64(header + SIZE_OFFSET, UINT64_MAX);

	ret = lzma_alone_decoder(stream, UINT64_MAX);
	stream->next_in = header;
	stream->avail_in = sizeof(header);
	stream->next_out = dst;
	stream->avail_out = size; /* without room it does not even read */
	while (ret == LZMA_OK && stream->avail_in)
		ret = lzma_code(stream, LZMA_RUN);
	return ret;
}

static int decompress(struct codec *codec, const uint8_t *src, size_t len,
		      uint8_t *dst, size_t cap, size_t *out_len,
		      struct err *err)
{
	struct alone *alone = (struct alone *)codec;
	lzma_stream *stream = &alone->decoder;
	uint64_t size;
	lzma_ret ret;

	if (len < HEADER_LEN)
		return err_set(err, ERR_CORRUPT, "lzma: %zu bytes hold no "
			       "header", len);
	size = get_le64(src + SIZE_OFFSET);
	if (size < 1 || size > cap)
		return err_set(err, ERR_CORRUPT, "lzma: header tells of "
			       "%" PRIu64 " bytes, %zu may be", size, cap);

	ret = begin_decode(stream, src, dst, (size_t)size);
	stream->next_in = src + HEADER_LEN;
	stream->avail_in = len - HEADER_LEN;
	while (ret == LZMA_OK && stream->avail_out)
		ret = lzma_code(stream, LZMA_FINISH);
	if (ret != LZMA_OK && ret != LZMA_STREAM_END) {
		codec_lzma_error(ret, err);
		return err_in(err, "lzma");
	}
	if (stream->avail_out)
		return err_set(err, ERR_CORRUPT, "lzma: ends %zu bytes early",
			       stream->avail_out);
	*out_len = (size_t)size;
	return 0;
}

static void destroy(struct codec *codec)
{
	struct alone *alone = (struct alone *)codec;

	for (int i = 0; i < LZMA_EFFORT_COUNT * 2; i++)
		lzma_end(&alone->encoder[i / 2][i % 2]);
	lzma_end(&alone->decoder);
	free(alone->scratch);
	free(alone);
}

const struct codec_ops codec_lzma = {
	.name = "lzma",
	.id = CODEC_LZMA,
	.words = LZMA_WORDS,
	.help = "level=N     0 (fast) to 9 (small). Default 5.\n"
		LZMA_HELP_BEHIND_LEVEL
		"No kernel reads lzma images; xz is the one to use.\n",
	.config_default = config_default,
	.config_word = codec_lzma_word,
	.config_check = codec_lzma_check,
	.options_encode = options_encode,
	.create = create,
	.compress = compress,
	.decompress = decompress,
	.destroy = destroy
};
