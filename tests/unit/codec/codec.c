/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "codec/codec.h"

#include "check.h"
#include "util/err.h"

/*
 * The table, look-ups and the cutting of -X into words. A codec of our own
 * notes what it is given, so that this does not depend on what is built in.
 */

static char seen[256];

static void note_default(struct codec_config *cfg)
{
	cfg->u.zstd.level = 5;
	seen[0] = '\0';
}

static int note_word(struct codec_config *cfg, const char *key,
		     const char *value, struct err *err)
{
	size_t len = strlen(seen);

	cfg->u.zstd.level++;
	snprintf(seen + len, sizeof(seen) - len, "[%s|%s]", key,
		 value ? value : "NULL");
	if (strncmp(key, "unknown", 7) == 0)
		return 1;
	if (strcmp(key, "bad") == 0)
		return err_set(err, ERR_USAGE, "bad is bad");
	return 0;
}

static const struct codec_ops note = { .name = "note",
				       .id = CODEC_LZO,
				       .words = "anything",
				       .help = "",
				       .config_default = note_default,
				       .config_word = note_word };

static int parse(const char *text, struct codec_config *cfg, struct err *err)
{
	memset(err, 0, sizeof(*err));
	*cfg = (struct codec_config){ .block_size = 4096 };
	return codec_config_parse(&note, text, cfg, err);
}

static void test_parse(void)
{
	struct codec_config cfg;
	struct err err;

	check(parse(NULL, &cfg, &err) == 0);
	check_str(seen, "");
	check_u64((uint64_t)cfg.u.zstd.level, 5);
	check_u64(cfg.block_size, 4096);

	check(parse("a", &cfg, &err) == 0);
	check_str(seen, "[a|NULL]");
	check(parse("a=,ab=b=c,b", &cfg, &err) == 0);
	check_str(seen, "[a|][ab|b=c][b|NULL]");
	check_u64((uint64_t)cfg.u.zstd.level, 8);
	check(parse("aa,a,aaa=1", &cfg, &err) == 0);
}

static void check_parse_fails(const char *text, const char *part)
{
	struct codec_config cfg;
	struct err err;

	check(parse(text, &cfg, &err) == -1);
	check(err.code == ERR_USAGE);
	if (!strstr(err.text, part))
		fprintf(stderr, "  %s: %s\n", text, err.text);
	check(strstr(err.text, part));
	check(strncmp(err.text, "-X: ", 4) == 0);
	check_u64((uint64_t)cfg.u.zstd.level, 0); /* untouched */
}

static void test_parse_fails(void)
{
	char text[300];

	check_parse_fails("", "an empty word; note takes anything");
	check_parse_fails(",", "an empty word");
	check_parse_fails("a,", "an empty word");
	check_parse_fails(",a", "an empty word");
	check_parse_fails("a,,b", "an empty word");
	check_parse_fails("a,a", "\"a\" is given twice");
	check_parse_fails("a=1,b,a", "\"a\" is given twice");
	check_parse_fails("a,b,a=2", "\"a=2\" is given twice");
	check_parse_fails("a,unknown=3", "\"unknown=3\" is unknown; note "
			  "takes anything");
	check_parse_fails("bad", "bad is bad");
	check_parse_fails("unknown\n", "\\012");

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	check_parse_fails(text, "is too long");
	text[64] = '\0';
	check_parse_fails(text, "is too long");
	text[63] = '\0';
	struct codec_config cfg;
	struct err err;

	check(parse(text, &cfg, &err) == 0);
}

static void test_table(void)
{
	static const char *const order[] = { "zstd", "xz", "gzip", "lz4",
					     "lzma" };
	const struct codec_ops *const more[] = { &note, NULL };
	const struct codec_ops *const *p = codec_builtin;
	char name[32];

	/* The order of preference, without what is not built in. */
	for (size_t i = 0; i < 5; i++)
		if (*p && strcmp((*p)->name, order[i]) == 0)
			p++;
	check(*p == NULL);

	for (p = codec_builtin; *p; p++) {
		check(codec_by_name(NULL, (*p)->name) == *p);
		check(codec_by_id(NULL, (*p)->id) == *p);
		check_str(codec_id_name((*p)->id), (*p)->name);
		check(strlen((*p)->words) > 0);
		check((*p)->help[strlen((*p)->help) - 1] == '\n');
		snprintf(name, sizeof(name), "%sx", (*p)->name);
		check(codec_by_name(more, name) == NULL);
	}
	check(codec_by_name(more, "note") == &note);
	check(codec_by_name(NULL, "note") == NULL);
	check(codec_by_name(more, "") == NULL);
	check(codec_by_id(more, 0) == NULL);
	check(codec_by_id(more, 7) == NULL);
	check_str(codec_id_name(CODEC_LZO), "lzo");
	check(codec_id_name(0) == NULL);
	check(codec_id_name(7) == NULL);
	codec_destroy(NULL);
}

/* What is built in is what config.h says. */
static void test_built_in(void)
{
	int lzma = 0, lz4 = 0, zstd = 0, gzip = 0;

#ifdef WITH_LZMA
	lzma = 1;
#endif
#ifdef WITH_LZ4
	lz4 = 1;
#endif
#ifdef WITH_ZSTD
	zstd = 1;
#endif
#if defined(WITH_ZLIB) || defined(WITH_LIBDEFLATE)
	gzip = 1;
#endif
	check(!codec_by_name(NULL, "xz") == !lzma);
	check(!codec_by_name(NULL, "lzma") == !lzma);
	check(!codec_by_name(NULL, "lz4") == !lz4);
	check(!codec_by_name(NULL, "zstd") == !zstd);
	check(!codec_by_name(NULL, "gzip") == !gzip);
}

int main(void)
{
	test_parse();
	test_parse_fails();
	test_table();
	test_built_in();
	return check_report();
}
