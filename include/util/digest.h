/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef UTIL_DIGEST_H
#define UTIL_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#include "util/hash.h"

struct err;

/*
 * A keyed digest for content: NH of UMAC (Black, Halevi, Krawczyk, Krovetz and
 * Rogaway, 1999) with words of 64 bits takes each KiB down to 32 bytes, which
 * SipHash-1-3 digests. The reasoning is in doc/duplicates.md.
 */
#define DIGEST_CHUNK 1024 /* bytes that NH takes at once */

struct digest_key {
	struct hash_key hash;
	uint64_t nh[DIGEST_CHUNK / 8 + 2];
};

/* Draws a key from the system. ERR_IO. */
int digest_key_draw(struct digest_key *key, struct err *err);

/*
 * 128 bits; equal digests of equal lengths are taken as equal content. The
 * value depends on the machine and means nothing outside of the run.
 */
void digest_content(const struct digest_key *key, const void *data, size_t len,
		    struct digest *out);

#endif
