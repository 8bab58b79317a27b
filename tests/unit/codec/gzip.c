/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "blocks.h"

#ifdef WITH_ZLIB
#define HAVE_ZLIB 1
#else
#define HAVE_ZLIB 0
#endif
#ifdef WITH_LIBDEFLATE
#define LEVEL_MAX 12
#else
#define LEVEL_MAX 9
#endif

/* A zlib header: method 8, a multiple of 31, no preset dictionary. */
static void test_framing(const struct codec_ops *ops, const char *words)
{
	struct codec *codec = codec_make(ops, words, 131072);
	uint8_t *src = block_make(FILL_TEXT, 8192, 1), *packed, *longer;
	size_t len = block_compress(codec, CODEC_USE_METADATA, src, 8192,
				    &packed);
	size_t got;

	check(len > 6);
	check_u64(packed[0] & 15, 8);
	check_u64((packed[0] * 256u + packed[1]) % 31, 0);
	check_u64(packed[1] & 32, 0);

	/* Bytes behind the stream are passed over. */
	longer = block_memory(len + 3);
	memcpy(longer, packed, len);
	memcpy(longer + len, "end", 3);
	check(block_try(codec, longer, len + 3, 8192, &got) == 0);
	check_u64(got, 8192);

	/* A wrong checksum is found. */
	longer[len - 1] ^= 1;
	check(block_try(codec, longer, len, 8192, &got) == -1);
	free(longer);
	free(packed);
	free(src);
	codec_destroy(codec);
}

/* Either library reads what the other wrote. */
static void test_exchange(const struct codec_ops *ops)
{
	const char *const words[] = { "level=6", "level=6,zlib" };
	uint8_t *src = block_make(FILL_CODE, 131072, 9), *packed;
	size_t got;

	for (int i = 0; i < 2; i++) {
		struct codec *a = codec_make(ops, words[i], 131072);
		struct codec *b = codec_make(ops, words[!i], 131072);
		size_t len = block_compress(a, CODEC_USE_DATA, src, 131072,
					    &packed);

		check(block_try(b, packed, len, 131072, &got) == 0);
		check_u64(got, 131072);
		free(packed);
		codec_destroy(a);
		codec_destroy(b);
	}
	free(src);
}

/* Several strategies are never larger than the best of them. */
static void test_strategies(const struct codec_ops *ops)
{
	const char *const words[] = { "default", "filtered", "huffman", "rle",
				      "fixed",
				      "fixed,rle,huffman,filtered,default" };

	for (int fill = 0; fill < FILL_COUNT; fill++) {
		uint8_t *src = block_make((enum block_fill)fill, 131072, 2);
		size_t best = 131072, len;
		uint8_t *packed;

		for (int i = 0; i < 6; i++) {
			struct codec *codec = codec_make(ops, words[i],
							 131072);

			len = block_compress(codec, CODEC_USE_DATA, src,
					     131072, &packed);
			if (!len)
				len = 131072;
			if (i < 5 && len < best)
				best = len;
			if (i == 5)
				check_u64(len, best);
			free(packed);
			codec_destroy(codec);
		}
		free(src);
	}
}

static void test_zlib(const struct codec_ops *ops)
{
	char words[64];

	for (int level = 1; level <= 9; level++) {
		snprintf(words, sizeof(words), "level=%d,zlib", level);
		check_blocks(ops, words, 131072);
		snprintf(words, sizeof(words), "level=%d,window=%d", level,
			 level < 9 ? level + 7 : 8);
		check_blocks(ops, words, 131072);
	}
	check_blocks(ops, "zlib", 4096);
	check_blocks(ops, "filtered,rle,level=3", 131072);
	check_blocks(ops, "default,filtered,huffman,rle,fixed", 4096);
	check_blocks(ops, "default,filtered,huffman,rle,fixed", 1048576);
	check_damage(ops, "zlib", 1);
	test_framing(ops, "zlib");
	test_framing(ops, "window=10");
	test_exchange(ops);
	test_strategies(ops);
	check_options(ops, "level=5,window=10,default,filtered,huffman,rle,"
		      "fixed", 131072, "\5\0\0\0\x0a\0\x1f\0", 8);
	check_options(ops, "zlib", 131072, "", 0);
	check_options(ops, "window=8", 131072, "\x09\0\0\0\x08\0\0\0", 8);
	check_options(ops, "default", 131072, "\x09\0\0\0\x0f\0\1\0", 8);
	check_options(ops, "fixed", 131072, "\x09\0\0\0\x0f\0\x10\0", 8);
	check_refused(ops, "fixed=1", "fixed", "no value");
	check_refused(ops, "zlib=1", "zlib", "no value");
	check_refused(ops, "rle,rle", "twice", "level=");
}

static void test_config(const struct codec_ops *ops)
{
	check_refused(ops, "level=0", "level", "1 to");
	check_refused(ops, "level=13", "13", LEVEL_MAX == 12 ? "12" : "9");
	check_refused(ops, "level=+5", "+5", "1 to");
	check_refused(ops, "window=7", "window", "8 to 15");
	check_refused(ops, "window=16", "window", "8 to 15");
	check_refused(ops, "window", "window", "8 to 15");
	check_refused(ops, "foo", "\"foo\"", "level=1-");
	check_refused(ops, "foo=bar", "\"foo=bar\"", "level=1-");
	check_refused(ops, "level=1,level=2", "level=2", "twice");

	check_options(ops, NULL, 131072, "", 0);
	check_options(ops, "level=9,window=15", 131072, "", 0);
	check_options(ops, "level=1", 131072, "\1\0\0\0\x0f\0\0\0", 8);
	if (LEVEL_MAX == 12) {
		check_options(ops, "level=12", 131072, "", 0);
		check_refused(ops, "level=12,window=9",
			      HAVE_ZLIB ? "9" : "zlib",
			      HAVE_ZLIB ? "window" : "level=");
	}
	if (!HAVE_ZLIB) {
		check_refused(ops, "zlib", "zlib", "level=1-12");
		check_refused(ops, "window=14", "zlib", "level=1-12");
		check_refused(ops, "rle", "zlib", "level=1-12");
	}
}

/* A config that no parser made: refused instead of something else done. */
static void test_missing(const struct codec_ops *ops)
{
	struct codec_config cfg = config_make(ops, NULL, 131072);
	struct codec *codec = NULL;
	struct err err = { 0 };

	cfg.u.gzip.level = 10;
	cfg.u.gzip.force_zlib = true;
	check(ops->create(&cfg, &codec, &err) == -1);
	check(err.code == ERR_UNSUPPORTED && !codec);
}

int main(void)
{
	const struct codec_ops *ops = codec_by_name(NULL, "gzip");
	char words[32];

	if (!ops)
		return 77; /* not built in */
	check(codec_by_id(NULL, CODEC_GZIP) == ops);
	for (int level = 1; level <= LEVEL_MAX; level++) {
		snprintf(words, sizeof(words), "level=%d", level);
		check_blocks(ops, words, 131072);
	}
	check_blocks(ops, NULL, 4096);
	check_blocks(ops, NULL, 1048576);
	check_damage(ops, NULL, 1);
	test_framing(ops, NULL);
	test_config(ops);
	test_missing(ops);
	if (HAVE_ZLIB)
		test_zlib(ops);
	return check_report();
}
