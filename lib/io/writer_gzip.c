/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "writer_codec.h"

/*
 * gzip: members of a mebibyte each, without a name or a time. Every reader
 * knows files of several members; a part of this length costs about a
 * thousandth for the history and the header that the next one begins without.
 */

#include <stdlib.h>
#ifdef WITH_LIBDEFLATE
#include <libdeflate.h>
#else
#include <limits.h>
#include <zlib.h>
#endif

#include "util/err.h"

#define PART_LEN (1024 * 1024)

static size_t part_len(int level)
{
	(void)level;
	return PART_LEN;
}

#ifdef WITH_LIBDEFLATE

static int create(int level, void **out, struct err *err)
{
	*out = libdeflate_alloc_compressor(level);
	return *out ? 0 : err_nomem(err);
}

static size_t bound(size_t len)
{
	return libdeflate_gzip_compress_bound(NULL, len);
}

static int compress_part(void *context, const uint8_t *src, size_t len,
			 uint8_t *dst, size_t cap, size_t *out_len,
			 struct err *err)
{
	*out_len = libdeflate_gzip_compress(context, src, len, dst, cap);
	if (*out_len == 0)
		return err_nomem(err); /* cannot be: cap is the bound */
	return 0;
}

static void destroy(void *context)
{
	libdeflate_free_compressor(context);
}

#else

#define WINDOW_GZIP (15 + 16) /* 32 KiB, and a gzip header */

static int create(int level, void **out, struct err *err)
{
	z_stream *z = calloc(1, sizeof(*z));

	if (!z)
		return err_nomem(err);
	if (deflateInit2(z, level, Z_DEFLATED, WINDOW_GZIP, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK) {
		free(z);
		return err_nomem(err);
	}
	*out = z;
	return 0;
}

/* Stored blocks of the least memory that the library can be built for. */
static size_t bound(size_t len)
{
	return len + len / 100 + 1024;
}

static int compress_part(void *context, const uint8_t *src, size_t len,
			 uint8_t *dst, size_t cap, size_t *out_len,
			 struct err *err)
{
	z_stream *z = context;

	_Static_assert(PART_LEN < UINT_MAX / 2, "zlib counts in unsigned");
	deflateReset(z);
	z->next_in = (Bytef *)(uintptr_t)src;
	z->avail_in = (uInt)len;
	z->next_out = dst;
	z->avail_out = (uInt)cap;
	if (deflate(z, Z_FINISH) != Z_STREAM_END)
		return err_nomem(err); /* cannot be: cap is the bound */
	*out_len = cap - z->avail_out;
	return 0;
}

static void destroy(void *context)
{
	deflateEnd(context);
	free(context);
}

#endif

const struct part_codec writer_gzip = {
	.level_min = 1,
	.level_max = 9,
	.level_default = 6,
	.part_len = part_len,
	.create = create,
	.bound = bound,
	.compress = compress_part,
	.destroy = destroy,
};
