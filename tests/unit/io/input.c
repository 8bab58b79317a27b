/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

/*
 * Compressed input: each format, from a file and from a pipe, without and with
 * threads; cut, damaged, padded, followed by junk.
 */
#include "io/input.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "compress.h"
#include "io/fd.h"
#include "io/reader.h"
#include "io/stream.h"
#include "util/err.h"

struct kind {
	const char *name;   /* of the format */
	void (*add)(struct bytes *b, const uint8_t *data, size_t len);
	size_t magic;	    /* bytes that make it known */
	size_t padding;	    /* unit of zeros that may follow; 0: none */
	bool is_single;	    /* one member only */
	bool is_unchecked;  /* damage may go unseen */
	bool ends_anywhere; /* it may end at the end of a block */
};

static const struct kind kinds[] = {
#ifdef WITH_ZLIB
	{ .name = "gzip", .add = add_gzip, .magic = 2, .padding = 1 },
#endif
#ifdef WITH_BZIP2
	{ .name = "bzip2", .add = add_bzip2, .magic = 4 },
#endif
#ifdef WITH_LZMA
	{ .name = "xz", .add = add_xz, .magic = 6, .padding = 4 },
	{ .name = "xz", .add = add_xz_blocks, .magic = 6, .padding = 4 },
	{ .name = "lzma",
	  .add = add_lzma,
	  .magic = 3,
	  .is_single = true,
	  .is_unchecked = true },
#endif
#ifdef WITH_LZIP
	{ .name = "lzip", .add = add_lzip, .magic = 4 },
#endif
#ifdef WITH_ZSTD
	{ .name = "zstd", .add = add_zstd, .magic = 4 },
	{ .name = "zstd", .add = add_zstd_unsized, .magic = 4 },
#endif
#ifdef WITH_LZ4
	{ .name = "lz4", .add = add_lz4, .magic = 4 },
	{ .name = "lz4",
	  .add = add_lz4_legacy,
	  .magic = 4,
	  .is_unchecked = true,
	  .ends_anywhere = true },
#endif
	{ .name = NULL }, /* the end, as there may be none */
};

/* Letters with some order in them. */
static void make_content(uint8_t *data, size_t len, uint32_t seed)
{
	for (size_t i = 0; i < len; i++) {
		seed = seed * 1664525 + 1013904223;
		data[i] = (uint8_t)("etaoin shrdlu\n"[seed >> 24 & 7] +
				    (i >> 9 & 3));
	}
}

/* What reading gave. */
struct result {
	struct bytes content;
	int ret;
	struct err err;
	bool has_trailing;
	struct stream_trailing trailing;
};

static void result_cleanup(struct result *r)
{
	bytes_cleanup(&r->content);
}

static void read_all(struct reader *reader, struct result *r)
{
	const size_t step = 9001;
	size_t got;

	do {
		r->ret = reader_read(reader, bytes_room(&r->content, step),
				     step, &got, &r->err);
		if (r->ret == 0)
			r->content.len += got;
	} while (r->ret == 0 && got == step);
	if (r->ret == 0)
		r->has_trailing = reader_trailing(reader, &r->trailing);
}

static void read_fd(int fd, unsigned threads, struct result *r)
{
	const struct input_options options = { .threads = threads };
	struct reader *reader;

	*r = (struct result){ 0 };
	r->ret = reader_open(fd, &options, &reader, &r->err);
	if (r->ret < 0)
		return;
	read_all(reader, r);
	reader_destroy(reader);
}

static void read_file(const void *data, size_t len, unsigned threads,
		      struct result *r)
{
	FILE *f = tmpfile();

	must(f != NULL);
	must(fd_write(fileno(f), data, len, NULL) == 0);
	must(lseek(fileno(f), 0, SEEK_SET) == 0);
	read_fd(fileno(f), threads, r);
	fclose(f);
}

/* The writer's pieces are small and uneven. */
static void read_pipe(const uint8_t *data, size_t len, unsigned threads,
		      struct result *r)
{
	int fds[2], status;
	pid_t child;

	must(pipe(fds) == 0);
	child = fork();
	if (child == 0) {
		size_t at = 0;

		close(fds[0]);
		while (at < len) {
			size_t n = at * 7 % 9001 + 1;

			if (n > len - at)
				n = len - at;
			if (fd_write(fds[1], data + at, n, NULL) < 0)
				_exit(1);
			at += n;
		}
		_exit(0);
	}
	close(fds[1]);
	read_fd(fds[0], threads, r);
	close(fds[0]);
	check(waitpid(child, &status, 0) == child);
}

struct memory {
	struct stream stream;
	const uint8_t *data;
	size_t len;
};

static int memory_read(struct stream *stream, void *buf, size_t len,
		       void *extra, size_t extra_len, size_t *got,
		       struct err *err)
{
	struct memory *m = (struct memory *)stream;

	(void)extra;
	(void)extra_len;
	(void)err;
	*got = len < m->len ? len : m->len;
	if (*got)
		memcpy(buf, m->data, *got);
	m->data += *got;
	m->len -= *got;
	return 0;
}

static void memory_destroy(struct stream *stream)
{
	free(stream);
}

static const struct stream_ops memory_ops = { .read = memory_read,
					      .destroy = memory_destroy };

/* The quick way, without a thread. */
static void read_memory(const void *data, size_t len, struct result *r)
{
	const struct input_options options = { .threads = 0 };
	struct memory *m = calloc(1, sizeof(*m));
	struct reader *reader;

	must(m != NULL);
	*m = (struct memory){ { &memory_ops }, data, len };
	*r = (struct result){ 0 };
	r->ret = reader_open_stream(&m->stream, &options, &reader, &r->err);
	if (r->ret < 0)
		return;
	read_all(reader, r);
	reader_destroy(reader);
}

static bool is_content(const struct result *r, const uint8_t *data, size_t len)
{
	return r->content.len == len &&
	       (len == 0 || memcmp(r->content.data, data, len) == 0);
}

static bool is_prefix(const struct result *r, const uint8_t *data, size_t len)
{
	return r->content.len <= len &&
	       (r->content.len == 0 ||
		memcmp(r->content.data, data, r->content.len) == 0);
}

/* ------------------------------------------------------------- sound input */

/* All ways in give the same content and no word of more behind it. */
static void expect(const struct bytes *in, const uint8_t *content, size_t len)
{
	for (unsigned threads = 0; threads < 4; threads++) {
		struct result r;

		read_file(in->data, in->len, threads, &r);
		check(r.ret == 0 && is_content(&r, content, len));
		check(!r.has_trailing);
		result_cleanup(&r);
		read_pipe(in->data, in->len, threads, &r);
		check(r.ret == 0 && is_content(&r, content, len));
		check(!r.has_trailing);
		result_cleanup(&r);
	}
}

static void test_members(const struct kind *kind)
{
	static uint8_t content[400000];
	const size_t cuts[] = { 0, 1, 200000, 200000, 200512, sizeof(content) };
	struct bytes in = { 0 };
	struct result r;

	make_content(content, sizeof(content), 1);
	kind->add(&in, content, sizeof(content));
	expect(&in, content, sizeof(content));

	if (!kind->is_single) {
		in.len = 0;
		for (size_t i = 1; i < sizeof(cuts) / sizeof(cuts[0]); i++)
			kind->add(&in, content + cuts[i - 1],
				  cuts[i] - cuts[i - 1]);
		expect(&in, content, sizeof(content));
	}

	in.len = 0;
	kind->add(&in, content, 0);
	read_memory(in.data, in.len, &r);
	check(r.ret == 0 && r.content.len == 0);
	result_cleanup(&r);
	bytes_cleanup(&in);
}

static void test_offset(const struct kind *kind)
{
	uint8_t content[3000];
	struct bytes in = { 0 };
	struct result r;
	FILE *f = tmpfile();

	must(f != NULL);
	make_content(content, sizeof(content), 2);
	bytes_add(&in, "passed over", 11);
	kind->add(&in, content, sizeof(content));
	must(fd_write(fileno(f), in.data, in.len, NULL) == 0);
	for (unsigned threads = 0; threads < 3; threads += 2) {
		must(lseek(fileno(f), 11, SEEK_SET) == 11);
		read_fd(fileno(f), threads, &r);
		check(r.ret == 0 && is_content(&r, content, sizeof(content)));
		result_cleanup(&r);
	}
	fclose(f);
	bytes_cleanup(&in);
}

/* ----------------------------------------------------------- broken input */

/* Two members of little content; *first is where the second begins. */
static void add_two(struct bytes *in, const struct kind *kind,
		    const uint8_t *content, size_t split, size_t len,
		    size_t *first)
{
	kind->add(in, content, split);
	*first = in->len;
	if (!kind->is_single)
		kind->add(in, content + split, len - split);
}

static void test_cuts(const struct kind *kind)
{
	uint8_t content[900];
	const size_t split = 500;
	struct bytes in = { 0 };
	size_t first;

	make_content(content, sizeof(content), 3);
	add_two(&in, kind, content, split, sizeof(content), &first);
	for (size_t len = kind->magic; len < in.len; len++) {
		struct result r;

		read_memory(in.data, len, &r);
		if (len == first) {
			check(r.ret == 0 && is_content(&r, content, split));
		} else if (!kind->ends_anywhere || r.ret < 0) {
			check(r.ret < 0);
			check_u64(r.err.code, ERR_CORRUPT);
			check(strstr(r.err.text, kind->name) != NULL);
			check(strstr(r.err.text, "byte ") == r.err.text);
		}
		check(is_prefix(&r, content, sizeof(content)));
		check(!r.has_trailing);
		result_cleanup(&r);

		if (len % 7 == 0) {
			struct result again;

			read_memory(in.data, len, &r);
			read_file(in.data, len, 2, &again);
			check(again.ret == r.ret);
			check_str(again.err.text, r.err.text);
			check(is_content(&again, r.content.data,
					 r.content.len));
			result_cleanup(&r);
			result_cleanup(&again);
		}
	}
	bytes_cleanup(&in);
}

static void test_flips(const struct kind *kind)
{
	static const uint8_t masks[] = { 1, 4, 0x10, 0x80, 0xff };
	uint8_t content[900];
	struct bytes in = { 0 };
	size_t first;

	make_content(content, sizeof(content), 4);
	add_two(&in, kind, content, 500, sizeof(content), &first);
	for (size_t i = 0; i < in.len * sizeof(masks); i++) {
		size_t at = i / sizeof(masks);
		struct result r;

		in.data[at] ^= masks[i % sizeof(masks)];
		read_memory(in.data, in.len, &r);
		/* What passes is right, or says that something is left. */
		if (r.ret == 0 && at >= kind->magic && !kind->is_unchecked)
			check(r.has_trailing
				      ? is_prefix(&r, content, sizeof(content))
				      : is_content(&r, content,
						   sizeof(content)));
		if (r.ret < 0)
			check(r.err.text[0] != '\0');
		result_cleanup(&r);
		in.data[at] ^= masks[i % sizeof(masks)];
	}
	bytes_cleanup(&in);
}

/* All that comes before the damage is given, whoever reads. */
static void test_order(const struct kind *kind)
{
	static uint8_t content[600000];
	struct bytes in = { 0 };
	struct err first = { 0 };

	if (kind->is_unchecked)
		return;
	make_content(content, sizeof(content), 5);
	for (size_t at = 0; at < sizeof(content); at += 100000)
		kind->add(&in, content + at, 100000);
	in.data[in.len - 20] ^= 0x55;
	for (unsigned threads = 0; threads < 4; threads++) {
		struct result r;

		read_file(in.data, in.len, threads, &r);
		check(r.ret < 0);
		check_u64(r.err.code, ERR_CORRUPT);
		/* reader_read gives nothing of its last call. */
		check(r.content.len >= 400000);
		check(is_prefix(&r, content, sizeof(content)));
		if (threads == 0)
			first = r.err;
		check_str(r.err.text, first.text);
		result_cleanup(&r);
	}
	bytes_cleanup(&in);
}

/* ------------------------------------------------------ behind the data */

static void expect_trailing(const struct kind *kind, const struct bytes *in,
			    size_t offset, const uint8_t *content, size_t len)
{
	for (unsigned threads = 0; threads < 3; threads++) {
		struct result r;

		read_file(in->data, in->len, threads, &r);
		check(r.ret == 0 && is_content(&r, content, len));
		check(r.has_trailing);
		if (r.has_trailing) {
			check_str(r.trailing.format, kind->name);
			check_u64(r.trailing.offset, offset);
			check_u64(r.trailing.len, in->len - offset);
		}
		result_cleanup(&r);
	}
}

static void test_trailing(const struct kind *kind)
{
	uint8_t content[2000];
	struct bytes in = { 0 };
	struct result r;
	size_t end;

	/* A legacy frame takes what follows for a block. */
	if (kind->ends_anywhere)
		return;
	make_content(content, sizeof(content), 6);
	kind->add(&in, content, sizeof(content));
	end = in.len;
	bytes_add(&in, "junk\n", 5);
	expect_trailing(kind, &in, end, content, sizeof(content));
	for (int i = 0; i < 100000; i++)
		bytes_add(&in, "more", 4);
	expect_trailing(kind, &in, end, content, sizeof(content));

	for (size_t zeros = 1; zeros <= 512; zeros += zeros < 9 ? 1 : 503) {
		in.len = end;
		bytes_zeros(&in, zeros);
		if (kind->padding == 0) {
			expect_trailing(kind, &in, end, content,
					sizeof(content));
			continue;
		}
		read_memory(in.data, in.len, &r);
		check((r.ret == 0) == (zeros % kind->padding == 0));
		check(!r.has_trailing);
		if (r.ret < 0)
			check_u64(r.err.code, ERR_CORRUPT);
		result_cleanup(&r);
	}
	if (kind->padding > 0) {
		/* Another one may stand behind padding, and so may junk. */
		in.len = end;
		bytes_zeros(&in, 200000);
		kind->add(&in, content, 1);
		read_memory(in.data, in.len, &r);
		check(r.ret == 0 && r.content.len == sizeof(content) + 1);
		result_cleanup(&r);
		in.len = end;
		bytes_zeros(&in, 8);
		bytes_add(&in, "junk", 4);
		expect_trailing(kind, &in, end + 8, content, sizeof(content));
	}
	bytes_cleanup(&in);
}

/* ------------------------------------------------------------- recognition */

static bool is_plain_yes(const uint8_t *data, size_t len)
{
	(void)data;
	return len > 0;
}

/* What the caller calls plain stays as it is. */
static void test_plain(const struct kind *kind)
{
	const struct input_options options = { .is_plain = is_plain_yes,
					       .threads = 2 };
	struct bytes in = { 0 };
	struct reader *reader;
	struct result r = { 0 };
	FILE *f = tmpfile();

	must(f != NULL);
	kind->add(&in, (const uint8_t *)"content", 7);
	must(fd_write(fileno(f), in.data, in.len, NULL) == 0);
	must(lseek(fileno(f), 0, SEEK_SET) == 0);
	check(reader_open(fileno(f), &options, &reader, NULL) == 0);
	check(reader_is_seekable(reader));
	read_all(reader, &r);
	check(is_content(&r, in.data, in.len));
	reader_destroy(reader);
	result_cleanup(&r);
	bytes_cleanup(&in);
	fclose(f);
}

static void test_unknown(void)
{
	static const struct {
		const char *text;
		size_t len;
		enum err_code code;
	} cases[] = {
		{ "", 0, ERR_NONE },
		{ "\x1f", 1, ERR_NONE },
		{ "plain text", 10, ERR_NONE },
		{ "BZh0", 4, ERR_NONE },
		{ "BZip", 4, ERR_NONE },
		{ "LZIQ", 4, ERR_NONE },
		{ "\x5d\0\0\0\x05", 5, ERR_NONE },
		{ "\x5d\0\0\x80\0\0\0\0\0\x40\0\0\0", 13, ERR_NONE },
		{ "\x1f\x9d\x90", 3, ERR_UNSUPPORTED },
		{ "\x89LZO\0\r\n", 7, ERR_UNSUPPORTED },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct result r;

		read_file(cases[i].text, cases[i].len, 2, &r);
		check((r.ret < 0) == (cases[i].code != ERR_NONE));
		check_u64(r.err.code, cases[i].code);
		if (r.ret == 0)
			check(is_content(&r, (const uint8_t *)cases[i].text,
					 cases[i].len));
		else
			check(strstr(r.err.text, "decompress it first"));
		result_cleanup(&r);
	}
}

/* A format that is not built in is named, with its library. */
static void test_missing(void)
{
	static const struct {
		const char *magic;
		size_t len;
		const char *name;
	} cases[] = {
		{ "\x1f\x8b\x08\0", 4, "gzip" },
		{ "BZh9\x31\x41", 6, "bzip2" },
		{ "\xfd\x37zXZ\0\0\4", 8, "xz" },
		{ "\x5d\0\0\x80\0\xff\xff\xff\xff\xff\xff\xff\xff", 13, "lzma" },
		{ "LZIP\1\x14", 6, "lzip" },
		{ "\x28\xb5\x2f\xfd", 4, "zstd" },
		{ "\x5e\x2a\x4d\x18\1\0\0\0x", 9, "zstd" },
		{ "\x04\x22\x4d\x18", 4, "lz4" },
		{ "\x5e\x2a\x4d\x18\1\0\0\0x\x04\x22\x4d\x18", 13, "lz4" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *command = NULL;
		const char *name = input_compressor(
			(const uint8_t *)cases[i].magic, cases[i].len,
			&command);
		bool is_built_in = false;
		struct result r;

		check(name && strcmp(name, cases[i].name) == 0);
		check(command && strstr(command, " -dc"));
		for (size_t k = 0; kinds[k].name; k++)
			if (strcmp(kinds[k].name, cases[i].name) == 0)
				is_built_in = true;
		read_memory(cases[i].magic, cases[i].len, &r);
		if (!is_built_in) {
			check(r.ret < 0);
			check_u64(r.err.code, ERR_UNSUPPORTED);
			check(strstr(r.err.text, cases[i].name) != NULL);
			check(strstr(r.err.text, "built without lib") ||
			      strstr(r.err.text, "built without zlib"));
		} else if (r.ret < 0) {
			check_u64(r.err.code, ERR_CORRUPT);
		}
		result_cleanup(&r);
	}
}

/* ---------------------------------------------------------------- limits */

static void test_limits(void)
{
	struct bytes in = { 0 };
	struct result r;

#ifdef WITH_ZSTD
	/* A frame with a window of 256 MiB and one raw block. */
	bytes_add(&in, "\x28\xb5\x2f\xfd\x00\x90\x09\0\0x", 10);
	for (unsigned threads = 0; threads < 3; threads++) {
		read_file(in.data, in.len, threads, &r);
		check(r.ret < 0);
		check_u64(r.err.code, ERR_LIMIT);
		check(strstr(r.err.text, "128 MiB") != NULL);
		check(strstr(r.err.text, "--long=31") != NULL);
		result_cleanup(&r);
	}
	/* And 128 MiB, which is what zstd itself takes. */
	in.data[5] = 0x88;
	read_memory(in.data, in.len, &r);
	check(r.ret == 0 && is_content(&r, (const uint8_t *)"x", 1));
	result_cleanup(&r);
	in.len = 0;
#endif
#ifdef WITH_LZMA
	/* A dictionary of 256 MiB, then of 128. */
	add_lzma(&in, (const uint8_t *)"x", 1);
	in.data[1] = in.data[2] = in.data[3] = 0;
	in.data[4] = 0x10;
	read_memory(in.data, in.len, &r);
	check(r.ret < 0);
	check_u64(r.err.code, ERR_LIMIT);
	check(strstr(r.err.text, "xz -dc") != NULL);
	result_cleanup(&r);
	in.data[4] = 0x08;
	read_memory(in.data, in.len, &r);
	check(r.ret == 0 && is_content(&r, (const uint8_t *)"x", 1));
	result_cleanup(&r);
#endif
	bytes_cleanup(&in);
	(void)r;
}

int main(void)
{
	alarm(600); /* a hang is a failure */
	for (size_t i = 0; kinds[i].name; i++) {
		unsigned long failed = check_failed;

		test_members(&kinds[i]);
		test_offset(&kinds[i]);
		test_cuts(&kinds[i]);
		test_flips(&kinds[i]);
		test_order(&kinds[i]);
		test_trailing(&kinds[i]);
		test_plain(&kinds[i]);
		if (check_failed > failed)
			fprintf(stderr, "in %s, kind %zu\n", kinds[i].name, i);
	}
	test_unknown();
	test_missing();
	test_limits();
	return check_report();
}
