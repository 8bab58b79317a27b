/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pool/pool.h"

#include "check.h"
#include "util/err.h"

#include <stdlib.h>

/* A job that counts down from a number, so that jobs take unequal time. */
struct count_job {
	struct job job;
	unsigned number;
	volatile unsigned left;
	bool ran;
	unsigned worker;
};

static void count_down(struct job *job, unsigned worker)
{
	struct count_job *c = (struct count_job *)job;

	while (c->left)
		c->left--;
	c->ran = true;
	c->worker = worker;
}

static void check_job(struct job *job, unsigned number, unsigned workers)
{
	struct count_job *c = (struct count_job *)job;

	check_u64(c->number, number);
	check(c->ran);
	check(c->left == 0);
	check(c->worker < (workers ? workers : 1));
	check(job->done);
	c->ran = false;
}

static void test_order(unsigned workers, size_t depth)
{
	struct count_job *jobs = calloc(depth, sizeof(*jobs));
	struct err err;
	struct pool *pool;
	unsigned sent = 0, seen = 0;

	check(pool_create(workers, depth, &pool, &err) == 0);
	check(pool_worker_count(pool) <= workers);
	while (seen < 2000) {
		while (sent < 2000 && !pool_is_full(pool)) {
			struct count_job *c = &jobs[sent % depth];

			c->job.run = count_down;
			c->number = sent;
			c->left = sent * 7919 % 3000;
			pool_submit(pool, &c->job);
			sent++;
		}
		check_u64(pool_pending(pool), sent - seen);

		struct job *job = sent % 3 ? pool_collect_done(pool) : NULL;

		if (!job)
			job = pool_collect(pool);
		check_job(job, seen++, workers);
	}
	check(pool_collect(pool) == NULL);
	check(pool_collect_done(pool) == NULL);
	pool_destroy(pool);
	free(jobs);
}

static void test_cancel(unsigned workers)
{
	enum { DEPTH = 64 };
	struct count_job jobs[DEPTH] = { 0 };
	struct err err;
	struct pool *pool;
	unsigned ran = 0;

	check(pool_create(workers, DEPTH, &pool, &err) == 0);
	for (unsigned i = 0; i < DEPTH; i++) {
		jobs[i].job.run = count_down;
		jobs[i].number = i;
		jobs[i].left = 1000000;
		pool_submit(pool, &jobs[i].job);
	}
	pool_cancel(pool);
	for (unsigned i = 0; i < DEPTH; i++) {
		struct count_job *c = (struct count_job *)pool_collect(pool);

		check(c == &jobs[i]);
		check(c->job.done);
		ran += c->ran;
	}
	check(ran < DEPTH);
	check(pool_collect(pool) == NULL);
	pool_destroy(pool);
}

int main(void)
{
	const unsigned workers[] = { 0, 1, 2, 3, 8, 64 };

	for (size_t i = 0; i < sizeof(workers) / sizeof(*workers); i++) {
		test_order(workers[i], 1);
		test_order(workers[i], 2);
		test_order(workers[i], 33);
		test_cancel(workers[i]);
	}
	pool_destroy(NULL);
	return check_report();
}
