/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "blocks.h"
#include "codec/code.h"

/* The byte that stands for a dictionary of LZMA2 in the block header. */
static unsigned dict_byte(uint32_t size)
{
	unsigned bits = 0;

	while (2u << bits <= size)
		bits++;
	return (bits - 12) * 2 + (size != 1u << bits);
}

/*
 * Stream header with check CRC32, then a block header with the wanted number
 * of filters, the last of them LZMA2 with the wanted dictionary.
 */
static void check_headers(struct codec *codec, enum codec_use use,
			  const uint8_t *src, size_t len, unsigned filter,
			  uint32_t dict)
{
	uint8_t *packed;
	size_t packed_len = block_compress(codec, use, src, len, &packed);
	const uint8_t *p = packed + 12;

	check(packed_len > 32);
	check_mem(packed, "\xfd" "7zXZ\0\0\1", 8);
	check_u64(p[1], filter ? 1 : 0); /* filters less one, no sizes */
	p += 2;
	if (filter) {
		check_u64(p[0], filter);
		check_u64(p[1], 0);
		p += 2;
	}
	check_u64(p[0], 0x21);
	check_u64(p[1], 1);
	check_u64(p[2], dict_byte(dict));
	check_mem(packed + packed_len - 2, "YZ", 2);
	free(packed);
}

static void test_framing(const struct codec_ops *ops)
{
	struct codec *codec = codec_make(ops, "x86,dictsize=96K", 131072);
	uint8_t *text = block_make(FILL_TEXT, 131072, 1);
	uint8_t *code = block_make(FILL_CODE, 131072, 1);

	check_u64(dict_byte(4096), 0);
	check_u64(dict_byte(8192), 2);
	check_u64(dict_byte(98304), 9);
	check_headers(codec, CODEC_USE_DATA, text, 131072, 0, 98304);
	check_headers(codec, CODEC_USE_DATA, code, 131072, 4, 98304);
	check_headers(codec, CODEC_USE_METADATA, code, 8192, 0, 8192);
	check_headers(codec, CODEC_USE_METADATA, text, 8192, 0, 8192);
	codec_destroy(codec);

	/* With bcj=auto it is told, and nothing is tried. */
	codec = codec_make(ops, "bcj=auto,dictsize=96K", 131072);
	check_headers(codec, CODEC_USE_DATA, code, 131072, 0, 98304);
	for (unsigned machine = 0; machine < CODE_MACHINE_COUNT; machine++)
		check_headers(codec, (enum codec_use)(CODEC_USE_CODE + machine),
			      text, 131072,
			      machine == CODE_NONE || machine > CODE_SPARC
				      ? 0
				      : machine + 3,
			      98304);
	check_headers(codec, CODEC_USE_METADATA, code, 8192, 0, 8192);
	codec_destroy(codec);

	codec = codec_make(ops, NULL, 4096);
	check_headers(codec, CODEC_USE_DATA, text, 4096, 0, 8192);
	codec_destroy(codec);

	codec = codec_make(ops, "dictsize=1M", 131072);
	check_headers(codec, CODEC_USE_DATA, text, 131072, 0, 131072);
	codec_destroy(codec);
	free(text);
	free(code);
}

/* Filters never make a block larger, and one here makes it smaller. */
static void test_filters(const struct codec_ops *ops)
{
	struct codec *plain = codec_make(ops, NULL, 131072);
	struct codec *tried = codec_make(ops, "arm,x86,sparc", 131072);

	for (int fill = 0; fill < FILL_COUNT; fill++) {
		uint8_t *src = block_make((enum block_fill)fill, 131072, 3);
		size_t a = check_round(plain, CODEC_USE_DATA, src, 131072);
		size_t b = check_round(tried, CODEC_USE_DATA, src, 131072);

		check(b <= a);
		check(fill != FILL_CODE || b < a);
		free(src);
	}
	codec_destroy(plain);
	codec_destroy(tried);
}

static void test_trailing(const struct codec_ops *ops)
{
	struct codec *codec = codec_make(ops, NULL, 4096);
	uint8_t *src = block_make(FILL_TEXT, 4096, 1), *packed, *longer;
	size_t len = block_compress(codec, CODEC_USE_DATA, src, 4096, &packed);
	size_t got;

	longer = block_memory(len + 4);
	memcpy(longer, packed, len);
	memset(longer + len, 0, 4);
	check(block_try(codec, longer, len + 4, 4096, &got) == -1);
	free(longer);
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
	struct codec_config cfg = config_make(ops, "dictsize=1M", 65536);

	check_u64(cfg.u.xz.dict_size, 65536);
	cfg = config_make(ops, NULL, 4096);
	check_u64(cfg.u.xz.dict_size, 8192);
	cfg = config_make(ops, "dictsize=12k,lc=0,lp=4,pb=0,extreme", 131072);
	check_u64(cfg.u.xz.dict_size, 12288);

	check_refused(ops, "level=10", "level", "0 to 9");
	check_refused(ops, "dictsize", "dictsize", "8K to 1M");
	check_refused(ops, "dictsize=", "dictsize", "8192 to 1048576");
	check_refused(ops, "dictsize=4K", "dictsize", "8192 to 1048576");
	check_refused(ops, "dictsize=2M", "dictsize", "8192 to 1048576");
	check_refused(ops, "dictsize=80K", "80K", "96K");
	check_refused(ops, "dictsize=8193", "8193", "96K");
	check_refused(ops, "dictsize=40%", "40%", "96K");
	check_refused(ops, "dictsize=0%", "dictsize", "1 to 100");
	check_refused(ops, "dictsize=101%", "dictsize", "1 to 100");
	check_refused(ops, "dictsize=99999999999%", "dictsize", "100");
	check_refused(ops, "dictsize=%", "dictsize", "1 to 100");
	check_refused(ops, "dictsize=3%", "3%", "8K to 1M");
	check_refused(ops, "lc=5", "lc", "0 to 4");
	check_refused(ops, "lc=3,lp=2", "lc and lp", "4");
	check_refused(ops, "lp=2", "lc and lp", "4");
	check_refused(ops, "pb=5", "pb", "0 to 4");
	check_refused(ops, "extreme=1", "extreme", "no value");
	check_refused(ops, "x86=1", "x86", "no value");
	check_refused(ops, "mips", "\"mips\"", "riscv");
	check_refused(ops, "x86,arm,x86", "twice", "riscv");

	check_options(ops, NULL, 131072, "", 0);
	check_options(ops, "dictsize=100%", 131072, "", 0);
	check_options(ops, "dictsize=1M", 131072, "", 0);
	check_options(ops, "level=9,extreme,lc=4", 131072, "", 0);
	check_options(ops, NULL, 4096, "", 0);
	check_options(ops, "dictsize=50%", 131072, "\0\0\1\0\0\0\0\0", 8);
	check_options(ops, "dictsize=75%", 131072, "\0\x80\1\0\0\0\0\0", 8);
	check_options(ops, "x86", 4096, "\0\x20\0\0\1\0\0\0", 8);
	check_options(ops, "x86,powerpc,ia64,arm,armthumb,sparc", 131072,
		      "\0\0\2\0\x3f\0\0\0", 8);
}

/* Filters that the library may be too old for. */
static void test_new_filters(const struct codec_ops *ops)
{
	static const char *const names[] = { "arm64", "riscv" };

	for (int i = 0; i < 2; i++) {
		struct codec_config cfg = { .block_size = 131072 };
		struct err err = { 0 };
		char want[9] = "\0\0\2\0\x40\0\0\0";

		if (codec_config_parse(ops, names[i], &cfg, &err) < 0) {
			check_refused(ops, names[i], names[i], "no such");
			continue;
		}
		want[4] = (char)(0x40 << i);
		check_options(ops, names[i], 131072, want, 8);
		check_blocks(ops, names[i], 131072);
	}
}

int main(void)
{
	const struct codec_ops *ops = codec_by_name(NULL, "xz");
	char words[32];

	if (!ops)
		return 77; /* not built in */
	check(codec_by_id(NULL, CODEC_XZ) == ops);
	for (int level = 0; level <= 9; level++) {
		snprintf(words, sizeof(words), "level=%d", level);
		check_blocks(ops, words, 131072);
	}
	check_blocks(ops, "extreme,dictsize=50%", 131072);
	check_blocks(ops, "extreme,x86,arm,level=0", 131072);
	check_blocks(ops, "lc=0,lp=4,pb=4,level=1", 131072);
	check_blocks(ops, "x86,powerpc,ia64,arm,armthumb,sparc", 4096);
	check_blocks(ops, NULL, 4096);
	check_blocks(ops, "x86,level=3", 1048576);
	check_damage(ops, NULL, 1);
	check_damage(ops, "x86", 1);
	test_framing(ops);
	test_filters(ops);
	test_trailing(ops);
	test_extreme(ops);
	test_config(ops);
	test_new_filters(ops);
	return check_report();
}
