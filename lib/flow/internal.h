/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef FLOW_INTERNAL_H
#define FLOW_INTERNAL_H

/* The including file has included config.h. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef WITH_PTHREAD
#include <pthread.h>
#endif

#include "entry/entry.h"
#include "entry/sink.h"
#include "entry/source.h"
#include "flow/block.h"
#include "flow/flow.h"

/* Pieces that a block has at most, whatever its size. */
#define PIECE_COUNT_MAX 256

struct flow {
	struct source *src; /* borrowed, as is sink */
	struct sink *sink;
	struct flow_options options;
	struct pool *pool;
	uint32_t block_size;
	uint32_t piece_max; /* of every block */
	uint64_t content;   /* bytes taken so far */
	bool has_failed;    /* a block or the sink did: nothing goes to the sink
			     * after that */

	struct block *blocks; /* block_count of them, made once */
	size_t block_count;

	/* One more buffer for each worker, spare_count of them. */
	uint8_t **spares;
	unsigned spare_count;

	/* The block that collects tail-ends, or NULL. Main thread. */
	struct block *open;

	/* How the file begins that is read forward, where the sink asks for
	 * code. Main thread. */
	uint8_t head[CODE_HEAD_LEN];
	size_t head_len;

	/* guarded by the mutex: blocks that nobody uses */
	struct block *free;
#ifdef WITH_PTHREAD
	pthread_mutex_t mutex;
	pthread_cond_t freed;
#endif
};

/* free.c: the fixed set of blocks. */
int blocks_create(struct flow *flow, struct err *err);
void blocks_destroy(struct flow *flow);

/* Makes the workers' spare buffers. ERR_NOMEM. */
int spares_create(struct flow *flow, unsigned count, struct err *err);

/* A block that nobody uses, or NULL if there is none just now. Main thread. */
struct block *blocks_get(struct flow *flow);

/* Waits until flow_release gave a block back. Nothing is in the pool. */
void blocks_wait(struct flow *flow);

/* flow.c: an unused block, reset; collects until there is one. */
int flow_take_free(struct flow *flow, struct block **out, struct err *err);

/* flow.c: gives a block to a worker and collects what is done. */
int flow_hand_out(struct flow *flow, struct block *b, struct err *err);

/*
 * cut.c: cuts an entry into pieces and hands blocks out. The entry is given
 * away with its last piece: *given is set then, also on failure.
 */
int cut_entry(struct flow *flow, struct entry *entry, bool *given,
	      struct err *err);

/* cut.c: hands out the block that collects tail-ends, if there is one. */
int cut_flush(struct flow *flow, struct err *err);

/* Where the content of an entry is read from. */
static inline struct source *source_of(const struct flow *flow,
				       const struct entry *entry)
{
	return entry->origin ? entry->origin : flow->src;
}

/* True if that only goes forward: then the main thread reads it. */
static inline bool is_forward(const struct flow *flow,
			      const struct entry *entry)
{
	return !source_of(flow, entry)->ops->read_at;
}

/*
 * read.c: fills the block of a seekable input; failure goes into b->err. The
 * worker's spare buffer may be used for it.
 */
void read_block(struct flow *flow, struct block *b, unsigned worker);

/*
 * read.c: fills one piece of an input that only goes forward, whose bytes are
 * the next. Main thread.
 */
int read_piece_forward(struct flow *flow, struct block *b, struct piece *piece,
		       struct err *err);

/*
 * read.c: the extent that holds offset, or the first behind it; extent_count
 * if there is none.
 */
size_t extent_at(const struct entry *entry, uint64_t offset);

#endif
