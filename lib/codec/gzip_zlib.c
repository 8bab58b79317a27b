/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gzip.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "util/account.h"
#include "util/err.h"

/*
 * One z_stream per strategy, made when first used and reset for each block,
 * which keeps its memory.
 */

/* In the order of the bits in the options block. */
static const int strategy_of[GZIP_STRATEGY_COUNT] = {
	Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED
};

/* Levels of memory that deflateInit2 takes; 8 is the library's default. */
#define MEM_LEVEL 8

struct zlib {
	struct gzip gzip;
	int level, window;
	unsigned strategies; /* never 0 */

	z_stream deflate[GZIP_STRATEGY_COUNT];
	bool has_deflate[GZIP_STRATEGY_COUNT];
	z_stream inflate;
	bool has_inflate;

	uint8_t *scratch; /* scratch_len bytes that a second strategy may fill;
			   * NULL if there is none */
	size_t scratch_len;
};

static int create(const struct codec_config *cfg, struct gzip **out,
		  struct err *err)
{
	struct zlib *zlib = calloc(1, sizeof(*zlib));

	if (!zlib)
		return err_nomem(err);
	zlib->level = cfg->u.gzip.level;
	zlib->window = cfg->u.gzip.window;
	zlib->strategies = cfg->u.gzip.strategies;
	if (!zlib->strategies)
		zlib->strategies = 1; /* Z_DEFAULT_STRATEGY */
	if (zlib->strategies & (zlib->strategies - 1)) {
		zlib->scratch_len = CODEC_LEN_MAX(cfg->block_size);
		zlib->scratch = malloc(zlib->scratch_len);
		if (!zlib->scratch) {
			free(zlib);
			return err_nomem(err);
		}
	}
	*out = &zlib->gzip;
	return 0;
}

static int open_deflate(struct zlib *zlib, unsigned strategy, struct err *err)
{
	z_stream *z = &zlib->deflate[strategy];

	if (zlib->has_deflate[strategy]) {
		deflateReset(z);
		return 0;
	}
	if (deflateInit2(z, zlib->level, Z_DEFLATED, zlib->window, MEM_LEVEL,
			 strategy_of[strategy]) != Z_OK)
		return err_nomem(err);
	zlib->has_deflate[strategy] = true;
	return 0;
}

/* At most cap bytes; *out_len is 0 if the stream does not fit. */
static int deflate_with(struct zlib *zlib, unsigned strategy,
			const uint8_t *src, size_t len, uint8_t *dst,
			size_t cap, size_t *out_len, struct err *err)
{
	z_stream *z = &zlib->deflate[strategy];

	if (open_deflate(zlib, strategy, err) < 0)
		return -1;
	z->next_in = (z_const Bytef *)src;
	z->avail_in = (uInt)len;
	z->next_out = dst;
	z->avail_out = (uInt)cap;
	*out_len = deflate(z, Z_FINISH) == Z_STREAM_END ?
			   cap - z->avail_out : 0;
	return 0;
}

static int compress_block(struct gzip *gzip, const uint8_t *src, size_t len,
		    uint8_t *dst, size_t cap, size_t *out_len, struct err *err)
{
	struct zlib *zlib = (struct zlib *)gzip;
	size_t best = 0, got;

	(void)cap;
	for (unsigned i = 0; i < GZIP_STRATEGY_COUNT; i++) {
		/* Room for what would be an improvement, no more. */
		size_t room = (best ? best : len) - 1;
		uint8_t *to = best ? zlib->scratch : dst;

		if (!(zlib->strategies & 1u << i))
			continue;
		assert(!best || room <= zlib->scratch_len);
		if (deflate_with(zlib, i, src, len, to, room, &got, err) < 0)
			return -1;
		if (got && best)
			copy_bytes(dst, zlib->scratch, got);
		if (got)
			best = got;
	}
	*out_len = best;
	return 0;
}

static int open_inflate(struct zlib *zlib, struct err *err)
{
	if (zlib->has_inflate) {
		inflateReset(&zlib->inflate);
		return 0;
	}
	if (inflateInit(&zlib->inflate) != Z_OK)
		return err_nomem(err);
	zlib->has_inflate = true;
	return 0;
}

static int decompress_block(struct gzip *gzip, const uint8_t *src, size_t len,
		      uint8_t *dst, size_t cap, size_t *out_len,
		      struct err *err)
{
	struct zlib *zlib = (struct zlib *)gzip;
	z_stream *z = &zlib->inflate;

	if (open_inflate(zlib, err) < 0)
		return -1;
	if (len > UINT_MAX || cap > UINT_MAX)
		return err_set(err, ERR_CORRUPT, "gzip: a block of %zu bytes",
			       len);
	z->next_in = (z_const Bytef *)src;
	z->avail_in = (uInt)len;
	z->next_out = dst;
	z->avail_out = (uInt)cap;
	/* Bytes behind the stream are passed over, as other readers do. */
	switch (inflate(z, Z_FINISH)) {
	case Z_STREAM_END:
		*out_len = cap - z->avail_out;
		return 0;
	case Z_MEM_ERROR:
		return err_nomem(err);
	case Z_BUF_ERROR:
		if (!z->avail_out)
			return err_set(err, ERR_CORRUPT,
				       "gzip: more than %zu bytes", cap);
		return err_set(err, ERR_CORRUPT, "gzip: cut short");
	default:
		return err_set(err, ERR_CORRUPT, "gzip: damaged");
	}
}

static void destroy(struct gzip *gzip)
{
	struct zlib *zlib = (struct zlib *)gzip;

	for (unsigned i = 0; i < GZIP_STRATEGY_COUNT; i++)
		if (zlib->has_deflate[i])
			deflateEnd(&zlib->deflate[i]);
	if (zlib->has_inflate)
		inflateEnd(&zlib->inflate);
	free(zlib->scratch);
	free(zlib);
}

const struct gzip_lib gzip_zlib = {
	.create = create,
	.compress = compress_block,
	.decompress = decompress_block,
	.destroy = destroy
};
