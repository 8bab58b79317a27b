/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rdsquashfs/tally.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/err.h"

int tally_row(struct tally *tally, const char *key, size_t len, size_t *index,
	      struct err *err)
{
	const uint64_t *known;
	struct digest digest;
	const char *copy;

	hash128(tally->hash, key, len, &digest);
	known = digest_map_find(&tally->map, &digest);
	if (known) {
		*index = (size_t)*known;
		return 0;
	}
	copy = arena_text(&tally->arena, key, len, err);
	if (!copy ||
	    array_reserve(&tally->rows, &tally->cap, tally->count + 1,
			  sizeof(*tally->rows), err) < 0 ||
	    digest_map_add(&tally->map, &digest, tally->count, err) < 0)
		return -1;
	*index = tally->count;
	tally->rows[tally->count++] =
		(struct tally_row){ .key = copy, .key_len = len };
	return 0;
}

void charge_add(struct charge *to, const struct charge *charge)
{
	to->bytes += charge->bytes;
	to->shared += charge->shared;
	to->entries += charge->entries;
}

static int compare(const void *a, const void *b)
{
	const struct tally_row *x = a, *y = b;
	const size_t len = x->key_len < y->key_len ? x->key_len : y->key_len;
	int order;

	if (x->charge.bytes != y->charge.bytes)
		return x->charge.bytes > y->charge.bytes ? -1 : 1;
	order = memcmp(x->key, y->key, len);
	if (order != 0 || x->key_len == y->key_len)
		return order;
	return x->key_len < y->key_len ? -1 : 1;
}

void tally_sort(struct tally *tally)
{
	if (tally->count > 0)
		qsort(tally->rows, tally->count, sizeof(*tally->rows),
		      compare);
}

void tally_cleanup(struct tally *tally)
{
	free(tally->rows);
	digest_map_cleanup(&tally->map);
	arena_cleanup(&tally->arena);
}
