/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "blocks.h"

/* No header and no length: the block begins with the token of a sequence. */
static void test_framing(const struct codec_ops *ops)
{
	struct codec *codec = codec_make(ops, NULL, 4096);
	uint8_t *src = block_make(FILL_ZERO, 4096, 1), *packed;
	size_t len = block_compress(codec, CODEC_USE_DATA, src, 4096, &packed);

	check(len > 4);
	/* One literal, a long match, distance one. */
	check_mem(packed, "\x1f\0\1\0\xff", 5);
	free(packed);
	free(src);
	codec_destroy(codec);
}

static void test_config(const struct codec_ops *ops)
{
	struct codec_config cfg = config_make(ops, "level=4", 131072);

	check(cfg.u.lz4.hc);
	check_u64((uint64_t)cfg.u.lz4.level, 4);

	check_refused(ops, "hc=1", "hc", "no value");
	check_refused(ops, "level=13", "13", "12");
	check_refused(ops, "level=0", "level", "1 to 12");
	check_refused(ops, "acceleration=0", "acceleration", "65537");
	check_refused(ops, "acceleration=65538", "acceleration", "65537");
	check_refused(ops, "acceleration=2,hc", "acceleration", "hc");
	check_refused(ops, "level=3,acceleration=2", "acceleration", "level");
	check_refused(ops, "fast", "\"fast\"", "hc, level=1-12");
	check_refused(ops, "hc,hc", "twice", "hc, level=1-12");

	check_options(ops, NULL, 131072, "\1\0\0\0\0\0\0\0", 8);
	check_options(ops, "acceleration=9", 131072, "\1\0\0\0\0\0\0\0", 8);
	check_options(ops, "hc", 131072, "\1\0\0\0\1\0\0\0", 8);
	check_options(ops, "level=12", 131072, "\1\0\0\0\1\0\0\0", 8);
	check_options(ops, "hc,level=3", 4096, "\1\0\0\0\1\0\0\0", 8);
}

int main(void)
{
	const struct codec_ops *ops = codec_by_name(NULL, "lz4");
	char words[32];

	if (!ops)
		return 77; /* not built in */
	check(codec_by_id(NULL, CODEC_LZ4) == ops);
	for (int level = 1; level <= 12; level++) {
		snprintf(words, sizeof(words), "level=%d", level);
		check_blocks(ops, words, 131072);
	}
	check_blocks(ops, NULL, 4096);
	check_blocks(ops, NULL, 131072);
	check_blocks(ops, NULL, 1048576);
	check_blocks(ops, "hc", 1048576);
	check_blocks(ops, "acceleration=3", 131072);
	check_damage(ops, NULL, 0);
	check_damage(ops, "hc", 0);
	test_framing(ops);
	test_config(ops);
	return check_report();
}
