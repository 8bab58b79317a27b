/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PACK_WRITER_H
#define PACK_WRITER_H

#include <stdbool.h>

struct block;
struct err;
struct flow;
struct pack_writer;

/*
 * Blocks that have their place in the image and wait to be written, in the order
 * they were put. Workers write them, some at a time and one worker at a time: so
 * a later block may overwrite an earlier one, which queue.c relies on, and the
 * copy into the page cache needs neither the main thread nor one of its own
 * that would have to be woken for it. More than one at once would only wait
 * for each other: the system lets one thread write to a file.
 */

/* fd is borrowed. */
int pack_writer_create(int fd, struct flow *flow, struct pack_writer **out,
		       struct err *err);

/*
 * Gives a block away: stored_len bytes of its data go to its offset, then it
 * is released. Fails with what an earlier write failed with. Thread: main.
 */
int pack_writer_put(struct pack_writer *writer, struct block *b,
		    struct err *err);

/* Writes some blocks, if there are enough and nobody does. Thread: any. */
void pack_writer_help(struct pack_writer *writer);

/*
 * Writes some blocks, if there are any and nobody does, so that they are
 * free. True if it did. Thread: main.
 */
bool pack_writer_free(struct pack_writer *writer);

/* Writes all that is left. Fails with what any write did. Thread: main. */
int pack_writer_wait(struct pack_writer *writer, struct err *err);

/* Forgets blocks that are not written. Nobody writes. writer may be NULL. */
void pack_writer_destroy(struct pack_writer *writer);

#endif
