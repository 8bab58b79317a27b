/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PACK_INTERNAL_H
#define PACK_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/code.h"
#include "codec/codec.h"
#include "entry/entry.h"
#include "entry/sink.h"
#include "flow/block.h"
#include "flow/flow.h"
#include "pack/pack.h"
#include "sqfs/xattr.h"
#include "tree/tree.h"
#include "util/array.h"
#include "util/digest.h"
#include "util/hash.h"

struct pack_writer;

/* The file whose content is coming in. Main thread. */
struct pack_file {
	struct node *node; /* NULL: its content is dropped */
	uint64_t sparse;   /* bytes in holes */
	uint32_t stored_count; /* blocks that are no holes */
	uint64_t stored_len;   /* their bytes in the image */
	uint64_t stored_content; /* their bytes before compression */
	struct digest run;     /* of all stored blocks so far */
	bool is_placed;	       /* the first has left the write queue */
	bool is_settled;       /* it is known whether they are a duplicate */
	uint64_t pad;	       /* zeros in front of the first */
	uint32_t *words;       /* word_count of them; reused */
	size_t word_count, word_cap;
};

struct pack {
	struct sink sink; /* first */
	struct pack_options options;
	int fd; /* borrowed */
	bool truncate;
	struct digest_key key; /* of the digests of blocks and tail-ends */

	struct flow *flow; /* between start and stop */
	struct codec **workers; /* one for each */
	unsigned worker_count;

	/* the rest is the main thread's */
	struct tree *tree;
	struct xattr_writer *xattrs;
	struct codec *codec; /* for metadata */
	struct pack_file file;
	struct node **later; /* by content_index: whose content comes later */
	size_t later_count, later_cap;

	/* blocks that wait for their place, oldest first */
	struct block *queue_head, *queue_tail;
	uint64_t mark; /* where the next one goes */
	struct pack_writer *writer;

	struct block *fragment;	   /* that tail-ends are added to, or NULL */
	uint32_t fragment_code[CODE_MACHINE_COUNT]; /* bytes of code in it */
	struct buffer fragments;   /* FRAGMENT_LEN bytes each */
	uint32_t fragment_count;
	struct digest_map tails;   /* to fragment << 32 | offset */
	struct digest_map runs;	   /* to the node that has them */

	struct pack_stats stats;
};

#define FRAGMENT_LEN 16 /* bytes of an entry of the fragment table */

/* True if equal content of an entry is to be stored once. Thread: any. */
static inline bool pack_looks_for_duplicates(const struct pack *pack,
					     const struct entry *entry)
{
	return !pack->options.no_duplicates &&
	       !(entry->flags & ENTRY_NO_DUPLICATES);
}

/* work.c: what a block of len bytes is, with so much code for a machine. */
enum codec_use pack_use(enum code_machine machine, uint32_t code_len,
			uint32_t len);

/* work.c: what workers do. */
void pack_work(struct sink *sink, struct block *b, unsigned worker);

/* content.c: files, in the order of the input. */
int pack_begin(struct sink *sink, const struct entry *entry, struct err *err);
int pack_take(struct sink *sink, struct block *b, struct piece *piece,
	      bool *keep, struct err *err);
int pack_fault(struct sink *sink, const struct entry *entry, struct err *err);
int pack_end(struct sink *sink, const struct entry *entry, struct err *err);

/* fragment.c: the tail-end of the file that is coming in. */
int fragment_add(struct pack *pack, struct block *b, struct piece *piece,
		 bool *keep, struct err *err);

/* fragment.c: has the look-ups for the tail-ends of b prepared. */
void fragment_prefetch(struct pack *pack, const struct block *b);

/* fragment.c: gives the open fragment block to a worker, if there is one. */
int fragment_close(struct pack *pack, struct err *err);

/* fragment.c: a fragment block is compressed. */
int pack_collect(struct sink *sink, struct block *b, struct err *err);

/*
 * fragment.c: leaves out the fragment blocks that no file in the tree uses,
 * which replaced files may leave behind: a table longer than the number of
 * inodes is refused by readers.
 */
int fragment_drop_unused(struct pack *pack, struct err *err);

/* queue.c: appends a block; it is the queue's until it is written. */
int queue_push(struct pack *pack, struct block *b, struct err *err);

/* queue.c: gives blocks at the head that are ready to the writer. */
int queue_advance(struct pack *pack, struct err *err);

/*
 * queue.c: takes back all stored blocks of the file that is coming in, whose
 * last one was just pushed.
 */
void queue_take_back(struct pack *pack);

#endif
