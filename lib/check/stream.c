/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "internal.h"

/*
 * Metadata blocks in a row. Their headers are followed once, from the first to
 * the last; each is decompressed when something in it is wanted, and judged
 * then. Those that nobody wants are judged at the end.
 * Format: doc/squashfs.md, "Metadata blocks".
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sqfs/image.h"
#include "sqfs/meta.h"
#include "util/account.h"
#include "util/num.h"

#define HEADER_LEN 2
#define HEADER_RAW 0x8000u
#define SLOT_COUNT 32

enum { UNSEEN, SOUND, DAMAGED };

struct slot {
	size_t block; /* plus one; 0: empty */
	uint64_t used;
	size_t len;
	uint8_t *data; /* META_LEN bytes, or NULL before its first use */
};

uint64_t stream_at(const struct stream *s, uint64_t pos)
{
	size_t block = (size_t)(pos / META_LEN);

	if (block > s->count)
		block = s->count;
	return s->start + (s->count ? s->positions[block] : 0);
}

static int add_block(struct stream *s, uint64_t position, struct err *err)
{
	if (array_reserve(&s->positions, &s->cap, s->count + 2,
			  sizeof(*s->positions), err) < 0)
		return -1;
	s->positions[s->count] = (uint32_t)position;
	return 0;
}

/* Follows the headers; what breaks the row ends it, and is told. */
static int follow(struct check *c, struct stream *s, struct err *err)
{
	uint64_t at = s->start;

	if (add_block(s, 0, err) < 0)
		return -1;
	while (at < s->end) {
		uint8_t raw[HEADER_LEN];
		uint32_t len;
		int ret;

		if (s->end - at <= HEADER_LEN || at - s->start > UINT32_MAX) {
			fault(c, FAULT_TABLE, at,
			      "%s: %" PRIu64
			      " bytes up to byte %" PRIu64
			      " are no metadata block",
			      s->name, s->end - at, s->end);
			return 0;
		}
		ret = window_get(c, at, raw, sizeof(raw), err);
		if (ret != 0)
			return ret < 0 ? -1 : 0;
		len = get_le16(raw) & ~HEADER_RAW;
		if (len == 0 || len > META_LEN ||
		    len > s->end - at - HEADER_LEN) {
			fault(c, FAULT_TABLE, at,
			      "%s: metadata block %zu of %" PRIu32
			      " bytes, not 1 to %u, or past byte %" PRIu64
			      "; what follows cannot be found",
			      s->name, s->count, len, META_LEN, s->end);
			return 0;
		}
		at += HEADER_LEN + len;
		s->count++;
		if (add_block(s, at - s->start, err) < 0)
			return -1;
	}
	return 0;
}

/* The slot of a block, or the one that was wanted longest ago. */
static struct slot *find_slot(struct stream *s, size_t block)
{
	struct slot *oldest = s->slots;

	for (size_t i = 0; i < SLOT_COUNT; i++) {
		if (s->slots[i].block == block + 1)
			return &s->slots[i];
		if (s->slots[i].used < oldest->used)
			oldest = &s->slots[i];
	}
	return oldest;
}

/* Reads a block and, the first time, says what is wrong with it. */
static int read_block(struct check *c, struct stream *s, size_t block,
		      struct slot *slot, struct err *err)
{
	uint64_t at = s->start + s->positions[block];
	uint32_t stored =
		s->positions[block + 1] - s->positions[block] - HEADER_LEN;
	bool is_first = s->states[block] == UNSEEN;
	struct err damage = { 0 };
	uint8_t raw[HEADER_LEN];
	bool is_raw;
	int ret;

	slot->block = 0;
	s->states[block] = DAMAGED;
	if (!slot->data)
		slot->data = malloc(META_LEN);
	if (!slot->data)
		return err_nomem(err);
	ret = window_get(c, at, raw, sizeof(raw), err);
	if (ret != 0)
		return ret;
	is_raw = get_le16(raw) & HEADER_RAW;
	if (decoder_read(&c->decoder, at + HEADER_LEN, stored, is_raw,
			 slot->data, META_LEN, &slot->len, &damage) < 0) {
		if (!is_damage(&damage)) {
			*err = damage;
			return -1;
		}
		fault(c, FAULT_TABLE, at, "%s: metadata block %zu: %s",
		      s->name, block, damage.text);
		return 1;
	}
	s->states[block] = SOUND;
	slot->block = block + 1;
	if (!is_first)
		return 0;
	if (slot->len < META_LEN && block + 1 < s->count)
		fault(c, FAULT_TABLE, at,
		      "%s: metadata block %zu holds %zu bytes, not %u",
		      s->name, block, slot->len, META_LEN);
	else if (slot->len < stored || slot->len == 0)
		fault(c, FAULT_TABLE, at,
		      "%s: metadata block %zu: %" PRIu32
		      " bytes are stored for %zu",
		      s->name, block, stored, slot->len);
	return 0;
}

static int load(struct check *c, struct stream *s, size_t block,
		struct slot **out, struct err *err)
{
	struct slot *slot;
	int ret;

	if (s->states[block] == DAMAGED)
		return 1;
	slot = find_slot(s, block);
	if (slot->block != block + 1) {
		ret = read_block(c, s, block, slot, err);
		if (ret != 0)
			return ret;
	}
	slot->used = ++s->clock;
	*out = slot;
	return 0;
}

int stream_get(struct check *c, struct stream *s, uint64_t pos, void *buf,
	       size_t len, struct err *err)
{
	uint8_t *to = buf;

	while (len > 0) {
		size_t offset = (size_t)(pos % META_LEN), n;
		struct slot *slot;
		int ret;

		if (pos / META_LEN >= s->count)
			return 1;
		ret = load(c, s, (size_t)(pos / META_LEN), &slot, err);
		if (ret != 0)
			return ret;
		if (offset >= slot->len)
			return 1;
		n = slot->len - offset < len ? slot->len - offset : len;
		copy_bytes(to, slot->data + offset, n);
		to += n;
		pos += n;
		len -= n;
	}
	return 0;
}

bool stream_find(struct stream *s, uint64_t block, uint32_t offset,
		 uint64_t *pos)
{
	size_t low = 0, high = s->count;

	if (offset >= META_LEN || s->count == 0)
		return false;
	if (s->positions[s->last] == block)
		low = s->last;
	else
		while (high - low > 1) {
			size_t middle = low + (high - low) / 2;

			if (s->positions[middle] <= block)
				low = middle;
			else
				high = middle;
		}
	if (s->positions[low] != block)
		return false;
	s->last = low;
	*pos = (uint64_t)low * META_LEN + offset;
	return true;
}

int stream_rest(struct check *c, struct stream *s, struct err *err)
{
	struct slot *slot;

	for (size_t i = 0; i < s->count; i++)
		if (s->states[i] == UNSEEN && load(c, s, i, &slot, err) < 0)
			return -1;
	return 0;
}

int stream_open(struct check *c, struct stream *s, const char *name,
		uint64_t start, uint64_t end, struct err *err)
{
	struct slot *slot;
	int ret;

	*s = (struct stream){ .name = name, .start = start, .end = end };
	if (follow(c, s, err) < 0)
		return -1;
	s->states = calloc(s->count + 1, 1);
	s->slots = calloc(SLOT_COUNT, sizeof(*s->slots));
	if (!s->states || !s->slots)
		return err_nomem(err);
	if (s->count == 0)
		return 0;
	ret = load(c, s, s->count - 1, &slot, err);
	if (ret < 0)
		return -1;
	s->len = (uint64_t)(s->count - 1) * META_LEN;
	if (ret == 0)
		s->len += slot->len;
	return 0;
}

void stream_cleanup(struct stream *s)
{
	for (size_t i = 0; s->slots && i < SLOT_COUNT; i++)
		free(s->slots[i].data);
	free(s->positions);
	free(s->states);
	free(s->slots);
}
