/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rdsquashfs/digests.h"

#include <stdlib.h>
#include <string.h>

#include "entry/entry.h"
#include "entry/source.h"
#include "pool/pool.h"
#include "rdsquashfs/view.h"
#include "sqfs/image.h"
#include "sqfs/super.h"
#include "unpack/unpack.h"
#include "util/account.h"
#include "util/array.h"
#include "util/account.h"
#include "util/err.h"
#include "util/hash.h"

/*
 * A hash goes through a file from front to back, so what runs in parallel is
 * files: a worker reads, decompresses and hashes one after the other. The pool
 * gives them back in order.
 */

/* Entries in flight: enough that one long file does not stop the others. */
#define QUEUE_DEPTH 512

/* Words of block lists in flight, beyond those of one entry: they can take more
 * memory than all else. */
#define WORDS_MAX (UINT64_C(1) << 20)

#define NO_SLOT SIZE_MAX

/* The hash of an inode that has several names. */
struct shared {
	bool has_digest;
	uint8_t digest[SHA256_LEN];
};

struct digests {
	const struct digests_ops *ops;
	void *arg;
	uint32_t block_size;
	sha256_blocks *blocks;
	struct pool *pool;
	uint8_t **buffers; /* of each worker: block_size bytes */
	unsigned buffer_count;
	struct item *items; /* QUEUE_DEPTH, a ring like the pool's */
	size_t next;
	uint64_t words; /* of the entries in flight */

	struct hash_key key;
	struct digest_map map; /* inode: index into shared */
	struct shared *shared;
	size_t shared_count, shared_cap;
};

struct item {
	struct job job; /* first */

	/* set before submit */
	struct digests *digests;
	struct entry *entry;
	size_t slot; /* of shared, or NO_SLOT */
	bool is_known; /* the slot's first entry is hashed, not this one */

	/* the worker's */
	uint8_t digest[SHA256_LEN];
	struct err err;
};

static void add_zeros(struct sha256 *sha, uint64_t len)
{
	static const uint8_t zeros[4096];

	while (len > 0) {
		size_t n = len < sizeof(zeros) ? (size_t)len : sizeof(zeros);

		sha256_add(sha, zeros, n);
		len -= n;
	}
}

static int add_extent(const struct item *item, const struct extent *extent,
		      struct sha256 *sha, uint8_t *buf, struct err *err)
{
	const struct entry *entry = item->entry;
	uint64_t done = 0;

	while (done < extent->len) {
		uint64_t n = extent->len - done;

		if (n > item->digests->block_size)
			n = item->digests->block_size;
		if (source_read_at(entry->origin, entry, extent->at + done,
				   buf, (size_t)n, err) < 0)
			return -1;
		sha256_add(sha, buf, (size_t)n);
		done += n;
	}
	return 0;
}

static void digest_item(struct item *item, unsigned worker)
{
	const struct entry *entry = item->entry;
	struct sha256 sha;
	uint64_t offset = 0;

	sha256_init(&sha, item->digests->blocks);
	for (size_t i = 0; i < entry->extent_count; i++) {
		const struct extent *extent = &entry->extents[i];

		add_zeros(&sha, extent->offset - offset);
		if (add_extent(item, extent, &sha,
			       item->digests->buffers[worker], &item->err) < 0)
			return;
		offset = extent->offset + extent->len;
	}
	add_zeros(&sha, entry->size - offset);
	sha256_finish(&sha, item->digest);
}

static void run_item(struct job *job, unsigned worker)
{
	struct item *item = (struct item *)job;
	uint64_t begun = account_begin();

	if (item->entry->type == ENTRY_FILE && !item->is_known)
		digest_item(item, worker);
	account_end(ACCOUNT_WORK, begun);
}

/* Finds what an inode with several names shares with the others. */
static int find_slot(struct digests *d, struct item *item, struct err *err)
{
	const struct stored *stored = entry_stored(item->entry);
	uint64_t ref = meta_ref_pack(stored->ref);
	struct digest key = { .lo = hash64(&d->key, &ref, sizeof(ref)),
			      .hi = ref };
	const uint64_t *known;

	item->slot = NO_SLOT;
	item->is_known = false;
	if (item->entry->type != ENTRY_FILE || stored->nlink < 2)
		return 0;
	known = digest_map_find(&d->map, &key);
	if (known) {
		item->slot = (size_t)*known;
		item->is_known = true;
		return 0;
	}
	if (array_reserve(&d->shared, &d->shared_cap, d->shared_count + 1,
			  sizeof(*d->shared), err) < 0 ||
	    digest_map_add(&d->map, &key, d->shared_count, err) < 0)
		return -1;
	item->slot = d->shared_count;
	d->shared[d->shared_count++].has_digest = false;
	return 0;
}

static void tell_failed(const struct digests *d, struct item *item)
{
	const char *path = item->entry->path;
	char name[NAME_TEXT_LEN];

	err_in(&item->err, "%s", name_text(path, strlen(path), name));
	d->ops->failed(d->arg, &item->err);
}

static int give_item(struct digests *d, struct item *item, struct err *err)
{
	struct shared *shared = item->slot == NO_SLOT
					? NULL : &d->shared[item->slot];
	struct digested out = {
		.entry = item->entry,
		.has_digest = item->entry->type == ENTRY_FILE,
	};

	if (item->err.code != ERR_NONE) {
		tell_failed(d, item);
		return 0;
	}
	if (item->is_known && !shared->has_digest)
		return 0; /* that was told of its first name */
	memcpy(out.digest, item->is_known ? shared->digest : item->digest,
	       SHA256_LEN);
	if (shared && !item->is_known) {
		memcpy(shared->digest, item->digest, SHA256_LEN);
		shared->has_digest = true;
	}
	return d->ops->give(d->arg, &out, err);
}

/* Takes the oldest back; gives it on unless the run has failed. */
static int collect(struct digests *d, bool has_failed, struct err *err)
{
	struct item *item = (struct item *)pool_collect(d->pool);
	int ret = has_failed ? -1 : give_item(d, item, err);

	d->words -= entry_stored(item->entry)->word_count;
	entry_destroy(item->entry);
	return ret;
}

static int submit(struct digests *d, struct entry *entry, struct err *err)
{
	struct item *item;

	while (pool_is_full(d->pool) ||
	       (d->words > WORDS_MAX && pool_pending(d->pool) > 0))
		if (collect(d, false, err) < 0) {
			entry_destroy(entry);
			return -1;
		}
	item = &d->items[d->next++ % QUEUE_DEPTH];
	item->job.run = run_item;
	item->digests = d;
	item->entry = entry;
	item->err.code = ERR_NONE;
	if (find_slot(d, item, err) < 0) {
		entry_destroy(entry);
		return -1;
	}
	d->words += entry_stored(entry)->word_count;
	pool_submit(d->pool, &item->job);
	return 0;
}

static int prepare(struct digests *d, const struct view *view,
		   struct err *err)
{
	d->block_size = image_super(view->image)->block_size;
	d->blocks = sha256_choose();
	if (hash_key_draw(&d->key, err) < 0 ||
	    pool_create(view->plan.jobs, QUEUE_DEPTH, &d->pool, err) < 0)
		return -1;
	d->buffer_count = pool_worker_count(d->pool);
	if (d->buffer_count == 0)
		d->buffer_count = 1;
	d->items = calloc(QUEUE_DEPTH, sizeof(*d->items));
	d->buffers = calloc(d->buffer_count, sizeof(*d->buffers));
	if (!d->items || !d->buffers)
		return err_nomem(err);
	for (unsigned i = 0; i < d->buffer_count; i++) {
		d->buffers[i] = malloc(d->block_size);
		if (!d->buffers[i])
			return err_nomem(err);
	}
	return 0;
}

static void cleanup(struct digests *d)
{
	pool_destroy(d->pool);
	for (unsigned i = 0; d->buffers && i < d->buffer_count; i++)
		free(d->buffers[i]);
	free(d->buffers);
	free(d->items);
	free(d->shared);
	digest_map_cleanup(&d->map);
}

int digests_run(const struct view *view, struct source *source,
		const struct digests_ops *ops, void *arg, struct err *err)
{
	struct digests d = { .ops = ops, .arg = arg };
	struct entry *entry;
	struct err failure = { .code = ERR_NONE };
	int ret = prepare(&d, view, err);

	while (ret == 0) {
		ret = source_next(source, &entry, &failure);
		account_count(ACCOUNT_ENTRIES, ret == 0);
		if (ret == 0 && submit(&d, entry, err) < 0)
			ret = -2;
	}
	/* A failure of the source waits for what came before. */
	if (ret == -2)
		pool_cancel(d.pool);
	while (d.pool && pool_pending(d.pool) > 0)
		if (collect(&d, ret == -2, err) < 0 && ret != -2) {
			pool_cancel(d.pool);
			ret = -2;
		}
	if (ret == -1 && failure.code != ERR_NONE)
		*err = failure;
	cleanup(&d);
	return ret < 0 ? -1 : 0;
}
