/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CHECK_BATCH_H
#define CHECK_BATCH_H

#include <stddef.h>
#include <stdint.h>

struct check;
struct err;

/*
 * Blocks on their way through the workers, some at a time; what is found is
 * told in the order in which they were added.
 */
struct batches;

/* One stored block. */
struct batch_item {
	uint64_t at;
	uint32_t word;
	uint32_t want; /* bytes it must hold; 0: a fragment block */
	uint32_t need; /* bytes that a fragment block must hold at least */
	uint32_t owner; /* node, or number of the fragment block */
	uint64_t number; /* of the block in its file */
};

int batches_create(struct check *c, struct batches **out, struct err *err);
int batches_add(struct batches *batches, const struct batch_item *item,
		struct err *err);

/* Tells of a fault when the block's turn has come, and does not unpack it. */
int batches_tell(struct batches *batches, const struct batch_item *item,
		 const char *what, struct err *err);

/* Waits for all that were added. */
int batches_finish(struct batches *batches, struct err *err);

/* batches may be NULL. */
void batches_destroy(struct batches *batches);

#endif
