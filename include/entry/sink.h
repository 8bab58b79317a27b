/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ENTRY_SINK_H
#define ENTRY_SINK_H

#include <stdbool.h>
#include <stdint.h>

struct block;
struct entry;
struct err;
struct flow;
struct piece;
struct sink;

/*
 * Where entries go: an image, an archive, a tree. For each entry, in the order
 * of the source, the flow calls begin, then take for its content from front to
 * back, then end; an entry is begun when the one before has ended.
 */
struct sink_ops {
	/*
	 * Before the first entry: the sink may keep flow until stop, and
	 * makes what its workers need. workers may be 0: then the main thread
	 * is worker 0, and the sink starts no thread either. NULL if there is
	 * nothing to do. Thread: main.
	 */
	int (*start)(struct sink *sink, struct flow *flow, unsigned workers,
		     struct err *err);

	/*
	 * Before any part of the entry reaches a worker: the sink may make
	 * what its workers need, and keep it in entry->of_sink. NULL if there
	 * is nothing. Whether begin will be called shows later; what is still
	 * open when the flow stops is for stop to close. Thread: main.
	 */
	int (*announce)(struct sink *sink, struct entry *entry,
			struct err *err);

	/*
	 * All that needs no other block, for one block of content; failure
	 * goes into b->err, or by piece_fail into one of its pieces; a piece
	 * that has failed already is passed over. NULL if content only has to be
	 * read. Thread: any worker, many at once.
	 */
	void (*work)(struct sink *sink, struct block *b, unsigned worker);

	/*
	 * A worker has done with a block, and the sink may use it for what
	 * else is to be done by whoever comes along. NULL if there is no such
	 * thing. Thread: any worker, many at once.
	 */
	void (*help)(struct sink *sink);

	/* The entry stays the flow's. Thread: main. */
	int (*begin)(struct sink *sink, const struct entry *entry,
		     struct err *err);

	/*
	 * The next part of the entry's content. The piece and its bytes in b
	 * are borrowed for this call. Thread: main.
	 *
	 * keep     set to true by a sink that keeps b, then its own until it
	 *	    calls flow_release or flow_submit, not before b's last piece
	 *	    was taken; until then it may change only those bytes of b
	 *	    that lie before the pieces it has not been given yet
	 */
	int (*take)(struct sink *sink, struct block *b, struct piece *piece,
		    bool *keep, struct err *err);

	/*
	 * In place of take, for a piece whose content could not be had or
	 * dealt with: err says why, with the entry's name in front, and is
	 * the sink's to report. Returns 0 to go on with what follows, -1 to
	 * fail with err. NULL: the flow fails. Thread: main.
	 */
	int (*fault)(struct sink *sink, const struct entry *entry,
		     struct err *err);

	int (*end)(struct sink *sink, const struct entry *entry,
		   struct err *err);

	/*
	 * A block that the sink itself gave to flow_submit is done, and the
	 * sink's again. NULL if it never does that. Thread: main.
	 */
	int (*collect)(struct sink *sink, struct block *b, struct err *err);

	/*
	 * All blocks are in the sink's hands, and the flow needs one: the sink
	 * releases some, now or when its threads are done with them. True if
	 * it did now. NULL: its threads do. Thread: main.
	 */
	bool (*spare)(struct sink *sink);

	/*
	 * After the last entry: the last chance for flow_submit. NULL if there
	 * is nothing to do. Thread: main.
	 */
	int (*flush)(struct sink *sink, struct err *err);

	/* After the last block. Thread: main. */
	int (*finish)(struct sink *sink, struct err *err);

	/*
	 * Lets go of all blocks and of the flow; always called once after
	 * start, also after a failure. NULL if nothing is kept. Thread: main.
	 */
	void (*stop)(struct sink *sink);

	void (*destroy)(struct sink *sink);
};

/* How a sink wants content cut. */
struct sink_cut {
	uint32_t block_size; /* bytes, 4096 or more */
	bool tail_ends;	     /* a file shorter than a block is a tail-end */
	bool long_tail_ends; /* so is what is left of a longer file */
	bool holes;	     /* holes are told; else they come as zeros */
	bool plain;	     /* what the system can copy is not read */
	bool code;	     /* it is found out what holds machine code */
};

struct sink {
	const struct sink_ops *ops;
	struct sink_cut cut;
};

/* sink may be NULL. */
static inline void sink_destroy(struct sink *sink)
{
	if (sink)
		sink->ops->destroy(sink);
}

#endif
