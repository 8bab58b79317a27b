/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef FLOW_FLOW_H
#define FLOW_FLOW_H

#include <stddef.h>
#include <stdint.h>

struct block;
struct err;
struct flow;
struct sink;
struct source;

struct flow_options {
	unsigned jobs;	/* worker threads; 0: all in the caller's thread */
	size_t backlog; /* blocks in flight, 2 or more */

	/* called after each block with the bytes of content so far, or NULL */
	void (*progress)(void *arg, uint64_t content);
	void *progress_arg;
};

/* Bytes of memory that a flow holds for its buffers. */
uint64_t flow_memory(uint32_t block_size, size_t backlog, unsigned jobs);

/*
 * Moves all entries from src to sink, content through a pool of workers, and
 * finishes the sink. Both stay the caller's.
 *
 * fails    what src and sink fail with, with the entry's name in front; the
 *	    same failure for any number of jobs
 * thread   main
 */
int flow_run(struct source *src, struct sink *sink,
	     const struct flow_options *options, struct err *err);

/*
 * For sinks. Gives back a block, which may be used again at once. Thread: any.
 */
void flow_release(struct flow *flow, struct block *b);

/*
 * For sinks. Gives b to a worker as BLOCK_OF_SINK; sink_ops.collect gets it
 * back in its turn. To be called from sink_ops.take only. Thread: main.
 */
void flow_submit(struct flow *flow, struct block *b);

/*
 * For sinks. The buffer that a worker has besides its block's, as long as a
 * block's and free to be used in sink_ops.work: to fill it and let it change
 * places with the block's data. Thread: that worker.
 */
uint8_t **flow_spare(struct flow *flow, unsigned worker);

#endif
