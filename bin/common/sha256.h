/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMON_SHA256_H
#define COMMON_SHA256_H

#include <stddef.h>
#include <stdint.h>

/* SHA-256 as FIPS 180-4 defines it, of bytes that come in parts. */

#define SHA256_LEN   32
#define SHA256_BLOCK 64

/* Takes count blocks into the state. */
typedef void sha256_blocks(uint32_t state[8], const uint8_t *data,
			   size_t count);

struct sha256 {
	sha256_blocks *blocks;
	uint32_t state[8];
	uint64_t len; /* bytes so far */
	uint8_t tail[SHA256_BLOCK]; /* the last len % SHA256_BLOCK of them */
};

/*
 * The fastest way this processor has. Asking it takes a while: ask once.
 */
sha256_blocks *sha256_choose(void);

/* The one that runs anywhere. */
sha256_blocks sha256_blocks_plain;

void sha256_init(struct sha256 *sha, sha256_blocks *blocks);

void sha256_add(struct sha256 *sha, const void *data, size_t len);

/* Nothing may be added afterwards. */
void sha256_finish(struct sha256 *sha, uint8_t out[SHA256_LEN]);

#endif
