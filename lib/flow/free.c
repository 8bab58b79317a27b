/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "internal.h"

/*
 * The blocks of a flow: a fixed number, made once. Who holds a block gives it
 * back from any thread; the main thread waits for one when all are in use,
 * which is what bounds memory and slows the source to the speed of the rest.
 */

#include <stdlib.h>

#include "codec/codec.h"

static uint32_t piece_max(uint32_t block_size)
{
	uint32_t max = block_size / 512;

	if (max < 16)
		return 16;
	return max > PIECE_COUNT_MAX ? PIECE_COUNT_MAX : max;
}

uint64_t flow_memory(uint32_t block_size, size_t backlog, unsigned jobs)
{
	uint64_t buffer = CODEC_BOUND(block_size);
	uint64_t block = buffer + sizeof(struct block) +
			 piece_max(block_size) * sizeof(struct piece);

	return backlog * block + (jobs ? jobs : 1) * buffer;
}

static void lock(struct flow *flow)
{
#ifdef WITH_PTHREAD
	pthread_mutex_lock(&flow->mutex);
#else
	(void)flow;
#endif
}

static void unlock(struct flow *flow)
{
#ifdef WITH_PTHREAD
	pthread_mutex_unlock(&flow->mutex);
#else
	(void)flow;
#endif
}

int blocks_create(struct flow *flow, struct err *err)
{
	size_t count = flow->options.backlog;

	flow->piece_max = piece_max(flow->block_size);
	flow->blocks = calloc(count, sizeof(*flow->blocks));
	if (!flow->blocks)
		return err_nomem(err);
#ifdef WITH_PTHREAD
	pthread_mutex_init(&flow->mutex, NULL);
	pthread_cond_init(&flow->freed, NULL);
#endif
	flow->block_count = count;
	for (size_t i = 0; i < count; i++) {
		struct block *b = &flow->blocks[i];

		b->flow = flow;
		b->data = malloc(CODEC_BOUND(flow->block_size));
		b->pieces = malloc(flow->piece_max * sizeof(*b->pieces));
		if (!b->data || !b->pieces)
			return err_nomem(err);
		b->next = flow->free;
		flow->free = b;
	}
	return 0;
}

int spares_create(struct flow *flow, unsigned count, struct err *err)
{
	flow->spares = calloc(count, sizeof(*flow->spares));
	if (!flow->spares)
		return err_nomem(err);
	flow->spare_count = count;
	for (unsigned i = 0; i < count; i++) {
		flow->spares[i] = malloc(CODEC_BOUND(flow->block_size));
		if (!flow->spares[i])
			return err_nomem(err);
	}
	return 0;
}

uint8_t **flow_spare(struct flow *flow, unsigned worker)
{
	return &flow->spares[worker];
}

void blocks_destroy(struct flow *flow)
{
	for (unsigned i = 0; i < flow->spare_count; i++)
		free(flow->spares[i]);
	free(flow->spares);
	if (!flow->blocks)
		return;
	for (size_t i = 0; i < flow->block_count; i++) {
		free(flow->blocks[i].data);
		free(flow->blocks[i].pieces);
	}
	free(flow->blocks);
#ifdef WITH_PTHREAD
	pthread_cond_destroy(&flow->freed);
	pthread_mutex_destroy(&flow->mutex);
#endif
}

void flow_release(struct flow *flow, struct block *b)
{
	lock(flow);
	b->next = flow->free;
	flow->free = b;
	unlock(flow);
#ifdef WITH_PTHREAD
	pthread_cond_signal(&flow->freed);
#endif
}

struct block *blocks_get(struct flow *flow)
{
	struct block *b;

	lock(flow);
	b = flow->free;
	if (b)
		flow->free = b->next;
	unlock(flow);
	return b;
}

void blocks_wait(struct flow *flow)
{
#ifdef WITH_PTHREAD
	lock(flow);
	while (!flow->free)
		pthread_cond_wait(&flow->freed, &flow->mutex);
	unlock(flow);
#else
	(void)flow; /* without threads nothing is in use behind our back */
#endif
}
