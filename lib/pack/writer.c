/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "writer.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/uio.h>
#ifdef WITH_PTHREAD
#include <pthread.h>
#endif

#include "flow/block.h"
#include "flow/flow.h"
#include "io/fd.h"
#include "util/account.h"
#include "util/err.h"

#define BATCH_MAX   64			 /* blocks in one call */
#define FLUSH_EVERY ((uint64_t)16 << 20) /* bytes between write-backs */

struct pack_writer {
	int fd;
	struct flow *flow;
	bool threaded;
	uint64_t flushed; /* write-back was asked for up to here; writer's */

#ifdef WITH_PTHREAD
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t work; /* head is set, or ending */
	pthread_cond_t idle; /* head is NULL and nothing is being written */
#endif
	/* guarded by the mutex */
	struct block *head, *tail;
	bool busy, ending;
	struct err err;
};

/*
 * Asks the system to begin writing back what is in the page cache, so that the
 * sync at the end does not wait for all of it.
 */
static void begin_write_back(struct pack_writer *writer, uint64_t end)
{
#ifdef HAVE_SYNC_FILE_RANGE
	if (end < writer->flushed + FLUSH_EVERY)
		return;
	sync_file_range(writer->fd, (off_t)writer->flushed,
			(off_t)(end - writer->flushed), SYNC_FILE_RANGE_WRITE);
	writer->flushed = end;
#else
	(void)writer;
	(void)end;
#endif
}

/* Writes the zeros in front of a block. */
static int write_pad(struct pack_writer *writer, const struct block *b,
		     struct err *err)
{
	static const uint8_t zeros[4096];
	uint32_t left = b->pad;

	while (left > 0) {
		uint32_t len = left < sizeof(zeros) ? left : sizeof(zeros);

		if (fd_write_at(writer->fd, b->offset - left, zeros, len, err) <
		    0)
			return -1;
		left -= len;
	}
	return 0;
}

/* Writes blocks that lie one behind the other; the first may have a pad. */
static int write_blocks(struct pack_writer *writer, struct block *const *blocks,
			int count, struct err *err)
{
	struct iovec iov[BATCH_MAX];
	const struct block *last = blocks[count - 1];
	uint64_t begun = account_begin();

	for (int i = 0; i < count; i++) {
		iov[i].iov_base = blocks[i]->data;
		iov[i].iov_len = blocks[i]->stored_len;
	}
	if (write_pad(writer, blocks[0], err) < 0)
		return -1;
	if (fd_writev_at(writer->fd, blocks[0]->offset, iov, count, err) < 0)
		return -1;
	begin_write_back(writer, last->offset + last->stored_len);
	account_end(ACCOUNT_WRITE, begun);
	return 0;
}

#ifdef WITH_PTHREAD

/* Takes adjacent blocks from the list. Locked. */
static int take_batch(struct pack_writer *writer, struct block **blocks)
{
	int count = 0;
	uint64_t end = 0;

	while (writer->head && count < BATCH_MAX) {
		struct block *b = writer->head;

		if (count > 0 && (b->offset != end || b->pad > 0))
			break;
		end = b->offset + b->stored_len;
		blocks[count++] = b;
		writer->head = b->next;
	}
	return count;
}

static void *thread_main(void *arg)
{
	struct pack_writer *writer = arg;
	struct block *blocks[BATCH_MAX];
	struct err err = { .code = ERR_NONE };

	pthread_mutex_lock(&writer->mutex);
	for (;;) {
		while (!writer->head && !writer->ending)
			pthread_cond_wait(&writer->work, &writer->mutex);
		if (writer->ending)
			break;

		int count = take_batch(writer, blocks);

		writer->busy = true;
		pthread_mutex_unlock(&writer->mutex);
		if (err.code == ERR_NONE)
			write_blocks(writer, blocks, count, &err);
		for (int i = 0; i < count; i++)
			flow_release(writer->flow, blocks[i]);
		pthread_mutex_lock(&writer->mutex);
		writer->busy = false;
		writer->err = err;
		if (!writer->head)
			pthread_cond_signal(&writer->idle);
	}
	pthread_mutex_unlock(&writer->mutex);
	return NULL;
}

static bool start_thread(struct pack_writer *writer)
{
	pthread_mutex_init(&writer->mutex, NULL);
	pthread_cond_init(&writer->work, NULL);
	pthread_cond_init(&writer->idle, NULL);
	return pthread_create(&writer->thread, NULL, thread_main, writer) == 0;
}

static int put_threaded(struct pack_writer *writer, struct block *b,
			struct err *err)
{
	int ret = 0;

	pthread_mutex_lock(&writer->mutex);
	if (writer->err.code != ERR_NONE) {
		*err = writer->err;
		ret = -1;
	}
	b->next = NULL;
	if (writer->head)
		writer->tail->next = b;
	else
		writer->head = b;
	writer->tail = b;
	pthread_cond_signal(&writer->work);
	pthread_mutex_unlock(&writer->mutex);
	return ret;
}

#endif

int pack_writer_create(int fd, struct flow *flow, bool threaded,
		       struct pack_writer **out, struct err *err)
{
	struct pack_writer *writer = calloc(1, sizeof(*writer));

	if (!writer)
		return err_nomem(err);
	writer->fd = fd;
	writer->flow = flow;
#ifdef WITH_PTHREAD
	/* Where the system refuses a thread, the main thread writes. */
	writer->threaded = threaded && start_thread(writer);
#else
	(void)threaded;
#endif
	*out = writer;
	return 0;
}

int pack_writer_put(struct pack_writer *writer, struct block *b,
		    struct err *err)
{
#ifdef WITH_PTHREAD
	if (writer->threaded)
		return put_threaded(writer, b, err);
#endif
	int ret = write_blocks(writer, &b, 1, err);

	flow_release(writer->flow, b);
	return ret;
}

int pack_writer_wait(struct pack_writer *writer, struct err *err)
{
#ifdef WITH_PTHREAD
	if (writer->threaded) {
		pthread_mutex_lock(&writer->mutex);
		while (writer->head || writer->busy)
			pthread_cond_wait(&writer->idle, &writer->mutex);

		struct err failure = writer->err;

		pthread_mutex_unlock(&writer->mutex);
		if (failure.code != ERR_NONE) {
			*err = failure;
			return -1;
		}
	}
#else
	(void)writer;
	(void)err;
#endif
	return 0;
}

void pack_writer_destroy(struct pack_writer *writer)
{
	if (!writer)
		return;
#ifdef WITH_PTHREAD
	if (writer->threaded) {
		pthread_mutex_lock(&writer->mutex);
		writer->ending = true;
		pthread_cond_signal(&writer->work);
		pthread_mutex_unlock(&writer->mutex);
		pthread_join(writer->thread, NULL);
		pthread_cond_destroy(&writer->idle);
		pthread_cond_destroy(&writer->work);
		pthread_mutex_destroy(&writer->mutex);
	}
#endif
	free(writer);
}
