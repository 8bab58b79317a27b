/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef UTIL_SIP_H
#define UTIL_SIP_H

/* The steps of SipHash-1-3, a word at a time. */

#include <stddef.h>
#include <stdint.h>

#include "util/hash.h"

struct err;

/* hash.c: len bytes of the system's random numbers. ERR_IO. */
int random_draw(void *out, size_t len, struct err *err);

/* What is digested: outputs of one kind tell nothing of another. */
enum sip_variant {
	SIP_64 = 0,
	SIP_128 = 0xee,
	SIP_OF_CHUNKS = 0xa5 /* 128 bits, of what NH made of chunks */
};

struct sip {
	uint64_t v0, v1, v2, v3;
};

static inline uint64_t sip_rotl(uint64_t x, int n)
{
	return x << n | x >> (64 - n);
}

static inline void sip_round(struct sip *s)
{
	s->v0 += s->v1;
	s->v1 = sip_rotl(s->v1, 13) ^ s->v0;
	s->v0 = sip_rotl(s->v0, 32);
	s->v2 += s->v3;
	s->v3 = sip_rotl(s->v3, 16) ^ s->v2;
	s->v0 += s->v3;
	s->v3 = sip_rotl(s->v3, 21) ^ s->v0;
	s->v2 += s->v1;
	s->v1 = sip_rotl(s->v1, 17) ^ s->v2;
	s->v2 = sip_rotl(s->v2, 32);
}

static inline struct sip sip_begin(const struct hash_key *key,
				   enum sip_variant variant)
{
	return (struct sip){
		.v0 = key->k0 ^ 0x736f6d6570736575,
		.v1 = key->k1 ^ 0x646f72616e646f6d ^ (uint64_t)variant,
		.v2 = key->k0 ^ 0x6c7967656e657261,
		.v3 = key->k1 ^ 0x7465646279746573,
	};
}

static inline void sip_absorb(struct sip *s, uint64_t word)
{
	s->v3 ^= word;
	sip_round(s);
	s->v0 ^= word;
}

static inline uint64_t sip_squeeze(struct sip *s)
{
	sip_round(s);
	sip_round(s);
	sip_round(s);
	return s->v0 ^ s->v1 ^ s->v2 ^ s->v3;
}

/* The 128 bits of a message that was absorbed whole. */
static inline void sip_finish_wide(struct sip *s, struct digest *out)
{
	s->v2 ^= 0xee;
	out->lo = sip_squeeze(s);
	s->v1 ^= 0xdd;
	out->hi = sip_squeeze(s);
}

#endif
