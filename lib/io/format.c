/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "format.h"

#include <string.h>
#ifdef WITH_LZMA
#include <lzma.h>
#endif

#include "util/num.h"

/* The data begins with want bytes of magic. */
static enum match match_magic(const uint8_t *data, size_t len,
			      const char *magic, size_t want)
{
	if (memcmp(data, magic, len < want ? len : want) != 0)
		return MATCH_NO;
	return len < want ? MATCH_PART : MATCH_YES;
}

static enum match match_gzip(const uint8_t *data, size_t len)
{
	return match_magic(data, len, "\x1f\x8b", 2);
}

static enum match match_xz(const uint8_t *data, size_t len)
{
	return match_magic(data, len, "\xfd\x37zXZ", 6);
}

/* With the digit for the size of its blocks. */
static enum match match_bzip2(const uint8_t *data, size_t len)
{
	enum match match = match_magic(data, len, "BZh", 3);

	if (match != MATCH_YES)
		return match;
	if (len < 4)
		return MATCH_PART;
	return data[3] >= '1' && data[3] <= '9' ? MATCH_YES : MATCH_NO;
}

static enum match match_lzip(const uint8_t *data, size_t len)
{
	return match_magic(data, len, "LZIP", 4);
}

static bool is_lz4_magic(uint32_t magic)
{
	return magic == 0x184d2204 || magic == 0x184c2102;
}

/* A frame that both zstd and lz4 pass over. */
static bool is_skippable_magic(uint32_t magic)
{
	return (magic & 0xfffffff0) == 0x184d2a50;
}

/* What of a magic number in front of the end is there fits. */
static bool is_part(const uint8_t *data, size_t len, uint32_t magic,
		    uint8_t mask)
{
	for (size_t i = 0; i < len; i++) {
		uint8_t want = (uint8_t)(magic >> 8 * i);

		if ((data[i] & (i == 0 ? mask : 0xff)) != want)
			return false;
	}
	return true;
}

static enum match match_zstd(const uint8_t *data, size_t len)
{
	if (len < 4)
		return is_part(data, len, 0xfd2fb528, 0xff) ||
				       is_part(data, len, 0x184d2a50, 0xf0)
			       ? MATCH_PART
			       : MATCH_NO;
	return get_le32(data) == 0xfd2fb528 ||
			       is_skippable_magic(get_le32(data))
		       ? MATCH_YES
		       : MATCH_NO;
}

/* Skippable frames are lz4's, too: the first other one decides, if it shows. */
static enum match match_lz4(const uint8_t *data, size_t len)
{
	if (len < 4)
		return is_part(data, len, 0x184d2204, 0xff) ||
				       is_part(data, len, 0x184c2102, 0xff) ||
				       is_part(data, len, 0x184d2a50, 0xf0)
			       ? MATCH_PART
			       : MATCH_NO;
	return is_lz4_magic(get_le32(data)) ||
			       is_skippable_magic(get_le32(data))
		       ? MATCH_YES
		       : MATCH_NO;
}

/*
 * It has no magic. The usual properties, a dictionary of 2^n or 2^n + 2^(n-1)
 * bytes and a size below 256 GiB, or unknown, are what tells it.
 */
static enum match match_lzma(const uint8_t *data, size_t len)
{
	enum match match = match_magic(data, len, "\x5d\0\0", 3);

	if (match != MATCH_YES || len < 5)
		return match;

	uint32_t dict = get_le32(data + 1), top = dict;

	while (top & (top - 1))
		top &= top - 1;
	if (dict != UINT32_MAX && dict != top && dict != top + top / 2)
		return MATCH_NO;
	if (len < 13)
		return MATCH_YES;

	uint64_t size = get_le64(data + 5);

	return size == UINT64_MAX || size >> 38 == 0 ? MATCH_YES : MATCH_NO;
}

static enum match match_lzop(const uint8_t *data, size_t len)
{
	return match_magic(data, len, "\x89LZO", 4);
}

static enum match match_compress(const uint8_t *data, size_t len)
{
	return match_magic(data, len, "\x1f\x9d", 2);
}

static const struct format formats[] = {
	{ .name = "gzip",
	  .library = "zlib",
	  .command = "gzip -dc",
	  .match = match_gzip,
#ifdef WITH_ZLIB
	  .create = decoder_gzip_create,
#endif
	  .padding = 1 },
	{ .name = "xz",
	  .library = "liblzma",
	  .command = "xz -dc",
	  .match = match_xz,
#ifdef WITH_LZMA
	  .create = decoder_xz_create,
#endif
	  .padding = 4 },
	{ .name = "zstd",
	  .library = "libzstd",
	  .command = "zstd -dc --long=31",
	  .match = match_zstd,
#ifdef WITH_ZSTD
	  .create = decoder_zstd_create,
#endif
	  .has_frames = true },
	{ .name = "bzip2",
	  .library = "libbz2",
	  .command = "bzip2 -dc",
#ifdef WITH_BZIP2
	  .create = decoder_bzip2_create,
#endif
	  .match = match_bzip2 },
	{ .name = "lz4",
	  .library = "liblz4",
	  .command = "lz4 -dc",
#ifdef WITH_LZ4
	  .create = decoder_lz4_create,
#endif
	  .match = match_lz4 },
	{ .name = "lzip",
	  .library = "liblzma 5.4 or later",
	  .command = "lzip -dc",
#if defined(WITH_LZMA) && LZMA_VERSION >= 50040002
	  .create = decoder_lzip_create,
#endif
	  .match = match_lzip },
	{ .name = "lzma",
	  .library = "liblzma",
	  .command = "xz -dc",
#ifdef WITH_LZMA
	  .create = decoder_lzma_create,
#endif
	  .match = match_lzma,
	  .is_single = true },
	{ .name = "lzop", .command = "lzop -dc", .match = match_lzop },
	{ .name = "compress", .command = "gzip -dc", .match = match_compress },
};

#define FORMAT_COUNT (sizeof(formats) / sizeof(formats[0]))

/* The data behind the skippable frames in front, as far as it is there. */
static size_t behind_skippable(const uint8_t *data, size_t len)
{
	size_t at = 0;

	while (len - at >= 8 && is_skippable_magic(get_le32(data + at))) {
		uint32_t n = get_le32(data + at + 4);

		if (n > len - at - 8)
			return len;
		at += 8 + n;
	}
	return at;
}

const struct format *format_find(const uint8_t *data, size_t len)
{
	size_t at = behind_skippable(data, len);

	if (at == len || match_lz4(data + at, len - at) != MATCH_YES)
		at = 0;
	for (size_t i = 0; i < FORMAT_COUNT; i++)
		if (formats[i].match(data + at, len - at) == MATCH_YES)
			return &formats[i];
	return NULL;
}
