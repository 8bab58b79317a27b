/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "io/writer.h"

/*
 * What is written comes back by the reader, in the same bytes for any number
 * of threads; what fails fails with the right word.
 */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "io/input.h"
#include "io/reader.h"
#include "util/err.h"

static const struct kind {
	const char *name;
	enum writer_codec codec;
	bool is_there;
	int level_min, level_max;
	size_t part_len; /* of members at the least level */
	bool is_slow;
} kinds[] = {
#if defined(WITH_ZLIB) || defined(WITH_LIBDEFLATE)
	{ "gzip", WRITER_GZIP, true, 1, 9, 1 << 20, false },
#else
	{ "gzip", WRITER_GZIP, false, 1, 9, 0, false },
#endif
#ifdef WITH_BZIP2
	{ "bzip2", WRITER_BZIP2, true, 1, 9, 99000, false },
#else
	{ "bzip2", WRITER_BZIP2, false, 1, 9, 0, false },
#endif
#ifdef WITH_LZ4
	{ "lz4", WRITER_LZ4, true, 1, 12, 1 << 20, false },
#else
	{ "lz4", WRITER_LZ4, false, 1, 12, 0, false },
#endif
#ifdef WITH_ZSTD
	{ "zstd", WRITER_ZSTD, true, 1, 22, 4 << 20, false },
#else
	{ "zstd", WRITER_ZSTD, false, 1, 22, 0, false },
#endif
#ifdef WITH_LZMA
	{ "xz", WRITER_XZ, true, 0, 9, 1 << 20, true },
#else
	{ "xz", WRITER_XZ, false, 0, 9, 0, true },
#endif
};

#define KIND_COUNT (sizeof(kinds) / sizeof(*kinds))

#define CONTENT_LEN ((size_t)9 << 20)

static uint8_t *content; /* CONTENT_LEN bytes: text, noise and zeros by turns */

static void make_content(void)
{
	uint32_t x = 1;

	content = malloc(CONTENT_LEN);
	if (!content)
		abort();
	for (size_t i = 0; i < CONTENT_LEN; i++) {
		unsigned turn = (unsigned)(i >> 15) % 8;

		x = x * 1664525 + 1013904223;
		content[i] = turn == 0	 ? (uint8_t)(x >> 24)
			     : turn <= 3 ? (uint8_t)("the words "[x >> 29])
			     : turn == 4 ? (uint8_t)i
					 : 0;
	}
}

static int temp_file(void)
{
	char name[] = "/tmp/writerXXXXXX";
	int fd = mkstemp(name);

	if (fd < 0)
		abort();
	unlink(name);
	return fd;
}

static uint8_t *load(int fd, size_t *len)
{
	off_t end = lseek(fd, 0, SEEK_END);
	uint8_t *data = malloc((size_t)end + 1);

	if (!data || pread(fd, data, (size_t)end, 0) != (ssize_t)end)
		abort();
	*len = (size_t)end;
	return data;
}

/* Writes len bytes of the content in pieces of every length. */
static int put_pieces(struct writer *writer, int copy_fd, size_t len,
		      struct err *err)
{
	static const size_t lens[] = { 512,   1,     512,   100000, 16383,
				       16384, 65536, 65535, 3,	    700000,
				       0,     40000, 4096,  32768 };
	size_t at = 0;

	for (unsigned i = 0; at < len; i++) {
		size_t n = lens[i % 14];
		int ret;

		if (n > len - at)
			n = len - at;
		if (i % 3 == 2 && copy_fd >= 0)
			ret = writer_copy(writer, copy_fd, at, n, err);
		else
			ret = writer_write(writer, content + at, n, err);
		if (ret < 0)
			return -1;
		at += n;
	}
	return 0;
}

static int write_to(int fd, const struct writer_options *options, int copy_fd,
		    size_t len, struct err *err)
{
	struct writer *writer;
	int ret;

	check(writer_create(fd, options, &writer, err) == 0);
	ret = put_pieces(writer, copy_fd, len, err);
	if (ret == 0)
		ret = writer_finish(writer, err);
	writer_destroy(writer);
	return ret;
}

/* Reads it back whatever it is compressed with. */
static void read_back(int fd, size_t len, bool is_plain)
{
	struct input_options options = { .threads = 0 };
	uint8_t *data = malloc(len + 1);
	struct err err = { 0 };
	struct reader *reader;
	size_t got = 0;

	if (!data)
		abort();
	check(lseek(fd, 0, SEEK_SET) == 0);
	if (is_plain)
		check(reader_create(fd, &reader, &err) == 0);
	else
		check(reader_open(fd, &options, &reader, &err) == 0);
	check(reader_read(reader, data, len + 1, &got, &err) == 0);
	if (err.code != ERR_NONE)
		fprintf(stderr, "%s\n", err.text);
	check_u64(got, len);
	if (got == len)
		check_mem(data, content, len);
	check(reader_is_decompressed(reader) == !is_plain);
	reader_destroy(reader);
	free(data);
}

static void test_names(void)
{
	for (size_t i = 0; i < KIND_COUNT; i++) {
		enum writer_codec codec = WRITER_PLAIN;

		check(writer_codec_by_name(kinds[i].name, &codec) == 0);
		check_u64(codec, kinds[i].codec);
	}

	enum writer_codec codec = WRITER_LZ4;

	check(writer_codec_by_name("none", &codec) == 1);
	check(writer_codec_by_name("", &codec) == 1);
	check(writer_codec_by_name("gzip ", &codec) == 1);
	check_u64(codec, WRITER_LZ4);
}

static void test_levels(const struct kind *kind)
{
	const int32_t bad[] = { kind->level_min - 1, kind->level_max + 1,
				INT32_MAX, INT32_MIN + 1 };
	struct writer_options options = { .codec = kind->codec };
	struct writer *writer = NULL;
	struct err err = { 0 };

	if (!kind->is_there) {
		options.level = WRITER_LEVEL_DEFAULT;
		check(writer_create(1, &options, &writer, &err) == -1);
		check_u64(err.code, ERR_UNSUPPORTED);
		check(strstr(err.text, kind->name) != NULL);
		return;
	}
	for (unsigned i = 0; i < 4; i++) {
		err.code = ERR_NONE;
		options.level = bad[i];
		check(writer_create(1, &options, &writer, &err) == -1);
		check_u64(err.code, ERR_USAGE);
		check(strstr(err.text, kind->name) != NULL);
	}
	check(writer == NULL);
}

/* The same bytes for any number of threads, and they are the content. */
static void test_threads(const struct kind *kind, size_t len, int copy_fd,
			 unsigned count)
{
	static const unsigned threads[] = { 0, 2, 1, 8, 8 };
	struct writer_options options = { .codec = kind->codec,
					  .level = kind->level_min };
	uint8_t *first = NULL;
	size_t first_len = 0;

	for (unsigned i = 0; i < count; i++) {
		int fd = temp_file();
		struct err err = { 0 };
		uint8_t *data;
		size_t data_len;

		options.threads = threads[i];
		/* Little memory is fewer threads and no other bytes. */
		options.memory = i == 4 ? 1 : 0;
		check(write_to(fd, &options, i & 1 ? copy_fd : -1, len, &err) ==
		      0);
		data = load(fd, &data_len);
		if (i == 0) {
			read_back(fd, len, false);
			first = data;
			first_len = data_len;
		} else {
			check_u64(data_len, first_len);
			if (data_len == first_len)
				check_mem(data, first, data_len);
			free(data);
		}
		close(fd);
	}
	free(first);
}

static void test_codec(const struct kind *kind, int copy_fd)
{
	const size_t part = kind->part_len;
	const size_t lens[] = { 0, 1, part - 1, part, 2 * part, part + 1 };
	struct writer_options options = { .codec = kind->codec,
					  .level = WRITER_LEVEL_DEFAULT,
					  .threads = 2 };
	struct err err = { 0 };
	int fd;

	/* All counts of threads where there is some work, and an odd rest. */
	for (unsigned i = 0; i < 6; i++)
		if (!kind->is_slow || i != 2)
			test_threads(kind, lens[i], copy_fd,
				     i == 5	     ? 5
				     : kind->is_slow ? 1
						     : 2);
	fd = temp_file();
	check(write_to(fd, &options, copy_fd, 300000, &err) == 0);
	read_back(fd, 300000, false);
	close(fd);
}

/* Plain output: to a file, one that is only appended to, and to pipes that
 * fill up, one of which does not wait. */
static void test_plain(int copy_fd)
{
	struct writer_options options = { .codec = WRITER_PLAIN,
					  .level = WRITER_LEVEL_DEFAULT };

	for (unsigned i = 0; i < 8; i++) {
		int fd = temp_file();
		struct err err = { 0 };

		if (i & 1)
			check(fcntl(fd, F_SETFL, O_APPEND) == 0);
		check(write_to(fd, &options, i & 2 ? copy_fd : -1,
			       i & 4 ? CONTENT_LEN : 70001, &err) == 0);
		read_back(fd, i & 4 ? CONTENT_LEN : 70001, true);
		close(fd);
	}
}

/* Reads a pipe slowly at first, into a file. */
static pid_t start_reader(int pipes[2], int fd)
{
	pid_t pid = fork();
	static uint8_t buf[1 << 16];
	ssize_t n;

	if (pid != 0)
		return pid;
	close(pipes[1]);
	for (unsigned i = 0; (n = read(pipes[0], buf, sizeof(buf))) > 0; i++) {
		if (write(fd, buf, (size_t)n) != n)
			_exit(1);
		if (i < 10)
			usleep(1000);
	}
	_exit(n < 0);
}

static void test_pipe(int copy_fd, bool waits)
{
	struct writer_options options = { .codec = WRITER_PLAIN,
					  .level = WRITER_LEVEL_DEFAULT };
	struct err err = { 0 };
	int pipes[2], fd = temp_file(), status = -1;
	pid_t pid;

	check(pipe(pipes) == 0);
	fflush(NULL);
	pid = start_reader(pipes, fd);
	check(pid > 0);
	close(pipes[0]);
	if (!waits)
		check(fcntl(pipes[1], F_SETFL, O_NONBLOCK) == 0);
	check(write_to(pipes[1], &options, copy_fd, 2000000, &err) == 0);
	close(pipes[1]);
	check(waitpid(pid, &status, 0) == pid && status == 0);
	read_back(fd, 2000000, true);
	close(fd);
}

static void test_zeros(void)
{
	struct writer_options options = { .codec = WRITER_PLAIN,
					  .level = WRITER_LEVEL_DEFAULT };
	struct err err = { 0 };
	struct writer *writer;
	size_t len, wrong = 0;
	int fd = temp_file();
	uint8_t *data;

	check(writer_create(fd, &options, &writer, &err) == 0);
	check(writer_write(writer, "a", 1, &err) == 0);
	check(writer_zeros(writer, 0, &err) == 0);
	check(writer_zeros(writer, 200000, &err) == 0);
	check(writer_write(writer, "b", 1, &err) == 0);
	check(writer_finish(writer, &err) == 0);
	writer_destroy(writer);
	data = load(fd, &len);
	check_u64(len, 200002);
	check(data[0] == 'a' && data[len - 1] == 'b');
	for (size_t i = 1; i < len - 1; i++)
		wrong += data[i] != 0;
	check_u64(wrong, 0);
	free(data);
	close(fd);
}

/* A file that ends early, and one that cannot be read. */
static void test_bad_input(const struct kind *kind, int copy_fd)
{
	struct writer_options options = { .level = WRITER_LEVEL_DEFAULT };
	int write_only = open("/dev/null", O_WRONLY);

	options.codec = kind ? kind->codec : WRITER_PLAIN;
	for (unsigned i = 0; i < 4; i++) {
		int fd = temp_file();
		struct writer *writer;
		struct err err = { 0 };
		size_t len = i & 1 ? 100 : 100000;

		check(writer_create(fd, &options, &writer, &err) == 0);
		if (i & 2) {
			check(writer_copy(writer, copy_fd,
					  CONTENT_LEN - len / 2, len,
					  &err) == -1);
			check_u64(err.code, ERR_CORRUPT);
		} else {
			check(writer_copy(writer, write_only, 0, len, &err) ==
			      -1);
			check_u64(err.code, ERR_IO);
			check_u64((uint64_t)err.sys, EBADF);
		}
		/* There is no going on after that. */
		err.code = ERR_NONE;
		check(writer_write(writer, "a", 1, &err) == -1);
		check(err.code == ERR_CORRUPT || err.code == ERR_IO);
		check(writer_finish(writer, &err) == -1);
		writer_destroy(writer);
		close(fd);
	}
	close(write_only);
}

/* Closes it without having written all, with workers at it. */
static void test_given_up(const struct kind *kind)
{
	struct writer_options options = { .codec = kind->codec,
					  .level = kind->level_min,
					  .threads = 2 };

	for (unsigned i = 0; i < 3; i++) {
		struct err err = { 0 };
		struct writer *writer;
		int fd = temp_file();

		check(writer_create(fd, &options, &writer, &err) == 0);
		check(writer_write(writer, content, i * kind->part_len, &err) ==
		      0);
		writer_destroy(writer);
		close(fd);
	}
	writer_destroy(NULL);
}

static void test_bad_output(const struct kind *kind, int copy_fd)
{
	struct writer_options options = {
		.codec = kind ? kind->codec : WRITER_PLAIN,
		.level = kind ? kind->level_min : WRITER_LEVEL_DEFAULT,
		.threads = 2,
	};

	for (unsigned i = 0; i < 4; i++) {
		struct err err = { 0 };
		/* What is gathered fails at the end. */
		size_t len = i & 1		     ? 10
			     : kind && kind->is_slow ? 200000
						     : 1500000;
		int pipes[2], fd = open("/dev/full", O_WRONLY);

		if (fd >= 0) {
			check(write_to(fd, &options, i & 2 ? copy_fd : -1, len,
				       &err) == -1);
			check_u64(err.code, ERR_WRITE);
			check_u64((uint64_t)err.sys, ENOSPC);
			close(fd);
		}
		check(pipe(pipes) == 0);
		close(pipes[0]);
		check(write_to(pipes[1], &options, i & 2 ? copy_fd : -1, len,
			       &err) == -1);
		check_u64(err.code, ERR_WRITE);
		check_u64((uint64_t)err.sys, EPIPE);
		close(pipes[1]);
	}
}

int main(void)
{
	int copy_fd;

	signal(SIGPIPE, SIG_IGN);
	make_content();
	copy_fd = temp_file();
	if (write(copy_fd, content, CONTENT_LEN) != (ssize_t)CONTENT_LEN)
		abort();
	test_names();
	test_plain(copy_fd);
	test_pipe(-1, true);
	test_pipe(copy_fd, true);
	test_pipe(-1, false);
	test_pipe(copy_fd, false);
	test_zeros();
	test_bad_input(NULL, copy_fd);
	test_bad_output(NULL, copy_fd);
	for (size_t i = 0; i < KIND_COUNT; i++) {
		test_levels(&kinds[i]);
		if (!kinds[i].is_there)
			continue;
		test_codec(&kinds[i], copy_fd);
		test_bad_input(&kinds[i], copy_fd);
		test_bad_output(&kinds[i], copy_fd);
		test_given_up(&kinds[i]);
	}
	close(copy_fd);
	free(content);
	return check_report();
}
