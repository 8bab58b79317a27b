/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec/probe.h"

/*
 * Is it worth while to compress a block? What is left of the suspicion decides:
 * a sample of its bytes, then all of them, then how they follow each other and
 * what comes twice. Whole numbers throughout, so that every machine answers the
 * same. Format: doc/codecs.md, "The probe".
 */
#include <string.h>

#include "util/num.h"

/* Shorter blocks are cheap, and tell too little. */
#define LEN_MIN 4096

#define PIECE_LEN   256
#define PIECE_COUNT 16

#define STEP_PIECE_LEN 1024

#define SLOT_BITS  12
#define SLOT_COUNT (1u << SLOT_BITS)
#define LOOK_STEP  4
#define MATCH_LEN  5

/* Bytes of matches that are too few to matter: one in so many. */
#define MATCH_SHARE 1024

struct counts {
	uint32_t of[256];
};

/*
 * True if counts of n bytes in all are about as even as those of random bytes:
 * the sum of squares is that much above the least as an order-0 coder could
 * save 0.01 bits of each byte, and what chance makes of it.
 */
static bool are_even(const struct counts *counts, uint64_t n)
{
	uint64_t sum = 0;

	for (int i = 0; i < 256; i++)
		sum += (uint64_t)counts->of[i] * counts->of[i];
	return sum * 256 < n * (n + 255 + 100 + n / 72);
}

static void count_bytes(struct counts *counts, const uint8_t *data, size_t len)
{
	/* Two, as counting equal bytes on end would wait for itself. */
	struct counts odd = { 0 };

	for (size_t i = 0; i + 1 < len; i += 2) {
		counts->of[data[i]]++;
		odd.of[data[i + 1]]++;
	}
	if (len % 2)
		counts->of[data[len - 1]]++;
	for (int i = 0; i < 256; i++)
		counts->of[i] += odd.of[i];
}

/* Where piece i of so many begins, which lie evenly in len bytes. */
static const uint8_t *piece_at(const uint8_t *data, size_t len, size_t i)
{
	return data + len / PIECE_COUNT * i;
}

static bool is_sample_even(const uint8_t *data, size_t len)
{
	struct counts counts = { 0 };

	for (size_t i = 0; i < PIECE_COUNT; i++)
		count_bytes(&counts, piece_at(data, len, i), PIECE_LEN);
	return are_even(&counts, PIECE_COUNT * PIECE_LEN);
}

static bool is_all_even(const uint8_t *data, size_t len)
{
	struct counts counts = { 0 };

	count_bytes(&counts, data, len);
	return are_even(&counts, len);
}

/*
 * Whether bytes are told by those that lie up to four before, as in sound and
 * pictures: in longer pieces, as this is so in all of them if it is.
 */
static bool are_steps_even(const uint8_t *data, size_t len)
{
	const size_t room = len / PIECE_COUNT;
	const size_t n = room < STEP_PIECE_LEN ? room : STEP_PIECE_LEN;

	for (size_t apart = 1; apart <= 4; apart++) {
		struct counts counts = { 0 };

		for (size_t k = 0; k < PIECE_COUNT; k++) {
			const uint8_t *p = piece_at(data, len, k);

			for (size_t i = apart; i < n; i++)
				counts.of[(uint8_t)(p[i] - p[i - apart])]++;
		}
		if (!are_even(&counts, PIECE_COUNT * (n - apart)))
			return false;
	}
	return true;
}

static uint32_t slot_of(uint32_t key)
{
	return key * UINT32_C(2654435761) >> (32 - SLOT_BITS);
}

/*
 * Whether MATCH_LEN bytes come again too seldom to matter. Places are noted
 * evenly over the block, as many as there are slots, so that those far back are
 * found as well, and others looked up; what is found stands for the rest. The
 * distance of noted places is odd, so that each meets those looked up.
 */
static bool are_matches_rare(const uint8_t *data, size_t len)
{
	const size_t step = (len / SLOT_COUNT + 1) | 1;
	struct {
		uint32_t at, key;
	} slots[SLOT_COUNT];
	size_t noted = 0, found = 0;

	memset(slots, 0, sizeof(slots));
	for (size_t i = 0; i + MATCH_LEN <= len; i += LOOK_STEP) {
		const uint32_t key = get_le32(data + i);
		const uint32_t slot = slot_of(key);

		if (slots[slot].key == key && slots[slot].at < i &&
		    data[slots[slot].at + 4] == data[i + 4])
			found++;
		for (; noted <= i; noted += step) {
			const uint32_t own = get_le32(data + noted);

			slots[slot_of(own)].at = (uint32_t)noted;
			slots[slot_of(own)].key = own;
		}
	}
	return found * step * LOOK_STEP < len / MATCH_SHARE;
}

bool probe_is_dense(const uint8_t *data, size_t len)
{
	return len >= LEN_MIN && is_sample_even(data, len) &&
	       is_all_even(data, len) && are_steps_even(data, len) &&
	       are_matches_rare(data, len);
}
