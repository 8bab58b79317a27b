/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "blocks.h"
#include "util/num.h"

/* A frame that tells its length and needs a window no larger. */
static void test_framing(const struct codec_ops *ops)
{
	struct codec *codec = codec_make(ops, "level=22", 131072);
	uint8_t *src = block_make(FILL_TEXT, 131072, 1), *packed;
	size_t len = block_compress(codec, CODEC_USE_DATA, src, 131072,
				    &packed);

	check(len > 9);
	check_u64(get_le32(packed), 0xfd2fb528);
	/* Single segment, length in four bytes, no checksum, no dictionary. */
	check_u64(packed[4], 0xa0);
	check_u64(get_le32(packed + 5), 131072);
	free(packed);
	free(src);
	codec_destroy(codec);
}

/* One frame is a block; none, two or bytes behind it are not. */
static void test_one_frame(const struct codec_ops *ops)
{
	struct codec *codec = codec_make(ops, NULL, 4096);
	uint8_t *src = block_make(FILL_TEXT, 1000, 1), *packed, *two;
	size_t len = block_compress(codec, CODEC_USE_DATA, src, 1000, &packed);
	size_t got;

	two = block_memory(2 * len);
	memcpy(two, packed, len);
	memcpy(two + len, packed, len);
	check(block_try(codec, two, len, 4096, &got) == 0);
	check_u64(got, 1000);
	check(block_try(codec, two, 2 * len, 4096, &got) == -1);
	check(block_try(codec, two, len + 1, 4096, &got) == -1);
	check(block_try(codec, two, 0, 4096, &got) == -1);
	free(two);
	free(packed);
	free(src);
	codec_destroy(codec);
}

/* The fastest there is looks at too little to be sure of any gain. */
static void test_fastest(const struct codec_ops *ops)
{
	struct codec *codec = codec_make(ops, "level=-131072", 131072);

	for (int fill = 0; fill < FILL_COUNT; fill++) {
		uint8_t *src = block_make((enum block_fill)fill, 131072, 1);

		check_round(codec, CODEC_USE_DATA, src, 131072);
		check_same(ops, "level=-131072", 131072, CODEC_USE_DATA, src,
			   131072, codec);
		free(src);
	}
	codec_destroy(codec);
}

static void test_level_applies(const struct codec_ops *ops)
{
	const char *const words[] = { "level=-50", "level=1", "level=19" };
	uint8_t *src = block_make(FILL_CODE, 131072, 1), *packed;
	size_t before = SIZE_MAX;

	for (int i = 0; i < 3; i++) {
		struct codec *codec = codec_make(ops, words[i], 131072);
		size_t len = block_compress(codec, CODEC_USE_DATA, src,
					    131072, &packed);

		check(len < before);
		before = len;
		free(packed);
		codec_destroy(codec);
	}
	free(src);
}

static void test_config(const struct codec_ops *ops)
{
	check_refused(ops, "level", "level", "-131072 to 22");
	check_refused(ops, "level=", "level", "-131072 to 22");
	check_refused(ops, "level=0", "level", "-131072 to -1 and 1 to 22");
	check_refused(ops, "level=23", "\"23\"", "22");
	check_refused(ops, "level=-131073", "-131073", "22");
	check_refused(ops, "level=1x", "1x", "22");
	check_refused(ops, "level=3,level=3", "twice", "level=1-22");
	check_refused(ops, "Level=3", "\"Level=3\"", "level=1-22");

	check_options(ops, NULL, 131072, "", 0);
	check_options(ops, "level=15", 131072, "", 0);
	check_options(ops, "level=22", 131072, "\x16\0\0\0", 4);
	check_options(ops, "level=1", 131072, "\1\0\0\0", 4);
	check_options(ops, "level=-7", 131072, "\1\0\0\0", 4);
}

int main(void)
{
	const struct codec_ops *ops = codec_by_name(NULL, "zstd");
	char words[32];

	if (!ops)
		return 77; /* not built in */
	check(codec_by_id(NULL, CODEC_ZSTD) == ops);
	for (int level = 1; level <= 22; level++) {
		snprintf(words, sizeof(words), "level=%d", level);
		check_blocks(ops, words, 131072);
	}
	check_blocks(ops, "level=-1", 131072);
	check_blocks(ops, "level=-7", 4096);
	check_blocks(ops, NULL, 4096);
	check_blocks(ops, NULL, 1048576);
	check_blocks(ops, "level=3", 1048576);
	check_damage(ops, NULL, 1);
	test_framing(ops);
	test_one_frame(ops);
	test_fastest(ops);
	test_level_applies(ops);
	test_config(ops);
	return check_report();
}
