/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "flow/flow.h"

/*
 * The one loop: entries from a source, blocks through the pool, in order into
 * a sink. The main thread decides and collects; it submits a block only when
 * it has one, and when it has none it collects, so it never waits for itself.
 */

#include <stdlib.h>
#include <string.h>

#include "internal.h"

#include "util/account.h"

/*
 * Blocks that are given to the sink for each that is handed out: more would let
 * the workers run dry while the sink writes, fewer keep all blocks in use.
 */
#define DELIVER_MAX 2

/*
 * A full block is read into the worker's spare buffer, which is still in the
 * processor's cache from the block before; what becomes of it is smaller and
 * goes into the block's own.
 */
static void use_spare(struct block *b, unsigned worker)
{
	uint8_t **spare = flow_spare(b->flow, worker);
	uint8_t *data = b->data;

	b->data = *spare;
	*spare = data;
}

/* What the work on a block is counted as. */
static const enum account_stage stages[] = {
	[BLOCK_DATA] = ACCOUNT_WORK,
	[BLOCK_TAIL_ENDS] = ACCOUNT_TAIL_ENDS,
	[BLOCK_OF_SINK] = ACCOUNT_FRAGMENT,
};

static void run_block(struct job *job, unsigned worker)
{
	struct block *b = (struct block *)job;
	struct sink *sink = b->flow->sink;
	uint64_t begun = account_begin();

	if (b->kind != BLOCK_OF_SINK && !b->is_filled && b->len > 0) {
		if (b->kind == BLOCK_DATA)
			use_spare(b, worker);
		read_block(b->flow, b, worker);
		begun = account_end(ACCOUNT_READ, begun);
	}
	if (b->err.code == ERR_NONE && sink->ops->work) {
		sink->ops->work(sink, b, worker);
		account_end(stages[b->kind], begun);
	}
	if (sink->ops->help)
		sink->ops->help(sink);
}

void flow_submit(struct flow *flow, struct block *b)
{
	b->kind = BLOCK_OF_SINK;
	b->piece_count = 0;
	b->job.run = run_block;
	b->err.code = ERR_NONE;
	pool_submit(flow->pool, &b->job);
}

/* Puts the entry's name in front of a failure. */
static int in_entry(const struct entry *entry, struct err *err)
{
	char name[NAME_TEXT_LEN];

	if (err->code == ERR_WRITE)
		return -1; /* whichever entry came by has no part in it */
	if (*entry->path)
		err_in(err, "%s",
		       name_text(entry->path, strlen(entry->path), name));
	else
		err_in(err, "root directory");
	if (entry->origin && entry->origin->name)
		err_in(err, "%s", entry->origin->name);
	return -1;
}

void piece_fail(struct block *b, struct piece *piece, const struct err *err)
{
	if (!b->flow->sink->ops->fault) {
		b->err = *err;
		b->err_piece = (uint32_t)(piece - b->pieces);
		return;
	}
	if (piece->fault)
		return;
	piece->fault = malloc(sizeof(*piece->fault));
	if (piece->fault)
		*piece->fault = *err;
	else
		err_nomem(&b->err);
}

/* Tells the sink of a piece that failed, and goes on unless it minds. */
static int give_fault(struct flow *flow, struct piece *piece, struct err *err)
{
	struct err fault = *piece->fault;

	free(piece->fault);
	piece->fault = NULL;
	in_entry(piece->entry, &fault);
	if (flow->sink->ops->fault(flow->sink, piece->entry, &fault) == 0)
		return 0;
	*err = fault;
	return -1;
}

static int give_piece(struct flow *flow, struct block *b, struct piece *piece,
		      bool *keep, struct err *err)
{
	struct sink *sink = flow->sink;

	if (piece->is_first && sink->ops->begin(sink, piece->entry, err) < 0)
		return in_entry(piece->entry, err);
	if (piece->fault) {
		if (give_fault(flow, piece, err) < 0)
			return -1;
	} else if (piece->len > 0 &&
		   sink->ops->take(sink, b, piece, keep, err) < 0) {
		return in_entry(piece->entry, err);
	}
	if (piece->is_last && sink->ops->end(sink, piece->entry, err) < 0)
		return in_entry(piece->entry, err);
	flow->content += piece->len;
	return 0;
}

/* The entries that end in a block were given away with it. */
static void drop_entries(struct block *b, uint32_t from)
{
	for (uint32_t i = from; i < b->piece_count; i++) {
		free(b->pieces[i].fault);
		if (b->pieces[i].is_last)
			entry_destroy(b->pieces[i].entry);
	}
	b->piece_count = 0;
}

/* Reports the failure that a worker met. */
static int worker_failed(struct block *b, struct err *err)
{
	*err = b->err;
	if (b->kind != BLOCK_OF_SINK)
		in_entry(b->pieces[b->err_piece].entry, err);
	drop_entries(b, 0);
	return -1;
}

/* Gives the pieces of a block to the sink, one after the other. */
static int give_pieces(struct flow *flow, struct block *b, struct err *err)
{
	bool keep = false;
	uint32_t i = 0;
	int ret = 0;

	for (; i < b->piece_count && ret == 0; i++) {
		struct piece *piece = &b->pieces[i];

		ret = give_piece(flow, b, piece, &keep, err);
		if (piece->is_last)
			entry_destroy(piece->entry);
	}
	if (ret < 0) {
		drop_entries(b, i);
		return -1;
	}
	b->piece_count = 0;
	if (!keep)
		flow_release(flow, b);
	if (flow->options.progress)
		flow->options.progress(flow->options.progress_arg,
				       flow->content);
	return 0;
}

/* Gives a block that came back from the pool to the sink. */
static int deliver(struct flow *flow, struct block *b, struct err *err)
{
	int ret;

	if (b->err.code != ERR_NONE)
		ret = worker_failed(b, err);
	else if (b->kind == BLOCK_OF_SINK)
		ret = flow->sink->ops->collect(flow->sink, b, err);
	else
		ret = give_pieces(flow, b, err);
	if (ret < 0)
		flow->has_failed = true;
	return ret;
}

int flow_hand_out(struct flow *flow, struct block *b, struct err *err)
{
	struct job *job;

	b->job.run = run_block;
	pool_submit(flow->pool, &b->job);
	for (int i = 0; i < DELIVER_MAX; i++) {
		job = pool_collect_done(flow->pool);
		if (!job)
			break;
		if (deliver(flow, (struct block *)job, err) < 0)
			return -1;
	}
	return 0;
}

/* Nothing is in the pool: has the sink give a block back. */
static void wait_for_sink(struct flow *flow)
{
	struct sink *sink = flow->sink;

	if (!sink->ops->spare || !sink->ops->spare(sink))
		blocks_wait(flow);
}

int flow_take_free(struct flow *flow, struct block **out, struct err *err)
{
	struct block *b;

	while (!(b = blocks_get(flow))) {
		struct job *job = pool_collect(flow->pool);

		if (!job)
			wait_for_sink(flow);
		else if (deliver(flow, (struct block *)job, err) < 0)
			return -1;
	}
	b->piece_count = 0;
	b->len = 0;
	b->read_as_one = false;
	b->has_gaps = false;
	b->is_filled = false;
	b->err.code = ERR_NONE;
	b->err_piece = 0;
	b->owner = NULL;
	*out = b;
	return 0;
}

/* Collects all that is in the pool. */
static int drain(struct flow *flow, struct err *err)
{
	struct job *job;

	while ((job = pool_collect(flow->pool)))
		if (deliver(flow, (struct block *)job, err) < 0)
			return -1;
	return 0;
}

/*
 * Moves entries until the end of the source. A failure of the source waits for
 * the blocks before it, whose failure comes first in the input.
 */
static int move_entries(struct flow *flow, struct entry **entry,
			struct err *err)
{
	struct err late = { .code = ERR_NONE };
	bool given;
	int ret;

	while ((ret = source_next(flow->src, entry, &late)) == 0) {
		account_count(ACCOUNT_ENTRIES, 1);
		ret = cut_entry(flow, *entry, &given, &late);
		if (given)
			*entry = NULL;
		if (ret < 0)
			break;
	}
	if (flow->has_failed) {
		*err = late;
		return -1;
	}
	if (cut_flush(flow, err) < 0 || drain(flow, err) < 0)
		return -1;
	if (ret < 0) {
		*err = late;
		return *entry ? in_entry(*entry, err) : -1;
	}
	return 0;
}

/* After a failure: brings every job home and lets go of what they carry. */
static void abandon(struct flow *flow)
{
	struct job *job;

	if (flow->open)
		drop_entries(flow->open, 0);
	flow->open = NULL;
	pool_cancel(flow->pool);
	while ((job = pool_collect(flow->pool)))
		drop_entries((struct block *)job, 0);
}

static int run(struct flow *flow, struct err *err)
{
	struct sink *sink = flow->sink;
	struct entry *entry = NULL;

	if (move_entries(flow, &entry, err) < 0)
		goto failed;
	if (sink->ops->flush && sink->ops->flush(sink, err) < 0)
		goto failed;
	if (drain(flow, err) < 0)
		goto failed;
	return sink->ops->finish(sink, err);
failed:
	abandon(flow);
	entry_destroy(entry);
	return -1;
}

int flow_run(struct source *src, struct sink *sink,
	     const struct flow_options *options, struct err *err)
{
	struct flow flow = {
		.src = src,
		.sink = sink,
		.options = *options,
		.block_size = sink->cut.block_size,
	};
	unsigned workers;
	int ret = -1;

	if (flow.options.backlog < 2)
		flow.options.backlog = 2;
	if (blocks_create(&flow, err) < 0)
		goto out;
	if (pool_create(options->jobs, flow.options.backlog, &flow.pool, err) <
	    0)
		goto out;
	workers = pool_worker_count(flow.pool);
	if (spares_create(&flow, workers ? workers : 1, err) < 0)
		goto out;
	if (!sink->ops->start ||
	    sink->ops->start(sink, &flow, workers, err) == 0)
		ret = run(&flow, err);
	if (sink->ops->stop)
		sink->ops->stop(sink);
out:
	pool_destroy(flow.pool);
	blocks_destroy(&flow);
	return ret;
}
