/* SPDX-License-Identifier: GPL-2.0-or-later */

/* How archives end, where they should and where not. */
#include "config.h"

#include <fcntl.h>

#include "writer.h"

static const struct tar_options plain;

static void test_end_marks(void)
{
	struct buffer tar = { 0 };
	struct result r;

	/* None, one block, the mark, a whole record of 20 blocks and more. */
	for (size_t blocks = 0; blocks <= 40; blocks++) {
		put_file(&tar, "a", "x");
		put_zeros(&tar, blocks);
		read_tar(&tar, &r);
		check(r.ret == 1 && r.count == 1);
		check_u64(r.warned[WARN_END], blocks == 0);
		check_u64(r.warned[WARN_TRAILING], 0);
		result_cleanup(&r);
		buffer_cleanup(&tar);
	}
}

static void test_missing_mark_may_be_wanted(void)
{
	const struct tar_options options = { .ignore_missing_eof = true };
	struct buffer tar = { 0 };
	struct result r;

	put_file(&tar, "a", "x");
	read_with(&tar, options, true, &r);
	check(r.ret == 1);
	check_str(r.told, "");
	result_cleanup(&r);
	buffer_cleanup(&tar);
}

static void test_nothing_at_all(void)
{
	struct buffer tar = { 0 };
	struct result r;

	read_tar(&tar, &r);
	check(r.ret == -1 && r.err.code == ERR_CORRUPT);
	check_str(r.err.text, "offset 0 (block 0): empty input");
	result_cleanup(&r);

	for (size_t blocks = 1; blocks < 22; blocks += 7) {
		put_zeros(&tar, blocks);
		read_tar(&tar, &r);
		check(r.ret == 1 && r.count == 0);
		check_str(r.told, "");
		result_cleanup(&r);
		buffer_cleanup(&tar);
	}
}

static void test_odd_zeros_behind_the_mark(void)
{
	static const uint8_t zeros[512];
	struct buffer tar = { 0 };
	struct result r;

	for (size_t blocks = 1; blocks <= 2; blocks++) {
		put_file(&tar, "a", "x");
		put_zeros(&tar, blocks);
		put(&tar, zeros, 100);
		read_tar(&tar, &r);
		check(r.ret == 1);
		check_str(r.told, "");
		result_cleanup(&r);
		buffer_cleanup(&tar);
	}
}

static void test_lone_zero_block(void)
{
	const struct tar_options on = { .ignore_zeros = true };
	struct buffer tar = { 0 };
	struct result r;

	put_file(&tar, "a", "x");
	put_zeros(&tar, 1);
	put_file(&tar, "b", "y");
	put_zeros(&tar, 2);
	read_tar(&tar, &r);
	check(r.ret == 1 && r.count == 2 && content_is(&r, 1, "y"));
	check_u64(r.warned[WARN_END], 1);
	check(strstr(r.told, "offset 1536 (block 3)") == r.told);
	result_cleanup(&r);

	read_with(&tar, on, false, &r);
	check(r.ret == 1 && r.count == 2);
	check_str(r.told, "");
	result_cleanup(&r);
	buffer_cleanup(&tar);

	put_file(&tar, "a", "x");
	put_zeros(&tar, 1);
	put(&tar, "junk", 4);
	put_pad(&tar);
	refuse_tar(&tar, ERR_CORRUPT, "bad header checksum");
}

static void test_data_behind_the_mark(void)
{
	struct buffer tar = { 0 };
	struct result r;

	put_file(&tar, "a", "x");
	put_zeros(&tar, 2 + 15);
	put(&tar, "\0\0SignerVer02", 13);
	put(&tar, tar.data, 300);
	read_tar(&tar, &r);
	check(r.ret == 1 && r.count == 1);
	check_u64(r.warned[WARN_TRAILING], 1);
	check_str(r.told, "offset 9730 (block 19): data after the end of the "
			  "archive is left out, 311 bytes\n");
	result_cleanup(&r);
	buffer_cleanup(&tar);
}

static void test_archives_in_a_row(void)
{
	const struct tar_options on = { .ignore_zeros = true };
	struct buffer tar = { 0 };
	struct result r;

	put_global(&tar, "uid", "5");
	put_file(&tar, "a", "x");
	put_zeros(&tar, 20);
	put_file(&tar, "b", "y");
	put_zeros(&tar, 2);
	read_tar(&tar, &r);
	check(r.ret == 1 && r.count == 1);
	check_u64(r.warned[WARN_TRAILING], 1);
	check(strstr(r.told, "another archive"));
	check(strstr(r.told, "2048 bytes"));
	result_cleanup(&r);

	/* What the first one's global headers say does not hold for both. */
	read_with(&tar, on, true, &r);
	check(r.ret == 1 && r.count == 2);
	check(entry_at(&r, 0)->uid == 5 && entry_at(&r, 1)->uid == 0);
	check_str(r.told, "");
	result_cleanup(&r);

	put(&tar, "junk that is no header", 22);
	read_with(&tar, on, false, &r);
	check(r.ret == 1 && r.count == 2);
	check_u64(r.warned[WARN_TRAILING], 1);
	result_cleanup(&r);
	buffer_cleanup(&tar);
}

/* All that is left is read, so that what feeds a pipe can end in peace. */
static void test_drains(void)
{
	struct buffer tar = { 0 };
	struct reader *reader;
	struct source *src;
	struct entry *e;
	uint64_t done, total;

	put_zeros(&tar, 2);
	put(&tar, "x", 1);
	put_zeros(&tar, 1000);
	reader = memory_reader(&tar);
	check(tar_source_create(reader, &plain, &src, NULL) == 0);
	check(source_next(src, &e, NULL) == 1);
	src->ops->progress(src, &done, &total);
	check_u64(done, tar.len);
	check_u64(total, 0);
	check(source_next(src, &e, NULL) == 1);
	source_destroy(src);
	buffer_cleanup(&tar);
}

/*
 * An archive of everything is cut at every byte. Whole entries come out as they
 * are; only cut in padding or between entries there is no error.
 */
static void test_cut_at_every_byte(void)
{
	struct buffer tar = { 0 };
	size_t all, wrong = 0, whole[8], count = 0;

	put_body(&tar, (struct head) { .name = "a" }, "twelve bytes", 12);
	whole[count++] = tar.len - 500;
	put_head(&tar, (struct head) { .name = "d", .type = '5' });
	whole[count++] = tar.len;
	put_pax(&tar, "path", "long");
	put_file(&tar, "b", "y");
	whole[count++] = tar.len - 511;
	put_long(&tar, 'L', "longer");
	put_head(&tar, (struct head) { .name = "l", .type = '2', .link = "t" });
	whole[count++] = tar.len;
	all = tar.len;

	for (tar.len = 1; tar.len <= all; tar.len++) {
		size_t due = 0;
		bool sound = false;
		struct result r;

		while (due < count && whole[due] <= tar.len)
			due++;
		if (due > 0)
			sound = tar.len <= (whole[due - 1] + 511) / 512 * 512;
		read_tar(&tar, &r);
		if (sound)
			wrong += r.ret != 1 || r.count != due ||
				 r.warned[WARN_END] != 1;
		else
			wrong += r.ret != -1 || r.err.code != ERR_CORRUPT ||
				 r.count > due;
		result_cleanup(&r);
	}
	check_u64(wrong, 0);
	buffer_cleanup(&tar);
}

/* Of a file, next tells of missing data before anything is read. */
static void test_cut_data_shows_at_once(void)
{
	struct buffer tar = { 0 };
	struct result r;

	put_head(&tar, (struct head) { .name = "a", .size = 5000 });
	put_zeros(&tar, 2);
	read_file(&tar, plain, false, &r);
	check(r.ret == -1 && r.count == 0);
	check_str(r.err.text,
		  "offset 0 (block 0): entry \"a\": truncated data: "
		  "have 1024 of 5000 bytes");
	result_cleanup(&r);

	/* In a stream it shows when the content is read, or skipped. */
	read_by(memory_reader(&tar), plain, false, &r);
	check(r.ret == -1 && r.count == 1);
	check_str(r.err.text, "offset 0 (block 0): truncated data: have 1024 "
			      "of 5000 bytes");
	result_cleanup(&r);

	struct source *src;
	struct entry *e;
	struct err err;

	check(tar_source_create(memory_reader(&tar), &plain, &src, &err) == 0);
	check(source_next(src, &e, &err) == 0);
	entry_destroy(e);
	check(source_next(src, &e, &err) == -1);
	check_str(err.text, "offset 0 (block 0): entry \"a\": truncated data: "
			    "have 1024 of 5000 bytes");
	source_destroy(src);
	buffer_cleanup(&tar);
}

/* Content that nobody asked for, or half of it, is skipped. */
static void test_unread_content_is_skipped(void)
{
	char data[3000];
	struct buffer tar = { 0 };
	struct source *src;
	struct entry *e;
	struct err err;

	memset(data, 'd', sizeof(data));
	put_body(&tar, (struct head) { .name = "a" }, data, sizeof(data));
	put_body(&tar, (struct head) { .name = "b" }, data, sizeof(data));
	put_file(&tar, "c", "x");
	check(tar_source_create(memory_reader(&tar), &plain, &src, &err) == 0);
	check(source_next(src, &e, &err) == 0);
	entry_destroy(e);
	check(source_next(src, &e, &err) == 0);
	check_str(e->path, "b");
	entry_destroy(e);
	check(source_read(src, data, 1000, &err) == 0);
	check(source_next(src, &e, &err) == 0);
	check_str(e->path, "c");
	entry_destroy(e);
	check(source_read(src, data, 2, &err) == -1);
	source_destroy(src);
	buffer_cleanup(&tar);
}

static void test_not_a_tar(void)
{
	static const struct {
		const char *data;
		size_t len;
		const char *want;
		enum err_code code;
	} cases[] = {
		{ "\x1f\x8b\x08\0", 4, "gzip-compressed", ERR_UNSUPPORTED },
		{ "\xfd"
		  "7zXZ\0",
		  6, "xz-compressed", ERR_UNSUPPORTED },
		{ "\x28\xb5\x2f\xfd", 4, "zstd-compressed", ERR_UNSUPPORTED },
		{ "\x5e\x2a\x4d\x18", 4, "zstd-compressed", ERR_UNSUPPORTED },
		{ "BZh9", 4, "bzip2-compressed", ERR_UNSUPPORTED },
		{ "\x04\x22\x4d\x18", 4, "lz4-compressed", ERR_UNSUPPORTED },
		{ "LZIP", 4, "lzip-compressed", ERR_UNSUPPORTED },
		{ "\x5d\0\0\x80", 4, "lzma-compressed", ERR_UNSUPPORTED },
		{ "\x89LZO", 4, "lzop-compressed", ERR_UNSUPPORTED },
		{ "\x1f\x9d", 2, "compress-compressed", ERR_UNSUPPORTED },
		{ "\x1f", 1, "not a tar archive", ERR_CORRUPT },
		{ "BZ", 2, "not a tar archive", ERR_CORRUPT },
		{ "text", 4, "not a tar archive", ERR_CORRUPT },
	};
	struct buffer tar = { 0 };
	struct result r;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (int pad = 0; pad < 2; pad++) {
			put(&tar, cases[i].data, cases[i].len);
			if (pad)
				put_pad(&tar);
			read_tar(&tar, &r);
			check(r.ret == -1 && r.err.code == cases[i].code);
			check_note(strstr(r.err.text, cases[i].want) != NULL,
				   __FILE__, __LINE__, cases[i].want);
			result_cleanup(&r);
			buffer_cleanup(&tar);
		}

	/* A name may begin like that: the checksum knows better. */
	put_file(&tar, "BZh9", "x");
	accept_tar(&tar, &r);
	check_str(entry_at(&r, 0)->path, "BZh9");
	result_cleanup(&r);
}

static void test_real_pipe(void)
{
	struct buffer tar = { 0 };
	struct reader *reader;
	struct result r;
	int fd[2];

	put_file(&tar, "a", "through a pipe");
	put_zeros(&tar, 2);
	check(pipe(fd) == 0);
	check(write(fd[1], tar.data, tar.len) == (ssize_t)tar.len);
	close(fd[1]);
	check(reader_create(fd[0], &reader, NULL) == 0);
	check(!reader_is_seekable(reader));
	read_by(reader, plain, true, &r);
	check(r.ret == 1 && content_is(&r, 0, "through a pipe"));
	result_cleanup(&r);
	close(fd[0]);
	buffer_cleanup(&tar);
}

/* Offsets count from where the descriptor stands. */
static void test_file_from_its_middle(void)
{
	struct buffer tar = { 0 };
	struct reader *reader;
	struct result r;
	FILE *f = tmpfile();

	put_file(&tar, "a", "content");
	put_zeros(&tar, 2);
	check(f && fwrite("before", 6, 1, f) == 1 &&
	      fwrite(tar.data, tar.len, 1, f) == 1 && fflush(f) == 0);
	check(lseek(fileno(f), 6, SEEK_SET) == 6);
	check(reader_create(fileno(f), &reader, NULL) == 0);
	read_by(reader, plain, true, &r);
	check(r.ret == 1 && content_is(&r, 0, "content"));
	check_u64(entry_at(&r, 0)->extents[0].at, 512);
	result_cleanup(&r);
	fclose(f);
	buffer_cleanup(&tar);
}

int main(void)
{
	test_end_marks();
	test_missing_mark_may_be_wanted();
	test_nothing_at_all();
	test_odd_zeros_behind_the_mark();
	test_lone_zero_block();
	test_data_behind_the_mark();
	test_archives_in_a_row();
	test_drains();
	test_cut_at_every_byte();
	test_cut_data_shows_at_once();
	test_unread_content_is_skipped();
	test_not_a_tar();
	test_real_pipe();
	test_file_from_its_middle();
	return check_report();
}
