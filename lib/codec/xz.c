/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "lzma_common.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "codec/code.h"
#include "codec/word.h"
#include "table.h"
#include "util/account.h"
#include "util/err.h"
#include "util/num.h"

/*
 * A whole .xz stream per block, check CRC32, of LZMA2 or of one BCJ filter and
 * LZMA2: no other is read by the kernel. Every filter asked for is tried on
 * each block of data, and so is none; or, with bcj=auto, a block that holds
 * code gets the one filter that is made for it, and nothing is tried. Metadata
 * gets no filter and a dictionary of its own size.
 *
 * liblzma keeps all but some hundred bytes of its memory when an encoder is
 * started again with the same filters, dictionary and match finder, so each
 * such choice has its own encoder.
 */

#define LEVEL_DEFAULT 6

/*
 * Most memory a block's decoder may take. Dictionaries of SquashFS are 1 MiB
 * at most; this leaves room for writers that keep to it less closely.
 */
#define DECODER_MEMORY (32u << 20)

#ifndef LZMA_FILTER_ARM64
#define LZMA_FILTER_ARM64 LZMA_VLI_UNKNOWN
#endif
#ifndef LZMA_FILTER_RISCV
#define LZMA_FILTER_RISCV LZMA_VLI_UNKNOWN
#endif

/* In the order of the bits in the options block. */
#define BCJ_COUNT 8
static const struct {
	const char *name;
	lzma_vli id; /* LZMA_VLI_UNKNOWN if liblzma is too old for it */
} bcj[BCJ_COUNT] = {
	{ "x86", LZMA_FILTER_X86 },
	{ "powerpc", LZMA_FILTER_POWERPC },
	{ "ia64", LZMA_FILTER_IA64 },
	{ "arm", LZMA_FILTER_ARM },
	{ "armthumb", LZMA_FILTER_ARMTHUMB },
	{ "sparc", LZMA_FILTER_SPARC },
	{ "arm64", LZMA_FILTER_ARM64 },
	{ "riscv", LZMA_FILTER_RISCV }
};

/*
 * What bcj=auto may take without being told: the filters that every kernel with
 * xz can have. The others came with Linux 6.11.
 */
#define AUTO_FILTERS 0x3f

_Static_assert(BCJ_COUNT == CODE_MACHINE_COUNT - 1 && CODE_X86 == 1 &&
		       CODE_SPARC == 6,
	       "filters are in the order of machines");

struct xz {
	struct codec codec;
	unsigned filters;
	bool auto_filter;
	int effort_count;
	lzma_options_lzma options[LZMA_EFFORT_COUNT][2]; /* and codec_use */

	/* By enum lzma_effort; set up when first used. */
	struct {
		lzma_stream plain[2]; /* by enum codec_use */
		lzma_stream filtered[BCJ_COUNT];
	} encoder[LZMA_EFFORT_COUNT];
	lzma_stream decoder;

	uint8_t *scratch; /* scratch_len bytes that a further try may fill;
			   * NULL if there is none */
	size_t scratch_len;
};

static void config_default(struct codec_config *cfg)
{
	codec_lzma_default(cfg, LEVEL_DEFAULT);
}

static int config_word(struct codec_config *cfg, const char *key,
		       const char *value, struct err *err)
{
	char name[NAME_TEXT_LEN];

	if (strcmp(key, "bcj") == 0) {
		cfg->u.xz.auto_filter = true;
		if (value && strcmp(value, "auto") == 0)
			return 0;
		value = value ? value : "";
		return err_set(err, ERR_USAGE, "bcj: \"%s\" is not auto",
			       name_text(value, strlen(value), name));
	}
	for (unsigned i = 0; i < BCJ_COUNT; i++) {
		if (strcmp(key, bcj[i].name) != 0)
			continue;
		if (bcj[i].id == LZMA_VLI_UNKNOWN ||
		    !lzma_filter_encoder_is_supported(bcj[i].id))
			return err_set(err, ERR_USAGE, "%s: liblzma %s has no "
				       "such filter", key,
				       lzma_version_string());
		cfg->u.xz.filters |= 1u << i;
		return codec_word_bare(key, value, err);
	}
	return codec_lzma_word(cfg, key, value, err);
}

/* What bcj=auto may take becomes known. */
static int config_check(struct codec_config *cfg, struct err *err)
{
	for (unsigned i = 0; cfg->u.xz.auto_filter && i < BCJ_COUNT; i++)
		if ((AUTO_FILTERS & 1u << i) &&
		    lzma_filter_encoder_is_supported(bcj[i].id))
			cfg->u.xz.filters |= 1u << i;
	return codec_lzma_check(cfg, err);
}

static bool asks_for_code(const struct codec_config *cfg)
{
	return cfg->u.xz.auto_filter;
}

static size_t options_encode(const struct codec_config *cfg,
			     uint8_t out[CODEC_OPTIONS_MAX])
{
	/* Without options readers assume this dictionary. */
	if (cfg->u.xz.dict_size == CODEC_LEN_MAX(cfg->block_size) &&
	    !cfg->u.xz.filters)
		return 0;
	put_le32(out, cfg->u.xz.dict_size);
	put_le32(out + 4, cfg->u.xz.filters);
	return 8;
}

static int create(const struct codec_config *cfg, struct codec **out,
		  struct err *err)
{
	const lzma_stream empty = LZMA_STREAM_INIT;
	struct xz *xz = calloc(1, sizeof(*xz));

	if (!xz)
		return err_nomem(err);
	xz->codec.ops = &codec_xz;
	xz->filters = cfg->u.xz.filters;
	xz->auto_filter = cfg->u.xz.auto_filter;
	xz->effort_count = cfg->u.xz.extreme ? 2 : 1;
	xz->decoder = empty;
	for (int i = 0; i < LZMA_EFFORT_COUNT; i++) {
		for (int use = 0; use < 2; use++)
			xz->encoder[i].plain[use] = empty;
		for (int k = 0; k < BCJ_COUNT; k++)
			xz->encoder[i].filtered[k] = empty;
	}
	if (codec_lzma_options(cfg, xz->options, err) < 0)
		goto out;
	if ((xz->filters && !xz->auto_filter) || xz->effort_count > 1) {
		xz->scratch_len = CODEC_LEN_MAX(cfg->block_size);
		xz->scratch = malloc(xz->scratch_len);
		if (!xz->scratch) {
			err_nomem(err);
			goto out;
		}
	}
	*out = &xz->codec;
	return 0;
out:
	free(xz);
	return -1;
}

/*
 * Tries one effort with the filter index, or none at -1. *best is the length
 * of what dst holds, 0 at first; both change if the try is smaller.
 */
static int improve(struct xz *xz, enum codec_use use, int effort, int index,
		   const uint8_t *src, size_t len, uint8_t *dst, size_t *best,
		   struct err *err)
{
	lzma_stream *stream = index < 0 ? &xz->encoder[effort].plain[use]
				  : &xz->encoder[effort].filtered[index];
	size_t room = (*best ? *best : len) - 1, n = 0, got;
	uint8_t *to = *best ? xz->scratch : dst;
	lzma_filter chain[3];

	if (index >= 0)
		chain[n++] = (lzma_filter){ .id = bcj[index].id };
	chain[n++] = (lzma_filter){ .id = LZMA_FILTER_LZMA2,
				    .options = &xz->options[effort][use] };
	chain[n] = (lzma_filter){ .id = LZMA_VLI_UNKNOWN };
	assert(!*best || room <= xz->scratch_len);

	lzma_ret begun = lzma_stream_encoder(stream, chain, LZMA_CHECK_CRC32);

	if (codec_lzma_encode(stream, begun, src, len, to, room, &got, err) <
	    0)
		return err_in(err, "xz");
	if (got && *best)
		copy_bytes(dst, xz->scratch, got);
	if (got)
		*best = got;
	return 0;
}

/*
 * The filters to try, as bits; and none is bit BCJ_COUNT. With bcj=auto that is
 * one.
 */
static unsigned choose(const struct xz *xz, enum codec_use use)
{
	const unsigned none = 1u << BCJ_COUNT;
	unsigned filter = 0;

	if (use == CODEC_USE_METADATA)
		return none;
	if (!xz->auto_filter)
		return xz->filters | none;
	if (use > CODEC_USE_CODE)
		filter = xz->filters & 1u << (use - CODEC_USE_CODE - 1);
	return filter ? filter : none;
}

static int compress(struct codec *codec, enum codec_use use,
		    const uint8_t *src, size_t len, uint8_t *dst, size_t cap,
		    size_t *out_len, struct err *err)
{
	struct xz *xz = (struct xz *)codec;
	const unsigned filters = choose(xz, use);
	size_t best = 0;

	(void)cap;
	if (use != CODEC_USE_METADATA)
		use = CODEC_USE_DATA;
	for (int effort = 0; effort < xz->effort_count; effort++) {
		/* None comes first: of equal lengths it is kept. */
		for (int i = -1; i < BCJ_COUNT; i++) {
			if (!(filters & 1u << (i < 0 ? BCJ_COUNT : i)))
				continue;
			if (improve(xz, use, effort, i, src, len, dst, &best,
				    err) < 0)
				return -1;
		}
	}
	*out_len = best;
	return 0;
}

static int decompress(struct codec *codec, const uint8_t *src, size_t len,
		      uint8_t *dst, size_t cap, size_t *out_len,
		      struct err *err)
{
	struct xz *xz = (struct xz *)codec;
	lzma_stream *stream = &xz->decoder;
	lzma_ret ret = lzma_stream_decoder(stream, DECODER_MEMORY, 0);

	stream->next_in = src;
	stream->avail_in = len;
	stream->next_out = dst;
	stream->avail_out = cap;
	/* Without room or input this ends in LZMA_BUF_ERROR. */
	while (ret == LZMA_OK)
		ret = lzma_code(stream, LZMA_FINISH);
	if (ret != LZMA_STREAM_END) {
		codec_lzma_error(ret, err);
		return err_in(err, "xz");
	}
	if (stream->avail_in)
		return err_set(err, ERR_CORRUPT, "xz: %zu bytes behind the end",
			       stream->avail_in);
	*out_len = cap - stream->avail_out;
	return 0;
}

static void destroy(struct codec *codec)
{
	struct xz *xz = (struct xz *)codec;

	for (int i = 0; i < LZMA_EFFORT_COUNT; i++) {
		for (int use = 0; use < 2; use++)
			lzma_end(&xz->encoder[i].plain[use]);
		for (int k = 0; k < BCJ_COUNT; k++)
			lzma_end(&xz->encoder[i].filtered[k]);
	}
	lzma_end(&xz->decoder);
	free(xz->scratch);
	free(xz);
}

const struct codec_ops codec_xz = {
	.name = "xz",
	.id = CODEC_XZ,
	.words = LZMA_WORDS ", x86, powerpc, ia64, arm, armthumb, sparc, "
		"arm64, riscv, bcj=auto",
	.help = "level=N     0 (fast) to 9 (small). Default 6.\n"
		LZMA_HELP_BEHIND_LEVEL
		"x86, powerpc, ia64, arm, armthumb, sparc, arm64, riscv\n"
		"            filters for machine code: each one named is tried "
		"on\n"
		"            every block, besides none, and the smallest is "
		"kept.\n"
		"            The kernel that reads the image needs them too.\n"
		"bcj=auto    the one filter that is made for a block's code, as "
		"the\n"
		"            headers of programs tell, and none for other "
		"blocks:\n"
		"            no time is lost. arm64 and riscv, which Linux reads "
		"from\n"
		"            6.11 on, are taken if they are named as well.\n",
	.config_default = config_default,
	.config_word = config_word,
	.config_check = config_check,
	.options_encode = options_encode,
	.create = create,
	.compress = compress,
	.decompress = decompress,
	.destroy = destroy,
	.asks_for_code = asks_for_code
};
