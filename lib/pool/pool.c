/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/*
 * The ring counts up only: head jobs were collected, begun were given to
 * workers, tail were submitted; job n lives in slot n mod depth. One mutex
 * guards all of it, two conditions wait for it: there is work; the job is done
 * that the main thread waits for.
 */
#include "pool/pool.h"

#include <stdlib.h>
#ifdef WITH_PTHREAD
#include <pthread.h>
#endif

#include "util/err.h"

struct pool {
	struct job **ring; /* depth slots */
	size_t depth;
	size_t head, begun, tail;
	size_t awaited; /* the job that main is to be woken for */
	bool cancelled;
	unsigned worker_count; /* threads that run; 0: none */
#ifdef WITH_PTHREAD
	bool ending;
	unsigned idle;	/* workers that sleep and that nobody has woken */
	bool is_waking; /* one that was woken does not run yet */
	pthread_mutex_t mutex;
	pthread_cond_t work;	    /* begun < tail, or ending */
	pthread_cond_t awaited_done; /* ring[awaited] is done */
	struct thread *threads;
#endif
};

#ifdef WITH_PTHREAD

struct thread {
	pthread_t id;
	struct pool *pool;
	unsigned index;
};

/* The next job that no worker has begun; NULL if there is none. Locked. */
static struct job *begin_job(struct pool *pool, size_t *n, bool *skip)
{
	if (pool->begun == pool->tail)
		return NULL;
	*n = pool->begun++;
	*skip = pool->cancelled;
	return pool->ring[*n % pool->depth];
}

/*
 * True if a worker is to be woken: there is a job for it, and none is on its
 * way. That one wakes the next if it finds more, so that the main thread, with
 * more workers than it can feed, does not pay for each of them. Locked.
 */
static bool wakes_worker(struct pool *pool)
{
	if (pool->begun == pool->tail || pool->idle == 0 || pool->is_waking)
		return false;
	pool->idle--;
	pool->is_waking = true;
	return true;
}

/* Sleeps until there may be a job. Locked. */
static void wait_for_work(struct pool *pool)
{
	pool->idle++;
	pthread_cond_wait(&pool->work, &pool->mutex);
	if (pool->is_waking)
		pool->is_waking = false;
	else
		pool->idle--; /* nobody woke it */
}

/*
 * Who is woken wants the mutex: where it can be, threads are woken after it was
 * let go, and the next job is taken before that.
 */
static void *thread_main(void *arg)
{
	struct thread *self = arg;
	struct pool *pool = self->pool;
	bool wakes_main = false;

	pthread_mutex_lock(&pool->mutex);
	for (;;) {
		bool skip;
		size_t n;
		struct job *job = begin_job(pool, &n, &skip);

		if (!job) {
			if (wakes_main)
				pthread_cond_signal(&pool->awaited_done);
			wakes_main = false;
			if (pool->ending)
				break;
			wait_for_work(pool);
			continue;
		}
		bool wakes = wakes_worker(pool);

		pthread_mutex_unlock(&pool->mutex);
		if (wakes)
			pthread_cond_signal(&pool->work);
		if (wakes_main)
			pthread_cond_signal(&pool->awaited_done);
		if (!skip)
			job->run(job, self->index);
		pthread_mutex_lock(&pool->mutex);
		job->done = true;
		wakes_main = n == pool->awaited;
	}
	pthread_mutex_unlock(&pool->mutex);
	return NULL;
}

static void start_threads(struct pool *pool, unsigned workers)
{
	for (unsigned i = 0; i < workers; i++) {
		struct thread *t = &pool->threads[i];

		t->pool = pool;
		t->index = i;
		if (pthread_create(&t->id, NULL, thread_main, t) != 0)
			break;
		pool->worker_count++;
	}
}

static void lock(struct pool *pool)
{
	pthread_mutex_lock(&pool->mutex);
}

static void unlock(struct pool *pool)
{
	pthread_mutex_unlock(&pool->mutex);
}

#else

static void lock(struct pool *pool)
{
	(void)pool;
}

static void unlock(struct pool *pool)
{
	(void)pool;
}

#endif

int pool_create(unsigned workers, size_t depth, struct pool **out,
		struct err *err)
{
	struct pool *pool = calloc(1, sizeof(*pool));

	if (!pool)
		return err_nomem(err);
	pool->depth = depth;
	pool->ring = calloc(depth, sizeof(struct job *));
	if (!pool->ring)
		goto nomem;
#ifdef WITH_PTHREAD
	if (workers > 0) {
		pool->threads = calloc(workers, sizeof(*pool->threads));
		if (!pool->threads)
			goto nomem;
	}
	pthread_mutex_init(&pool->mutex, NULL);
	pthread_cond_init(&pool->work, NULL);
	pthread_cond_init(&pool->awaited_done, NULL);
	start_threads(pool, workers);
#else
	(void)workers;
#endif
	*out = pool;
	return 0;
nomem:
	free(pool->ring);
	free(pool);
	return err_nomem(err);
}

unsigned pool_worker_count(const struct pool *pool)
{
	return pool->worker_count;
}

bool pool_is_full(const struct pool *pool)
{
	return pool->tail - pool->head == pool->depth;
}

size_t pool_pending(const struct pool *pool)
{
	return pool->tail - pool->head;
}

void pool_submit(struct pool *pool, struct job *job)
{
	lock(pool);
	job->done = false;
	pool->ring[pool->tail % pool->depth] = job;
	pool->tail++;
#ifdef WITH_PTHREAD
	bool wakes = wakes_worker(pool);
#endif
	unlock(pool);
#ifdef WITH_PTHREAD
	if (wakes)
		pthread_cond_signal(&pool->work);
#endif
}

/* The oldest job, which is done, leaves the ring. Locked. */
static struct job *take_oldest(struct pool *pool)
{
	return pool->ring[pool->head++ % pool->depth];
}

#ifdef WITH_PTHREAD

/*
 * Waits until the oldest job is done. Not for it alone: a main thread that must
 * wait sleeps until an eighth of the ring is done, so that it is woken for some
 * jobs at a time, while the workers still have the rest to go on with.
 */
static void wait_for_oldest(struct pool *pool)
{
	size_t ahead = pool->depth / 8;

	if (ahead >= pool->tail - pool->head)
		ahead = pool->tail - pool->head - 1;
	pool->awaited = pool->head + ahead;
	while (!pool->ring[pool->awaited % pool->depth]->done)
		pthread_cond_wait(&pool->awaited_done, &pool->mutex);
	pool->awaited = pool->head;
	while (!pool->ring[pool->awaited % pool->depth]->done)
		pthread_cond_wait(&pool->awaited_done, &pool->mutex);
}

#endif

struct job *pool_collect(struct pool *pool)
{
	struct job *job;

	if (pool->head == pool->tail)
		return NULL;
	if (!pool->worker_count) {
		job = take_oldest(pool);
		pool->begun++;
		if (!pool->cancelled)
			job->run(job, 0);
		job->done = true;
		return job;
	}
	lock(pool);
#ifdef WITH_PTHREAD
	if (!pool->ring[pool->head % pool->depth]->done)
		wait_for_oldest(pool);
#endif
	job = take_oldest(pool);
	unlock(pool);
	return job;
}

struct job *pool_collect_done(struct pool *pool)
{
	struct job *job = NULL;

	if (pool->head == pool->tail || !pool->worker_count)
		return NULL;
	lock(pool);
	if (pool->ring[pool->head % pool->depth]->done)
		job = take_oldest(pool);
	unlock(pool);
	return job;
}

void pool_cancel(struct pool *pool)
{
	lock(pool);
	pool->cancelled = true;
	unlock(pool);
}

void pool_destroy(struct pool *pool)
{
	if (!pool)
		return;
#ifdef WITH_PTHREAD
	lock(pool);
	pool->ending = true;
	pthread_cond_broadcast(&pool->work);
	unlock(pool);
	for (unsigned i = 0; i < pool->worker_count; i++)
		pthread_join(pool->threads[i].id, NULL);
	pthread_cond_destroy(&pool->awaited_done);
	pthread_cond_destroy(&pool->work);
	pthread_mutex_destroy(&pool->mutex);
	free(pool->threads);
#endif
	free(pool->ring);
	free(pool);
}
