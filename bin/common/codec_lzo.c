/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "codec_lzo.h"

#include <lzo/lzo1x.h>
#include <stdlib.h>
#include <string.h>

#include "codec/word.h"
#include "util/err.h"
#include "util/num.h"

/* Raw LZO1X blocks, without a header or length. */

#define ALGORITHM_999	  4 /* lzo1x_999; numbers of the options block */
#define ALGORITHM_COUNT	  5
#define LEVEL_999_DEFAULT 8
#define LEVEL_999_MAX	  9

/* In the order of the numbers in the options block. */
static const struct {
	const char *name;
	lzo_compress_t compress; /* NULL: lzo1x_999_compress_level */
	size_t memory_len;
} algorithms[ALGORITHM_COUNT] = {
	{ "lzo1x_1", lzo1x_1_compress, LZO1X_1_MEM_COMPRESS },
	{ "lzo1x_1_11", lzo1x_1_11_compress, LZO1X_1_11_MEM_COMPRESS },
	{ "lzo1x_1_12", lzo1x_1_12_compress, LZO1X_1_12_MEM_COMPRESS },
	{ "lzo1x_1_15", lzo1x_1_15_compress, LZO1X_1_15_MEM_COMPRESS },
	{ "lzo1x_999", NULL, LZO1X_999_MEM_COMPRESS }
};

struct lzo {
	struct codec codec;
	int algorithm;
	int level;
	void *memory; /* NULL until the first block */
};

static void config_default(struct codec_config *cfg)
{
	cfg->u.lzo.algorithm = ALGORITHM_999;
	cfg->u.lzo.level = 0; /* not given */
}

static int word_algorithm(struct codec_config *cfg, const char *value,
			  struct err *err)
{
	for (int i = 0; value && i < ALGORITHM_COUNT; i++) {
		if (strcmp(value, algorithms[i].name) != 0)
			continue;
		cfg->u.lzo.algorithm = i;
		return 0;
	}
	return err_set(err, ERR_USAGE, "algorithm: \"%s\" is none of lzo1x_1, "
		       "lzo1x_1_11, lzo1x_1_12, lzo1x_1_15 and lzo1x_999",
		       value ? value : "");
}

static int config_word(struct codec_config *cfg, const char *key,
		       const char *value, struct err *err)
{
	if (strcmp(key, "algorithm") == 0)
		return word_algorithm(cfg, value, err);
	if (strcmp(key, "level") == 0)
		return codec_word_number(key, value, 1, LEVEL_999_MAX,
					 &cfg->u.lzo.level, err);
	return 1;
}

static int config_check(struct codec_config *cfg, struct err *err)
{
	if (cfg->u.lzo.algorithm != ALGORITHM_999 && cfg->u.lzo.level)
		return err_set(err, ERR_USAGE, "level is of lzo1x_999; %s "
			       "has none", algorithms[cfg->u.lzo.algorithm]
			       .name);
	if (cfg->u.lzo.algorithm == ALGORITHM_999 && !cfg->u.lzo.level)
		cfg->u.lzo.level = LEVEL_999_DEFAULT;
	return 0;
}

static bool is_quick(const struct codec_config *cfg)
{
	return cfg->u.lzo.algorithm != ALGORITHM_999;
}

static size_t options_encode(const struct codec_config *cfg,
			     uint8_t out[CODEC_OPTIONS_MAX])
{
	if (cfg->u.lzo.algorithm == ALGORITHM_999 &&
	    cfg->u.lzo.level == LEVEL_999_DEFAULT)
		return 0;
	put_le32(out, (uint32_t)cfg->u.lzo.algorithm);
	put_le32(out + 4, (uint32_t)cfg->u.lzo.level);
	return 8;
}

static int create(const struct codec_config *cfg, struct codec **out,
		  struct err *err)
{
	struct lzo *lzo;

	if (lzo_init() != LZO_E_OK)
		return err_set(err, ERR_UNSUPPORTED,
			       "lzo: the library does not fit its header");
	lzo = calloc(1, sizeof(*lzo));
	if (!lzo)
		return err_nomem(err);
	lzo->codec.ops = &codec_lzo;
	lzo->algorithm = cfg->u.lzo.algorithm;
	lzo->level = cfg->u.lzo.level;
	*out = &lzo->codec;
	return 0;
}

static int open_memory(struct lzo *lzo, struct err *err)
{
	size_t len = algorithms[lzo->algorithm].memory_len;

	if (!lzo->memory)
		lzo->memory = malloc(len); /* cleared where that matters */
	return lzo->memory ? 0 : err_nomem(err);
}

static int compress(struct codec *codec, enum codec_use use,
		    const uint8_t *src, size_t len, uint8_t *dst, size_t cap,
		    size_t *out_len, struct err *err)
{
	struct lzo *lzo = (struct lzo *)codec;
	lzo_compress_t fn = algorithms[lzo->algorithm].compress;
	lzo_uint got = cap;

	(void)use;
	if (open_memory(lzo, err) < 0)
		return -1;
	if (fn)
		fn(src, len, dst, &got, lzo->memory);
	else
		lzo1x_999_compress_level(src, len, dst, &got, lzo->memory,
					 NULL, 0, NULL, lzo->level);
	*out_len = got < len ? got : 0;
	return 0;
}

static int decompress(struct codec *codec, const uint8_t *src, size_t len,
		      uint8_t *dst, size_t cap, size_t *out_len,
		      struct err *err)
{
	lzo_uint got = cap;
	int ret;

	(void)codec;
	ret = lzo1x_decompress_safe(src, len, dst, &got, NULL);
	if (ret == LZO_E_OUTPUT_OVERRUN)
		return err_set(err, ERR_CORRUPT, "lzo: more than %zu bytes",
			       cap);
	if (ret != LZO_E_OK)
		return err_set(err, ERR_CORRUPT, "lzo: damaged");
	*out_len = got;
	return 0;
}

static void destroy(struct codec *codec)
{
	struct lzo *lzo = (struct lzo *)codec;

	free(lzo->memory);
	free(lzo);
}

const struct codec_ops codec_lzo = {
	.name = "lzo",
	.id = CODEC_LZO,
	.words = "algorithm=lzo1x_1, lzo1x_1_11, lzo1x_1_12, lzo1x_1_15 or "
		"lzo1x_999, level=1-9",
	.help = "algorithm=NAME  lzo1x_1, lzo1x_1_11, lzo1x_1_12, lzo1x_1_15 "
		"or\n"
		"                lzo1x_999. Default lzo1x_999.\n"
		"level=N         of lzo1x_999, 1 (fast) to 9 (small). "
		"Default 8.\n",
	.config_default = config_default,
	.config_word = config_word,
	.config_check = config_check,
	.options_encode = options_encode,
	.create = create,
	.compress = compress,
	.decompress = decompress,
	.destroy = destroy,
	.is_quick = is_quick
};
