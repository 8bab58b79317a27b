/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "internal.h"

/*
 * Pieces of content on their way through the workers. A task is as many of them
 * as are worth a worker's while: one of a large file, dozens of small files.
 */
#include <stdlib.h>

#include "pool/pool.h"
#include "util/account.h"
#include "util/err.h"

#define TASK_PIECES   64
#define TASKS_PER_JOB 4

struct task {
	struct job job; /* first */
	struct work *work;

	/* set before submit, read-only from then on but for the results */
	struct piece pieces[TASK_PIECES];
	struct outcome *outcomes[TASK_PIECES]; /* of the main thread */
	size_t count;
	uint64_t len; /* of all pieces */

	/* the worker's from submit to collect, then the main thread's */
	struct err err;
	size_t err_piece;
};

struct work {
	const struct digest_key *key; /* borrowed */
	struct pool *pool;
	struct task *tasks; /* a ring of task_count */
	size_t task_count, next;
	struct task *open; /* being filled, or NULL */
	struct piece_kit *kits; /* one for each worker, the last is main's */
	unsigned kit_count;
	struct err failure; /* the first one */
	struct pairs pairs;
};

static void run_pieces(struct task *task, size_t from, struct piece_kit *kit)
{
	struct work *work = task->work;

	for (size_t i = from; i < task->count; i++)
		if (piece_compare(&task->pieces[i], work->key, &work->pairs,
				  kit, &task->err) < 0) {
			task->err_piece = i;
			return;
		}
}

static void run_task(struct job *job, unsigned worker)
{
	struct task *task = (struct task *)job;
	uint64_t begun = account_begin();

	run_pieces(task, 0, &task->work->kits[worker]);
	account_end(ACCOUNT_WORK, begun);
}

/*
 * What a piece showed. Behind the first difference of a file nothing counts,
 * not even a failure: how many pieces were begun there is a matter of timing.
 */
static void settle(struct work *work, struct task *task, size_t i)
{
	const struct piece *piece = &task->pieces[i];
	struct outcome *o = task->outcomes[i];
	bool is_failed = task->err.code != ERR_NONE && task->err_piece <= i;

	o->pending--;
	if (is_failed && o->differs && task->err_piece == i) {
		task->err.code = ERR_NONE;
		run_pieces(task, i + 1, &work->kits[work->kit_count]);
	} else if (is_failed) {
		/* Those behind it in the task were not looked at, and are not
		 * going to be told of. */
		o->is_failed = true;
		if (work->failure.code == ERR_NONE)
			work->failure = task->err;
	} else if (piece->differs && !o->differs) {
		o->differs = true;
		o->differs_at = piece->differs_at;
		o->differs_span = piece->differs_span;
	}
}

static void submit_open(struct work *work)
{
	if (work->open)
		pool_submit(work->pool, &work->open->job);
	work->open = NULL;
}

void work_collect(struct work *work)
{
	struct task *task;

	submit_open(work);
	task = (struct task *)pool_collect(work->pool);
	for (size_t i = 0; task && i < task->count; i++)
		settle(work, task, i);
}

bool work_has_room(const struct work *work)
{
	return work->open || !pool_is_full(work->pool);
}

static void open_task(struct work *work)
{
	work->open = &work->tasks[work->next];
	work->next = (work->next + 1) % work->task_count;
	work->open->count = 0;
	work->open->len = 0;
	work->open->err.code = ERR_NONE;
}

void work_add(struct work *work, const struct piece *piece,
	      struct outcome *outcome)
{
	struct task *task;

	if (!work->open)
		open_task(work);
	task = work->open;
	task->pieces[task->count] = *piece;
	task->outcomes[task->count++] = outcome;
	task->len += piece->len;
	outcome->pending++;
	if (task->count == TASK_PIECES || task->len >= PIECE_LEN)
		submit_open(work);
}

const struct err *work_failure(const struct work *work)
{
	return &work->failure;
}

static int make_pool(struct work *work, unsigned jobs, struct err *err)
{
	const size_t depth = jobs > 0 ? (size_t)jobs * TASKS_PER_JOB : 1;

	/* One is filled while all others are in the pool. */
	work->task_count = depth + 1;
	work->tasks = calloc(work->task_count, sizeof(*work->tasks));
	if (!work->tasks)
		return err_nomem(err);
	for (size_t i = 0; i < work->task_count; i++) {
		work->tasks[i].work = work;
		work->tasks[i].job.run = run_task;
	}
	if (pool_create(jobs, depth, &work->pool, err) < 0)
		return -1;
	work->kit_count = pool_worker_count(work->pool);
	if (work->kit_count == 0)
		work->kit_count = 1;
	work->kits = calloc(work->kit_count + 1, sizeof(*work->kits));
	return work->kits ? 0 : err_nomem(err);
}

int work_create(unsigned jobs, const struct digest_key *key, struct work **out,
		struct err *err)
{
	struct work *work = calloc(1, sizeof(*work));

	if (!work)
		return err_nomem(err);
	work->key = key;
	if (make_pool(work, jobs, err) < 0) {
		work_destroy(work);
		return -1;
	}
	*out = work;
	return 0;
}

void work_destroy(struct work *work)
{
	if (!work)
		return;
	if (work->pool) {
		pool_cancel(work->pool);
		while (pool_collect(work->pool))
			;
	}
	pool_destroy(work->pool);
	for (size_t i = 0; work->kits && i <= work->kit_count; i++) {
		free(work->kits[i].old);
		free(work->kits[i].new);
	}
	free(work->kits);
	free(work->tasks);
	free(work);
}
