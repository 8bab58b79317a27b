/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "blocks.h"
#include "codec_lzo.h"

static void test_config(const struct codec_ops *ops)
{
	struct codec_config cfg = config_make(ops, NULL, 131072);

	check_u64((uint64_t)cfg.u.lzo.level, 8);
	cfg = config_make(ops, "algorithm=lzo1x_1", 131072);
	check_u64((uint64_t)cfg.u.lzo.level, 0);

	check_refused(ops, "level=0", "level", "1 to 9");
	check_refused(ops, "level=10", "level", "1 to 9");
	check_refused(ops, "algorithm", "algorithm", "lzo1x_1_15");
	check_refused(ops, "algorithm=lzo", "\"lzo\"", "lzo1x_1_15");
	check_refused(ops, "algorithm=lzo1x_1,level=3", "level", "lzo1x_1");
	check_refused(ops, "fast", "\"fast\"", "algorithm=");
	check_refused(ops, "level=1,level=1", "twice", "algorithm=");

	check_options(ops, NULL, 131072, "", 0);
	check_options(ops, "algorithm=lzo1x_999,level=8", 131072, "", 0);
	check_options(ops, "level=3", 131072, "\4\0\0\0\3\0\0\0", 8);
	check_options(ops, "algorithm=lzo1x_1", 131072, "\0\0\0\0\0\0\0\0", 8);
	check_options(ops, "algorithm=lzo1x_1_15", 131072,
		      "\3\0\0\0\0\0\0\0", 8);
}

/* A program's own codec is found beside those of the library. */
static void test_look_up(void)
{
	const struct codec_ops *const more[] = { &codec_lzo, NULL };

	check(codec_by_name(NULL, "lzo") == NULL);
	check(codec_by_id(NULL, CODEC_LZO) == NULL);
	check(codec_by_name(more, "lzo") == &codec_lzo);
	check(codec_by_id(more, CODEC_LZO) == &codec_lzo);
	check(codec_by_name(more, "lz") == NULL);
}

int main(void)
{
	static const char *const algorithms[] = { "lzo1x_1", "lzo1x_1_11",
						  "lzo1x_1_12", "lzo1x_1_15" };
	char words[64];

	for (int level = 1; level <= 9; level++) {
		snprintf(words, sizeof(words), "level=%d", level);
		check_blocks(&codec_lzo, words, 131072);
	}
	for (int i = 0; i < 4; i++) {
		snprintf(words, sizeof(words), "algorithm=%s", algorithms[i]);
		check_blocks(&codec_lzo, words, 131072);
		check_blocks(&codec_lzo, words, 1048576);
		check_damage(&codec_lzo, words, 1);
	}
	check_blocks(&codec_lzo, NULL, 4096);
	check_blocks(&codec_lzo, NULL, 1048576);
	check_damage(&codec_lzo, NULL, 1);
	test_config(&codec_lzo);
	test_look_up();
	return check_report();
}
