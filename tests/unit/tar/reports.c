/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * Inputs that made trouble for packers in the field, each under the name of
 * what it shows. What a single header or record may look like is in the other
 * tests; here is what whole archives looked like.
 */
#include "config.h"

#include "writer.h"

static void root_entries_name_the_root(void)
{
	static const char *const names[] = { "./", ".", "/", ".//", "" };
	struct buffer tar = { 0 };
	struct result r;

	for (size_t i = 0; i < 5; i++)
		put_head(&tar, (struct head) { .name = names[i],
					       .type = '5',
					       .mode = 01777 });
	accept_tar(&tar, &r);
	for (size_t i = 0; i < 5; i++) {
		check_str(entry_at(&r, i)->path, "");
		check(entry_at(&r, i)->type == ENTRY_DIR);
		check_u64(entry_at(&r, i)->mode, 01777);
	}
	check_str(r.told, "");
	result_cleanup(&r);
}

static void global_comment_of_git_archive(void)
{
	struct buffer tar = { 0 };
	struct result r;

	put_global(&tar, "comment", "0123456789abcdef0123456789abcdef01234567");
	put_file(&tar, "f", "x");
	accept_tar(&tar, &r);
	check_u64(r.count, 1);
	check_str(r.told, "");
	result_cleanup(&r);
}

static void hard_link_repeats_the_size(void)
{
	static const char *const magics[] = { USTAR, GNU, V7 };
	struct buffer tar = { 0 };
	struct result r;

	for (size_t i = 0; i < 3; i++) {
		put_file(&tar, "a", "abc");
		put_head(&tar, (struct head) { .name = "b",
					       .type = '1',
					       .link = "a",
					       .size = 3,
					       .magic = magics[i] });
		put_file(&tar, "c", "q");
		put_head(&tar, (struct head) { .name = "last",
					       .type = '1',
					       .link = "a",
					       .size = 3,
					       .magic = magics[i] });
		accept_tar(&tar, &r);
		check_u64(r.count, 4);
		check(entry_at(&r, 1)->type == ENTRY_HARDLINK);
		check_u64(entry_at(&r, 1)->size, 0);
		check_u64(entry_at(&r, 1)->extent_count, 0);
		check(content_is(&r, 2, "q"));
		check_u64(entry_at(&r, 3)->size, 0);
		result_cleanup(&r);
	}

	/* Nothing at all behind it. */
	put_file(&tar, "a", "abc");
	put_head(&tar,
		 (struct head) {
			 .name = "b", .type = '1', .link = "a", .size = 3 });
	read_tar(&tar, &r);
	check(r.ret == 1 && r.count == 2);
	result_cleanup(&r);
	buffer_cleanup(&tar);
}

static void hard_link_brings_its_content(void)
{
	struct buffer tar = { 0 };
	struct result r;

	put_body(&tar, (struct head) { .name = "b", .type = '1', .link = "a" },
		 "content", 7);
	/* A record says so even where the content looks like nothing. */
	put_pax(&tar, "size", "3");
	put_head(&tar,
		 (struct head) {
			 .name = "c", .type = '1', .link = "a", .magic = GNU });
	put_zeros(&tar, 1);
	put_pax(&tar, "size", "0");
	put_head(&tar,
		 (struct head) {
			 .name = "d", .type = '1', .link = "a", .size = 600 });
	put_file(&tar, "e", "x");
	accept_tar(&tar, &r);
	check_u64(r.count, 4);
	check(entry_at(&r, 0)->type == ENTRY_HARDLINK);
	check_str(entry_at(&r, 0)->link, "a");
	check(content_is(&r, 0, "content"));
	check_u64(entry_at(&r, 1)->size, 3);
	check_u64(entry_at(&r, 2)->size, 0);
	check(content_is(&r, 3, "x"));
	result_cleanup(&r);

	put_head(&tar,
		 (struct head) {
			 .name = "b", .type = '1', .link = "a", .size = 600 });
	put(&tar, "cut off", 7);
	read_tar(&tar, &r);
	check(r.ret == -1 && strstr(r.err.text, "truncated data"));
	result_cleanup(&r);
	buffer_cleanup(&tar);
}

static void old_directories_end_in_a_slash(void)
{
	static const char types[] = { '\0', '0' };
	struct buffer tar = { 0 };
	struct result r;

	for (size_t i = 0; i < 2; i++) {
		put_patched(&tar, (struct head) { .name = "dir/", .magic = V7 },
			    156, &types[i], 1);
		put_body(&tar, (struct head) { .name = "dir/f", .magic = V7 },
			 "x", 1);
	}
	/* The final name counts, not the header's. */
	put_pax(&tar, "path", "long/dir/");
	put_file(&tar, "cut", "");
	put_pax(&tar, "path", "long/file");
	put_file(&tar, "cut/", "x");
	accept_tar(&tar, &r);
	check(entry_at(&r, 0)->type == ENTRY_DIR);
	check_str(entry_at(&r, 0)->path, "dir");
	check(entry_at(&r, 1)->type == ENTRY_FILE);
	check(entry_at(&r, 2)->type == ENTRY_DIR);
	check(entry_at(&r, 4)->type == ENTRY_DIR);
	check_str(entry_at(&r, 4)->path, "long/dir");
	check(entry_at(&r, 5)->type == ENTRY_FILE);
	result_cleanup(&r);
}

static void names_are_bytes(void)
{
	static const char *const names[] = { "system\\x2dfoo.slice",
					     "caf\xe9",
					     "a b\"'",
					     "new\nline",
					     "-rf",
					     "#c",
					     "._f",
					     "..data",
					     "a..",
					     "d/..data/x",
					     "\x01\x7f" };
	const size_t count = sizeof(names) / sizeof(names[0]);
	struct buffer tar = { 0 };
	struct result r;

	for (size_t i = 0; i < count; i++)
		put_file(&tar, names[i], "x");
	accept_tar(&tar, &r);
	for (size_t i = 0; i < count; i++)
		check_str(entry_at(&r, i)->path, names[i]);
	check_str(r.told, "");
	result_cleanup(&r);
}

static void dotted_component_across_byte_100(void)
{
	char prefix[121], want[128];
	struct buffer tar = { 0 };
	struct result r;

	memset(prefix, 'p', 120);
	prefix[60] = '/';
	prefix[120] = '\0';
	put_head(&tar, (struct head) { .name = "..data", .prefix = prefix });
	accept_tar(&tar, &r);
	snprintf(want, sizeof(want), "%s/..data", prefix);
	check_str(entry_at(&r, 0)->path, want);
	result_cleanup(&r);
}

static void acl_of_four_megabytes(void)
{
	struct buffer tar = { 0 }, body = { 0 };
	char *acl = malloc(4 << 20);
	struct result r;

	memset(acl, 'x', 4 << 20);
	put_record(&body, "SCHILY.acl.access", acl, 4 << 20);
	put_record(&body, "path", "good", 4);
	put_pax_body(&tar, 'x', body.data, body.len);
	put_file(&tar, "f", "x");
	put_pax(&tar, "path", "small");
	put_file(&tar, "f", "x");
	accept_tar(&tar, &r);
	check_str(entry_at(&r, 0)->path, "good");
	check_str(entry_at(&r, 1)->path, "small");
	check_u64(r.warned[WARN_ACL], 1);
	result_cleanup(&r);
	buffer_cleanup(&body);
	free(acl);
}

static void name_of_a_helper_header_is_never_used(void)
{
	struct buffer tar = { 0 };
	struct result r;

	put_body(&tar, (struct head) { .type = 'x' }, "9 path=x\n", 9);
	put_file(&tar, "f", "");
	put_body(&tar, (struct head) { .name = "../x", .type = 'g' }, "", 0);
	put_body(&tar, (struct head) { .name = "..", .type = 'L' }, "long", 4);
	put_file(&tar, "f", "");
	accept_tar(&tar, &r);
	check_str(entry_at(&r, 0)->path, "x");
	check_str(entry_at(&r, 1)->path, "long");
	result_cleanup(&r);
}

static void solaris_extended_header(void)
{
	struct buffer tar = { 0 };
	struct result r;

	put_pax_body(&tar, 'X', "9 path=x\n", 9);
	put_file(&tar, "short", "content");
	accept_tar(&tar, &r);
	check_str(entry_at(&r, 0)->path, "x");
	check(content_is(&r, 0, "content"));
	result_cleanup(&r);
}

static void size_of_the_record_wins(void)
{
	struct buffer tar = { 0 };
	struct result r;

	/* One reader that takes the header's size would see a planted file. */
	put_pax(&tar, "size", "3");
	put_head(&tar, (struct head) { .name = "a" });
	put(&tar, "abc", 3);
	put_pad(&tar);
	put_pax(&tar, "size", "1");
	put_head(&tar, (struct head) { .name = "b", .size = 77777 });
	put(&tar, "q", 1);
	put_pad(&tar);
	put_file(&tar, "c", "z");
	accept_tar(&tar, &r);
	check_u64(r.count, 3);
	check(content_is(&r, 0, "abc") && content_is(&r, 1, "q"));
	check(content_is(&r, 2, "z"));
	result_cleanup(&r);
}

static void size_record_does_not_cut_a_long_name(void)
{
	struct buffer tar = { 0 };
	struct result r;

	put_pax(&tar, "size", "3");
	put_long(&tar, 'L', "a/long/name");
	put_head(&tar, (struct head) { .name = "cut", .size = 1 });
	put(&tar, "abc", 3);
	put_pad(&tar);
	accept_tar(&tar, &r);
	check_str(entry_at(&r, 0)->path, "a/long/name");
	check(content_is(&r, 0, "abc"));
	result_cleanup(&r);
}

static void vendor_keys_are_no_trouble(void)
{
	struct buffer tar = { 0 };
	struct result r;

	put_pax(&tar, "MSWINDOWS.rawsd", "AQ==");
	put_patched(&tar, (struct head) { .name = "f" }, 100,
		    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24);
	accept_tar(&tar, &r);
	check_u64(entry_at(&r, 0)->mode, 0);
	check_u64(r.warned[WARN_KEYWORD], 1);
	result_cleanup(&r);
}

static void owner_names_fill_their_fields(void)
{
	char names[65];
	struct buffer tar = { 0 };
	struct result r;

	memset(names, 'u', 64);
	put_patched(&tar, (struct head) { .name = "f", .uid = 1234 }, 265,
		    names, 64);
	accept_tar(&tar, &r);
	/* Numbers count, whatever the names are on this machine. */
	check_u64(entry_at(&r, 0)->uid, 1234);
	result_cleanup(&r);
}

static void times_of_gnu_headers_are_no_prefix(void)
{
	struct buffer tar = { 0 };
	struct result r;

	put_patched(&tar, (struct head) { .name = "f", .magic = GNU }, 345,
		    "13000000000\0"
		    "13000000001",
		    24);
	accept_tar(&tar, &r);
	check_str(entry_at(&r, 0)->path, "f");
	result_cleanup(&r);
}

static void long_name_before_a_posix_header(void)
{
	struct buffer tar = { 0 };
	struct result r;

	put_long(&tar, 'L', "real/name");
	put_head(&tar, (struct head) { .name = "n", .prefix = "not/used" });
	accept_tar(&tar, &r);
	check_str(entry_at(&r, 0)->path, "real/name");
	result_cleanup(&r);
}

static void size_with_twelve_digits(void)
{
	struct buffer tar = { 0 };

	put_patched(&tar, (struct head) { .name = "f" }, 124, "777777777777",
		    12);
	refuse_tar(&tar, ERR_CORRUPT, "of 68719476735 bytes");
}

static void slashes_in_symlink_targets_are_kept(void)
{
	struct buffer tar = { 0 };
	struct result r;

	put_head(&tar, (struct head) { .name = "l",
				       .type = '2',
				       .link = "//a//./b/../" });
	accept_tar(&tar, &r);
	check_str(entry_at(&r, 0)->link, "//a//./b/../");
	result_cleanup(&r);
}

static void leading_slash_is_told_once(void)
{
	struct buffer tar = { 0 };
	struct result r;

	put_file(&tar, "/abs/a", "x");
	put_file(&tar, "//abs/b", "x");
	accept_tar(&tar, &r);
	check_str(entry_at(&r, 0)->path, "abs/a");
	check_str(entry_at(&r, 1)->path, "abs/b");
	check_u64(r.warned[WARN_NAME], 2);
	check_str(r.told, "offset 0 (block 0): entry \"/abs/a\": leading '/' "
			  "is left out\n");
	result_cleanup(&r);
}

static void whiteouts_of_a_layer_are_files(void)
{
	struct buffer tar = { 0 };
	struct result r;

	put_file(&tar, "d/.wh.foo", "");
	put_file(&tar, "d/.wh..wh..opq", "");
	put_head(&tar, (struct head) { .name = "d/x.wh.y" });
	put_head(&tar, (struct head) { .name = "dev", .type = '3' });
	accept_tar(&tar, &r);
	check_str(entry_at(&r, 0)->path, "d/.wh.foo");
	check(entry_at(&r, 1)->type == ENTRY_FILE);
	check_u64(r.warned[WARN_WHITEOUT], 2);
	check(entry_at(&r, 3)->type == ENTRY_CHAR_DEVICE);
	check(entry_at(&r, 3)->major == 0 && entry_at(&r, 3)->minor == 0);
	result_cleanup(&r);
}

static void offsets_lead_to_the_first_header(void)
{
	struct buffer tar = { 0 };
	struct result r;

	put_file(&tar, "a", "x");
	put_long(&tar, 'L', "b");
	put_pax(&tar, "uid", "1");
	put_file(&tar, "b", "x");
	put_file(&tar, "c", "x");
	accept_tar(&tar, &r);
	check_u64(entry_at(&r, 0)->input_offset, 0);
	check_u64(entry_at(&r, 1)->input_offset, 1024);
	check_u64(entry_at(&r, 2)->input_offset, 4096);
	result_cleanup(&r);
}

int main(void)
{
	root_entries_name_the_root();
	global_comment_of_git_archive();
	hard_link_repeats_the_size();
	hard_link_brings_its_content();
	old_directories_end_in_a_slash();
	names_are_bytes();
	dotted_component_across_byte_100();
	acl_of_four_megabytes();
	name_of_a_helper_header_is_never_used();
	solaris_extended_header();
	size_of_the_record_wins();
	size_record_does_not_cut_a_long_name();
	vendor_keys_are_no_trouble();
	owner_names_fill_their_fields();
	times_of_gnu_headers_are_no_prefix();
	long_name_before_a_posix_header();
	size_with_twelve_digits();
	slashes_in_symlink_targets_are_kept();
	leading_slash_is_told_once();
	whiteouts_of_a_layer_are_files();
	offsets_lead_to_the_first_header();
	return check_report();
}
