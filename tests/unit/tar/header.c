/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Header blocks: dialects, names, numbers, types. */
#include "config.h"

#include "writer.h"

/* The one entry of an archive made of tar so far. */
static void one(struct buffer *tar, struct result *r)
{
	accept_tar(tar, r);
	check_u64(r->count, 1);
}

static void test_plain_file(void)
{
	struct buffer tar = { 0 };
	struct result r;
	const struct entry *e;

	put_body(&tar,
		 (struct head) { .name = "./usr//bin/env",
				 .mode = 04755,
				 .uid = 1,
				 .gid = 2,
				 .mtime = 1000000000 },
		 "hello", 5);
	one(&tar, &r);
	e = entry_at(&r, 0);
	check_str(e->path, "usr/bin/env");
	check(e->type == ENTRY_FILE && e->link == NULL);
	check(e->mode == 04755 && e->uid == 1 && e->gid == 2);
	check(e->mtime == 1000000000 && e->size == 5);
	check_u64(e->extent_count, 1);
	check_u64(e->extents[0].at, 512);
	check(content_is(&r, 0, "hello"));
	check_str(r.told, "");
	result_cleanup(&r);
}

static void test_magic_selects_prefix(void)
{
	static const struct {
		const char *magic, *path;
		bool warned;
	} cases[] = {
		{ USTAR, "p/q/n", false },
		{ "ustar\0  ", "p/q/n", false },
		{ "ustar\0\0\0", "p/q/n", false },
		{ GNU, "n", false },
		{ "ustar 00", "n", false },
		{ V7, "n", false },
		{ "whatever", "n", true },
	};
	struct buffer tar = { 0 };
	struct result r;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		put_head(&tar, (struct head) { .name = "n",
					       .prefix = "p/q",
					       .magic = cases[i].magic });
		one(&tar, &r);
		check_str(entry_at(&r, 0)->path, cases[i].path);
		check_u64(r.warned[WARN_HEADER], cases[i].warned);
		result_cleanup(&r);
	}
}

static void test_full_fields(void)
{
	char name[101], prefix[156], want[257];
	struct buffer tar = { 0 };
	struct result r;

	memset(name, 'n', 100);
	name[100] = '\0';
	memset(prefix, 'p', 155);
	prefix[155] = '\0';
	snprintf(want, sizeof(want), "%s/%s", prefix, name);
	put_head(&tar, (struct head) { .name = name,
				       .prefix = prefix,
				       .type = '2',
				       .link = name });
	one(&tar, &r);
	check_str(entry_at(&r, 0)->path, want);
	check_str(entry_at(&r, 0)->link, name);
	result_cleanup(&r);

	/* A prefix that ends in a slash, and one without a name. */
	put_head(&tar, (struct head) { .name = "n", .prefix = "p/" });
	put_head(&tar, (struct head) { .prefix = "p/q" });
	accept_tar(&tar, &r);
	check_str(entry_at(&r, 0)->path, "p/n");
	check_str(entry_at(&r, 1)->path, "p/q");
	result_cleanup(&r);
}

static void test_star_prefix(void)
{
	char prefix[156];
	struct buffer tar = { 0 };
	struct result r;

	/* 131 bytes, then times, then the mark at 508. */
	memset(prefix, 'p', 131);
	memset(prefix + 131, '1', 24);
	prefix[155] = '\0';
	put_patched(&tar, (struct head) { .name = "n", .prefix = prefix }, 508,
		    "tar", 4);
	one(&tar, &r);
	check_u64(strlen(entry_at(&r, 0)->path), 131 + 2);
	check_str(entry_at(&r, 0)->path + 130, "p/n");
	result_cleanup(&r);
}

/* A header whose field at at holds raw; returns the entry's result. */
static void with_field(struct buffer *tar, size_t at, const char *raw,
		       size_t len)
{
	put_patched(tar, (struct head) { .name = "f" }, at, raw, len);
}

static void test_octal_styles(void)
{
	static const struct {
		const char *raw; /* 8 bytes of uid */
		uint32_t uid;
	} cases[] = {
		{ "0000012\0", 10 },	   { "    12 \0", 10 },
		{ "12\0\0\0\0\0\0", 10 },  { "12      ", 10 },
		{ "00000012", 10 },	   { "13343300", 3000000 },
		{ "77777777", 077777777 }, { "        ", 0 },
		{ "\0\0\0\0\0\0\0\0", 0 }, { "\0\0 12 \0 ", 10 },
		{ "0\0\0\0\0\0\0\0", 0 },
	};
	struct buffer tar = { 0 };
	struct result r;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		with_field(&tar, 108, cases[i].raw, 8);
		one(&tar, &r);
		check_u64(entry_at(&r, 0)->uid, cases[i].uid);
		result_cleanup(&r);
	}
}

static void test_bad_numbers(void)
{
	static const struct {
		size_t at, len;
		const char *raw, *want;
		enum err_code code;
	} cases[] = {
		{ 108, 8, "0000018\0", "uid", ERR_CORRUPT },
		{ 108, 8, "12 3    ", "uid", ERR_CORRUPT },
		{ 108, 8, "-000012\0", "uid", ERR_CORRUPT },
		{ 108, 8, "+AAAAAA\0", "uid", ERR_CORRUPT },
		{ 116, 8, "0x12\0\0\0\0", "gid", ERR_CORRUPT },
		{ 100, 8, "rwxr-xr-", "mode", ERR_CORRUPT },
		{ 124, 12, "00000000018\0", "size", ERR_CORRUPT },
		{ 136, 12, "yesterday\0\0\0", "mtime", ERR_CORRUPT },
		/* binary: -2, 2^32, 2^63, -512, all bits but the sign's */
		{ 108, 8, "\xff\xff\xff\xff\xff\xff\xff\xfe", "-2",
		  ERR_CORRUPT },
		{ 108, 8, "\x80\0\0\x01\0\0\0\0", "4294967296", ERR_LIMIT },
		{ 124, 12, "\x80\0\0\0\x80\0\0\0\0\0\0\0", "size",
		  ERR_CORRUPT },
		{ 124, 12, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xfe\0",
		  "-512", ERR_CORRUPT },
		{ 124, 12, "\xbf\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
		  "size", ERR_CORRUPT },
		{ 136, 12, "\xff\xff\xff\xff\x7f\xff\xff\xff\xff\xff\xff\xff",
		  "mtime", ERR_CORRUPT },
	};
	struct buffer tar = { 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		put_file(&tar, "before", "x");
		with_field(&tar, cases[i].at, cases[i].raw, cases[i].len);
		refuse_tar(&tar, cases[i].code, cases[i].want);
	}
	put_file(&tar, "before", "x");
	with_field(&tar, 108, "0000018\0", 8);
	refuse_tar(&tar, ERR_CORRUPT, "offset 1024 (block 2): entry \"f\": ");
}

static void test_binary_numbers(void)
{
	struct buffer tar = { 0 };
	struct result r;

	with_field(&tar, 108, "\x80\0\0\0\0\x2d\xc6\xc0", 8);
	with_field(&tar, 116, "\x80\0\0\0\xff\xff\xff\xff", 8);
	with_field(&tar, 136,
		   "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x9b", 12);
	with_field(&tar, 136, "\x80\0\0\0\0\0\0\x03\x7f\xff\xff\xff", 12);
	with_field(&tar, 136, "\x80\0\0\0\x7f\xff\xff\xff\xff\xff\xff\xff", 12);
	with_field(&tar, 136, "\xff\xff\xff\xff\x80\0\0\0\0\0\0\0", 12);
	with_field(&tar, 136, "777777777777", 12);
	accept_tar(&tar, &r);
	check_u64(entry_at(&r, 0)->uid, 3000000);
	check_u64(entry_at(&r, 1)->gid, UINT32_MAX);
	check(entry_at(&r, 2)->mtime == -101);
	check(entry_at(&r, 3)->mtime == 15032385535);
	check(entry_at(&r, 4)->mtime == INT64_MAX);
	check(entry_at(&r, 5)->mtime == INT64_MIN);
	check(entry_at(&r, 6)->mtime == 0777777777777);
	result_cleanup(&r);
}

static void test_mode_keeps_permissions_only(void)
{
	struct buffer tar = { 0 };
	struct result r;

	with_field(&tar, 100, "0107755\0", 8);
	one(&tar, &r);
	check_u64(entry_at(&r, 0)->mode, 07755);
	result_cleanup(&r);
}

/* The header of a file "f\xff", with its checksum written as format says. */
static void put_checksum(struct buffer *tar, const char *format, bool is_signed,
			 int off)
{
	uint8_t block[512];
	char text[16];
	int sum = 8 * ' ';

	head_encode(&(struct head) { .name = "f\xff" }, block);
	for (int i = 0; i < 512; i++)
		if (i < 148 || i >= 156)
			sum += is_signed ? (int8_t)block[i] : block[i];
	memset(block + 148, 0, 8);
	snprintf(text, sizeof(text), format, (unsigned)(sum + off));
	memcpy(block + 148, text, strlen(text));
	put(tar, block, sizeof(block));
}

static void test_checksum(void)
{
	static const char *const formats[] = { "%07o", "%07o ", "%6o",
					       " %o",  "%08o",	"%6o  " };
	struct buffer tar = { 0 };
	struct result r;

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		put_checksum(&tar, formats[i], false, 0);
		put_checksum(&tar, formats[i], true, 0);
	}
	accept_tar(&tar, &r);
	check_u64(r.count, 12);
	result_cleanup(&r);

	for (int off = -1; off <= 1; off += 2) {
		put_file(&tar, "before", "x");
		put_checksum(&tar, "%07o", false, off);
		refuse_tar(&tar, ERR_CORRUPT, "bad header checksum");
	}
	put_checksum(&tar, "%07o", false, 1);
	refuse_tar(&tar, ERR_CORRUPT, "bad header checksum");
}

/* Each single byte of a header that is changed is found out. */
static void test_checksum_guards_every_byte(void)
{
	struct buffer tar = { 0 };
	struct result r;
	unsigned found = 0;

	put_file(&tar, "before", "x");
	put_file(&tar, "file", "content");
	put_zeros(&tar, 2);
	for (size_t at = 1024; at < 1536; at++) {
		tar.data[at] ^= 0x04;
		read_tar(&tar, &r);
		found += r.ret == -1 && r.err.code == ERR_CORRUPT &&
			 r.count == 1;
		result_cleanup(&r);
		tar.data[at] ^= 0x04;
	}
	/* The NUL behind the sum's digits may be anything blank only. */
	check_u64(found, 512);
	buffer_cleanup(&tar);
}

static void test_types(void)
{
	struct buffer tar = { 0 };
	struct result r;

	put_head(&tar, (struct head) { .name = "d", .type = '5' });
	put_head(&tar, (struct head) {
			       .name = "l", .type = '2', .link = "a//b/../c" });
	put_head(&tar,
		 (struct head) { .name = "h", .type = '1', .link = "/./d//x" });
	put_head(&tar,
		 (struct head) {
			 .name = "c", .type = '3', .major = 5, .minor = 1 });
	put_head(&tar, (struct head) { .name = "b",
				       .type = '4',
				       .major = 4095,
				       .minor = 0777777 });
	put_head(&tar, (struct head) { .name = "p", .type = '6' });
	put_body(&tar, (struct head) { .name = "7", .type = '7' }, "seven", 5);
	put_patched(&tar, (struct head) { .name = "nul" }, 156, "\0", 1);
	accept_tar(&tar, &r);
	check(entry_at(&r, 0)->type == ENTRY_DIR);
	check(entry_at(&r, 1)->type == ENTRY_SYMLINK);
	check_str(entry_at(&r, 1)->link, "a//b/../c");
	check(entry_at(&r, 2)->type == ENTRY_HARDLINK);
	check_str(entry_at(&r, 2)->link, "d/x");
	check(entry_at(&r, 3)->type == ENTRY_CHAR_DEVICE);
	check(entry_at(&r, 3)->major == 5 && entry_at(&r, 3)->minor == 1);
	check(entry_at(&r, 4)->type == ENTRY_BLOCK_DEVICE);
	check(entry_at(&r, 4)->major == 4095);
	check(entry_at(&r, 4)->minor == 0777777);
	check(entry_at(&r, 5)->type == ENTRY_FIFO);
	check(entry_at(&r, 6)->type == ENTRY_FILE &&
	      content_is(&r, 6, "seven"));
	check(entry_at(&r, 7)->type == ENTRY_FILE);
	check_str(r.told, "");
	result_cleanup(&r);
}

static void test_unknown_type_is_told(void)
{
	struct buffer tar = { 0 };
	struct result r;

	put_body(&tar, (struct head) { .name = "z", .type = 'Z' }, "data", 4);
	put_zeros(&tar, 2);
	read_tar(&tar, &r);
	check(r.ret == 1 && entry_at(&r, 0)->type == ENTRY_FILE);
	check(content_is(&r, 0, "data"));
	check_u64(r.warned[WARN_TYPE], 1);
	check(strstr(r.told, "entry \"z\"") && strstr(r.told, "\"Z\""));
	result_cleanup(&r);

	read_with(&tar, (struct tar_options) { 0 }, true, &r);
	check(r.ret == -1 && r.err.code == ERR_SKIPPED);
	check(strstr(r.err.text, "offset 0 (block 0): entry \"z\": unknown") ==
	      r.err.text);
	result_cleanup(&r);
	buffer_cleanup(&tar);
}

static void test_types_that_are_passed_over(void)
{
	struct buffer tar = { 0 };
	struct result r;

	put_patched(&tar,
		    (struct head) { .name = "Label", .type = 'V', .magic = V7 },
		    100, "\0\0\0\0\0\0\0\0", 8);
	put_body(&tar, (struct head) { .name = "f", .type = 'A' }, "acl", 3);
	put_body(&tar, (struct head) { .name = "d", .type = 'D', .magic = GNU },
		 "Ya\0Dsub\0", 9);
	put_file(&tar, "f", "x");
	accept_tar(&tar, &r);
	check_u64(r.count, 2);
	check(entry_at(&r, 0)->type == ENTRY_DIR);
	check_str(entry_at(&r, 0)->path, "d");
	check_u64(entry_at(&r, 0)->size, 0);
	check(content_is(&r, 1, "x"));
	check_u64(r.warned[WARN_ACL], 1);
	result_cleanup(&r);
}

static void test_types_that_are_refused(void)
{
	static const char types[] = "MNE";
	struct buffer tar = { 0 };

	for (const char *t = types; *t; t++) {
		put_body(&tar, (struct head) { .name = "f", .type = *t }, "x",
			 1);
		refuse_tar(&tar, ERR_UNSUPPORTED, "offset 0 (block 0)");
	}
}

static void test_sizes_without_content(void)
{
	static const char types[] = "23456";
	struct buffer tar = { 0 };
	struct result r;

	for (const char *t = types; *t; t++)
		put_head(&tar, (struct head) { .name = "n",
					       .link = "t",
					       .type = *t,
					       .size = 4096 });
	/* Not even looked at. */
	put_patched(&tar, (struct head) { .name = "d", .type = '5' }, 124,
		    "garbage!", 8);
	put_file(&tar, "after", "x");
	accept_tar(&tar, &r);
	check_u64(r.count, 7);
	for (size_t i = 0; i < 6; i++)
		check_u64(entry_at(&r, i)->size, 0);
	check(content_is(&r, 6, "x"));
	result_cleanup(&r);

	/* Where content follows all the same, the error says what to think. */
	put_body(&tar, (struct head) { .name = "d", .type = '5' }, "data", 4);
	refuse_tar(&tar, ERR_CORRUPT, "the entry before has a size of 4");
}

static void test_names_that_are_refused(void)
{
	struct buffer tar = { 0 };

	put_file(&tar, "a/../b", "x");
	refuse_tar(&tar, ERR_CORRUPT, "entry \"a/../b\": path contains '..'");
	put_head(&tar,
		 (struct head) { .name = "h", .type = '1', .link = "../x" });
	refuse_tar(&tar, ERR_CORRUPT, "target of the hard link");
	put_file(&tar, "", "x");
	refuse_tar(&tar, ERR_CORRUPT, "empty name");
	put_file(&tar, "././", "");
	put_file(&tar, ".", "");
	refuse_tar(&tar, ERR_CORRUPT, "offset 512 (block 1): entry \".\"");
	put_head(&tar, (struct head) { .name = "l", .type = '2' });
	refuse_tar(&tar, ERR_CORRUPT, "symlink without a target");
	put_head(&tar, (struct head) { .name = "h", .type = '1' });
	refuse_tar(&tar, ERR_CORRUPT, "hard link without a target");
	put_file(&tar, "file/", "x");
	refuse_tar(&tar, ERR_CORRUPT, "ends in '/'");
}

static void test_device_numbers(void)
{
	struct buffer tar = { 0 };
	struct result r;

	put_patched(&tar, (struct head) { .name = "c", .type = '3' }, 329,
		    "        \0\0\0\0\0\0\0\0", 16);
	put_patched(&tar, (struct head) { .name = "c", .type = '3' }, 337,
		    "\x80\0\0\0\xff\xff\xff\xff", 8);
	/* Of no interest for a file. */
	put_patched(&tar, (struct head) { .name = "f" }, 329, "nonsense", 8);
	accept_tar(&tar, &r);
	check(entry_at(&r, 0)->major == 0 && entry_at(&r, 0)->minor == 0);
	check_u64(entry_at(&r, 1)->minor, UINT32_MAX);
	result_cleanup(&r);

	put_patched(&tar, (struct head) { .name = "c", .type = '3' }, 337,
		    "\x80\0\0\x01\0\0\0\0", 8);
	refuse_tar(&tar, ERR_LIMIT, "devminor out of range, 4294967296");
}

int main(void)
{
	test_plain_file();
	test_magic_selects_prefix();
	test_full_fields();
	test_star_prefix();
	test_octal_styles();
	test_bad_numbers();
	test_binary_numbers();
	test_mode_keeps_permissions_only();
	test_checksum();
	test_checksum_guards_every_byte();
	test_types();
	test_unknown_type_is_told();
	test_types_that_are_passed_over();
	test_types_that_are_refused();
	test_sizes_without_content();
	test_names_that_are_refused();
	test_device_numbers();
	return check_report();
}
