/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/*
 * A ring of frames in the order of the file: whoever reads adds those to come
 * and takes the oldest, workers decompress any. The pool of pool/pool.h would
 * want its user to read what is compressed, where here each worker reads its
 * own.
 *
 * A failure is not told from here. The frame goes to the decoder again, which
 * gives what can be had of it and says what is wrong, as it does without
 * threads.
 */
#include "frames.h"

#include <stdbool.h>
#include <stdlib.h>

#include "decoder.h"
#include "util/account.h"
#include "util/err.h"

#if defined(WITH_ZSTD) && defined(WITH_PTHREAD)

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <zstd.h>

#include "feed.h"
#include "io/input.h"
#include "io/reader.h"
#include "util/num.h"

#define BLOCK_MAX	(128 * 1024)
#define IN_MAX		(FRAMES_PART_MAX + 64 * 1024)
#define HEADER_LEN_MAX	18
#define WINDOW_LOG_BASE 10

#define MAGIC	       0xfd2fb528
#define SKIPPABLE      0x184d2a50
#define SKIPPABLE_MASK 0xfffffff0

enum block_type { BLOCK_RAW, BLOCK_RLE, BLOCK_COMPRESSED, BLOCK_RESERVED };

/* A frame on its way. */
struct part {
	/* set before a worker gets it */
	uint64_t offset; /* in the input */
	size_t in_len;
	size_t out_max;

	/* the worker's until it is done, then the user's; buffers stay */
	uint8_t *in, *out;
	size_t in_cap, out_cap;
	size_t out_len;
	bool failed;

	bool done; /* guarded by the mutex */
};

struct frames {
	const struct reader *reader;

	/* the user's */
	uint64_t next;	/* offset behind the frames in the ring */
	uint64_t other; /* offset of a frame that is the decoder's */
	bool has_other;
	bool is_off; /* the decoder does the rest */
	size_t used; /* bytes given of the oldest */

	struct part *ring; /* part n lies in n % depth */
	size_t depth;
	pthread_t *threads;
	size_t thread_max, thread_count;

	/* guarded by the mutex; count up only */
	size_t head, begun, tail;
	bool cancelled, ending;
	pthread_mutex_t mutex;
	pthread_cond_t work, done;
};

/* ----------------------------------------------------------- the workers */

static bool grow(uint8_t **buf, size_t *cap, size_t want)
{
	if (want <= *cap)
		return true;
	free(*buf);
	*cap = 0;
	*buf = malloc(want);
	if (!*buf)
		return false;
	*cap = want;
	return true;
}

static bool decompress(const struct frames *f, ZSTD_DCtx *context,
		       struct part *part)
{
	size_t n;

	if (!context || !grow(&part->in, &part->in_cap, part->in_len) ||
	    !grow(&part->out, &part->out_cap, part->out_max + 1) ||
	    reader_read_at(f->reader, part->offset, part->in, part->in_len,
			   NULL) < 0)
		return false;
	n = ZSTD_decompressDCtx(context, part->out, part->out_max, part->in,
				part->in_len);
	if (ZSTD_isError(n))
		return false;
	part->out_len = n;
	return true;
}

static void *worker_main(void *arg)
{
	struct frames *f = arg;
	ZSTD_DCtx *context = ZSTD_createDCtx();

	pthread_mutex_lock(&f->mutex);
	for (;;) {
		while (f->begun == f->tail && !f->ending)
			pthread_cond_wait(&f->work, &f->mutex);
		if (f->ending)
			break;

		struct part *part = &f->ring[f->begun++ % f->depth];
		bool skip = f->cancelled;

		pthread_mutex_unlock(&f->mutex);

		uint64_t begun = account_begin();

		part->failed = skip || !decompress(f, context, part);
		account_end(ACCOUNT_INPUT, begun);
		pthread_mutex_lock(&f->mutex);
		part->done = true;
		pthread_cond_signal(&f->done);
	}
	pthread_mutex_unlock(&f->mutex);
	ZSTD_freeDCtx(context);
	return NULL;
}

/* False if there is none. */
static bool start_workers(struct frames *f)
{
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	while (f->thread_count < f->thread_max &&
	       pthread_create(&f->threads[f->thread_count], NULL, worker_main,
			      f) == 0)
		f->thread_count++;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return f->thread_count > 0;
}

/* -------------------------------------------------- where a frame ends */

static bool read_at(const struct frames *f, uint64_t at, uint8_t *buf,
		    size_t len)
{
	uint64_t size = reader_size(f->reader);

	return at <= size && len <= size - at &&
	       reader_read_at(f->reader, at, buf, len, NULL) == 0;
}

/* The window is one that the decoder takes, too. */
static bool is_fit_window(uint8_t descriptor)
{
	unsigned log = WINDOW_LOG_BASE + (descriptor >> 3);
	uint64_t base = UINT64_C(1) << log;

	return base + base / 8 * (descriptor & 7) <= INPUT_WINDOW_MAX;
}

/*
 * Reads a frame's header.
 *
 * len      its bytes
 * content  those of the content, or UINT64_MAX if it does not say
 * check    bytes of the checksum
 */
static bool decode_header(const uint8_t *raw, size_t have, size_t *len,
			  uint64_t *content, size_t *check)
{
	static const uint8_t dict_lens[] = { 0, 1, 2, 4 };
	uint8_t flags = raw[4];
	bool is_single = flags & 0x20;
	size_t content_len = flags >> 6 ? (size_t)1 << (flags >> 6) : is_single;
	size_t dict_len = dict_lens[flags & 3];
	size_t at = 5 + !is_single;

	*len = at + dict_len + content_len;
	*check = flags & 4 ? 4 : 0;
	if (flags & 8 || dict_len > 0 || *len > have ||
	    (!is_single && !is_fit_window(raw[5])))
		return false;
	switch (content_len) {
	case 0:
		*content = UINT64_MAX;
		break;
	case 1:
		*content = raw[at];
		break;
	case 2:
		*content = get_le16(raw + at) + UINT64_C(256);
		break;
	case 4:
		*content = get_le32(raw + at);
		break;
	default:
		*content = get_le64(raw + at);
		break;
	}
	return true;
}

/* Adds the blocks that begin at *at; sums up what they can hold at most. */
static bool walk_blocks(const struct frames *f, uint64_t begin, uint64_t *at,
			uint64_t *most)
{
	uint8_t raw[3];
	uint32_t word;

	*most = 0;
	do {
		if (!read_at(f, *at, raw, sizeof(raw)))
			return false;
		word = get_le16(raw) | (uint32_t)raw[2] << 16;

		uint32_t size = word >> 3;
		enum block_type type = word >> 1 & 3;

		if (type == BLOCK_RESERVED || size > BLOCK_MAX)
			return false;
		*at += sizeof(raw) + (type == BLOCK_RLE ? 1 : size);
		*most += type == BLOCK_COMPRESSED ? BLOCK_MAX : size;
		if (*at - begin > IN_MAX)
			return false;
	} while (!(word & 1));
	return true;
}

/* Finds the frame at the offset next. False if it is not one for here. */
static bool find_part(const struct frames *f, struct part *part)
{
	uint8_t raw[HEADER_LEN_MAX];
	uint64_t left = reader_size(f->reader) - f->next;
	size_t have = left < sizeof(raw) ? (size_t)left : sizeof(raw);
	uint64_t content, most, at = f->next;
	size_t len, check;

	if (have < 5 || !read_at(f, at, raw, have) || get_le32(raw) != MAGIC ||
	    !decode_header(raw, have, &len, &content, &check))
		return false;
	if (content != UINT64_MAX && content > FRAMES_PART_MAX)
		return false;
	at += len;
	if (!walk_blocks(f, f->next, &at, &most))
		return false;
	at += check;
	if (content == UINT64_MAX)
		content = most;
	if (content > FRAMES_PART_MAX || at > reader_size(f->reader))
		return false;
	part->offset = f->next;
	part->in_len = (size_t)(at - f->next);
	part->out_max = (size_t)content;
	return true;
}

/* Steps over the skippable frames at the offset next. */
static void skip_skippable(struct frames *f)
{
	uint64_t size = reader_size(f->reader);
	uint8_t raw[8];

	while (read_at(f, f->next, raw, sizeof(raw)) &&
	       (get_le32(raw) & SKIPPABLE_MASK) == SKIPPABLE &&
	       get_le32(raw + 4) <= size - f->next - sizeof(raw))
		f->next += sizeof(raw) + get_le32(raw + 4);
}

/* ------------------------------------------------------------- the ring */

static bool is_empty(const struct frames *f)
{
	return f->head == f->tail;
}

static void submit_more(struct frames *f)
{
	while (f->tail - f->head < f->depth && !f->is_off) {
		struct part *part = &f->ring[f->tail % f->depth];

		skip_skippable(f);
		if (f->next >= reader_size(f->reader) ||
		    (f->has_other && f->other == f->next))
			return;
		/* One frame alone gains nothing. */
		if (!find_part(f, part) ||
		    (f->tail == 0 &&
		     f->next + part->in_len == reader_size(f->reader))) {
			f->has_other = true;
			f->other = f->next;
			return;
		}
		if (f->thread_count == 0 && !start_workers(f)) {
			f->is_off = true;
			return;
		}
		f->next += part->in_len;
		pthread_mutex_lock(&f->mutex);
		part->done = false;
		f->tail++;
		pthread_cond_signal(&f->work);
		pthread_mutex_unlock(&f->mutex);
	}
}

static struct part *wait_for_oldest(struct frames *f)
{
	struct part *part = &f->ring[f->head % f->depth];

	pthread_mutex_lock(&f->mutex);
	while (!part->done)
		pthread_cond_wait(&f->done, &f->mutex);
	pthread_mutex_unlock(&f->mutex);
	return part;
}

static void retire(struct frames *f)
{
	f->used = 0;
	pthread_mutex_lock(&f->mutex);
	f->head++;
	pthread_mutex_unlock(&f->mutex);
}

static void cancel(struct frames *f)
{
	pthread_mutex_lock(&f->mutex);
	f->cancelled = true;
	pthread_mutex_unlock(&f->mutex);
	while (!is_empty(f)) {
		wait_for_oldest(f);
		retire(f);
	}
}

void frames_read(struct frames *f, struct feed *feed, uint8_t *buf, size_t len,
		 size_t *got)
{
	*got = 0;
	while (!f->is_off) {
		struct part *part;

		if (is_empty(f))
			f->next = feed->offset;
		submit_more(f);
		if (is_empty(f)) {
			feed_seek(feed, f->next);
			break;
		}
		part = wait_for_oldest(f);
		if (part->failed) {
			feed_seek(feed, part->offset);
			cancel(f);
			f->is_off = true;
			break;
		}
		*got = part->out_len - f->used;
		if (*got > len)
			*got = len;
		copy_bytes(buf, part->out + f->used, *got);
		f->used += *got;
		if (f->used < part->out_len)
			break;
		feed_seek(feed, part->offset + part->in_len);
		retire(f);
		if (*got > 0)
			break;
	}
}

int frames_create(struct reader *reader, const struct decoder_options *options,
		  struct frames **out, struct err *err)
{
	uint64_t depth = options->memory / (FRAMES_PART_MAX + IN_MAX);
	struct frames *f;

	*out = NULL;
	if (depth > options->threads + 2)
		depth = options->threads + 2;
	if (depth < 2)
		return 0;
	f = calloc(1, sizeof(*f));
	if (!f)
		return err_nomem(err);
	f->reader = reader;
	f->depth = (size_t)depth;
	f->thread_max = options->threads < depth ? options->threads : f->depth;
	pthread_mutex_init(&f->mutex, NULL);
	pthread_cond_init(&f->work, NULL);
	pthread_cond_init(&f->done, NULL);
	f->ring = calloc(f->depth, sizeof(*f->ring));
	f->threads = calloc(f->thread_max, sizeof(*f->threads));
	if (!f->ring || !f->threads) {
		frames_destroy(f);
		return err_nomem(err);
	}
	*out = f;
	return 0;
}

void frames_destroy(struct frames *f)
{
	if (!f)
		return;
	pthread_mutex_lock(&f->mutex);
	f->ending = true;
	pthread_cond_broadcast(&f->work);
	pthread_mutex_unlock(&f->mutex);
	for (size_t i = 0; i < f->thread_count; i++)
		pthread_join(f->threads[i], NULL);
	for (size_t i = 0; f->ring && i < f->depth; i++) {
		free(f->ring[i].in);
		free(f->ring[i].out);
	}
	free(f->ring);
	free(f->threads);
	pthread_cond_destroy(&f->done);
	pthread_cond_destroy(&f->work);
	pthread_mutex_destroy(&f->mutex);
	free(f);
}

#else

int frames_create(struct reader *reader, const struct decoder_options *options,
		  struct frames **out, struct err *err)
{
	(void)reader;
	(void)options;
	(void)err;
	*out = NULL;
	return 0;
}

void frames_read(struct frames *frames, struct feed *feed, uint8_t *buf,
		 size_t len, size_t *got)
{
	(void)frames;
	(void)feed;
	(void)buf;
	(void)len;
	*got = 0;
}

void frames_destroy(struct frames *frames)
{
	(void)frames;
}

#endif
