/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef FLOW_BLOCK_H
#define FLOW_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "codec/code.h"
#include "pool/pool.h"
#include "util/err.h"
#include "util/hash.h"

struct entry;
struct flow;

/*
 * A part of one entry: a full block, a tail-end, a run of holes, or nothing at
 * all for an entry without content.
 */
struct piece {
	/* set before submit, read-only from then on */
	struct entry *entry;
	uint64_t offset; /* in the file */
	uint64_t len;	 /* bytes in the file; 0 for no content */
	uint32_t at;	 /* where its bytes begin in the block's data */
	bool is_hole;	 /* no bytes; len may be many blocks */
	bool is_plain;	 /* no bytes here: len of them lie in plain_fd at
			  * plain_at; len may be many blocks */
	int plain_fd;
	uint64_t plain_at;
	bool is_first;	 /* begins its entry */
	bool is_last;	 /* ends its entry */

	/* the worker's from submit to collect, then the main thread's */
	bool is_zero; /* all bytes are zero */
	struct code code; /* that it holds, if the sink wants to know */
	struct digest digest;
	struct err *fault; /* why there is no content, on the heap; or NULL */
};

enum block_kind {
	BLOCK_DATA,	 /* one piece, to be compressed on its own */
	BLOCK_TAIL_ENDS, /* pieces that are not: tail-ends, holes, nothing */
	BLOCK_OF_SINK	 /* made by the sink: a fragment block */
};

/* A job of the pool, with the buffer that its bytes are in. */
struct block {
	struct job job; /* first: a job is its block */

	/* set before submit, read-only from then on */
	struct flow *flow;
	enum block_kind kind;
	struct piece *pieces; /* piece_count of flow's fixed number */
	uint32_t piece_count;
	uint32_t len;	  /* bytes in data before compression */
	bool read_as_one; /* data is one run of the input, from span_at to
			   * span_end */
	bool has_gaps;	  /* but not all of the run: what lies between some of
			   * the pieces is left out */
	bool is_filled;	  /* data was filled before submit */
	uint64_t span_at, span_end;
	const struct entry *span_entry; /* one that the run belongs to */

	/* the worker's from submit to collect, then the main thread's */
	uint8_t *data; /* CODEC_BOUND(block size) bytes */
	uint32_t stored_len; /* bytes in data after the work */
	bool is_compressed;
	struct err err; /* ERR_NONE when all went well */
	uint32_t err_piece;

	/* whoever holds the block: the sink's write queue, or the free list */
	struct block *next, *prev;
	void *owner;	 /* the sink's: whose content it is */
	uint64_t offset; /* the sink's: where it goes in the output */
	uint32_t index;	 /* the sink's: which of its fragment blocks it is */
	bool is_first;	 /* the sink's: the first stored of its owner */
	bool is_ready;	 /* the sink's: may leave the write queue */
	bool is_raw;	 /* the sink's: is not to be compressed */
	int use;	 /* the sink's: enum codec_use of what it made */
	uint32_t align;	 /* the sink's: of where it begins; 0: any place */
	uint32_t pad;	 /* the sink's: zeros in front of it */
};

/*
 * Notes that one piece failed, where the sink has a fault function and so goes
 * on without it; else the block fails. Thread: the block's.
 */
void piece_fail(struct block *b, struct piece *piece, const struct err *err);

#endif
