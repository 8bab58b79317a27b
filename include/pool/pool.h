/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef POOL_POOL_H
#define POOL_POOL_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct pool;

/*
 * Worker threads, and a ring that gives jobs back in the order they came: job
 * n lives in slot n mod depth. The pool knows no errors: a failed job is a
 * finished job whose owner finds the failure in it.
 */
struct job {
	/*
	 * Does the work; set before submit. worker is the index of the worker
	 * that runs it, 0 to pool_worker_count - 1.
	 */
	void (*run)(struct job *job, unsigned worker);
	bool done; /* the pool's from submit to collect */
};

/*
 * workers  threads; 0 runs each job when it is collected, in the caller's
 *	    thread and as worker 0. Where the system refuses some threads
 *	    the pool makes do with those it got.
 * depth    slots of the ring, 1 or more
 * fails    ERR_NOMEM
 */
int pool_create(unsigned workers, size_t depth, struct pool **out,
		struct err *err);

/* Threads that run; 0 where jobs run in the caller's thread. */
unsigned pool_worker_count(const struct pool *pool);

/* True if the ring has no slot left: collect first. Thread: main. */
bool pool_is_full(const struct pool *pool);

/* Jobs submitted and not yet collected. Thread: main. */
size_t pool_pending(const struct pool *pool);

/* Gives a job away until it is collected. The ring is not full. Main. */
void pool_submit(struct pool *pool, struct job *job);

/* The oldest job, done; waits for it. NULL if none is pending. Main. */
struct job *pool_collect(struct pool *pool);

/* The oldest job if it is done already, else NULL. Thread: main. */
struct job *pool_collect_done(struct pool *pool);

/*
 * Makes workers skip what they have not begun; skipped jobs are collected like
 * any other, their run not called. Thread: main.
 */
void pool_cancel(struct pool *pool);

/* Every job is collected. pool may be NULL. */
void pool_destroy(struct pool *pool);

#endif
