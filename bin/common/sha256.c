/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/sha256.h"

#include <string.h>

/* Numbers of sections 4.2.2 and 5.3.3: bits of the roots of primes. */
static const uint32_t round_words[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static const uint32_t first_state[8] = {
	0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
	0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static uint32_t get_be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	       (uint32_t)p[2] << 8 | p[3];
}

static void put_be32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> (24 - 8 * i));
}

static uint32_t turn(uint32_t v, int bits)
{
	return v >> bits | v << (32 - bits);
}

/* The schedule of one block, section 6.2.2, step 1. */
static void spread(const uint8_t *data, uint32_t w[64])
{
	for (int i = 0; i < 16; i++)
		w[i] = get_be32(data + 4 * i);
	for (int i = 16; i < 64; i++) {
		uint32_t a = w[i - 15], b = w[i - 2];

		w[i] = w[i - 16] + w[i - 7] +
		       (turn(a, 7) ^ turn(a, 18) ^ a >> 3) +
		       (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
	}
}

void sha256_blocks_plain(uint32_t state[8], const uint8_t *data, size_t count)
{
	uint32_t w[64], s[8];

	for (; count > 0; count--, data += SHA256_BLOCK) {
		spread(data, w);
		memcpy(s, state, sizeof(s));
		for (int i = 0; i < 64; i++) {
			uint32_t a = s[0], e = s[4];
			uint32_t t = s[7] +
				     (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
				     ((e & s[5]) ^ (~e & s[6])) +
				     round_words[i] + w[i];
			uint32_t u = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) +
				     ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));

			memmove(s + 1, s, 7 * sizeof(*s));
			s[4] += t;
			s[0] = t + u;
		}
		for (int i = 0; i < 8; i++)
			state[i] += s[i];
	}
}

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#include <immintrin.h>

#define WITH_SHA __attribute__((target("sha,sse4.1")))

/*
 * Four rounds with the words of w0, which then become those sixteen words
 * further on. The instructions keep the state as two halves: a, b, e, f and c,
 * d, g, h.
 */
WITH_SHA static inline void four_rounds(__m128i *abef, __m128i *cdgh,
					const uint32_t *k, __m128i *w0,
					__m128i w1, __m128i w2, __m128i w3)
{
	__m128i t = _mm_add_epi32(*w0,
				  _mm_loadu_si128((const __m128i *)
						  (const void *)k));

	*cdgh = _mm_sha256rnds2_epu32(*cdgh, *abef, t);
	*abef = _mm_sha256rnds2_epu32(*abef, *cdgh,
				      _mm_shuffle_epi32(t, 0x0E));
	t = _mm_add_epi32(_mm_sha256msg1_epu32(*w0, w1),
			  _mm_alignr_epi8(w3, w2, 4));
	*w0 = _mm_sha256msg2_epu32(t, w3);
}

WITH_SHA static inline __m128i load_words(const uint8_t *data)
{
	const __m128i order = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5,
					   6, 7, 0, 1, 2, 3);

	return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)
						(const void *)data), order);
}

WITH_SHA static void sha256_blocks_x86(uint32_t state[8], const uint8_t *data,
				       size_t count)
{
	__m128i *at = (__m128i *)(void *)state;
	__m128i low = _mm_shuffle_epi32(_mm_loadu_si128(at), 0xB1);
	__m128i high = _mm_shuffle_epi32(_mm_loadu_si128(at + 1), 0x1B);
	__m128i abef = _mm_alignr_epi8(low, high, 8);
	__m128i cdgh = _mm_blend_epi16(high, low, 0xF0);

	for (; count > 0; count--, data += SHA256_BLOCK) {
		__m128i abef_before = abef, cdgh_before = cdgh;
		__m128i w0 = load_words(data), w1 = load_words(data + 16);
		__m128i w2 = load_words(data + 32), w3 = load_words(data + 48);

		for (int i = 0; i < 64; i += 16) {
			const uint32_t *k = round_words + i;

			four_rounds(&abef, &cdgh, k, &w0, w1, w2, w3);
			four_rounds(&abef, &cdgh, k + 4, &w1, w2, w3, w0);
			four_rounds(&abef, &cdgh, k + 8, &w2, w3, w0, w1);
			four_rounds(&abef, &cdgh, k + 12, &w3, w0, w1, w2);
		}
		abef = _mm_add_epi32(abef, abef_before);
		cdgh = _mm_add_epi32(cdgh, cdgh_before);
	}
	low = _mm_shuffle_epi32(abef, 0x1B);
	high = _mm_shuffle_epi32(cdgh, 0xB1);
	_mm_storeu_si128(at, _mm_blend_epi16(low, high, 0xF0));
	_mm_storeu_si128(at + 1, _mm_alignr_epi8(high, low, 8));
}

sha256_blocks *sha256_choose(void)
{
	unsigned a, b, c, d;

	if (__get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_1) &&
	    (c & bit_SSSE3) && __get_cpuid_count(7, 0, &a, &b, &c, &d) &&
	    (b & bit_SHA))
		return sha256_blocks_x86;
	return sha256_blocks_plain;
}
#else
sha256_blocks *sha256_choose(void)
{
	return sha256_blocks_plain;
}
#endif

void sha256_init(struct sha256 *sha, sha256_blocks *blocks)
{
	sha->blocks = blocks;
	sha->len = 0;
	memcpy(sha->state, first_state, sizeof(first_state));
}

void sha256_add(struct sha256 *sha, const void *data, size_t len)
{
	const uint8_t *p = data;
	size_t fill = (size_t)(sha->len % SHA256_BLOCK);

	sha->len += len;
	if (fill > 0) {
		size_t n = SHA256_BLOCK - fill;

		if (n > len)
			n = len;
		memcpy(sha->tail + fill, p, n);
		if (fill + n < SHA256_BLOCK)
			return;
		sha->blocks(sha->state, sha->tail, 1);
		p += n;
		len -= n;
	}
	sha->blocks(sha->state, p, len / SHA256_BLOCK);
	if (len % SHA256_BLOCK)
		memcpy(sha->tail, p + len - len % SHA256_BLOCK,
		       len % SHA256_BLOCK);
}

void sha256_finish(struct sha256 *sha, uint8_t out[SHA256_LEN])
{
	const uint64_t bits = sha->len * 8;
	size_t fill = (size_t)(sha->len % SHA256_BLOCK);

	sha->tail[fill++] = 0x80;
	if (fill > SHA256_BLOCK - 8) {
		memset(sha->tail + fill, 0, SHA256_BLOCK - fill);
		sha->blocks(sha->state, sha->tail, 1);
		fill = 0;
	}
	memset(sha->tail + fill, 0, SHA256_BLOCK - 8 - fill);
	put_be32(sha->tail + SHA256_BLOCK - 8, (uint32_t)(bits >> 32));
	put_be32(sha->tail + SHA256_BLOCK - 4, (uint32_t)bits);
	sha->blocks(sha->state, sha->tail, 1);
	for (int i = 0; i < 8; i++)
		put_be32(out + 4 * i, sha->state[i]);
}
