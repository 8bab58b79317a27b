/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "gzip.h"

#include <string.h>

#include "codec/word.h"
#include "table.h"
#include "util/err.h"
#include "util/num.h"

/*
 * The options of gzip, and which of two libraries does the work. libdeflate
 * is faster and smaller at every level; zlib alone knows windows and
 * strategies. Either reads what the other wrote.
 */

#define LEVEL_DEFAULT 9
#define LEVEL_STORED_MAX 9 /* of the options block */
#define WINDOW_DEFAULT 15

#ifdef WITH_LIBDEFLATE
#define LEVEL_MAX 12
#define LEVEL_WORDS "level=1-12"
#define LEVEL_HELP "level=N    1 (fast) to 12 (small). Default 9.\n"
#else
#define LEVEL_MAX 9
#define LEVEL_WORDS "level=1-9"
#define LEVEL_HELP "level=N    1 (fast) to 9 (small). Default 9.\n"
#endif

#ifdef WITH_ZLIB
#define ZLIB_WORDS \
	", window=8-15, default, filtered, huffman, rle, fixed, zlib"
#define ZLIB_HELP \
	"window=N   bits of the window, 8 to 15. Default 15.\n" \
	"default, filtered, huffman, rle, fixed\n" \
	"           strategies of zlib: each one named is tried on every\n" \
	"           block and the smallest is kept\n" \
	"zlib       use zlib; a window or a strategy implies it\n"
#else
#define ZLIB_WORDS ", window=15"
#define ZLIB_HELP ""
#endif

/* In the order of the bits. */
static const char *const strategies[GZIP_STRATEGY_COUNT] = {
	"default", "filtered", "huffman", "rle", "fixed"
};

static void config_default(struct codec_config *cfg)
{
	cfg->u.gzip.level = LEVEL_DEFAULT;
	cfg->u.gzip.window = WINDOW_DEFAULT;
	cfg->u.gzip.strategies = 0;
	cfg->u.gzip.force_zlib = false;
}

static int config_word(struct codec_config *cfg, const char *key,
		       const char *value, struct err *err)
{
	if (strcmp(key, "level") == 0)
		return codec_word_number(key, value, 1, LEVEL_MAX,
					 &cfg->u.gzip.level, err);
	if (strcmp(key, "window") == 0)
		return codec_word_number(key, value, 8, 15,
					 &cfg->u.gzip.window, err);
	if (strcmp(key, "zlib") == 0) {
		cfg->u.gzip.force_zlib = true;
		return codec_word_bare(key, value, err);
	}
	for (unsigned i = 0; i < GZIP_STRATEGY_COUNT; i++) {
		if (strcmp(key, strategies[i]) != 0)
			continue;
		cfg->u.gzip.strategies |= 1u << i;
		return codec_word_bare(key, value, err);
	}
	return 1;
}

static bool needs_zlib(const struct codec_config *cfg)
{
	return cfg->u.gzip.force_zlib || cfg->u.gzip.strategies ||
	       cfg->u.gzip.window != WINDOW_DEFAULT;
}

static int config_check(struct codec_config *cfg, struct err *err)
{
	if (!needs_zlib(cfg))
		return 0;
#ifndef WITH_ZLIB
	return err_set(err, ERR_USAGE, "gzip's window, strategies and the word "
		       "zlib need zlib, which is not built in; this gzip "
		       "takes " LEVEL_WORDS);
#else
	if (cfg->u.gzip.level > LEVEL_STORED_MAX)
		return err_set(err, ERR_USAGE, "gzip's levels above %d do not "
			       "go with window, strategies or zlib",
			       LEVEL_STORED_MAX);
	return 0;
#endif
}

static size_t options_encode(const struct codec_config *cfg,
			     uint8_t out[CODEC_OPTIONS_MAX])
{
	int level = cfg->u.gzip.level;

	if (level > LEVEL_STORED_MAX)
		level = LEVEL_STORED_MAX;
	if (level == LEVEL_DEFAULT && cfg->u.gzip.window == WINDOW_DEFAULT &&
	    !cfg->u.gzip.strategies)
		return 0;
	put_le32(out, (uint32_t)level);
	put_le16(out + 4, (uint16_t)cfg->u.gzip.window);
	put_le16(out + 6, (uint16_t)cfg->u.gzip.strategies);
	return 8;
}

/* NULL if the library that cfg needs is not built in. */
static const struct gzip_lib *lib_for(const struct codec_config *cfg)
{
#ifdef WITH_LIBDEFLATE
	if (!needs_zlib(cfg))
		return &gzip_libdeflate;
#endif
#ifdef WITH_ZLIB
	if (cfg->u.gzip.level <= LEVEL_STORED_MAX)
		return &gzip_zlib;
#endif
	return NULL;
}

static int create(const struct codec_config *cfg, struct codec **out,
		  struct err *err)
{
	const struct gzip_lib *lib = lib_for(cfg);
	struct gzip *gzip;

	if (!lib)
		return err_set(err, ERR_UNSUPPORTED, "gzip: the library for "
			       "these options is not built in");
	if (lib->create(cfg, &gzip, err) < 0)
		return -1;
	gzip->codec.ops = &codec_gzip;
	gzip->lib = lib;
	*out = &gzip->codec;
	return 0;
}

static int compress(struct codec *codec, enum codec_use use,
		    const uint8_t *src, size_t len, uint8_t *dst, size_t cap,
		    size_t *out_len, struct err *err)
{
	struct gzip *gzip = (struct gzip *)codec;

	(void)use;
	return gzip->lib->compress(gzip, src, len, dst, cap, out_len, err);
}

static int decompress(struct codec *codec, const uint8_t *src, size_t len,
		      uint8_t *dst, size_t cap, size_t *out_len,
		      struct err *err)
{
	struct gzip *gzip = (struct gzip *)codec;

	return gzip->lib->decompress(gzip, src, len, dst, cap, out_len, err);
}

static void destroy(struct codec *codec)
{
	struct gzip *gzip = (struct gzip *)codec;

	gzip->lib->destroy(gzip);
}

const struct codec_ops codec_gzip = {
	.name = "gzip",
	.id = CODEC_GZIP,
	.words = LEVEL_WORDS ZLIB_WORDS,
	.help = LEVEL_HELP ZLIB_HELP,
	.config_default = config_default,
	.config_word = config_word,
	.config_check = config_check,
	.options_encode = options_encode,
	.create = create,
	.compress = compress,
	.decompress = decompress,
	.destroy = destroy
};
