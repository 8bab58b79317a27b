/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Extended headers and GNU long names. */
#include "config.h"

#include "writer.h"

/* An extended header of raw body in front of a file that does not matter. */
static void put_raw(struct buffer *tar, const char *body, size_t len)
{
	put_pax_body(tar, 'x', body, len);
	put_file(tar, "f", "x");
}

#define put_text(tar, text) put_raw(tar, text, sizeof(text) - 1)

static void test_records_that_hold(void)
{
	struct buffer tar = { 0 }, body = { 0 };
	struct result r;
	const struct entry *e;

	put_record(&body, "path", "dir/a=b\nc", 9);
	put_record(&body, "uid", "4294967295", 10);
	put_record(&body, "gid", "3000000", 7);
	put_record(&body, "size", "5", 1);
	put_record(&body, "mtime", "1234567890.999", 14);
	put_pax_body(&tar, 'x', body.data, body.len);
	/* Fields that no reader could make sense of. */
	put_patched(&tar, (struct head) { .name = "other" }, 108,
		    "garbage!garbage!garbage!....\xff\xff\xff\xff ", 33);
	put(&tar, "12345", 5);
	put_pad(&tar);
	put_file(&tar, "next", "y");
	accept_tar(&tar, &r);
	e = entry_at(&r, 0);
	check_str(e->path, "dir/a=b\nc");
	check(e->uid == UINT32_MAX && e->gid == 3000000);
	check(e->mtime == 1234567890 && content_is(&r, 0, "12345"));
	check_u64(e->input_offset, 0);

	/* They hold for one entry. */
	e = entry_at(&r, 1);
	check_str(e->path, "next");
	check(e->uid == 0 && e->mtime == 0 && content_is(&r, 1, "y"));
	result_cleanup(&r);
	buffer_cleanup(&body);
}

static void test_links_and_devices(void)
{
	struct buffer tar = { 0 };
	struct result r;

	put_pax(&tar, "linkpath", "tgt\n22 linkpath=/etc/evil\n");
	put_head(&tar, (struct head) { .name = "l", .type = '2', .link = "x" });
	put_pax(&tar, "linkpath", "./a//b");
	put_head(&tar, (struct head) { .name = "h", .type = '1', .link = "x" });
	put_pax(&tar, "linkpath", "of no meaning");
	put_file(&tar, "f", "x");
	put_pax(&tar, "SCHILY.devmajor", "4000");
	put_head(&tar, (struct head) { .name = "c", .type = '3', .minor = 7 });
	put_pax(&tar, "SUN.devminor", "1000000");
	put_head(&tar, (struct head) { .name = "b", .type = '4', .major = 8 });
	accept_tar(&tar, &r);
	check_str(entry_at(&r, 0)->link, "tgt\n22 linkpath=/etc/evil\n");
	check_str(entry_at(&r, 1)->link, "a/b");
	check(entry_at(&r, 2)->link == NULL);
	check(entry_at(&r, 3)->major == 4000 && entry_at(&r, 3)->minor == 7);
	check(entry_at(&r, 4)->major == 8 && entry_at(&r, 4)->minor == 1000000);
	result_cleanup(&r);
}

static void test_record_forms(void)
{
	struct buffer tar = { 0 };
	struct result r;

	put_text(&tar, "9 path=x\n");
	put_text(&tar, "10 path=x\n");
	put_text(&tar, "0013 path=xy\n");
	put_text(&tar, "9 path=x\n\0\0\0\0");
	put_raw(&tar, "", 0);
	put_text(&tar, "9 path=y\n9 path=x\n");
	accept_tar(&tar, &r);
	check_u64(r.count, 6);
	check_str(entry_at(&r, 0)->path, "x");
	check_str(entry_at(&r, 1)->path, "x");
	check_str(entry_at(&r, 2)->path, "xy");
	check_str(entry_at(&r, 3)->path, "x");
	check_str(entry_at(&r, 4)->path, "f");
	check_str(entry_at(&r, 5)->path, "x");
	check_str(r.told, "");
	result_cleanup(&r);
}

static void test_records_that_are_refused(void)
{
	static const struct {
		const char *body;
		size_t len;
	} cases[] = {
#define CASE(text) { text, sizeof(text) - 1 }
		CASE("x path=y\n"),
		CASE(" 9 path=x\n"),
		CASE("-9 path=x\n"),
		CASE("9path=x\n"),
		CASE("9"),
		CASE("0 path=x\n"),
		CASE("2 path=x\n"),
		CASE("4 x\n"),
		CASE("8 path=x\n"),
		CASE("99 path=hello\n123456"),
		CASE("999999999999999999999999999999 path=x\n"),
		CASE("18446744073709551625 path=x\n"),
		CASE("9 pathxx\n"),
		CASE("5 =x\n"),
		CASE("9 path=x "),
		CASE("9 path=x\n7 a=b\n"),
		CASE("9 path=x\n\0\0\0x"),
		CASE("10 p\0th=x\n"),
		CASE("10 path=x\0\n"),
		CASE("14 linkpath=\0\n"),
		CASE("11 uname=\0\n"),
		CASE("13 uid=12abc\n"),
		CASE("9 uid=-1\n"),
		CASE("8 uid= \n"),
		CASE("10 size=-5\n"),
		CASE("9 size=5k\n"),
		CASE("19 mtime=yesterday\n"),
		CASE("13 mtime=1e3\n"),
		CASE("11 mtime=.\n"),
		CASE("11 mtime=-\n"),
		CASE("12 mtime=1 \n"),
		CASE("13 mtime=--1\n"),
		CASE("13 mtime=1.-\n"),
#undef CASE
	};
	struct buffer tar = { 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		put_file(&tar, "before", "x");
		put_raw(&tar, cases[i].body, cases[i].len);
		refuse_tar(&tar, ERR_CORRUPT, "offset 1");
	}

	/* The offset is the record's. */
	put_text(&tar, "9 path=x\n7 a=b\n");
	refuse_tar(&tar, ERR_CORRUPT, "offset 521 (block 1)");
}

static void test_numbers_past_a_limit(void)
{
	struct buffer tar = { 0 };

	put_pax(&tar, "uid", "4294967296");
	put_file(&tar, "f", "");
	refuse_tar(&tar, ERR_LIMIT, "4294967296");
	put_pax(&tar, "gid", "99999999999999999999999999");
	put_file(&tar, "f", "");
	refuse_tar(&tar, ERR_LIMIT, "gid");
	put_pax(&tar, "size", "9223372036854775808");
	put_file(&tar, "f", "");
	refuse_tar(&tar, ERR_LIMIT, "size");
	put_pax(&tar, "size", "18446744073709551615");
	put_file(&tar, "f", "");
	refuse_tar(&tar, ERR_LIMIT, "size");
	put_pax(&tar, "size", "9223372036854775807");
	put_file(&tar, "f", "");
	refuse_tar(&tar, ERR_CORRUPT, "truncated data: have 1024 of 9223");
}

static void test_times(void)
{
	static const struct {
		const char *text;
		int64_t mtime;
	} cases[] = {
		{ "1.05", 1 },
		{ "-0.5", -1 },
		{ "-1.5", -2 },
		{ "-1.0", -1 },
		{ "-1", -1 },
		{ "7.", 7 },
		{ ".5", 0 },
		{ "-.5", -1 },
		{ "-0.000000000000000000000000000001", -1 },
		{ "0001700000000.9999999999999999999999", 1700000000 },
		{ "100000000000000000", 100000000000000000 },
		{ "99999999999999999999", INT64_MAX - 1 },
		{ "-99999999999999999999.5", -INT64_MAX },
	};
	struct buffer tar = { 0 };
	struct result r;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		put_pax(&tar, "mtime", cases[i].text);
		put_file(&tar, "f", "");
	}
	accept_tar(&tar, &r);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		check_note(entry_at(&r, i)->mtime == cases[i].mtime, __FILE__,
			   __LINE__, cases[i].text);
	}
	result_cleanup(&r);
}

static void test_empty_values(void)
{
	struct buffer tar = { 0 };
	struct result r;

	/* As if there were neither record nor global one. */
	put_text(&tar, "13 path=gone\n8 path=\n");
	put_global(&tar, "uid", "5");
	put_pax(&tar, "uid", "");
	put_head(&tar, (struct head) { .name = "own", .uid = 7 });
	put_head(&tar, (struct head) { .name = "global", .uid = 7 });
	put_pax(&tar, "path", "");
	put_file(&tar, "kept", "");
	put_global(&tar, "uid", "");
	put_head(&tar, (struct head) { .name = "back", .uid = 7 });
	accept_tar(&tar, &r);
	check_str(entry_at(&r, 0)->path, "f");
	check_u64(entry_at(&r, 1)->uid, 7);
	check_u64(entry_at(&r, 2)->uid, 5);
	check_str(entry_at(&r, 3)->path, "kept");
	check_u64(entry_at(&r, 4)->uid, 7);
	result_cleanup(&r);
}

static void test_globals(void)
{
	static const char *const refused[] = { "path",
					       "linkpath",
					       "size",
					       "GNU.sparse.name",
					       "GNU.sparse.major",
					       "GNU.sparse.offset" };
	struct buffer tar = { 0 };
	struct result r;

	put_global(&tar, "mtime", "100.5");
	put_global(&tar, "uid", "5");
	put_global(&tar, "comment", "of no meaning");
	put_file(&tar, "a", "");
	put_global(&tar, "uid", "6");
	put_file(&tar, "b", "");
	put_pax(&tar, "uid", "7");
	put_file(&tar, "c", "");
	put_file(&tar, "d", "");
	accept_tar(&tar, &r);
	check(entry_at(&r, 0)->uid == 5 && entry_at(&r, 0)->mtime == 100);
	check(entry_at(&r, 1)->uid == 6 && entry_at(&r, 1)->mtime == 100);
	check(entry_at(&r, 2)->uid == 7 && entry_at(&r, 2)->mtime == 100);
	check(entry_at(&r, 3)->uid == 6);
	result_cleanup(&r);

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		put_global(&tar, refused[i], "1");
		put_file(&tar, "a", "");
		refuse_tar(&tar, ERR_CORRUPT, refused[i]);
	}
	put_global(&tar, "GNU.volume.filename", "big");
	put_file(&tar, "a", "");
	refuse_tar(&tar, ERR_UNSUPPORTED, "another volume");
}

static void test_ignored_keywords(void)
{
	static const char *const silent[] = { "atime",
					      "ctime",
					      "comment",
					      "charset",
					      "uname",
					      "gname",
					      "SCHILY.dev",
					      "SCHILY.ino",
					      "SCHILY.nlink",
					      "SCHILY.fflags",
					      "LIBARCHIVE.creationtime",
					      "GNU.dumpdir",
					      "SUN.holesdata" };
	struct buffer tar = { 0 };
	struct result r;

	for (size_t i = 0; i < sizeof(silent) / sizeof(silent[0]); i++) {
		put_pax(&tar, silent[i], "no number");
		put_file(&tar, "f", "");
	}
	put_pax(&tar, "hdrcharset", "BINARY");
	put_file(&tar, "f", "");
	put_pax(&tar, "hdrcharset", "ISO-IR 10646 2000 UTF-8");
	put_file(&tar, "f", "");
	accept_tar(&tar, &r);
	check_str(r.told, "");
	result_cleanup(&r);

	put_pax(&tar, "VENDOR.key", "v");
	put_file(&tar, "f", "");
	put_pax(&tar, "hdrcharset", "KOI8-R");
	put_file(&tar, "f", "");
	accept_tar(&tar, &r);
	check_u64(r.warned[WARN_KEYWORD], 2);
	check(strstr(r.told, "VENDOR.key"));
	result_cleanup(&r);
}

static void test_long_names(void)
{
	char name[1101];
	struct buffer tar = { 0 };
	struct result r;
	size_t lens[] = { 101, 510, 511, 512, 513, 1023, 1024, 1100 };
	size_t count = sizeof(lens) / sizeof(lens[0]);

	for (size_t i = 0; i < count; i++) {
		memset(name, 'n', lens[i]);
		for (size_t k = 99; k < lens[i] - 1; k += 100)
			name[k] = '/';
		name[lens[i]] = '\0';
		put_long(&tar, 'L', name);
		put_head(&tar, (struct head) { .name = name, .name_len = 100 });
		/* Without the NUL, as some write it. */
		put_body(&tar, (struct head) { .type = 'L', .magic = GNU },
			 name, lens[i]);
		put_long(&tar, 'K', name);
		put_head(&tar, (struct head) { .name = "n",
					       .type = '2',
					       .link = "cut" });
	}
	accept_tar(&tar, &r);
	check_u64(r.count, 2 * count);
	for (size_t i = 0; i < count; i++) {
		check_u64(strlen(entry_at(&r, 2 * i)->path), lens[i]);
		check_u64(strlen(entry_at(&r, 2 * i + 1)->path), lens[i]);
		check_u64(strlen(entry_at(&r, 2 * i + 1)->link), lens[i]);
	}
	check_str(r.told, "");
	result_cleanup(&r);
}

static void test_precedence(void)
{
	struct buffer tar = { 0 };
	struct result r;

	put_long(&tar, 'L', "long");
	put_pax(&tar, "path", "pax");
	put_file(&tar, "header", "");
	put_pax(&tar, "path", "pax");
	put_long(&tar, 'L', "long");
	put_file(&tar, "header", "");
	put_long(&tar, 'L', "long");
	put_file(&tar, "header", "");
	put_long(&tar, 'K', "long");
	put_pax(&tar, "linkpath", "pax");
	put_head(&tar, (struct head) { .name = "l", .type = '2', .link = "h" });
	accept_tar(&tar, &r);
	check_str(entry_at(&r, 0)->path, "pax");
	check_str(entry_at(&r, 1)->path, "pax");
	check_str(entry_at(&r, 2)->path, "long");
	check_str(entry_at(&r, 3)->link, "pax");
	check_u64(r.warned[WARN_HEADER], 3);
	result_cleanup(&r);

	put_long(&tar, 'L', "same");
	put_pax(&tar, "path", "same");
	put_file(&tar, "header", "");
	accept_tar(&tar, &r);
	check_u64(r.warned[WARN_HEADER], 0);
	check_u64(entry_at(&r, 0)->input_offset, 0);
	result_cleanup(&r);
}

static void test_doubled_headers(void)
{
	struct buffer tar = { 0 };
	struct result r;

	put_pax(&tar, "uid", "5");
	put_pax(&tar, "gid", "6");
	put_file(&tar, "f", "");
	put_long(&tar, 'L', "one");
	put_long(&tar, 'L', "two");
	put_file(&tar, "f", "");
	accept_tar(&tar, &r);
	check(entry_at(&r, 0)->uid == 0 && entry_at(&r, 0)->gid == 6);
	check_str(entry_at(&r, 1)->path, "two");
	check_u64(r.warned[WARN_HEADER], 2);
	result_cleanup(&r);
}

static void test_long_names_that_are_refused(void)
{
	struct buffer tar = { 0 };

	put_body(&tar, (struct head) { .type = 'L', .magic = GNU }, "", 0);
	put_file(&tar, "f", "");
	refuse_tar(&tar, ERR_CORRUPT, "empty GNU long name");
	put_long(&tar, 'K', "");
	put_file(&tar, "f", "");
	refuse_tar(&tar, ERR_CORRUPT, "empty GNU long link");
}

/* An extended header of type that claims size bytes and brings none. */
static void refuse_claim(char type, uint64_t size, enum err_code code)
{
	struct buffer tar = { 0 };

	put_head(&tar,
		 (struct head) { .name = "x", .type = type, .size = size });
	refuse_tar(&tar, code,
		   code == ERR_LIMIT ? "extended header is larger"
				     : "truncated data");
}

static void test_limits(void)
{
	struct buffer tar = { 0 }, body = { 0 };
	struct result r;
	static char path[TAR_NAME_MAX + 2];

	refuse_claim('L', 077777777777, ERR_LIMIT);
	refuse_claim('K', TAR_NAME_MAX + 2, ERR_LIMIT);
	refuse_claim('L', TAR_NAME_MAX + 1, ERR_CORRUPT);
	refuse_claim('x', 077777777777, ERR_LIMIT);
	refuse_claim('g', TAR_PAX_MAX + 1, ERR_LIMIT);
	refuse_claim('x', TAR_PAX_MAX, ERR_CORRUPT);

	/* The longest path, and one byte more. */
	for (size_t i = 0; i < sizeof(path); i++)
		path[i] = i % 100 == 99 ? '/' : 'p';
	path[TAR_NAME_MAX] = '\0';
	put_record(&body, "path", path, TAR_NAME_MAX);
	put_pax_body(&tar, 'x', body.data, body.len);
	put_file(&tar, "f", "");
	put_long(&tar, 'L', path);
	put_file(&tar, "f", "");
	accept_tar(&tar, &r);
	check_str(entry_at(&r, 0)->path, path);
	check_str(entry_at(&r, 1)->path, path);
	result_cleanup(&r);
	body.len = 0;
	path[TAR_NAME_MAX] = 'p';
	put_record(&body, "path", path, TAR_NAME_MAX + 1);
	put_pax_body(&tar, 'x', body.data, body.len);
	put_file(&tar, "f", "");
	refuse_tar(&tar, ERR_LIMIT, "65537");
	put_body(&tar, (struct head) { .type = 'L' }, path, TAR_NAME_MAX + 1);
	put_file(&tar, "f", "");
	refuse_tar(&tar, ERR_LIMIT, "65537");

	/* A keyword, likewise. */
	memset(path, 'k', TAR_KEYWORD_MAX + 1);
	path[TAR_KEYWORD_MAX + 1] = '\0';
	put_pax(&tar, path + 1, "v");
	put_file(&tar, "f", "");
	accept_tar(&tar, &r);
	check_u64(r.warned[WARN_KEYWORD], 1);
	result_cleanup(&r);
	put_pax(&tar, path, "v");
	put_file(&tar, "f", "");
	refuse_tar(&tar, ERR_LIMIT, "keyword");
	buffer_cleanup(&body);
}

static void test_symlink_targets(void)
{
	char target[TAR_SYMLINK_MAX + 2];
	struct buffer tar = { 0 };
	struct result r;

	memset(target, 't', sizeof(target) - 1);
	target[TAR_SYMLINK_MAX + 1] = '\0';
	put_pax(&tar, "linkpath", target + 1);
	put_head(&tar, (struct head) { .name = "l", .type = '2' });
	accept_tar(&tar, &r);
	check_u64(strlen(entry_at(&r, 0)->link), TAR_SYMLINK_MAX);
	result_cleanup(&r);
	put_pax(&tar, "linkpath", target);
	put_head(&tar, (struct head) { .name = "l", .type = '2' });
	refuse_tar(&tar, ERR_LIMIT, "4096");
}

static void test_headers_without_an_entry(void)
{
	struct buffer tar = { 0 };
	struct result r;

	put_file(&tar, "f", "");
	put_pax(&tar, "path", "x");
	read_tar(&tar, &r);
	check(r.ret == -1 && strstr(r.err.text, "without an entry"));
	check(strstr(r.err.text, "offset 512 (block 1)") == r.err.text);
	result_cleanup(&r);
	refuse_tar(&tar, ERR_CORRUPT, "without an entry");
	put_long(&tar, 'L', "x");
	refuse_tar(&tar, ERR_CORRUPT, "without an entry");
	put_long(&tar, 'K', "x");
	put_zeros(&tar, 1);
	put_file(&tar, "f", "");
	refuse_tar(&tar, ERR_CORRUPT, "without an entry");

	/* A global one needs none. */
	put_global(&tar, "uid", "1");
	accept_tar(&tar, &r);
	check_u64(r.count, 0);
	result_cleanup(&r);
}

int main(void)
{
	test_records_that_hold();
	test_links_and_devices();
	test_record_forms();
	test_records_that_are_refused();
	test_numbers_past_a_limit();
	test_times();
	test_empty_values();
	test_globals();
	test_ignored_keywords();
	test_long_names();
	test_precedence();
	test_doubled_headers();
	test_long_names_that_are_refused();
	test_limits();
	test_symlink_targets();
	test_headers_without_an_entry();
	return check_report();
}
