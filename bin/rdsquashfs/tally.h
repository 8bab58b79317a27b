/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RDSQUASHFS_TALLY_H
#define RDSQUASHFS_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include "util/arena.h"
#include "util/hash.h"

struct err;

/* What entries are charged with. */
struct charge {
	uint64_t bytes;	 /* of the image */
	uint64_t shared; /* that are charged to another entry */
	uint64_t entries;
};

/* One line of a table. */
struct tally_row {
	const char *key;
	size_t key_len;
	struct charge charge;
};

/* Sums by key. All zero but for the hash key is an empty table. */
struct tally {
	const struct hash_key *hash; /* borrowed */
	struct tally_row *rows;
	size_t count, cap;
	struct digest_map map;
	struct arena arena;
};

/* Finds or makes the row of a key, any bytes. ERR_NOMEM. */
int tally_row(struct tally *tally, const char *key, size_t len, size_t *index,
	      struct err *err);

void charge_add(struct charge *to, const struct charge *charge);

/* Most bytes first, equal ones by key. Indexes are void afterwards. */
void tally_sort(struct tally *tally);

void tally_cleanup(struct tally *tally);

#endif
