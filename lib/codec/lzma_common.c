/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "lzma_common.h"

#include <stdlib.h>
#include <string.h>

#include "codec/word.h"
#include "util/err.h"
#include "util/parse.h"

#define DICT_MIN 8192u
#define DICT_MAX 1048576u

void codec_lzma_default(struct codec_config *cfg, int level)
{
	cfg->u.xz.level = level;
	cfg->u.xz.dict_size = CODEC_LEN_MAX(cfg->block_size);
	cfg->u.xz.lc = LZMA_LC_DEFAULT;
	cfg->u.xz.lp = LZMA_LP_DEFAULT;
	cfg->u.xz.pb = LZMA_PB_DEFAULT;
	cfg->u.xz.filters = 0;
	cfg->u.xz.auto_filter = false;
	cfg->u.xz.extreme = false;
}

static bool is_power(uint64_t n)
{
	return n && !(n & (n - 1));
}

/* "50%": text is the number, len its digits. */
static int parse_percent(const struct codec_config *cfg, const char *text,
			 size_t len, uint64_t *out, struct err *err)
{
	char digits[8];
	uint64_t percent;

	if (len >= sizeof(digits))
		return err_set(err, ERR_USAGE, "more than 100 percent");
	memcpy(digits, text, len);
	digits[len] = '\0';
	if (parse_u64(digits, 1, 100, &percent, err) < 0)
		return err_in(err, "percent of the block size");
	*out = cfg->block_size * percent / 100;
	return 0;
}

static int parse_dict(struct codec_config *cfg, const char *value,
		      struct err *err)
{
	size_t len = value ? strlen(value) : 0;
	uint64_t size;
	int ret;

	if (!value)
		return err_set(err, ERR_USAGE, "dictsize needs a size from 8K "
			       "to 1M or a percentage, as in dictsize=50%%");
	if (len && value[len - 1] == '%')
		ret = parse_percent(cfg, value, len - 1, &size, err);
	else
		ret = parse_size(value, DICT_MIN, DICT_MAX, &size, err);
	if (ret < 0)
		return err_in(err, "dictsize");

	if (size < DICT_MIN || size > DICT_MAX)
		return err_set(err, ERR_USAGE, "dictsize: %s of the block size "
			       "is not within 8K to 1M", value);
	if (!is_power(size) && !(size % 3 == 0 && is_power(size / 3)))
		return err_set(err, ERR_USAGE, "dictsize: %s is neither a "
			       "power of two nor the sum of two neighbouring "
			       "ones, such as 64K, 96K or 128K", value);
	cfg->u.xz.dict_size = (uint32_t)size;
	return 0;
}

int codec_lzma_word(struct codec_config *cfg, const char *key,
		     const char *value, struct err *err)
{
	static const struct {
		const char *key;
		int max;
	} bits[] = { { "lc", LZMA_LCLP_MAX },
		     { "lp", LZMA_LCLP_MAX },
		     { "pb", LZMA_PB_MAX } };
	uint32_t *to[] = { &cfg->u.xz.lc, &cfg->u.xz.lp, &cfg->u.xz.pb };
	int number;

	if (strcmp(key, "level") == 0)
		return codec_word_number(key, value, 0, 9, &cfg->u.xz.level,
					 err);
	if (strcmp(key, "dictsize") == 0)
		return parse_dict(cfg, value, err);
	if (strcmp(key, "extreme") == 0) {
		cfg->u.xz.extreme = true;
		return codec_word_bare(key, value, err);
	}
	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
		if (strcmp(key, bits[i].key) != 0)
			continue;
		if (codec_word_number(key, value, 0, bits[i].max, &number,
				      err) < 0)
			return -1;
		*to[i] = (uint32_t)number;
		return 0;
	}
	return 1;
}

int codec_lzma_check(struct codec_config *cfg, struct err *err)
{
	if (cfg->u.xz.lc + cfg->u.xz.lp > LZMA_LCLP_MAX)
		return err_set(err, ERR_USAGE, "lc and lp are %u together, "
			       "which may be %d at most",
			       cfg->u.xz.lc + cfg->u.xz.lp, LZMA_LCLP_MAX);
	/*
	 * No match reaches farther back than the block begins; a larger
	 * dictionary would only ask readers for memory.
	 */
	if (cfg->u.xz.dict_size > CODEC_LEN_MAX(cfg->block_size))
		cfg->u.xz.dict_size = CODEC_LEN_MAX(cfg->block_size);
	return 0;
}

int codec_lzma_options(const struct codec_config *cfg,
		       lzma_options_lzma out[LZMA_EFFORT_COUNT][2],
		       struct err *err)
{
	for (int i = 0; i < LZMA_EFFORT_COUNT * 2; i++) {
		lzma_options_lzma *options = &out[i / 2][i % 2];
		uint32_t preset = (uint32_t)cfg->u.xz.level;

		if (i / 2 == LZMA_EXTREME)
			preset |= LZMA_PRESET_EXTREME;
		if (lzma_lzma_preset(options, preset))
			return err_set(err, ERR_UNSUPPORTED,
				       "liblzma has no level %d",
				       cfg->u.xz.level);
		/* Readers set memory aside once, for the dictionary of data. */
		options->dict_size = i % 2 == CODEC_USE_METADATA
					     ? CODEC_METADATA_LEN
					     : cfg->u.xz.dict_size;
		options->lc = cfg->u.xz.lc;
		options->lp = cfg->u.xz.lp;
		options->pb = cfg->u.xz.pb;
	}
	return 0;
}

int codec_lzma_encode(lzma_stream *stream, lzma_ret begun, const uint8_t *src,
		size_t len, uint8_t *dst, size_t cap, size_t *out_len,
		struct err *err)
{
	lzma_ret ret = begun;

	stream->next_in = src;
	stream->avail_in = len;
	stream->next_out = dst;
	stream->avail_out = cap;
	while (ret == LZMA_OK && stream->avail_out)
		ret = lzma_code(stream, LZMA_FINISH);
	if (ret == LZMA_STREAM_END)
		*out_len = cap - stream->avail_out;
	else if (ret == LZMA_OK)
		*out_len = 0;
	else
		return err_nomem(err);
	return 0;
}

int codec_lzma_error(lzma_ret ret, struct err *err)
{
	switch (ret) {
	case LZMA_MEM_ERROR:
		return err_nomem(err);
	case LZMA_MEMLIMIT_ERROR:
		return err_set(err, ERR_CORRUPT, "dictionary too large");
	case LZMA_FORMAT_ERROR:
		return err_set(err, ERR_CORRUPT, "no such stream");
	case LZMA_OPTIONS_ERROR:
		return err_set(err, ERR_CORRUPT, "filter or header unknown");
	case LZMA_BUF_ERROR:
		return err_set(err, ERR_CORRUPT, "cut short or too long");
	default:
		return err_set(err, ERR_CORRUPT, "damaged");
	}
}
