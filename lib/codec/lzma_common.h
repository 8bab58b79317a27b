/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef LIB_CODEC_LZMA_COMMON_H
#define LIB_CODEC_LZMA_COMMON_H

#include <lzma.h>

#include "codec/codec.h"

/*
 * What xz and lzma share: the options of the algorithm, and one run of
 * liblzma from memory to memory. Both use the xz member of struct
 * codec_config.
 */

/* Words of -X that both take, and their help. */
#define LZMA_WORDS                                                             \
	"level=0-9, dictsize=8K-1M or 1-100%, lc=0-4, lp=0-4, pb=0-4, extreme"
#define LZMA_HELP_BEHIND_LEVEL                                                 \
	"dictsize=N  bytes (with K or M) or percent of the block size, as\n"   \
	"            in 50%; a power of two or the sum of two neighbouring\n"  \
	"            ones. Default, and most that is used: the block size.\n"  \
	"lc=N, lp=N, pb=N\n"                                                   \
	"            context bits, 0 to 4; lc and lp together at most 4.\n"    \
	"            Default 3, 0 and 2.\n"                                    \
	"extreme     try a longer search as well and keep the smaller result:\n" \
	"            twice the time, little gain\n"

void codec_lzma_default(struct codec_config *cfg, int level);

/* As config_word of struct codec_ops, for the shared words. */
int codec_lzma_word(struct codec_config *cfg, const char *key,
		     const char *value, struct err *err);

/* Checks lc and lp; cuts the dictionary to the block size. ERR_USAGE. */
int codec_lzma_check(struct codec_config *cfg, struct err *err);

/*
 * How hard an encoder searches. "extreme" adds a second try per block, and the
 * smaller result is kept: by itself it is larger about as often as smaller on
 * blocks of this size.
 */
enum lzma_effort { LZMA_NORMAL, LZMA_EXTREME, LZMA_EFFORT_COUNT };

/* Options of the encoders for data and metadata. ERR_UNSUPPORTED. */
int codec_lzma_options(const struct codec_config *cfg,
		       lzma_options_lzma out[LZMA_EFFORT_COUNT][2],
		       struct err *err);

/*
 * Runs an encoder that was just initialised over one block.
 *
 * begun    what the initialisation returned
 * cap      most bytes that are of use
 * out_len  bytes written, 0 if cap is too few
 * fails    ERR_NOMEM
 */
int codec_lzma_encode(lzma_stream *stream, lzma_ret begun, const uint8_t *src,
		size_t len, uint8_t *dst, size_t cap, size_t *out_len,
		struct err *err);

/* The words for why a decoder stopped; ERR_NOMEM or ERR_CORRUPT; -1. */
int codec_lzma_error(lzma_ret ret, struct err *err);

#endif
