/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/sha256.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

/* SHA-256: the examples of the standard, lengths around a block, parts. */

static void to_hex(const uint8_t digest[SHA256_LEN], char out[65])
{
	for (int i = 0; i < SHA256_LEN; i++)
		snprintf(out + 2 * i, 3, "%02x", digest[i]);
}

static void hash(sha256_blocks *blocks, const void *data, size_t len,
		 size_t part, char out[65])
{
	uint8_t digest[SHA256_LEN];
	struct sha256 sha;

	sha256_init(&sha, blocks);
	for (size_t i = 0; i < len; i += part)
		sha256_add(&sha, (const uint8_t *)data + i,
			   part < len - i ? part : len - i);
	sha256_finish(&sha, digest);
	to_hex(digest, out);
}

static void check_examples(sha256_blocks *blocks)
{
	static const char two[] =
		"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
	static const char four[] =
		"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
		"hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu";
	char text[65], *million = malloc(1000000);

	hash(blocks, "", 0, 1, text);
	check_str(text, "e3b0c44298fc1c149afbf4c8996fb924"
			"27ae41e4649b934ca495991b7852b855");
	hash(blocks, "abc", 3, 3, text);
	check_str(text, "ba7816bf8f01cfea414140de5dae2223"
			"b00361a396177a9cb410ff61f20015ad");
	hash(blocks, two, sizeof(two) - 1, 100, text);
	check_str(text, "248d6a61d20638b8e5c026930c3e6039"
			"a33ce45964ff2167f6ecedd419db06c1");
	hash(blocks, four, sizeof(four) - 1, 1, text);
	check_str(text, "cf5b16a778af8380036ce59e7b049237"
			"0b249b11e8f07a51afac45037afee9d1");
	check(million != NULL);
	if (!million)
		return;
	memset(million, 'a', 1000000);
	hash(blocks, million, 1000000, 4096, text);
	check_str(text, "cdc76e5c9914fb9281a1c7e284d73e67"
			"f1809a48a497200e046d39ccc7112cd0");
	free(million);
}

/* Any length, in any parts, by either way: the same. */
static void check_parts(void)
{
	static const size_t parts[] = { 1, 7, 63, 64, 65, 200 };
	char want[65], have[65];
	uint8_t data[300];

	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(i * 37 + i / 7);
	for (size_t len = 0; len <= sizeof(data); len++) {
		hash(sha256_blocks_plain, data, len, sizeof(data), want);
		for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
			hash(sha256_choose(), data, len, parts[i], have);
			check_str(have, want);
		}
	}
}

int main(void)
{
	check_examples(sha256_blocks_plain);
	check_examples(sha256_choose());
	check_parts();
	return check_report();
}
