/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "io/reader.h"

#include "check.h"
#include "io/fd.h"
#include "util/err.h"

#include <stdlib.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/* Byte i of every input here. */
static uint8_t byte_at(uint64_t i)
{
	return (uint8_t)(i * 131 + (i >> 8) * 17 + (i >> 16));
}

static int is_run(const uint8_t *data, uint64_t at, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (data[i] != byte_at(at + i))
			return 0;
	return 1;
}

static FILE *make_file(uint64_t len)
{
	FILE *f = tmpfile();

	for (uint64_t i = 0; f && i < len; i++)
		putc(byte_at(i), f);
	if (!f || fflush(f) != 0)
		abort();
	rewind(f);
	return f;
}

/* A pipe whose writer gives len bytes in uneven pieces. */
static int make_pipe(uint64_t len, pid_t *child)
{
	int fds[2];

	if (pipe(fds) < 0)
		abort();
	*child = fork();
	if (*child == 0) {
		uint8_t data[5000];
		uint64_t at = 0;

		close(fds[0]);
		while (at < len) {
			size_t n = (size_t)(at % 4999 + 1);

			if (n > len - at)
				n = (size_t)(len - at);
			for (size_t i = 0; i < n; i++)
				data[i] = byte_at(at + i);
			if (write(fds[1], data, n) != (ssize_t)n)
				_exit(1);
			at += n;
		}
		_exit(0);
	}
	close(fds[1]);
	return fds[0];
}

/* Peeks, reads and skips by turns until the end. */
static void walk(struct reader *r, uint64_t base, uint64_t len)
{
	static uint8_t buf[200000];
	uint64_t at = 0, skipped;
	unsigned turn = 1;
	size_t got;

	while (at < len) {
		const uint8_t *data;
		size_t want = turn * 977 % READER_PEEK_MAX + 1;
		uint64_t left = len - at;

		check(reader_peek(r, want, &data, &got, NULL) == 0);
		check_u64(got, left < want ? left : want);
		check(is_run(data, base + at, got));
		check_u64(reader_offset(r), at);

		want = turn * 31337 % sizeof(buf);
		check(reader_read(r, buf, want, &got, NULL) == 0);
		check_u64(got, left < want ? left : want);
		check(is_run(buf, base + at, got));
		at += got;
		left = len - at;

		want = turn % 5 ? turn * 13 % 700 : turn * 4001 % 300000;
		check(reader_skip(r, want, &skipped, NULL) == 0);
		check_u64(skipped, left < want ? left : want);
		at += skipped;
		turn++;
	}
	check(reader_read(r, buf, 1, &got, NULL) == 0 && got == 0);
	check(reader_skip(r, 1, &skipped, NULL) == 0 && skipped == 0);
	check_u64(reader_offset(r), len);
}

static void test_file(uint64_t len, uint64_t base)
{
	FILE *f = make_file(len);
	uint8_t buf[1000];
	struct reader *r;
	struct err err;

	lseek(fileno(f), (off_t)base, SEEK_SET);
	check(reader_create(fileno(f), &r, &err) == 0);
	check(reader_is_seekable(r));
	check_u64(reader_size(r), len - base);
	walk(r, base, len - base);
	if (len - base >= 1000) {
		check(reader_read_at(r, len - base - 1000, buf, 1000, &err) ==
		      0);
		check(is_run(buf, len - 1000, 1000));
		check(reader_read_at(r, len - base - 999, buf, 1000, &err) ==
		      -1);
		check_u64(err.code, ERR_CORRUPT);

		struct iovec iov[] = { { buf + 400, 600 }, { buf, 400 } };

		check(reader_readv_at(r, len - base - 1000, iov, 2, &err) ==
		      0);
		check(is_run(buf + 400, len - 1000, 600) &&
		      is_run(buf, len - 400, 400));
		iov[0] = (struct iovec){ buf, 600 };
		iov[1] = (struct iovec){ buf + 600, 400 };
		check(reader_readv_at(r, len - base - 999, iov, 2, &err) ==
		      -1);
		check_u64(err.code, ERR_CORRUPT);
	}
	reader_destroy(r);
	fclose(f);
}

static void test_pipe(uint64_t len)
{
	struct reader *r;
	struct err err;
	int status;
	pid_t child;
	int fd = make_pipe(len, &child);

	check(reader_create(fd, &r, &err) == 0);
	check(!reader_is_seekable(r));
	check_u64(reader_size(r), 0);
	walk(r, 0, len);
	reader_destroy(r);
	close(fd);
	check(waitpid(child, &status, 0) == child && status == 0);
}

static void test_failures(void)
{
	struct reader *r;
	struct err err;
	const uint8_t *data;
	size_t got;
	int fds[2];

	check(reader_create(-1, &r, &err) == -1);
	check_u64(err.code, ERR_IO);
	check(pipe(fds) == 0);
	check(reader_create(fds[1], &r, &err) == 0); /* the end for writing */
	check(reader_peek(r, 1, &data, &got, &err) == -1);
	check_u64(err.code, ERR_IO);
	check(err.sys != 0);
	reader_destroy(r);
	close(fds[0]);
	close(fds[1]);
	check(fd_write_at(-1, 0, "x", 1, &err) == -1);
	check_u64(err.code, ERR_WRITE);
	reader_destroy(NULL);
}

static void test_writev(void)
{
	FILE *f = tmpfile();
	uint8_t data[300], back[300];
	struct iovec iov[3];
	struct err err;
	size_t got;

	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = byte_at(i);
	iov[0] = (struct iovec){ data, 100 };
	iov[1] = (struct iovec){ data + 100, 0 };
	iov[2] = (struct iovec){ data + 100, 200 };
	check(fd_writev_at(fileno(f), 7, iov, 3, &err) == 0);
	check(fd_read_at(fileno(f), 7, back, 300, &got, &err) == 0);
	check_u64(got, 300);
	check_mem(back, data, 300);
	fclose(f);
}

int main(void)
{
	const uint64_t lens[] = { 0, 1, 511, 512, 4096, 131071, 131072,
				  131073, 3000000 };

	for (size_t i = 0; i < sizeof(lens) / sizeof(*lens); i++) {
		test_file(lens[i], 0);
		test_file(lens[i], lens[i] / 3);
		test_pipe(lens[i]);
	}
	test_failures();
	test_writev();
	return check_report();
}
