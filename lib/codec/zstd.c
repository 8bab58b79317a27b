/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec/codec.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "codec/word.h"
#include "table.h"
#include "util/err.h"
#include "util/num.h"

/*
 * One frame per block. The one-shot call knows the block's length, so the
 * window it declares never exceeds the block: what the kernel asks for.
 */

#define LEVEL_DEFAULT 15
#define LEVEL_MIN     (-131072)
#define LEVEL_MAX     22
#define LEVEL_QUICK_MAX 4 /* from 5 on it looks at data that does not compress
			   * for three times as long as the probe */

struct zstd {
	struct codec codec;
	int level;
	ZSTD_CCtx *compressor;	 /* NULL until the first block */
	ZSTD_DCtx *decompressor; /* the same */
};

static void config_default(struct codec_config *cfg)
{
	cfg->u.zstd.level = LEVEL_DEFAULT;
}

static int config_word(struct codec_config *cfg, const char *key,
		       const char *value, struct err *err)
{
	int level;

	if (strcmp(key, "level") != 0)
		return 1;
	if (codec_word_number(key, value, LEVEL_MIN, LEVEL_MAX, &level, err) <
	    0)
		return -1;
	if (level == 0)
		return err_set(err, ERR_USAGE,
			       "level: 0 is not one of %d to -1 and 1 to %d",
			       LEVEL_MIN, LEVEL_MAX);
	cfg->u.zstd.level = level;
	return 0;
}

static bool is_quick(const struct codec_config *cfg)
{
	return cfg->u.zstd.level <= LEVEL_QUICK_MAX;
}

static size_t options_encode(const struct codec_config *cfg,
			     uint8_t out[CODEC_OPTIONS_MAX])
{
	int level = cfg->u.zstd.level;

	if (level == LEVEL_DEFAULT)
		return 0;
	/* The format has no negative levels: the nearest it has. */
	put_le32(out, level < 1 ? 1 : (uint32_t)level);
	return 4;
}

static int create(const struct codec_config *cfg, struct codec **out,
		  struct err *err)
{
	struct zstd *zstd = calloc(1, sizeof(*zstd));

	if (!zstd)
		return err_nomem(err);
	zstd->codec.ops = &codec_zstd;
	zstd->level = cfg->u.zstd.level;
	*out = &zstd->codec;
	return 0;
}

static int open_compressor(struct zstd *zstd, struct err *err)
{
	if (zstd->compressor)
		return 0;
	zstd->compressor = ZSTD_createCCtx();
	if (!zstd->compressor)
		return err_nomem(err);
	/* The library moves a level out of its range to the nearest. */
	ZSTD_CCtx_setParameter(zstd->compressor, ZSTD_c_compressionLevel,
			       zstd->level);
	return 0;
}

static int compress(struct codec *codec, enum codec_use use,
		    const uint8_t *src, size_t len, uint8_t *dst, size_t cap,
		    size_t *out_len, struct err *err)
{
	struct zstd *zstd = (struct zstd *)codec;
	size_t ret;

	(void)use;
	if (open_compressor(zstd, err) < 0)
		return -1;
	ret = ZSTD_compress2(zstd->compressor, dst, cap, src, len);
	if (ZSTD_isError(ret)) {
		if (ZSTD_getErrorCode(ret) != ZSTD_error_dstSize_tooSmall)
			return err_nomem(err);
		ret = 0;
	}
	*out_len = ret < len ? ret : 0;
	return 0;
}

static int decompress(struct codec *codec, const uint8_t *src, size_t len,
		      uint8_t *dst, size_t cap, size_t *out_len,
		      struct err *err)
{
	struct zstd *zstd = (struct zstd *)codec;
	size_t frame_len, ret;

	if (!zstd->decompressor)
		zstd->decompressor = ZSTD_createDCtx();
	if (!zstd->decompressor)
		return err_nomem(err);
	/* The library would take several frames, or none, in one go. */
	frame_len = ZSTD_findFrameCompressedSize(src, len);
	if (!ZSTD_isError(frame_len) && frame_len != len)
		return err_set(err, ERR_CORRUPT, "zstd: %zu bytes behind the "
			       "frame", len - frame_len);
	ret = ZSTD_isError(frame_len) ?
		      frame_len :
		      ZSTD_decompressDCtx(zstd->decompressor, dst, cap,
					  src, len);
	if (ZSTD_isError(ret)) {
		if (ZSTD_getErrorCode(ret) == ZSTD_error_memory_allocation)
			return err_nomem(err);
		return err_set(err, ERR_CORRUPT, "zstd: %s",
			       ZSTD_getErrorName(ret));
	}
	*out_len = ret;
	return 0;
}

static void destroy(struct codec *codec)
{
	struct zstd *zstd = (struct zstd *)codec;

	ZSTD_freeCCtx(zstd->compressor);
	ZSTD_freeDCtx(zstd->decompressor);
	free(zstd);
}

const struct codec_ops codec_zstd = {
	.name = "zstd",
	.id = CODEC_ZSTD,
	.words = "level=1-22 or level=-131072 to -1",
	.help = "level=N  1 (fast) to 22 (small), or -1 to -131072: the "
		"lower,\n"
		"         the faster and larger. Default 15.\n",
	.config_default = config_default,
	.config_word = config_word,
	.options_encode = options_encode,
	.create = create,
	.compress = compress,
	.decompress = decompress,
	.destroy = destroy,
	.is_quick = is_quick
};
