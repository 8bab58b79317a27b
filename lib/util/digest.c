/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "util/digest.h"

#include <string.h>

#include "sip.h"
#include "util/err.h"
#include "util/num.h"

int digest_key_draw(struct digest_key *key, struct err *err)
{
	return random_draw(key, sizeof(*key), err);
}

#ifdef __SIZEOF_INT128__

/* Up to here the hash alone is quicker. */
#define SHORT_MAX 64

__extension__ typedef unsigned __int128 u128;

/* What NH gives for one chunk: under the key, and under the shifted key. */
struct nh {
	u128 first, second;
};

static inline void add_pair(struct nh *sum, const uint64_t *key, uint64_t a,
			    uint64_t b)
{
	sum->first += (u128)(a + key[0]) * (b + key[1]);
	sum->second += (u128)(a + key[2]) * (b + key[3]);
}

/* len is up to DIGEST_CHUNK; the last 16 bytes are filled up with zeros. */
static struct nh nh_chunk(const uint64_t *key, const uint8_t *p, size_t len)
{
	struct nh sum = { 0, 0 };
	size_t rest = len % 16;
	const uint8_t *end = p + (len - rest);

	for (; p != end; p += 16, key += 2)
		add_pair(&sum, key, get_le64(p), get_le64(p + 8));
	if (rest > 0) {
		uint8_t last[16] = { 0 };

		memcpy(last, p, rest);
		add_pair(&sum, key, get_le64(last), get_le64(last + 8));
	}
	return sum;
}

static inline void absorb_wide(struct sip *s, u128 word)
{
	sip_absorb(s, (uint64_t)word);
	sip_absorb(s, (uint64_t)(word >> 64));
}

static void digest_long(const struct digest_key *key, const uint8_t *p,
			size_t len, struct digest *out)
{
	struct sip s = sip_begin(&key->hash, SIP_OF_CHUNKS);

	for (size_t left = len; left > 0;) {
		size_t n = left < DIGEST_CHUNK ? left : DIGEST_CHUNK;
		struct nh sum = nh_chunk(key->nh, p, n);

		absorb_wide(&s, sum.first);
		absorb_wide(&s, sum.second);
		p += n;
		left -= n;
	}
	sip_absorb(&s, len);
	sip_finish_wide(&s, out);
}

#else

/* Without a wide product NH is no quicker than what it feeds. */
#define SHORT_MAX SIZE_MAX

static void digest_long(const struct digest_key *key, const uint8_t *p,
			size_t len, struct digest *out)
{
	hash128(&key->hash, p, len, out);
}

#endif

void digest_content(const struct digest_key *key, const void *data, size_t len,
		    struct digest *out)
{
	if (len <= SHORT_MAX)
		hash128(&key->hash, data, len, out);
	else
		digest_long(key, data, len, out);
}
