/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_UNIT_IO_COMPRESS_H
#define TESTS_UNIT_IO_COMPRESS_H

/*
 * Compressed data of every format that is built in: each function adds one
 * member, stream or frame to what is there. What fails ends the test.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef WITH_ZLIB
#include <zlib.h>
#endif
#ifdef WITH_BZIP2
#include <bzlib.h>
#endif
#ifdef WITH_LZMA
#include <lzma.h>
#endif
#ifdef WITH_ZSTD
#include <zstd.h>
#endif
#ifdef WITH_LZ4
#include <lz4.h>
#include <lz4frame.h>
#endif

struct bytes {
	uint8_t *data;
	size_t len, cap;
};

static inline uint8_t *bytes_room(struct bytes *b, size_t n)
{
	if (b->cap - b->len < n) {
		b->cap = (b->len + n) * 2;
		b->data = realloc(b->data, b->cap);
		if (!b->data)
			abort();
	}
	return b->data + b->len;
}

static inline void bytes_add(struct bytes *b, const void *data, size_t n)
{
	if (n)
		memcpy(bytes_room(b, n), data, n);
	b->len += n;
}

static inline void bytes_zeros(struct bytes *b, size_t n)
{
	memset(bytes_room(b, n), 0, n);
	b->len += n;
}

static inline void bytes_le(struct bytes *b, uint64_t value, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint8_t byte = (uint8_t)(value >> 8 * i);

		bytes_add(b, &byte, 1);
	}
}

static inline void bytes_cleanup(struct bytes *b)
{
	free(b->data);
	*b = (struct bytes){ 0 };
}

static inline void must(int ok)
{
	if (!ok)
		abort();
}

#ifdef WITH_ZLIB
static inline void add_gzip(struct bytes *b, const uint8_t *data, size_t len)
{
	z_stream z = { 0 };

	must(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) ==
	     Z_OK);

	size_t most = deflateBound(&z, len) + 64;

	z.next_in = (uint8_t *)(uintptr_t)data;
	z.avail_in = (unsigned)len;
	z.next_out = bytes_room(b, most);
	z.avail_out = (unsigned)most;
	must(deflate(&z, Z_FINISH) == Z_STREAM_END);
	b->len += most - z.avail_out;
	deflateEnd(&z);
}
#endif

#ifdef WITH_BZIP2
static inline void add_bzip2(struct bytes *b, const uint8_t *data, size_t len)
{
	unsigned most = (unsigned)(len + len / 50 + 600);

	must(BZ2_bzBuffToBuffCompress((char *)bytes_room(b, most), &most,
				      (char *)(uintptr_t)data, (unsigned)len, 1,
				      0, 0) == BZ_OK);
	b->len += most;
}
#endif

#ifdef WITH_LZMA
static inline void finish_lzma(struct bytes *b, lzma_stream *stream,
			       const uint8_t *data, size_t len)
{
	size_t most = len + len / 2 + 65536;

	stream->next_in = data;
	stream->avail_in = len;
	stream->next_out = bytes_room(b, most);
	stream->avail_out = most;

	lzma_ret ret;

	do {
		ret = lzma_code(stream, LZMA_FINISH);
	} while (ret == LZMA_OK);
	must(ret == LZMA_STREAM_END);
	b->len += most - stream->avail_out;
	lzma_end(stream);
}

static inline void add_xz(struct bytes *b, const uint8_t *data, size_t len)
{
	lzma_stream stream = LZMA_STREAM_INIT;

	must(lzma_easy_encoder(&stream, 1, LZMA_CHECK_CRC64) == LZMA_OK);
	finish_lzma(b, &stream, data, len);
}

/* Blocks of 64 KiB with their sizes. */
static inline void add_xz_blocks(struct bytes *b, const uint8_t *data,
				 size_t len)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	lzma_mt mt = { .threads = 1,
		       .block_size = 65536,
		       .preset = 1,
		       .check = LZMA_CHECK_SHA256 };

	must(lzma_stream_encoder_mt(&stream, &mt) == LZMA_OK);
	finish_lzma(b, &stream, data, len);
}

static inline void add_lzma(struct bytes *b, const uint8_t *data, size_t len)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	lzma_options_lzma options;

	must(!lzma_lzma_preset(&options, 1));
	must(lzma_alone_encoder(&stream, &options) == LZMA_OK);
	finish_lzma(b, &stream, data, len);
}

#if LZMA_VERSION >= 50040002
#define WITH_LZIP 1
/* The lzma form with a header and a trailer of its own. */
static inline void add_lzip(struct bytes *b, const uint8_t *data, size_t len)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	lzma_options_lzma options;
	const lzma_filter filters[] = {
		{ LZMA_FILTER_LZMA1, &options },
		{ LZMA_VLI_UNKNOWN, NULL },
	};
	size_t begin = b->len;

	must(!lzma_lzma_preset(&options, 1));
	bytes_add(b, "LZIP\x01\x14", 6);
	must(lzma_raw_encoder(&stream, filters) == LZMA_OK);
	finish_lzma(b, &stream, data, len);
	bytes_le(b, lzma_crc32(data, len, 0), 4);
	bytes_le(b, len, 8);
	bytes_le(b, b->len + 8 - begin, 8);
}
#endif
#endif

#ifdef WITH_ZSTD
static inline void add_zstd(struct bytes *b, const uint8_t *data, size_t len)
{
	ZSTD_CCtx *context = ZSTD_createCCtx();
	size_t most = ZSTD_compressBound(len), n;

	must(context != NULL);
	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	n = ZSTD_compress2(context, bytes_room(b, most), most, data, len);
	must(!ZSTD_isError(n));
	b->len += n;
	ZSTD_freeCCtx(context);
}

/* A frame that does not say how long its content is. */
static inline void add_zstd_unsized(struct bytes *b, const uint8_t *data,
				    size_t len)
{
	ZSTD_CCtx *context = ZSTD_createCCtx();
	size_t most = ZSTD_compressBound(len) + 64, n;
	ZSTD_outBuffer out = { bytes_room(b, most), most, 0 };
	ZSTD_inBuffer in = { data, len, 0 };

	must(context != NULL);
	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	n = ZSTD_compressStream2(context, &out, &in, ZSTD_e_flush);
	must(!ZSTD_isError(n) && in.pos == in.size);
	do {
		n = ZSTD_compressStream2(context, &out, &in, ZSTD_e_end);
		must(!ZSTD_isError(n));
	} while (n > 0);
	b->len += out.pos;
	ZSTD_freeCCtx(context);
}
#endif

#ifdef WITH_LZ4
static inline void add_lz4(struct bytes *b, const uint8_t *data, size_t len)
{
	LZ4F_preferences_t options = { 0 };

	options.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
	options.frameInfo.contentSize = len;

	size_t most = LZ4F_compressFrameBound(len, &options), n;

	n = LZ4F_compressFrame(bytes_room(b, most), most, data, len, &options);
	must(!LZ4F_isError(n));
	b->len += n;
}

static inline void add_lz4_legacy(struct bytes *b, const uint8_t *data,
				  size_t len)
{
	const size_t block = (size_t)8 << 20;

	bytes_le(b, 0x184c2102, 4);
	while (len > 0) {
		size_t take = len < block ? len : block;
		int most = LZ4_compressBound((int)take), n;
		struct bytes out = { 0 };

		n = LZ4_compress_default((const char *)data,
					 (char *)bytes_room(&out, (size_t)most),
					 (int)take, most);
		must(n > 0);
		bytes_le(b, (uint64_t)n, 4);
		bytes_add(b, out.data, (size_t)n);
		bytes_cleanup(&out);
		data += take;
		len -= take;
	}
}
#endif

#if defined(WITH_ZSTD) || defined(WITH_LZ4)
static inline void add_skippable(struct bytes *b, size_t len)
{
	bytes_le(b, 0x184d2a53, 4);
	bytes_le(b, len, 4);
	for (size_t i = 0; i < len; i++)
		bytes_le(b, i, 1);
}
#endif

#endif
