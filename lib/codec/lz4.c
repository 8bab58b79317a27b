/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec/codec.h"

#include <lz4.h>
#include <lz4hc.h>
#include <stdlib.h>
#include <string.h>

#include "codec/word.h"
#include "table.h"
#include "util/err.h"
#include "util/num.h"

/*
 * Raw LZ4 blocks. The state is one piece of memory that the library clears
 * for each block. It has a faster way, which trusts what the last block left
 * behind; that is not in its stable interface, and gains nothing at blocks
 * of this size.
 */

#define HC_LEVEL_DEFAULT  12
#define HC_LEVEL_MAX	  12
#define ACCELERATION_MAX  65537 /* the library takes more for this */
#define OPTIONS_VERSION	  1
#define OPTIONS_FLAG_HC	  1u

_Static_assert(HC_LEVEL_MAX == LZ4HC_CLEVEL_MAX, "levels of lz4hc.h");

struct lz4 {
	struct codec codec;
	bool hc;
	int level;
	int acceleration;
	void *state; /* NULL until the first block */
};

static void config_default(struct codec_config *cfg)
{
	cfg->u.lz4.hc = false;
	cfg->u.lz4.level = HC_LEVEL_DEFAULT;
	cfg->u.lz4.acceleration = 1;
}

static int config_word(struct codec_config *cfg, const char *key,
		       const char *value, struct err *err)
{
	if (strcmp(key, "hc") == 0) {
		cfg->u.lz4.hc = true;
		return codec_word_bare(key, value, err);
	}
	if (strcmp(key, "level") == 0) {
		cfg->u.lz4.hc = true;
		return codec_word_number(key, value, 1, HC_LEVEL_MAX,
					 &cfg->u.lz4.level, err);
	}
	if (strcmp(key, "acceleration") == 0)
		return codec_word_number(key, value, 1, ACCELERATION_MAX,
					 &cfg->u.lz4.acceleration, err);
	return 1;
}

static int config_check(struct codec_config *cfg, struct err *err)
{
	if (cfg->u.lz4.hc && cfg->u.lz4.acceleration != 1)
		return err_set(err, ERR_USAGE, "acceleration is of the fast "
			       "mode; it does not go with hc or level");
	return 0;
}

static bool is_quick(const struct codec_config *cfg)
{
	return !cfg->u.lz4.hc;
}

static size_t options_encode(const struct codec_config *cfg,
			     uint8_t out[CODEC_OPTIONS_MAX])
{
	/* Never left out: the kernel refuses lz4 images without it. */
	put_le32(out, OPTIONS_VERSION);
	put_le32(out + 4, cfg->u.lz4.hc ? OPTIONS_FLAG_HC : 0);
	return 8;
}

static int create(const struct codec_config *cfg, struct codec **out,
		  struct err *err)
{
	struct lz4 *lz4 = calloc(1, sizeof(*lz4));

	if (!lz4)
		return err_nomem(err);
	lz4->codec.ops = &codec_lz4;
	lz4->hc = cfg->u.lz4.hc;
	lz4->level = cfg->u.lz4.level;
	lz4->acceleration = cfg->u.lz4.acceleration;
	*out = &lz4->codec;
	return 0;
}

static int compress(struct codec *codec, enum codec_use use,
		    const uint8_t *src, size_t len, uint8_t *dst, size_t cap,
		    size_t *out_len, struct err *err)
{
	struct lz4 *lz4 = (struct lz4 *)codec;
	int size = lz4->hc ? LZ4_sizeofStateHC() : LZ4_sizeofState();
	int ret;

	(void)use;
	if (!lz4->state)
		lz4->state = malloc((size_t)size);
	if (!lz4->state)
		return err_nomem(err);
	if (lz4->hc)
		ret = LZ4_compress_HC_extStateHC(
			lz4->state, (const char *)src, (char *)dst, (int)len,
			(int)cap, lz4->level);
	else
		ret = LZ4_compress_fast_extState(
			lz4->state, (const char *)src, (char *)dst, (int)len,
			(int)cap, lz4->acceleration);
	*out_len = ret > 0 && (size_t)ret < len ? (size_t)ret : 0;
	return 0;
}

static int decompress(struct codec *codec, const uint8_t *src, size_t len,
		      uint8_t *dst, size_t cap, size_t *out_len,
		      struct err *err)
{
	int ret = -1;

	(void)codec;
	if (len <= LZ4_MAX_INPUT_SIZE && cap <= LZ4_MAX_INPUT_SIZE)
		ret = LZ4_decompress_safe((const char *)src, (char *)dst,
					  (int)len, (int)cap);
	if (ret < 0)
		return err_set(err, ERR_CORRUPT,
			       "lz4: damaged or more than %zu bytes", cap);
	*out_len = (size_t)ret;
	return 0;
}

static void destroy(struct codec *codec)
{
	struct lz4 *lz4 = (struct lz4 *)codec;

	free(lz4->state);
	free(lz4);
}

const struct codec_ops codec_lz4 = {
	.name = "lz4",
	.id = CODEC_LZ4,
	.words = "hc, level=1-12, acceleration=1-65537",
	.help = "hc              high compression: slow to pack, as fast to "
		"read\n"
		"level=N         of hc, which it implies: 1 to 12 (small). "
		"Default 12.\n"
		"acceleration=N  of the fast mode, 1 to 65537 (fast). "
		"Default 1.\n",
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
