/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "blocks.h"
#include "util/num.h"

/* Properties, dictionary, content size; then data with an end marker. */
static void test_framing(const struct codec_ops *ops)
{
	struct codec *codec = codec_make(ops, NULL, 131072);
	uint8_t *src = block_make(FILL_TEXT, 100000, 1), *packed;
	size_t len = block_compress(codec, CODEC_USE_DATA, src, 100000,
				    &packed);
	size_t got;

	check(len > 13);
	check_u64(packed[0], 0x5d);
	check_u64(get_le32(packed + 1), 131072);
	check_u64(get_le64(packed + 5), 100000);

	/* The marker is there: with an open size nothing is missing. */
	check(block_try(codec, packed, len, 131072, &got) == 0);
	check_u64(got, 100000);
	/* It need not be: its bytes go, the content stays. */
	check(block_try(codec, packed, len - 5, 131072, &got) == 0);
	check_u64(got, 100000);

	/* A dictionary of 4 GiB costs no memory. */
	put_le32(packed + 1, UINT32_MAX);
	check(block_try(codec, packed, len, 131072, &got) == 0);
	check_u64(got, 100000);

	/* More content than the size says is not handed out. */
	put_le64(packed + 5, 200);
	block_try(codec, packed, len, 131072, &got);
	check(got <= 200);
	/* Less content than it says; more than there is room; none. */
	put_le64(packed + 5, 100001);
	check(block_try(codec, packed, len, 131072, &got) == -1);
	put_le64(packed + 5, 131073);
	check(block_try(codec, packed, len, 131072, &got) == -1);
	put_le64(packed + 5, UINT64_MAX);
	check(block_try(codec, packed, len, 131072, &got) == -1);
	put_le64(packed + 5, (uint64_t)1 << 63 | 100000);
	check(block_try(codec, packed, len, 131072, &got) == -1);
	put_le64(packed + 5, 0);
	check(block_try(codec, packed, len, 131072, &got) == -1);
	free(packed);
	free(src);

	src = block_make(FILL_TEXT, 200, 1);
	len = block_compress(codec, CODEC_USE_METADATA, src, 200, &packed);
	check(len > 13);
	check_u64(get_le32(packed + 1), 8192);
	check_u64(get_le64(packed + 5), 200); /* no sign in byte 5 */
	free(packed);
	free(src);
	codec_destroy(codec);
}

/* The longer search is kept only where it pays. */
static void test_extreme(const struct codec_ops *ops)
{
	struct codec *plain = codec_make(ops, "level=1", 131072);
	struct codec *tried = codec_make(ops, "level=1,extreme", 131072);

	for (int fill = 0; fill < FILL_COUNT; fill++) {
		uint8_t *src = block_make((enum block_fill)fill, 131072, 3);
		size_t a = check_round(plain, CODEC_USE_DATA, src, 131072);
		size_t b = check_round(tried, CODEC_USE_DATA, src, 131072);

		check(b <= a);
		check(fill != FILL_TEXT || b < a);
		free(src);
	}
	codec_destroy(plain);
	codec_destroy(tried);
}

static void test_config(const struct codec_ops *ops)
{
	struct codec_config cfg = config_make(ops, NULL, 131072);

	check_u64((uint64_t)cfg.u.xz.level, 5);
	check_refused(ops, "x86", "\"x86\"", "extreme");
	check_refused(ops, "level=10", "level", "0 to 9");
	check_refused(ops, "dictsize=80K", "80K", "96K");
	check_refused(ops, "lp=4", "lc and lp", "4");
	check_options(ops, NULL, 131072, "", 0);
	check_options(ops, "level=9,dictsize=50%", 131072, "", 0);
}

int main(void)
{
	const struct codec_ops *ops = codec_by_name(NULL, "lzma");
	char words[32];

	if (!ops)
		return 77; /* not built in */
	check(codec_by_id(NULL, CODEC_LZMA) == ops);
	for (int level = 0; level <= 9; level++) {
		snprintf(words, sizeof(words), "level=%d", level);
		check_blocks(ops, words, 131072);
	}
	check_blocks(ops, "extreme,dictsize=50%", 131072);
	check_blocks(ops, "lc=0,lp=4,pb=4,level=1", 131072);
	check_blocks(ops, NULL, 4096);
	check_blocks(ops, "level=3", 1048576);
	check_damage(ops, NULL, 0);
	test_framing(ops);
	test_extreme(ops);
	test_config(ops);
	return check_report();
}
