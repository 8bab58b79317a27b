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

/* A worker's own block waits at the head of the ring while it writes. */
#define BATCH_MAX   16			 /* blocks in one call */
#define HELP_MIN    4			 /* blocks that are worth a call */
#define FLUSH_EVERY ((uint64_t)16 << 20) /* bytes between write-backs */

struct pack_writer {
	int fd;
	struct flow *flow;
	uint64_t flushed; /* write-back was asked for up to here; of who writes */

#ifdef WITH_PTHREAD
	pthread_mutex_t mutex;
	pthread_cond_t done; /* is_writing became false */
#endif
	/* guarded by the mutex */
	struct block *head, *tail;
	size_t count; /* from head to tail */
	bool is_writing;
	struct err err; /* of the first write that failed */
};

static void lock(struct pack_writer *writer)
{
#ifdef WITH_PTHREAD
	pthread_mutex_lock(&writer->mutex);
#else
	(void)writer;
#endif
}

static void unlock(struct pack_writer *writer)
{
#ifdef WITH_PTHREAD
	pthread_mutex_unlock(&writer->mutex);
#else
	(void)writer;
#endif
}

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

/* Takes adjacent blocks from the list, as many as one call takes. Locked. */
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
	writer->count -= (size_t)count;
	return count;
}

/*
 * Writes what one call takes and gives the blocks back. After a failure it only
 * does the latter. Locked, but not while it writes.
 */
static void write_batch(struct pack_writer *writer)
{
	struct block *blocks[BATCH_MAX];
	struct err err = { .code = ERR_NONE };
	int count = take_batch(writer, blocks);
	bool is_sound = writer->err.code == ERR_NONE;

	writer->is_writing = true;
	unlock(writer);
	if (is_sound)
		write_blocks(writer, blocks, count, &err);
	for (int i = 0; i < count; i++)
		flow_release(writer->flow, blocks[i]);
	lock(writer);
	writer->is_writing = false;
	if (err.code != ERR_NONE)
		writer->err = err;
#ifdef WITH_PTHREAD
	pthread_cond_signal(&writer->done);
#endif
}

int pack_writer_create(int fd, struct flow *flow, struct pack_writer **out,
		       struct err *err)
{
	struct pack_writer *writer = calloc(1, sizeof(*writer));

	if (!writer)
		return err_nomem(err);
	writer->fd = fd;
	writer->flow = flow;
#ifdef WITH_PTHREAD
	pthread_mutex_init(&writer->mutex, NULL);
	pthread_cond_init(&writer->done, NULL);
#endif
	*out = writer;
	return 0;
}

int pack_writer_put(struct pack_writer *writer, struct block *b,
		    struct err *err)
{
	int ret = 0;

	lock(writer);
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
	writer->count++;
	unlock(writer);
	return ret;
}

void pack_writer_help(struct pack_writer *writer)
{
	lock(writer);
	if (writer->count >= HELP_MIN && !writer->is_writing)
		write_batch(writer);
	unlock(writer);
}

bool pack_writer_free(struct pack_writer *writer)
{
	bool has_blocks;

	lock(writer);
	has_blocks = writer->head && !writer->is_writing;
	if (has_blocks)
		write_batch(writer);
	unlock(writer);
	return has_blocks;
}

int pack_writer_wait(struct pack_writer *writer, struct err *err)
{
	struct err failure;

	lock(writer);
	for (;;) {
#ifdef WITH_PTHREAD
		while (writer->is_writing)
			pthread_cond_wait(&writer->done, &writer->mutex);
#endif
		if (!writer->head)
			break;
		write_batch(writer);
	}
	failure = writer->err;
	unlock(writer);
	if (failure.code == ERR_NONE)
		return 0;
	*err = failure;
	return -1;
}

void pack_writer_destroy(struct pack_writer *writer)
{
	if (!writer)
		return;
#ifdef WITH_PTHREAD
	pthread_cond_destroy(&writer->done);
	pthread_mutex_destroy(&writer->mutex);
#endif
	free(writer);
}
