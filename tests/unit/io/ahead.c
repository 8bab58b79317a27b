/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

/*
 * Decompressing by threads: it goes on while the main thread does nothing of
 * it, which the time that each thread spent tells; it ends when it is to; and
 * zstd frames of all kinds come in their order.
 */
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "compress.h"
#include "io/fd.h"
#include "io/input.h"
#include "io/reader.h"
#include "util/err.h"

static int scratch_file(const struct bytes *in, FILE **f)
{
	*f = tmpfile();
	must(*f != NULL);
	must(fd_write(fileno(*f), in->data, in->len, NULL) == 0);
	must(lseek(fileno(*f), 0, SEEK_SET) == 0);
	return fileno(*f);
}

#if defined(WITH_PTHREAD) && \
	(defined(WITH_ZLIB) || defined(WITH_LZMA) || defined(WITH_ZSTD))

#ifdef WITH_LZMA
#define add_some add_xz
#elif defined(WITH_ZLIB)
#define add_some add_gzip
#else
#define add_some add_zstd
#endif

#define CONTENT_LEN ((size_t)4 << 20)

/* Nanoseconds of processor time. */
static uint64_t spent(clockid_t clock)
{
	struct timespec t;

	must(clock_gettime(clock, &t) == 0);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t spent_by_others(void)
{
	return spent(CLOCK_PROCESS_CPUTIME_ID) -
	       spent(CLOCK_THREAD_CPUTIME_ID);
}

static uint8_t *make_content(void)
{
	uint8_t *content = malloc(CONTENT_LEN);
	uint32_t seed = 1;

	must(content != NULL);
	for (size_t i = 0; i < CONTENT_LEN; i++) {
		seed = seed * 1664525 + 1013904223;
		content[i] = (uint8_t)(seed >> 27);
	}
	return content;
}

static void test_overlap(void)
{
	const struct input_options options = { .threads = 1 };
	const struct timespec pause = { .tv_nsec = 1000000 };
	uint8_t *content = make_content(), *out = malloc(CONTENT_LEN + 1);
	struct bytes in = { 0 };
	struct reader *reader;
	uint64_t main_before, others_before, ahead;
	size_t got;
	FILE *f;

	must(out != NULL);
	add_some(&in, content, CONTENT_LEN);
	main_before = spent(CLOCK_THREAD_CPUTIME_ID);
	others_before = spent_by_others();
	check(reader_open(scratch_file(&in, &f), &options, &reader, NULL) == 0);

	/* Nobody has read yet: the thread works all the same, and then rests
	 * with its buffers full. */
	ahead = 0;
	for (int i = 0; i < 20000 && ahead < 1000000; i++) {
		nanosleep(&pause, NULL);
		ahead = spent_by_others() - others_before;
	}
	check(ahead >= 1000000);

	check(reader_read(reader, out, CONTENT_LEN + 1, &got, NULL) == 0);
	check_u64(got, CONTENT_LEN);
	check_mem(out, content, CONTENT_LEN);

	uint64_t by_main = spent(CLOCK_THREAD_CPUTIME_ID) - main_before;
	uint64_t by_others = spent_by_others() - others_before;

	printf("main thread %" PRIu64 " us, others %" PRIu64 " us\n",
	       by_main / 1000, by_others / 1000);
	check(by_main < by_others);
	reader_destroy(reader);
	fclose(f);
	bytes_cleanup(&in);
	free(content);
	free(out);
}

/* A thread that waits for a pipe, or for room, ends when it is to. */
static void test_stop(void)
{
	const struct input_options options = { .threads = 1 };
	uint8_t *content = make_content(), buf[100];
	struct bytes in = { 0 };
	struct reader *reader;
	size_t got;
	int fds[2];
	FILE *f;

	add_some(&in, content, 60000);
	for (int i = 0; i < 2; i++) {
		must(pipe(fds) == 0);
		must(fd_write(fds[1], in.data, i ? in.len : in.len / 2, NULL) ==
		     0);
		check(reader_open(fds[0], &options, &reader, NULL) == 0);
		if (i)
			check(reader_read(reader, buf, sizeof(buf), &got,
					  NULL) == 0 &&
			      got == sizeof(buf));
		reader_destroy(reader);
		close(fds[0]);
		close(fds[1]);
	}

	in.len = 0;
	add_some(&in, content, CONTENT_LEN);
	for (unsigned threads = 1; threads < 5; threads++) {
		struct input_options many = { .threads = threads };

		check(reader_open(scratch_file(&in, &f), &many, &reader,
				  NULL) == 0);
		if (threads & 1)
			check(reader_read(reader, buf, sizeof(buf), &got,
					  NULL) == 0);
		reader_destroy(reader);
		fclose(f);
	}
	bytes_cleanup(&in);
	free(content);
}

#else

static void test_overlap(void)
{
}

static void test_stop(void)
{
}

#endif

#ifdef WITH_ZSTD

/* Frames of the kinds that come, one behind the other. */
static void add_frames(struct bytes *in, struct bytes *content)
{
	static const size_t lens[] = {
		100000, 0, 1, 300000, 17 << 20, 70000, 128 << 10, 200000,
		5000,	0, 0, 900000, 400000,	3,     250000,	  1 << 20,
	};
	uint32_t seed = 7;

	for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		uint8_t *data = bytes_room(content, lens[i]);

		for (size_t k = 0; k < lens[i]; k++) {
			seed = seed * 1664525 + 1013904223;
			data[k] = (uint8_t)(lens[i] > 1 << 20 ? k >> 9
							      : seed >> 28);
		}
		content->len += lens[i];
		if (i % 3 == 2)
			add_skippable(in, i * 11);
		if (i % 4 == 3)
			add_zstd_unsized(in, data, lens[i]);
		else
			add_zstd(in, data, lens[i]);
	}
	add_skippable(in, 5);
}

static void read_frames(const struct bytes *in, unsigned threads,
			uint64_t memory, struct bytes *out, int *ret,
			struct err *err)
{
	const struct input_options options = { .threads = threads,
					       .memory = memory };
	struct reader *reader;
	size_t got;
	FILE *f;

	*err = (struct err){ 0 };
	out->len = 0;
	must(reader_open(scratch_file(in, &f), &options, &reader, err) == 0);
	do {
		*ret = reader_read_some(reader, bytes_room(out, 100000), 100000,
					&got, err);
		if (*ret == 0)
			out->len += got;
	} while (*ret == 0 && got > 0);
	reader_destroy(reader);
	fclose(f);
}

static void test_frames(void)
{
	static const unsigned counts[] = { 1, 2, 3, 9, 1000 };
	struct bytes in = { 0 }, content = { 0 }, out = { 0 };
	struct err err, first;
	int ret;

	add_frames(&in, &content);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		for (uint64_t memory = 0; memory <= 100 << 20;
		     memory += 50 << 20) {
			read_frames(&in, counts[i], memory, &out, &ret, &err);
			check(ret == 0);
			check_u64(out.len, content.len);
			if (out.len == content.len)
				check_mem(out.data, content.data, out.len);
		}

	/* Cut or damaged anywhere: as much is given, and the same is said. */
	for (size_t at = 1; at < 40; at++) {
		struct bytes bad = { 0 }, some = { 0 };
		size_t here = in.len / 40 * at + at;

		bytes_add(&bad, in.data, at & 1 ? in.len : here);
		if (at & 1)
			bad.data[here] ^= 0x20;
		read_frames(&bad, 0, 0, &some, &ret, &first);
		int want = ret;

		read_frames(&bad, 3, 0, &out, &ret, &err);
		check(ret == want);
		check_str(err.text, first.text);
		check(out.len <= content.len);
		check(want < 0 || out.len == some.len);
		check_mem(out.data, some.data,
			  out.len < some.len ? out.len : some.len);
		bytes_cleanup(&bad);
		bytes_cleanup(&some);
	}
	bytes_cleanup(&in);
	bytes_cleanup(&content);
	bytes_cleanup(&out);
}

#else

static void test_frames(void)
{
}

#endif

int main(void)
{
	FILE *f;

	alarm(600); /* a hang is a failure */
	test_overlap();
	test_stop();
	test_frames();

	/* What is not compressed needs no thread. */
	struct bytes in = { 0 };
	const struct input_options options = { .threads = 8 };
	struct reader *reader;

	bytes_add(&in, "plain", 5);
	check(reader_open(scratch_file(&in, &f), &options, &reader, NULL) == 0);
	check(reader_is_seekable(reader));
	reader_destroy(reader);
	fclose(f);
	bytes_cleanup(&in);
	return check_report();
}
