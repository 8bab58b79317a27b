/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "internal.h"

/*
 * The blocks of files and fragments. Runs of blocks are taken in the order of
 * their places. Files may share blocks, but only whole ones: of what lies under
 * the run at hand the blocks are kept, and a run that goes over them must cut
 * where they do. So each block is unpacked once, and none is kept for long.
 * Format: doc/squashfs.md, "Data blocks", "Fragments".
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "sqfs/inode.h"
#include "sqfs/super.h"
#include "util/account.h"
#include "util/num.h"

#define WORDS_AT_ONCE 256
#define PRUNE_MIN     4096 /* blocks that are moved at once */

struct block {
	uint64_t at;
	uint32_t word, want;
};

/* The blocks that the next runs may share. */
struct cover {
	struct block *blocks;
	size_t begin, count, cap;
	uint64_t end; /* of the last */
	uint64_t sum; /* bytes of all that ever were in it */
};

/* A run that is being gone over. */
struct walk {
	const struct run *run;
	size_t next;	 /* the block of the cover that is to come */
	uint64_t number; /* of the word */
	uint64_t at;
	bool is_faulty; /* that it overlaps was told */
};

static bool is_fragment(const struct run *run)
{
	return run->last_len == 0;
}

static bool is_word(const struct check *c, uint32_t word)
{
	return (word & ~(BLOCK_WORD_RAW | 0xFFFFFFu)) == 0 &&
	       BLOCK_WORD_LEN(word) <= c->super->block_size &&
	       word != BLOCK_WORD_RAW;
}

int note_fragment(struct check *c, uint64_t number, const uint8_t *entry,
		  uint64_t at, struct err *err)
{
	uint64_t start = get_le64(entry), end = c->super->inode_table;
	uint32_t word = get_le32(entry + 8); /* + 12 is unused */
	uint32_t len = BLOCK_WORD_LEN(word);

	if (array_reserve(&c->need, &c->need_cap, (size_t)number + 1,
			  sizeof(*c->need), err) < 0)
		return -1;
	while (c->need_count <= number)
		c->need[c->need_count++] = 0;
	if (len == 0 || !is_word(c, word)) {
		fault(c, FAULT_TABLE, at,
		      "fragment table: entry %" PRIu64
		      ": its word is 0x%08" PRIx32,
		      number, word);
		return 0;
	}
	if (start < c->data_start || start > end || len > end - start) {
		fault(c, FAULT_TABLE, at,
		      "fragment table: entry %" PRIu64 ": %" PRIu32
		      " bytes at %" PRIu64 " are not within %" PRIu64
		      " to %" PRIu64,
		      number, len, start, c->data_start, end);
		return 0;
	}
	if (array_reserve(&c->runs, &c->run_cap, c->run_count + 1,
			  sizeof(*c->runs), err) < 0)
		return -1;
	c->runs[c->run_count++] = (struct run){ .start = start,
						.words = word,
						.count = 1,
						.owner = (uint32_t)number };
	return 0;
}


/* The first block of the cover that does not begin before a place. */
static size_t find_block(const struct cover *cover, uint64_t at)
{
	size_t low = cover->begin, high = cover->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (cover->blocks[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Forgets what ends before a place, as no later run begins before it. */
static void prune(struct cover *cover, uint64_t start)
{
	struct block *blocks = cover->blocks;

	if (start >= cover->end)
		cover->begin = cover->count = 0;
	while (cover->begin < cover->count &&
	       blocks[cover->begin].at +
			       BLOCK_WORD_LEN(blocks[cover->begin].word) <=
		       start)
		cover->begin++;
	if (cover->begin < PRUNE_MIN || cover->begin < cover->count / 2)
		return;
	cover->count -= cover->begin;
	move_bytes(blocks, blocks + cover->begin,
		   cover->count * sizeof(*blocks));
	cover->begin = 0;
}

static struct batch_item item_of(const struct walk *w, const struct block *b)
{
	return (struct batch_item){ .at = b->at,
				    .word = b->word,
				    .want = b->want,
				    .owner = w->run->owner,
				    .number = w->number };
}

/* Has a block unpacked. */
static int submit(struct check *c, struct batches *batches,
		  const struct walk *w, const struct block *b,
		  struct err *err)
{
	struct batch_item item = item_of(w, b);

	if (is_fragment(w->run))
		item.need = c->need[item.owner];
	return batches_add(batches, &item, err);
}

/* Behind what is found in the blocks before: the order is always the same. */
static int tell(struct batches *batches, const struct walk *w,
		const struct block *b, const char *what, struct err *err)
{
	struct batch_item item = item_of(w, b);

	return batches_tell(batches, &item, what, err);
}

static int overlap(struct batches *batches, struct walk *w,
		   const struct block *b, struct err *err)
{
	if (w->is_faulty)
		return 0;
	w->is_faulty = true;
	return tell(batches, w, b, "it overlaps another block", err);
}

static int check_block(struct check *c, struct cover *cover,
		       struct batches *batches, struct walk *w,
		       const struct block *b, struct err *err)
{
	uint64_t end = b->at + BLOCK_WORD_LEN(b->word);
	const struct block *there =
		w->next < cover->count ? &cover->blocks[w->next] : NULL;

	if (there && there->at == b->at && there->word == b->word) {
		w->next++;
		if (there->want == b->want)
			return 0;
		return tell(batches, w, b,
			    "it is shared with one of another length", err);
	}
	if (there || b->at < cover->end) {
		while (w->next < cover->count &&
		       cover->blocks[w->next].at < end)
			w->next++;
		return overlap(batches, w, b, err);
	}
	if (array_reserve(&cover->blocks, &cover->cap, cover->count + 1,
			  sizeof(*cover->blocks), err) < 0)
		return -1;
	cover->blocks[cover->count++] = *b;
	cover->end = end;
	cover->sum += end - b->at;
	w->next = cover->count;
	return submit(c, batches, w, b, err);
}

/* The next words of a run; *count of them, 0 if they cannot be had. */
static int get_words(struct check *c, const struct run *run, uint64_t from,
		     uint32_t buf[WORDS_AT_ONCE], size_t *count,
		     struct err *err)
{
	uint64_t left = run->count - from;
	size_t n = left < WORDS_AT_ONCE ? (size_t)left : WORDS_AT_ONCE;
	uint8_t raw[WORDS_AT_ONCE * 4];
	int ret;

	*count = n;
	if (is_fragment(run)) {
		buf[0] = (uint32_t)run->words;
	} else if (!run->in_table) {
		copy_bytes(buf, c->words + run->words + from, n * sizeof(*buf));
	} else {
		ret = stream_get(c, &c->inodes, run->words + 4 * from, raw,
				 n * 4, err);
		if (ret != 0)
			*count = 0;
		for (size_t i = 0; i < *count; i++)
			buf[i] = get_le32(raw + 4 * i);
		return ret < 0 ? -1 : 0;
	}
	return 0;
}

/* What does not fit into the data was told with the inode, and ends it. */
static int check_run(struct check *c, struct cover *cover,
		     struct batches *batches, const struct run *run,
		     struct err *err)
{
	struct walk w = { .run = run, .at = run->start };
	uint32_t words[WORDS_AT_ONCE];
	size_t count;

	prune(cover, run->start);
	w.next = find_block(cover, run->start);
	for (uint64_t from = 0; from < run->count; from += count) {
		if (get_words(c, run, from, words, &count, err) < 0)
			return -1;
		if (count == 0)
			return 0;
		for (size_t i = 0; i < count; i++) {
			struct block b = { .at = w.at, .word = words[i] };
			uint32_t len = BLOCK_WORD_LEN(b.word);

			w.number = from + i;
			b.want = w.number + 1 == run->count
					 ? run->last_len
					 : c->super->block_size;
			if (!is_word(c, b.word) ||
			    len > c->super->inode_table - w.at)
				return 0;
			if (len > 0 &&
			    check_block(c, cover, batches, &w, &b, err) < 0)
				return -1;
			w.at += len;
		}
	}
	return 0;
}

static int compare(const void *pa, const void *pb)
{
	const struct run *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (is_fragment(a) != is_fragment(b))
		return is_fragment(a) ? -1 : 1;
	return a->owner < b->owner ? -1 : a->owner > b->owner;
}

/* Of entries for one fragment block the first wants what any of them does. */
static void join_needs(struct check *c)
{
	const struct run *first = NULL;

	for (size_t i = 0; i < c->run_count; i++) {
		const struct run *run = &c->runs[i];

		if (!is_fragment(run))
			continue;
		if (!first || first->start != run->start)
			first = run;
		else if (c->need[first->owner] < c->need[run->owner])
			c->need[first->owner] = c->need[run->owner];
	}
}

int check_data(struct check *c, struct err *err)
{
	struct cover cover = { 0 };
	struct batches *batches = NULL;
	int ret = -1;

	if (c->run_count > 1)
		qsort(c->runs, c->run_count, sizeof(*c->runs), compare);
	join_needs(c);
	if (batches_create(c, &batches, err) < 0)
		goto out;
	for (size_t i = 0; i < c->run_count; i++)
		if (check_run(c, &cover, batches, &c->runs[i], err) < 0)
			goto out;
	if (batches_finish(batches, err) < 0)
		goto out;
	c->stats.unused = c->super->inode_table - c->data_start - cover.sum;
	ret = 0;
out:
	batches_destroy(batches);
	free(cover.blocks);
	return ret;
}
