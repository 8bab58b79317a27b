/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "internal.h"

/*
 * Fragment blocks, each decompressed once and then shared by the tail-ends in
 * it, which mostly come close to each other. The lock guards what a slot is
 * for; bytes are written and copied outside of it: by the one thread that
 * loads, and by those that are counted as users.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#ifdef WITH_PTHREAD
#include <pthread.h>
#endif

#include "unpack/unpack.h"
#include "util/account.h"
#include "util/err.h"

#define SLOTS_MIN 4
#define SLOTS_MAX 1024

enum slot_state { SLOT_EMPTY, SLOT_LOADING, SLOT_READY };

struct slot {
	enum slot_state state;
	uint32_t index;	 /* of the fragment block */
	unsigned users;	 /* threads that copy from it */
	uint64_t used;	 /* when it was last wanted */
	size_t len;	 /* bytes in data */
	uint8_t *data;	 /* block size bytes, or NULL before its first use */
};

struct cache {
	struct unpacker *unpacker; /* borrowed */
	uint32_t block_size;
	uint64_t clock;
	size_t count;
	struct slot *slots;
	struct slot *last; /* the one that was wanted last */
#ifdef WITH_PTHREAD
	pthread_mutex_t mutex;
	pthread_cond_t changed; /* a slot became ready, empty or unused */
#endif
};

static void lock(struct cache *c)
{
#ifdef WITH_PTHREAD
	pthread_mutex_lock(&c->mutex);
#else
	(void)c;
#endif
}

static void unlock(struct cache *c)
{
#ifdef WITH_PTHREAD
	pthread_mutex_unlock(&c->mutex);
#else
	(void)c;
#endif
}

/* Without threads there is nobody to wait for, and nothing is ever busy. */
static void wait_for_change(struct cache *c)
{
#ifdef WITH_PTHREAD
	pthread_cond_wait(&c->changed, &c->mutex);
#else
	(void)c;
#endif
}

static void tell_change(struct cache *c)
{
#ifdef WITH_PTHREAD
	pthread_cond_broadcast(&c->changed);
#else
	(void)c;
#endif
}

/*
 * The slot of a fragment block: one that has it or is about to; else the one
 * that was wanted longest ago of those that nobody uses, or NULL.
 */
static struct slot *find(struct cache *c, uint32_t index)
{
	struct slot *oldest = NULL;

	if (c->last->state != SLOT_EMPTY && c->last->index == index)
		return c->last;
	for (size_t i = 0; i < c->count; i++) {
		struct slot *slot = &c->slots[i];

		if (slot->state != SLOT_EMPTY && slot->index == index)
			return slot;
		if (slot->users > 0 || slot->state == SLOT_LOADING)
			continue;
		if (!oldest || slot->used < oldest->used)
			oldest = slot;
	}
	return oldest;
}

/* Fills a slot. The lock is held, but not while the block is read. */
static int load(struct cache *c, struct slot *slot, uint32_t index,
		const struct fragment *at, struct err *err)
{
	int ret;

	slot->state = SLOT_LOADING;
	slot->index = index;
	unlock(c);
	if (!slot->data)
		slot->data = malloc(c->block_size);
	ret = slot->data ? unpacker_read(c->unpacker, at->start, at->word,
					 slot->data, c->block_size, &slot->len,
					 err)
			 : err_nomem(err);
	lock(c);
	slot->state = ret == 0 ? SLOT_READY : SLOT_EMPTY;
	tell_change(c);
	return ret;
}

/* The slot with a fragment block, counted as used. The lock is held. */
static int acquire(struct cache *c, uint32_t index, const struct fragment *at,
		   struct slot **out, struct err *err)
{
	for (;;) {
		struct slot *slot = find(c, index);

		if (!slot || slot->state == SLOT_LOADING) {
			wait_for_change(c);
			continue;
		}
		if ((slot->state == SLOT_EMPTY || slot->index != index) &&
		    load(c, slot, index, at, err) < 0)
			return -1;
		slot->used = ++c->clock;
		slot->users++;
		c->last = slot;
		*out = slot;
		return 0;
	}
}

int cache_read(struct cache *c, uint32_t index, const struct fragment *at,
	       uint32_t offset, void *buf, size_t len, struct err *err)
{
	struct slot *slot = NULL;
	int ret;

	lock(c);
	ret = acquire(c, index, at, &slot, err);
	unlock(c);
	if (ret == 0 && (offset > slot->len || len > slot->len - offset))
		ret = err_set(err, ERR_CORRUPT,
			      "it holds %zu bytes, the tail-end is at %" PRIu32
			      " to %" PRIu64,
			      slot->len, offset, (uint64_t)offset + len);
	if (ret == 0)
		copy_bytes(buf, slot->data + offset, len);
	if (slot) {
		lock(c);
		if (--slot->users == 0)
			tell_change(c);
		unlock(c);
	}
	if (ret < 0)
		return err_in(err,
			      "fragment block %" PRIu32 " at byte %" PRIu64,
			      index, at->start);
	return 0;
}

int cache_create(struct unpacker *unpacker, uint32_t block_size, uint64_t len,
		 struct cache **out, struct err *err)
{
	struct cache *c = calloc(1, sizeof(*c));
	uint64_t count = len / block_size;

	if (!c)
		return err_nomem(err);
	c->unpacker = unpacker;
	c->block_size = block_size;
	c->count = count < SLOTS_MIN   ? SLOTS_MIN
		   : count > SLOTS_MAX ? SLOTS_MAX
				       : (size_t)count;
	c->slots = calloc(c->count, sizeof(*c->slots));
	if (!c->slots) {
		free(c);
		return err_nomem(err);
	}
	c->last = c->slots;
#ifdef WITH_PTHREAD
	pthread_mutex_init(&c->mutex, NULL);
	pthread_cond_init(&c->changed, NULL);
#endif
	*out = c;
	return 0;
}

void cache_destroy(struct cache *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->count; i++)
		free(c->slots[i].data);
	free(c->slots);
#ifdef WITH_PTHREAD
	pthread_cond_destroy(&c->changed);
	pthread_mutex_destroy(&c->mutex);
#endif
	free(c);
}
