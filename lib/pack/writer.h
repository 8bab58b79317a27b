/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PACK_WRITER_H
#define PACK_WRITER_H

#include <stdbool.h>

struct block;
struct err;
struct flow;
struct pack_writer;

/*
 * Writes blocks to the image in a thread of its own, in the order they are put,
 * and gives them back to the flow. This moves the copy into the page cache off
 * the main thread, which the pool could not do without breaking the order that
 * duplicates rely on (queue.c).
 *
 * fd        borrowed
 * threaded  false: pack_writer_put writes
 */
int pack_writer_create(int fd, struct flow *flow, bool threaded,
		       struct pack_writer **out, struct err *err);

/*
 * Gives a block away: stored_len bytes of its data go to its offset. Fails
 * with what an earlier write failed with. Thread: main.
 */
int pack_writer_put(struct pack_writer *writer, struct block *b,
		    struct err *err);

/* Waits until all is written. Thread: main. */
int pack_writer_wait(struct pack_writer *writer, struct err *err);

/* Stops at once: blocks not yet written are let go. writer may be NULL. */
void pack_writer_destroy(struct pack_writer *writer);

#endif
