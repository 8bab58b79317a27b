/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "writer_codec.h"

/*
 * lz4: frames of one block of a mebibyte, with the length of their content and
 * its checksum. One frame of independent blocks would want that checksum over
 * all of it, which no worker could make. Blocks of 4 MiB, as the tool makes
 * them, are a thousandth shorter in all and take four times the memory.
 */

#include <lz4frame.h>
#include <stdlib.h>

#include "util/err.h"

#define PART_LEN (1024 * 1024)

struct context {
	LZ4F_cctx *cctx;
	LZ4F_preferences_t preferences;
};

static size_t part_len(int level)
{
	(void)level;
	return PART_LEN;
}

static void destroy(void *context)
{
	struct context *c = context;

	LZ4F_freeCompressionContext(c->cctx);
	free(c);
}

static LZ4F_preferences_t preferences_of(int level)
{
	LZ4F_preferences_t p = { 0 };

	p.frameInfo.blockSizeID = LZ4F_max1MB;
	p.frameInfo.blockMode = LZ4F_blockIndependent;
	p.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
	p.compressionLevel = level;
	p.autoFlush = 1;
	return p;
}

static int create(int level, void **out, struct err *err)
{
	struct context *c = calloc(1, sizeof(*c));

	if (!c)
		return err_nomem(err);
	c->preferences = preferences_of(level);
	if (LZ4F_isError(
		    LZ4F_createCompressionContext(&c->cctx, LZ4F_VERSION))) {
		free(c);
		return err_nomem(err);
	}
	*out = c;
	return 0;
}

static size_t bound(size_t len)
{
	LZ4F_preferences_t p = preferences_of(1);

	return LZ4F_compressFrameBound(len, &p);
}

static int compress_part(void *context, const uint8_t *src, size_t len,
			 uint8_t *dst, size_t cap, size_t *out_len,
			 struct err *err)
{
	struct context *c = context;
	size_t begun, n, end;

	c->preferences.frameInfo.contentSize = len;
	begun = LZ4F_compressBegin(c->cctx, dst, cap, &c->preferences);
	if (LZ4F_isError(begun))
		return err_nomem(err);
	n = LZ4F_compressUpdate(c->cctx, dst + begun, cap - begun, src, len,
				NULL);
	if (LZ4F_isError(n))
		return err_nomem(err);
	end = LZ4F_compressEnd(c->cctx, dst + begun + n, cap - begun - n, NULL);
	if (LZ4F_isError(end))
		return err_nomem(err);
	*out_len = begun + n + end;
	return 0;
}

const struct part_codec writer_lz4 = {
	.level_min = 1,
	.level_max = 12,
	.level_default = 1,
	.part_len = part_len,
	.create = create,
	.bound = bound,
	.compress = compress_part,
	.destroy = destroy,
};
