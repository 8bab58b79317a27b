/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "writer_parts.h"

/*
 * A ring of parts, used in turn: one is open and takes what comes in, those
 * before it are with the pool or done. Where the next one in turn is still
 * with the pool, the oldest is waited for and written, which is that one.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pool/pool.h"
#include "util/account.h"
#include "util/err.h"
#include "writer_codec.h"
#include "writer_out.h"

struct part {
	struct job job; /* first: a job is its part */
	struct writer_parts *parts;

	/* set before submit, read-only from then on */
	uint8_t *in; /* part_len bytes */
	size_t in_len;

	/* the worker's from submit to collect, then the caller's */
	uint8_t *out; /* out_max bytes */
	size_t out_len;
	struct err err; /* ERR_NONE when all went well */
};

struct writer_parts {
	const struct part_codec *codec;
	struct writer_out *out;
	struct pool *pool;
	size_t part_len, out_max;

	void **contexts; /* one for each worker */
	unsigned context_count;

	struct part *ring;
	size_t count;
	uint64_t opened; /* parts that were opened, the open one not counted */
	struct part *open;
};

static void run_part(struct job *job, unsigned worker)
{
	struct part *part = (struct part *)job;
	const struct writer_parts *parts = part->parts;
	uint64_t begun = account_begin();

	parts->codec->compress(parts->contexts[worker], part->in, part->in_len,
			       part->out, parts->out_max, &part->out_len,
			       &part->err);
	account_end(ACCOUNT_OUTPUT, begun);
}

static int write_part(struct writer_parts *parts, const struct part *part,
		      struct err *err)
{
	if (part->err.code != ERR_NONE) {
		*err = part->err;
		return -1;
	}
	return writer_out_put(parts->out, part->out, part->out_len, err);
}

/* Gives the open part away, and writes what is done. */
static int close_part(struct writer_parts *parts, struct err *err)
{
	struct job *job;

	parts->open->err.code = ERR_NONE;
	pool_submit(parts->pool, &parts->open->job);
	parts->open = &parts->ring[++parts->opened % parts->count];
	while ((job = pool_is_full(parts->pool)
			      ? pool_collect(parts->pool)
			      : pool_collect_done(parts->pool)))
		if (write_part(parts, (struct part *)job, err) < 0)
			return -1;
	parts->open->in_len = 0;
	return 0;
}

int writer_parts_room(struct writer_parts *parts, void **room, size_t *len,
		      struct err *err)
{
	if (parts->open->in_len == parts->part_len &&
	    close_part(parts, err) < 0)
		return -1;
	*room = parts->open->in + parts->open->in_len;
	*len = parts->part_len - parts->open->in_len;
	return 0;
}

int writer_parts_filled(struct writer_parts *parts, size_t len, struct err *err)
{
	parts->open->in_len += len;

	/* At once, so that workers begin early. But the last part may come
	 * out empty so: finish sees to that. */
	if (parts->open->in_len == parts->part_len)
		return close_part(parts, err);
	return 0;
}

int writer_parts_put(struct writer_parts *parts, const void *data, size_t len,
		     struct err *err)
{
	const uint8_t *p = data;

	while (len > 0) {
		size_t n;
		void *room;

		if (writer_parts_room(parts, &room, &n, err) < 0)
			return -1;
		if (n > len)
			n = len;
		copy_bytes(room, p, n);
		if (writer_parts_filled(parts, n, err) < 0)
			return -1;
		p += n;
		len -= n;
	}
	return 0;
}

int writer_parts_finish(struct writer_parts *parts, struct err *err)
{
	struct job *job;

	if ((parts->open->in_len > 0 || parts->opened == 0) &&
	    close_part(parts, err) < 0)
		return -1;
	while ((job = pool_collect(parts->pool)))
		if (write_part(parts, (struct part *)job, err) < 0)
			return -1;
	return 0;
}

static int make_ring(struct writer_parts *parts, struct err *err)
{
	parts->ring = calloc(parts->count, sizeof(*parts->ring));
	if (!parts->ring)
		return err_nomem(err);
	for (size_t i = 0; i < parts->count; i++) {
		struct part *part = &parts->ring[i];

		part->job.run = run_part;
		part->parts = parts;
		part->in = malloc(parts->part_len);
		part->out = malloc(parts->out_max);
		if (!part->in || !part->out)
			return err_nomem(err);
	}
	parts->open = &parts->ring[0];
	return 0;
}

static int make_contexts(struct writer_parts *parts, int level, struct err *err)
{
	unsigned workers = pool_worker_count(parts->pool);

	if (workers == 0)
		workers = 1;
	parts->contexts = calloc(workers, sizeof(*parts->contexts));
	if (!parts->contexts)
		return err_nomem(err);
	for (; parts->context_count < workers; parts->context_count++)
		if (parts->codec->create(level,
					 &parts->contexts[parts->context_count],
					 err) < 0)
			return -1;
	return 0;
}

int writer_parts_create(const struct part_codec *codec, int level,
			unsigned threads, struct writer_out *out,
			struct writer_parts **result, struct err *err)
{
	struct writer_parts *parts = calloc(1, sizeof(*parts));

	if (!parts)
		return err_nomem(err);
	parts->codec = codec;
	parts->out = out;
	parts->part_len = codec->part_len(level);
	parts->out_max = codec->bound(parts->part_len);
	parts->count = threads ? (size_t)threads + 2 : 1;

	/* One less than there are parts: the open one is not in the pool. */
	if (pool_create(threads, parts->count > 1 ? parts->count - 1 : 1,
			&parts->pool, err) < 0 ||
	    make_contexts(parts, level, err) < 0 || make_ring(parts, err) < 0) {
		writer_parts_destroy(parts);
		return -1;
	}
	*result = parts;
	return 0;
}

void writer_parts_destroy(struct writer_parts *parts)
{
	if (!parts)
		return;
	if (parts->pool) {
		pool_cancel(parts->pool);
		while (pool_collect(parts->pool))
			;
		pool_destroy(parts->pool);
	}
	for (unsigned i = 0; i < parts->context_count; i++)
		parts->codec->destroy(parts->contexts[i]);
	free(parts->contexts);
	for (size_t i = 0; parts->ring && i < parts->count; i++) {
		free(parts->ring[i].in);
		free(parts->ring[i].out);
	}
	free(parts->ring);
	free(parts);
}
