/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/*
 * Reading ahead. The pool runs jobs that need nothing of each other, and the
 * main thread would have to come by to give it the next one; a stream is read
 * by one thread at a time, and this one has to go on while the main thread is
 * busy. So it has a thread, one mutex and two conditions: there is a buffer to
 * fill; there is one to take from.
 */
#include "ahead.h"

#include <stdlib.h>

#include "io/stream.h"
#include "util/account.h"
#include "util/err.h"

#ifdef WITH_PTHREAD

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "stream_fd.h"

/* The thread's until it counts as filled, then the user's until taken. */
struct slot {
	uint8_t *data; /* AHEAD_LEN bytes */
	size_t len;    /* 0: the end, or a failure */
	int ret;
	struct err err; /* if ret is -1 */
};

struct ahead {
	struct stream stream;
	struct stream *inner; /* the thread's as long as that runs */
	struct stream *source;
	struct slot slots[AHEAD_COUNT]; /* number n lies in n % AHEAD_COUNT */
	uint8_t *buffers;
	int stop[2]; /* a pipe: closing its end to write stops source */
	pthread_t thread;
	bool has_thread;

	/* guarded by the mutex */
	pthread_mutex_t mutex;
	pthread_cond_t room, data;
	size_t filled, taken; /* count up only */
	bool stopping;

	size_t used; /* the user's: bytes taken of the oldest slot */
};

static void *ahead_main(void *arg)
{
	struct ahead *a = arg;
	bool more = true;

	while (more) {
		pthread_mutex_lock(&a->mutex);
		while (a->filled - a->taken == AHEAD_COUNT && !a->stopping)
			pthread_cond_wait(&a->room, &a->mutex);

		struct slot *slot = &a->slots[a->filled % AHEAD_COUNT];
		bool stopping = a->stopping;

		pthread_mutex_unlock(&a->mutex);
		if (stopping)
			break;
		slot->len = 0;

		uint64_t begun = account_begin();

		slot->ret = a->inner->ops->read(a->inner, slot->data, AHEAD_LEN,
						NULL, 0, &slot->len,
						&slot->err);
		account_end(ACCOUNT_INPUT, begun);
		more = slot->ret == 0 && slot->len > 0;
		pthread_mutex_lock(&a->mutex);
		a->filled++;
		pthread_cond_signal(&a->data);
		pthread_mutex_unlock(&a->mutex);
	}
	return NULL;
}

/* The oldest filled slot, which stays until it is given back. */
static struct slot *wait_for_slot(struct ahead *a)
{
	pthread_mutex_lock(&a->mutex);
	while (a->filled == a->taken)
		pthread_cond_wait(&a->data, &a->mutex);
	pthread_mutex_unlock(&a->mutex);
	return &a->slots[a->taken % AHEAD_COUNT];
}

static void give_back(struct ahead *a)
{
	a->used = 0;
	pthread_mutex_lock(&a->mutex);
	a->taken++;
	pthread_cond_signal(&a->room);
	pthread_mutex_unlock(&a->mutex);
}

/* Takes up to len bytes of the oldest slot. */
static size_t take(struct ahead *a, struct slot *slot, void *buf, size_t len)
{
	size_t n = slot->len - a->used;

	if (n > len)
		n = len;
	copy_bytes(buf, slot->data + a->used, n);
	a->used += n;
	if (a->used == slot->len)
		give_back(a);
	return n;
}

static int ahead_read(struct stream *stream, void *buf, size_t len,
		      void *extra, size_t extra_len, size_t *got,
		      struct err *err)
{
	struct ahead *a = (struct ahead *)stream;
	struct slot *slot = wait_for_slot(a);
	size_t done;

	if (slot->ret < 0 || slot->len == 0) {
		/* The last slot, which stays for whoever asks again. */
		*got = 0;
		if (slot->ret < 0 && err)
			*err = slot->err;
		return slot->ret;
	}
	done = take(a, slot, buf, len);
	/* What is left of the same slot may go along. */
	if (done == len && extra_len > 0 && a->used > 0)
		done += take(a, slot, extra, extra_len);
	*got = done;
	return 0;
}

/* Only asked once the end was read: the thread is through with inner. */
static bool ahead_trailing(const struct stream *stream,
			   struct stream_trailing *out)
{
	const struct ahead *a = (const struct ahead *)stream;

	return a->inner->ops->trailing &&
	       a->inner->ops->trailing(a->inner, out);
}

static void ahead_destroy(struct stream *stream)
{
	struct ahead *a = (struct ahead *)stream;

	if (a->has_thread) {
		pthread_mutex_lock(&a->mutex);
		a->stopping = true;
		pthread_cond_signal(&a->room);
		pthread_mutex_unlock(&a->mutex);
		if (a->stop[1] >= 0)
			close(a->stop[1]);
		a->stop[1] = -1;
		pthread_join(a->thread, NULL);
	}
	stream_destroy(a->inner);
	for (int i = 0; i < 2; i++)
		if (a->stop[i] >= 0)
			close(a->stop[i]);
	pthread_cond_destroy(&a->data);
	pthread_cond_destroy(&a->room);
	pthread_mutex_destroy(&a->mutex);
	free(a->buffers);
	free(a);
}

static const struct stream_ops ahead_ops = {
	.read = ahead_read,
	.trailing = ahead_trailing,
	.destroy = ahead_destroy,
};

static int make_stop(struct ahead *a, struct err *err)
{
	if (pipe(a->stop) < 0) {
		a->stop[0] = a->stop[1] = -1;
		return err_sys(err, "making a pipe");
	}
	for (int i = 0; i < 2; i++)
		if (fcntl(a->stop[i], F_SETFD, FD_CLOEXEC) < 0)
			return err_sys(err, "making a pipe");
	return 0;
}

/* Signals are for the main thread, which holds them back at times. */
static bool start(struct ahead *a)
{
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	a->has_thread = pthread_create(&a->thread, NULL, ahead_main, a) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return a->has_thread;
}

int ahead_create(struct stream *inner, struct stream *source,
		 struct stream **out, struct err *err)
{
	struct ahead *a = calloc(1, sizeof(*a));

	if (!a) {
		stream_destroy(inner);
		return err_nomem(err);
	}
	a->stream.ops = &ahead_ops;
	a->inner = inner;
	a->stop[0] = a->stop[1] = -1;
	pthread_mutex_init(&a->mutex, NULL);
	pthread_cond_init(&a->room, NULL);
	pthread_cond_init(&a->data, NULL);
	a->buffers = malloc((size_t)AHEAD_COUNT * AHEAD_LEN);
	if (!a->buffers) {
		err_nomem(err);
		goto failed;
	}
	for (size_t i = 0; i < AHEAD_COUNT; i++)
		a->slots[i].data = a->buffers + i * AHEAD_LEN;
	if (source) {
		if (make_stop(a, err) < 0)
			goto failed;
		stream_fd_set_stop(source, a->stop[0]);
	}
	if (!start(a)) {
		*out = a->inner;
		a->inner = NULL;
		if (source)
			stream_fd_set_stop(source, -1);
		ahead_destroy(&a->stream);
		return 0;
	}
	*out = &a->stream;
	return 0;
failed:
	ahead_destroy(&a->stream);
	return -1;
}

#else

int ahead_create(struct stream *inner, struct stream *source,
		 struct stream **out, struct err *err)
{
	(void)source;
	(void)err;
	*out = inner;
	return 0;
}

#endif
