/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The least that packing can cost: threads that each take the next block of a
 * file, read it, run the codec and write the result behind that of the others.
 * No headers, no duplicates, no order, no tables. What our tools take beyond
 * this is what the rest of them costs.
 *
 *	bare [-j THREADS] [-c CODEC] [-l LEVEL] [-b BYTES] [-L LIST]
 *	     INPUT OUTPUT
 *
 * CODEC is lz4, lz4hc, zstd, xz, gzip (libdeflate), zlib or none. LIST names
 * the blocks, a line each: offset and length in INPUT; blocks.py makes one from
 * an image that holds its blocks as they are. Prints one line: wall, user and
 * system seconds, bytes in, bytes out.
 */
#include "config.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#ifdef WITH_LZ4
#include <lz4.h>
#include <lz4hc.h>
#endif
#ifdef WITH_ZSTD
#include <zstd.h>
#endif
#ifdef WITH_LZMA
#include <lzma.h>
#endif
#ifdef WITH_LIBDEFLATE
#include <libdeflate.h>
#endif
#ifdef WITH_ZLIB
#include <zlib.h>
#endif

#define THREADS_MAX 256

/* A block of the input. */
struct part {
	uint64_t at;
	size_t len;
};

struct work {
	int in, out;
	const char *codec;
	int level;
	size_t block;
	struct part *parts;	 /* part_count of them, or NULL: all of block */
	size_t part_count;
	_Atomic uint64_t next;	 /* index of the next block to read */
	_Atomic uint64_t stored; /* bytes that have a place in the output */
	_Atomic uint64_t read;
	_Atomic bool failed;
};

/* The states of the libraries, of one thread. */
struct state {
#ifdef WITH_LZ4
	void *lz4;
#endif
#ifdef WITH_ZSTD
	ZSTD_CCtx *zstd;
#endif
#ifdef WITH_LIBDEFLATE
	struct libdeflate_compressor *deflate;
#endif
#ifdef WITH_ZLIB
	z_stream zlib;
	bool zlib_ready;
#endif
	int unused;
};

static bool is(const struct work *w, const char *name)
{
	return strcmp(w->codec, name) == 0;
}

static bool state_init(struct state *s, const struct work *w)
{
	bool ok = is(w, "none");

	memset(s, 0, sizeof(*s));
#ifdef WITH_LZ4
	if (is(w, "lz4") || is(w, "lz4hc")) {
		int len = is(w, "lz4") ? LZ4_sizeofState()
				       : LZ4_sizeofStateHC();

		ok = (s->lz4 = malloc((size_t)len)) != NULL;
	}
#endif
#ifdef WITH_ZSTD
	if (is(w, "zstd"))
		ok = (s->zstd = ZSTD_createCCtx()) != NULL;
#endif
#ifdef WITH_LIBDEFLATE
	if (is(w, "gzip"))
		ok = (s->deflate = libdeflate_alloc_compressor(w->level)) !=
		     NULL;
#endif
#ifdef WITH_ZLIB
	if (is(w, "zlib"))
		ok = s->zlib_ready = deflateInit(&s->zlib, w->level) == Z_OK;
#endif
#ifdef WITH_LZMA
	if (is(w, "xz"))
		ok = true;
#endif
	return ok;
}

static void state_cleanup(struct state *s)
{
#ifdef WITH_LZ4
	free(s->lz4);
#endif
#ifdef WITH_ZSTD
	ZSTD_freeCCtx(s->zstd);
#endif
#ifdef WITH_LIBDEFLATE
	libdeflate_free_compressor(s->deflate);
#endif
#ifdef WITH_ZLIB
	if (s->zlib_ready)
		deflateEnd(&s->zlib);
#endif
}

#ifdef WITH_LZMA
static size_t xz_block(int level, const uint8_t *in, size_t len, uint8_t *out,
		       size_t cap)
{
	lzma_options_lzma options;
	lzma_filter filters[2] = { { LZMA_FILTER_LZMA2, &options },
				   { LZMA_VLI_UNKNOWN, NULL } };
	size_t used = 0;

	if (lzma_lzma_preset(&options, (uint32_t)level))
		return 0;
	options.dict_size = len < LZMA_DICT_SIZE_MIN ? LZMA_DICT_SIZE_MIN
						     : (uint32_t)len;
	if (lzma_stream_buffer_encode(filters, LZMA_CHECK_CRC32, NULL, in, len,
				      out, &used, cap) != LZMA_OK)
		return 0;
	return used;
}
#endif

#ifdef WITH_ZLIB
static size_t zlib_block(z_stream *z, const uint8_t *in, size_t len,
			 uint8_t *out, size_t cap)
{
	deflateReset(z);
	z->next_in = (Bytef *)(uintptr_t)in;
	z->avail_in = (uInt)len;
	z->next_out = out;
	z->avail_out = (uInt)cap;
	return deflate(z, Z_FINISH) == Z_STREAM_END ? z->total_out : 0;
}
#endif

/* Bytes of the compressed block; 0 if it did not become smaller. */
static size_t compress_block(struct state *s, const struct work *w,
			     const uint8_t *in, size_t len, uint8_t *out,
			     size_t cap)
{
	size_t n = 0;

#ifdef WITH_LZ4
	if (is(w, "lz4"))
		n = (size_t)LZ4_compress_fast_extState(
			s->lz4, (const char *)in, (char *)out, (int)len,
			(int)cap, 1);
	else if (is(w, "lz4hc"))
		n = (size_t)LZ4_compress_HC_extStateHC(
			s->lz4, (const char *)in, (char *)out, (int)len,
			(int)cap, w->level);
#endif
#ifdef WITH_ZSTD
	if (is(w, "zstd"))
		n = ZSTD_compressCCtx(s->zstd, out, cap, in, len, w->level);
#endif
#ifdef WITH_LZMA
	if (is(w, "xz"))
		n = xz_block(w->level, in, len, out, cap);
#endif
#ifdef WITH_LIBDEFLATE
	if (is(w, "gzip"))
		n = libdeflate_zlib_compress(s->deflate, in, len, out, cap);
#endif
#ifdef WITH_ZLIB
	if (is(w, "zlib"))
		n = zlib_block(&s->zlib, in, len, out, cap);
#endif
	return n < len ? n : 0;
}

/* The next block; false if there is none. */
static bool take(struct work *w, struct part *out)
{
	uint64_t n = atomic_fetch_add(&w->next, 1);

	if (w->parts) {
		if (n < w->part_count)
			*out = w->parts[n];
		return n < w->part_count;
	}
	*out = (struct part){ n * w->block, w->block };
	return true;
}

static bool load_list(struct work *w, const char *path)
{
	FILE *f = fopen(path, "r");
	unsigned long long at, len;

	while (f && fscanf(f, "%llu %llu", &at, &len) == 2) {
		if (w->part_count % 1024 == 0)
			w->parts = realloc(w->parts, (w->part_count + 1024) *
							     sizeof(*w->parts));
		if (!w->parts || len > w->block)
			return false;
		w->parts[w->part_count++] = (struct part){ at, (size_t)len };
	}
	return f && fclose(f) == 0 && w->part_count > 0;
}

static void *run(void *arg)
{
	struct work *w = arg;
	size_t cap = w->block + w->block / 16 + 1024;
	uint8_t *in = malloc(w->block), *out = malloc(cap);
	struct state s;
	bool ok = state_init(&s, w) && in && out;

	struct part part;

	while (ok && !w->failed && take(w, &part)) {
		ssize_t got = pread(w->in, in, part.len, (off_t)part.at);

		if (got <= 0) {
			ok = got == 0;
			break;
		}
		w->read += (uint64_t)got;

		size_t n = compress_block(&s, w, in, (size_t)got, out, cap);
		const uint8_t *from = n ? out : in;

		n = n ? n : (size_t)got;
		uint64_t at = atomic_fetch_add(&w->stored, n);

		ok = pwrite(w->out, from, n, (off_t)at) == (ssize_t)n;
	}
	if (!ok)
		w->failed = true;
	state_cleanup(&s);
	free(in);
	free(out);
	return NULL;
}

static double seconds(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

static int report(struct work *w, const struct timespec *begin)
{
	struct timespec end;
	struct rusage use;

	clock_gettime(CLOCK_MONOTONIC, &end);
	getrusage(RUSAGE_SELF, &use);
	if (w->failed) {
		fprintf(stderr, "bare: a thread failed, or no codec %s\n",
			w->codec);
		return 1;
	}
	printf("wall %.3f user %.3f sys %.3f in %llu out %llu\n",
	       (double)(end.tv_sec - begin->tv_sec) +
		       (double)(end.tv_nsec - begin->tv_nsec) / 1e9,
	       seconds(&use.ru_utime), seconds(&use.ru_stime),
	       (unsigned long long)w->read, (unsigned long long)w->stored);
	return 0;
}

int main(int argc, char **argv)
{
	struct work w = { .codec = "lz4", .level = -1, .block = 131072 };
	pthread_t threads[THREADS_MAX];
	struct timespec begin;
	const char *list = NULL;
	int jobs = 2, opt, i;

	while ((opt = getopt(argc, argv, "j:c:l:b:L:")) != -1) {
		if (opt == 'j')
			jobs = atoi(optarg);
		else if (opt == 'c')
			w.codec = optarg;
		else if (opt == 'l')
			w.level = atoi(optarg);
		else if (opt == 'b')
			w.block = (size_t)atol(optarg);
		else if (opt == 'L')
			list = optarg;
		else
			return 2;
	}
	if (argc - optind != 2 || jobs < 1 || jobs > THREADS_MAX || !w.block) {
		fputs("usage: bare [-j THREADS] [-c CODEC] [-l LEVEL] "
		      "[-b BYTES] [-L LIST] INPUT OUTPUT\n", stderr);
		return 2;
	}
	if (list && !load_list(&w, list)) {
		fprintf(stderr, "bare: %s: no list of blocks\n", list);
		return 1;
	}
	if (w.level == -1)
		w.level = is(&w, "zstd") ? 15 : is(&w, "xz") ? 6 : 9;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	w.in = open(argv[optind], O_RDONLY);
	w.out = open(argv[optind + 1], O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (w.in < 0 || w.out < 0) {
		perror("bare: open");
		return 1;
	}
	for (i = 0; i < jobs; i++) {
		if (pthread_create(&threads[i], NULL, run, &w)) {
			w.failed = true;
			break;
		}
	}
	while (i-- > 0)
		pthread_join(threads[i], NULL);
	return report(&w, &begin);
}
