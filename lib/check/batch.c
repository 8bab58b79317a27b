/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "batch.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "internal.h"
#include "pool/pool.h"
#include "sqfs/super.h"
#include "util/account.h"

#define ITEMS_MAX     16
#define BATCH_LEN_MAX (UINT32_C(128) * 1024) /* stored bytes that end one */
#define PER_WORKER    4

/* What a worker needs to itself. */
struct worker {
	struct decoder decoder;
	uint8_t *block;
};

struct item {
	struct batch_item item;
	size_t len; /* the worker's: what it holds */
	struct err err;
};

struct batch {
	struct job job; /* first */
	struct batches *batches;
	size_t count, stored;
	struct item items[ITEMS_MAX];
};

struct batches {
	struct check *check;
	struct pool *pool;
	struct worker *workers;
	unsigned worker_count;
	struct batch *all; /* as many as the pool has slots, and one */
	size_t depth, next;
};

static void run(struct job *job, unsigned worker)
{
	struct batch *batch = (struct batch *)job;
	struct batches *batches = batch->batches;
	struct worker *w = &batches->workers[worker];
	uint32_t block_size = batches->check->super->block_size;
	uint64_t begun = account_begin();

	for (size_t i = 0; i < batch->count; i++) {
		struct item *it = &batch->items[i];

		if (it->err.code != ERR_NONE)
			continue; /* to be told only */
		decoder_read(&w->decoder, it->item.at,
			     BLOCK_WORD_LEN(it->item.word),
			     it->item.word & BLOCK_WORD_RAW, w->block,
			     block_size, &it->len, &it->err);
	}
	account_end(ACCOUNT_READ, begun);
}

static void item_fault(struct check *c, const struct batch_item *item,
		       const char *fmt, ...) ERR_PRINTF(3, 4);

static void item_fault(struct check *c, const struct batch_item *item,
		       const char *fmt, ...)
{
	struct err text;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text.text, sizeof(text.text), fmt, args);
	va_end(args);
	if (item->want == 0)
		fault(c, FAULT_DATA, item->at, "fragment block %" PRIu32 ": %s",
		      item->owner, text.text);
	else
		node_fault(c, FAULT_DATA, item->owner, item->at,
			   "block %" PRIu64 ": %s", item->number, text.text);
}

static int judge(struct check *c, const struct item *it, struct err *err)
{
	const struct batch_item *item = &it->item;
	uint32_t stored = BLOCK_WORD_LEN(item->word);

	if (it->err.code != ERR_NONE && !is_damage(&it->err)) {
		*err = it->err;
		return -1;
	}
	if (it->err.code != ERR_NONE) {
		item_fault(c, item, "%s", it->err.text);
		return 0;
	}
	if (item->want == 0)
		c->stats.fragments++;
	else
		c->stats.blocks++;
	c->stats.stored += stored;
	c->stats.unpacked += it->len;
	if (item->want != 0 && it->len != item->want)
		item_fault(c, item, "it holds %zu bytes, not %" PRIu32,
			   it->len, item->want);
	else if (it->len < item->need)
		item_fault(c, item,
			   "it holds %zu bytes, tail-ends want %" PRIu32,
			   it->len, item->need);
	else if (stored > it->len)
		item_fault(c, item,
			   "it holds %zu bytes, stored as %" PRIu32, it->len,
			   stored);
	return 0;
}

static int collect(struct batches *batches, struct err *err)
{
	struct batch *batch = (struct batch *)pool_collect(batches->pool);

	for (size_t i = 0; i < batch->count; i++)
		if (judge(batches->check, &batch->items[i], err) < 0)
			return -1;
	return 0;
}

static int submit(struct batches *batches, struct err *err)
{
	struct batch *batch = &batches->all[batches->next];

	if (batch->count == 0)
		return 0;
	if (pool_is_full(batches->pool) && collect(batches, err) < 0)
		return -1;
	batch->job.run = run;
	batch->batches = batches;
	pool_submit(batches->pool, &batch->job);
	batches->next = (batches->next + 1) % (batches->depth + 1);
	batches->all[batches->next].count = 0;
	batches->all[batches->next].stored = 0;
	return 0;
}

static struct item *add(struct batches *batches, const struct batch_item *item)
{
	struct batch *batch = &batches->all[batches->next];
	struct item *it = &batch->items[batch->count++];

	it->item = *item;
	it->len = 0;
	it->err.code = ERR_NONE;
	return it;
}

static int submit_full(struct batches *batches, struct err *err)
{
	const struct batch *batch = &batches->all[batches->next];

	if (batch->count < ITEMS_MAX && batch->stored < BATCH_LEN_MAX)
		return 0;
	return submit(batches, err);
}

int batches_add(struct batches *batches, const struct batch_item *item,
		struct err *err)
{
	add(batches, item);
	batches->all[batches->next].stored += BLOCK_WORD_LEN(item->word);
	return submit_full(batches, err);
}

int batches_tell(struct batches *batches, const struct batch_item *item,
		 const char *what, struct err *err)
{
	err_set(&add(batches, item)->err, ERR_CORRUPT, "%s", what);
	return submit_full(batches, err);
}

int batches_finish(struct batches *batches, struct err *err)
{
	if (submit(batches, err) < 0)
		return -1;
	while (pool_pending(batches->pool) > 0)
		if (collect(batches, err) < 0)
			return -1;
	return 0;
}

static int init_workers(struct batches *batches, struct err *err)
{
	struct check *c = batches->check;

	for (unsigned i = 0; i < batches->worker_count; i++) {
		struct worker *w = &batches->workers[i];

		if (decoder_init(&w->decoder, c->image, err) < 0)
			return -1;
		w->block = malloc(c->super->block_size);
		if (!w->block)
			return err_nomem(err);
	}
	return 0;
}

int batches_create(struct check *c, struct batches **out, struct err *err)
{
	struct batches *batches = calloc(1, sizeof(*batches));
	unsigned jobs = c->options->jobs;

	if (!batches)
		return err_nomem(err);
	batches->check = c;
	batches->worker_count = jobs > 0 ? jobs : 1;
	batches->depth = (size_t)batches->worker_count * PER_WORKER;
	batches->workers =
		calloc(batches->worker_count, sizeof(*batches->workers));
	batches->all = calloc(batches->depth + 1, sizeof(*batches->all));
	if (!batches->workers || !batches->all) {
		err_nomem(err);
		goto fail;
	}
	if (init_workers(batches, err) < 0 ||
	    pool_create(jobs, batches->depth, &batches->pool, err) < 0)
		goto fail;
	*out = batches;
	return 0;
fail:
	batches_destroy(batches);
	return -1;
}

void batches_destroy(struct batches *batches)
{
	if (!batches)
		return;
	if (batches->pool) {
		pool_cancel(batches->pool);
		while (pool_collect(batches->pool))
			;
		pool_destroy(batches->pool);
	}
	if (!batches->workers) /* they could not be made */
		batches->worker_count = 0;
	for (unsigned i = 0; i < batches->worker_count; i++) {
		decoder_cleanup(&batches->workers[i].decoder);
		free(batches->workers[i].block);
	}
	free(batches->workers);
	free(batches->all);
	free(batches);
}
