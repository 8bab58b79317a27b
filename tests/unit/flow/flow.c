/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flow/flow.h"

#include "check.h"
#include "entry/entry.h"
#include "entry/sink.h"
#include "entry/source.h"
#include "flow/block.h"
#include "util/err.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/uio.h>

#define BLOCK 4096

/* The byte of the input at a place: what workers must have read. */
static uint8_t byte_at(uint64_t at)
{
	return (uint8_t)(at * 7 + (at >> 9) + 1);
}

/* A source of made-up entries: sizes, gaps and extents by a simple rule. */
struct made_source {
	struct source source;
	unsigned count, next;
	uint64_t at;	  /* in the input, of the next extent */
	struct entry *last;
	size_t extent;	  /* of last, being read */
	uint64_t done;	  /* of that extent */
	unsigned fail_at; /* entry whose turn fails; 0: none */
	uint64_t fail_read; /* place that cannot be read; 0: none */
};

/* Reads of one run into several places. */
static atomic_uint runs_apart;

static uint64_t size_of(unsigned n)
{
	static const uint64_t sizes[] = { 0,	100,  1,     0,	   3000,
					  4096, 4097, 20000, 4095, 8192,
					  500,	0,    66000, 12,   7000 };

	return sizes[n % (sizeof(sizes) / sizeof(*sizes))];
}

/* Entry n has holes in the middle, at its end, at its front, or none. */
static void add_extents(struct made_source *s, struct entry *e, unsigned n)
{
	uint64_t size = e->size, from = 0, to = size;

	if (size < 16)
		n = 0;
	if (n % 4 == 1)
		from = size / 4;
	if (n % 4 == 2)
		to = size / 4;
	if (n % 4 == 3) {
		entry_add_extent(e, 0, s->at, size / 8, NULL);
		s->at += size / 8;
		from = size - size / 8;
	}
	if (to > from) {
		entry_add_extent(e, from, s->at, to - from, NULL);
		s->at += to - from;
	}
}

static int made_next(struct source *src, struct entry **out, struct err *err)
{
	struct made_source *s = (struct made_source *)src;
	struct entry *e;
	char name[32];

	if (s->fail_at && s->next == s->fail_at)
		return err_set(err, ERR_CORRUPT, "source failed");
	if (s->next == s->count)
		return 1;
	check(entry_create(&e, err) == 0);
	snprintf(name, sizeof(name), "e%u", s->next);
	e->path = strdup(name);
	e->size = size_of(s->next);
	s->at += 512;
	add_extents(s, e, s->next);
	s->at += 512;
	s->next++;
	s->last = e;
	s->extent = 0;
	s->done = 0;
	*out = e;
	return 0;
}

static int made_read_at(const struct source *src, const struct entry *entry,
			uint64_t at, void *buf, size_t len, struct err *err)
{
	const struct made_source *s = (const struct made_source *)src;
	uint8_t *p = buf;

	(void)entry;
	if (s->fail_read && at <= s->fail_read && s->fail_read < at + len)
		return err_set(err, ERR_IO, "bad sector");
	for (size_t i = 0; i < len; i++)
		p[i] = byte_at(at + i);
	return 0;
}

static int made_readv_at(const struct source *src, const struct entry *entry,
			 uint64_t at, struct iovec *iov, int count,
			 struct err *err)
{
	for (int i = 0; i < count; i++) {
		/* A worker's: check() is the main thread's. */
		if (iov[i].iov_len == 0)
			return err_set(err, ERR_IO, "a read of nothing");
		if (made_read_at(src, entry, at, iov[i].iov_base,
				 iov[i].iov_len, err) < 0)
			return -1;
		at += iov[i].iov_len;
	}
	atomic_fetch_add(&runs_apart, count > 1);
	return 0;
}

static int made_read(struct source *src, void *buf, size_t len,
		     struct err *err)
{
	struct made_source *s = (struct made_source *)src;
	const struct extent *x = &s->last->extents[s->extent];

	check(s->extent < s->last->extent_count);
	check(len <= x->len - s->done);
	if (made_read_at(src, s->last, x->at + s->done, buf, len, err) < 0)
		return -1;
	s->done += len;
	if (s->done == x->len) {
		s->extent++;
		s->done = 0;
	}
	return 0;
}

static void nothing(struct source *src)
{
	(void)src;
}

static const struct source_ops seekable_ops = {
	.next = made_next, .read_at = made_read_at,
	.readv_at = made_readv_at, .destroy = nothing
};
static const struct source_ops forward_ops = { .next = made_next,
					       .read = made_read,
					       .destroy = nothing };

/* A sink that checks order and content. */
struct check_sink {
	struct sink sink;
	struct flow *flow;
	unsigned next;	 /* entry */
	uint64_t offset; /* in it */
	bool in_entry;
	unsigned blocks;
	unsigned fail_work; /* block whose work fails; 0: none */
	unsigned fail_end;  /* entry whose end fails; 0: none */
	unsigned finished, stopped;
	struct block *kept;
};

static int sink_start(struct sink *sink, struct flow *flow, unsigned workers,
		      struct err *err)
{
	(void)workers;
	(void)err;
	((struct check_sink *)sink)->flow = flow;
	return 0;
}

static void sink_work(struct sink *sink, struct block *b, unsigned worker)
{
	struct check_sink *s = (struct check_sink *)sink;

	(void)worker;
	for (uint32_t i = 0; i < b->piece_count; i++)
		if (s->fail_work && b->pieces[i].is_first &&
		    strtoul(b->pieces[i].entry->path + 1, NULL, 10) ==
			    s->fail_work) {
			b->err_piece = i;
			err_set(&b->err, ERR_IO, "work failed");
		}
}

static int sink_begin(struct sink *sink, const struct entry *entry,
		      struct err *err)
{
	struct check_sink *s = (struct check_sink *)sink;
	char name[32];

	(void)err;
	snprintf(name, sizeof(name), "e%u", s->next);
	check_str(entry->path, name);
	check(!s->in_entry);
	s->in_entry = true;
	s->offset = 0;
	return 0;
}

static uint8_t want_byte(const struct entry *e, uint64_t offset)
{
	for (size_t i = 0; i < e->extent_count; i++) {
		const struct extent *x = &e->extents[i];

		if (offset >= x->offset && offset < x->offset + x->len)
			return byte_at(x->at + offset - x->offset);
	}
	return 0;
}

static int sink_take(struct sink *sink, struct block *b, struct piece *piece,
		     bool *keep, struct err *err)
{
	struct check_sink *s = (struct check_sink *)sink;
	unsigned wrong = 0;

	(void)err;
	check_u64(piece->offset, s->offset);
	check(piece->len > 0);
	if (b->kind == BLOCK_DATA)
		check(b->piece_count == 1 && piece->len <= BLOCK);
	else
		check(piece->is_hole || piece->len < BLOCK);
	for (uint64_t i = 0; i < piece->len; i++) {
		uint8_t have = piece->is_hole ? 0 : b->data[piece->at + i];

		wrong += have != want_byte(piece->entry, piece->offset + i);
	}
	check_u64(wrong, 0);
	s->offset += piece->len;
	s->blocks++;

	/* Now and then keep one, and send the one before through the pool. */
	if (s->blocks % 5 == 0 && b->kind == BLOCK_DATA) {
		*keep = true;
		if (s->kept)
			flow_submit(s->flow, s->kept);
		s->kept = b;
	}
	return 0;
}

static int sink_end(struct sink *sink, const struct entry *entry,
		    struct err *err)
{
	struct check_sink *s = (struct check_sink *)sink;

	check(s->in_entry);
	check_u64(s->offset, entry->size);
	s->in_entry = false;
	if (s->fail_end && s->next == s->fail_end)
		return err_set(err, ERR_LIMIT, "end failed");
	s->next++;
	return 0;
}

static int sink_collect(struct sink *sink, struct block *b, struct err *err)
{
	(void)err;
	flow_release(((struct check_sink *)sink)->flow, b);
	return 0;
}

static int sink_flush(struct sink *sink, struct err *err)
{
	struct check_sink *s = (struct check_sink *)sink;

	(void)err;
	if (s->kept)
		flow_submit(s->flow, s->kept);
	s->kept = NULL;
	return 0;
}

static int sink_finish(struct sink *sink, struct err *err)
{
	(void)err;
	((struct check_sink *)sink)->finished++;
	return 0;
}

static void sink_stop(struct sink *sink)
{
	((struct check_sink *)sink)->stopped++;
}

static const struct sink_ops check_ops = {
	.start = sink_start,
	.work = sink_work,
	.begin = sink_begin,
	.take = sink_take,
	.end = sink_end,
	.collect = sink_collect,
	.flush = sink_flush,
	.finish = sink_finish,
	.stop = sink_stop,
};

struct setting {
	bool forward, one_input, holes, tails;
	unsigned jobs;
	size_t backlog;
};

static void make(const struct setting *set, struct made_source *src,
		 struct check_sink *sink)
{
	*src = (struct made_source){
		.source.ops = set->forward ? &forward_ops : &seekable_ops,
		.source.one_input = set->one_input,
		.count = 100,
	};
	*sink = (struct check_sink){
		.sink.ops = &check_ops,
		.sink.cut = { .block_size = BLOCK,
			      .tail_ends = set->tails,
			      .long_tail_ends = set->tails,
			      .holes = set->holes },
	};
}

static void test_moves(const struct setting *set)
{
	struct flow_options options = { .jobs = set->jobs,
					.backlog = set->backlog };
	struct made_source src;
	struct check_sink sink;
	struct err err = { 0 };

	make(set, &src, &sink);
	check(flow_run(&src.source, &sink.sink, &options, &err) == 0);
	check_u64(sink.next, 100);
	check_u64(sink.finished, 1);
	check_u64(sink.stopped, 1);
}

/* Whatever fails first in the input is reported, by any number of workers. */
static void test_fails(const struct setting *set)
{
	struct flow_options options = { .jobs = set->jobs,
					.backlog = set->backlog };
	const unsigned places[] = { 1, 50, 99 };

	for (unsigned kind = 0; kind < 4; kind++) {
		for (unsigned i = 0; i < 3; i++) {
			struct made_source src;
			struct check_sink sink;
			struct err err = { 0 };
			char want[64];

			make(set, &src, &sink);
			snprintf(want, sizeof(want), "e%u: work failed",
				 places[i]);
			if (kind == 0)
				sink.fail_work = places[i];
			if (kind == 1) {
				sink.fail_end = places[i];
				snprintf(want, sizeof(want),
					 "e%u: end failed", places[i]);
			}
			if (kind == 2) {
				src.fail_at = places[i];
				strcpy(want, "source failed");
			}
			if (kind == 3) { /* the earlier of two */
				src.fail_at = 99;
				sink.fail_work = 50;
				strcpy(want, "e50: work failed");
			}
			check(flow_run(&src.source, &sink.sink, &options,
				       &err) == -1);
			check_str(err.text, want);
			check_u64(sink.finished, 0);
			check_u64(sink.stopped, 1);
		}
	}
}

static void test_bad_read(const struct setting *set)
{
	struct flow_options options = { .jobs = set->jobs,
					.backlog = set->backlog };
	struct made_source src;
	struct check_sink sink;
	struct err err = { 0 };

	make(set, &src, &sink);
	src.fail_read = 100000;
	check(flow_run(&src.source, &sink.sink, &options, &err) == -1);
	check_u64(err.code, ERR_IO);
	check(strstr(err.text, "bad sector") != NULL);
	check_u64(sink.finished, 0);
	check_u64(sink.stopped, 1);
}

int main(void)
{
	const unsigned jobs[] = { 0, 1, 2, 8 };
	const size_t backlogs[] = { 3, 4, 40 };

	for (unsigned bits = 0; bits < 16; bits++)
		for (unsigned j = 0; j < 4; j++)
			for (unsigned k = 0; k < 3; k++) {
				struct setting set = {
					.forward = bits & 1,
					.one_input = bits & 2,
					.holes = bits & 4,
					.tails = bits & 8,
					.jobs = jobs[j],
					.backlog = backlogs[k],
				};

				test_moves(&set);
				if (k == 1) {
					test_fails(&set);
					test_bad_read(&set);
				}
			}
	check(flow_memory(4096, 20, 2) > 20 * 4096);
	check(flow_memory(1048576, 2, 1) < 4 * 1048576);
	check(runs_apart > 0);
	return check_report();
}
