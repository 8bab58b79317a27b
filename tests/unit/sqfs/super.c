/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sqfs/super.h"

#include <stdbool.h>

#include "check.h"
#include "decode.h"
#include "util/err.h"
#include "util/num.h"

#define IMAGE_LEN 4096

static const struct super example = {
	.inode_count = 4,
	.mkfs_time = 1000000000,
	.block_size = 131072,
	.fragment_count = 1,
	.compression_id = 1,
	.flags = 0x01CB,
	.id_count = 1,
	.root_inode = 0x79,
	.bytes_used = 436,
	.id_table = 0x176,
	.xattr_table = 0x19C,
	.inode_table = 0x66,
	.directory_table = 0x101,
	.fragment_table = 0x13E,
	.export_table = 0x168,
};

static const uint8_t example_raw[SUPER_LEN] = {
	0x68, 0x73, 0x71, 0x73, 4, 0, 0, 0, 0x00, 0xCA, 0x9A, 0x3B,
	0x00, 0x00, 0x02, 0x00, 1, 0, 0, 0, 1,	  0,	17,   0,
	0xCB, 0x01, 1,	  0,	4, 0, 0, 0, 0x79, 0,	0,    0,
	0,    0,    0,	  0,	0xB4, 1, 0, 0, 0, 0, 0, 0,
	0x76, 1,    0,	  0,	0, 0, 0, 0, 0x9C, 1,	0,    0,
	0,    0,    0,	  0,	0x66, 0, 0, 0, 0, 0, 0, 0,
	0x01, 1,    0,	  0,	0, 0, 0, 0, 0x3E, 1,	0,    0,
	0,    0,    0,	  0,	0x68, 1, 0, 0, 0, 0, 0, 0,
};

static void test_encode(void)
{
	uint8_t raw[SUPER_LEN];

	super_encode(&example, raw);
	check_mem(raw, example_raw, SUPER_LEN);
}

static void test_block_sizes(void)
{
	for (uint16_t log = 12; log <= 20; log++) {
		struct super super = example, back;
		uint8_t raw[SUPER_LEN];

		super.block_size = UINT32_C(1) << log;
		super_encode(&super, raw);
		check_u64(get_le16(raw + 22), log);
		check(super_decode(raw, IMAGE_LEN, &back, NULL) == 0);
		check_u64(back.block_size, super.block_size);
	}
}

static void test_round_trip(void)
{
	struct super back = { 0 };
	uint8_t raw[SUPER_LEN];

	check(super_decode(example_raw, 436, &back, NULL) == 0);
	check_u64(back.inode_count, 4);
	check_u64(back.mkfs_time, 1000000000);
	check_u64(back.flags, 0x01CB);
	check_u64(back.xattr_table, 0x19C);
	super_encode(&back, raw);
	check_mem(raw, example_raw, SUPER_LEN);
}

struct change {
	unsigned at, len;
	uint64_t value;
	enum err_code code; /* ERR_NONE: still good */
	const char *text;   /* the message must hold it */
};

static const struct change changes[] = {
	{ 0, 4, 0x68737173, ERR_UNSUPPORTED, "big-endian" },
	{ 0, 4, 0x53515348, ERR_UNSUPPORTED, "streamed" },
	{ 0, 4, 0x464C457F, ERR_CORRUPT, "0x464c457f" },
	{ 4, 4, 0, ERR_CORRUPT, "inode count" },
	{ 4, 4, UINT32_MAX, ERR_NONE, "" },
	{ 8, 4, 0, ERR_NONE, "" },
	{ 12, 4, 0, ERR_CORRUPT, "block size is 0" },
	{ 12, 4, 2048, ERR_CORRUPT, "block size is 2048" },
	{ 12, 4, 131073, ERR_CORRUPT, "block size is 131073" },
	{ 12, 4, 2097152, ERR_CORRUPT, "block size is 2097152" },
	{ 12, 4, 65536, ERR_CORRUPT, "block log" },
	{ 20, 2, 0, ERR_UNSUPPORTED, "compressor 0" },
	{ 20, 2, 6, ERR_NONE, "" },
	{ 20, 2, 7, ERR_UNSUPPORTED, "compressor 7" },
	{ 22, 2, 16, ERR_CORRUPT, "block log is 16" },
	{ 22, 2, 0xFFFF, ERR_CORRUPT, "block log is 65535" },
	{ 24, 2, 0x0004, ERR_CORRUPT, "flags are 0x0004" },
	{ 24, 2, 0xF000, ERR_NONE, "" },
	{ 26, 2, 0, ERR_CORRUPT, "id count" },
	{ 28, 2, 3, ERR_UNSUPPORTED, "version is 3.0" },
	{ 30, 2, 1, ERR_UNSUPPORTED, "version is 4.1" },
	{ 32, 8, 8191, ERR_NONE, "" },
	{ 32, 8, 8192, ERR_CORRUPT, "root inode at offset 8192" },
	{ 32, 8, UINT64_C(155) << 16, ERR_CORRUPT, "root inode at 155" },
	{ 32, 8, UINT64_C(154) << 16, ERR_NONE, "" },
	{ 40, 8, 95, ERR_CORRUPT, "95 bytes are used" },
	{ 40, 8, IMAGE_LEN + 1, ERR_CORRUPT, "4097 bytes are used" },
	{ 40, 8, 412, ERR_CORRUPT, "xattr table" },
	{ 48, 8, UINT64_MAX, ERR_CORRUPT, "id table" },
	{ 48, 8, 0x168, ERR_CORRUPT, "id table" },
	{ 56, 8, UINT64_MAX, ERR_NONE, "" },
	{ 56, 8, 0x176, ERR_CORRUPT, "xattr table" },
	{ 56, 8, 0x175, ERR_CORRUPT, "xattr table" },
	{ 64, 8, 95, ERR_CORRUPT, "inode table" },
	{ 64, 8, 0x101, ERR_CORRUPT, "directory table" },
	{ 64, 8, UINT64_MAX, ERR_CORRUPT, "inode table" },
	{ 72, 8, 0x13E, ERR_NONE, "" },
	{ 72, 8, 0x13F, ERR_CORRUPT, "fragment table" },
	{ 72, 8, UINT64_MAX, ERR_CORRUPT, "directory table" },
	{ 80, 8, UINT64_MAX, ERR_CORRUPT, "fragment table" },
	{ 80, 8, 0x168, ERR_CORRUPT, "export table" },
	{ 88, 8, UINT64_MAX, ERR_NONE, "" },
	{ 88, 8, 0x177, ERR_CORRUPT, "id table" },
	{ 88, 8, 436, ERR_CORRUPT, "export table" },
};

static void test_changes(void)
{
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		const struct change *change = &changes[i];
		struct super out = { .inode_count = 77 };
		struct err err = { 0 };
		uint8_t raw[SUPER_LEN];
		int ret;

		memcpy(raw, example_raw, SUPER_LEN);
		for (unsigned k = 0; k < change->len; k++)
			raw[change->at + k] =
				(uint8_t)(change->value >> 8 * k);
		ret = super_decode(raw, IMAGE_LEN, &out, &err);
		check(ret == (change->code == ERR_NONE ? 0 : -1));
		check(err.code == change->code);
		check(strstr(err.text, change->text) != NULL);
		check((out.inode_count == 77) == (ret < 0));
		if (err.code != change->code)
			fprintf(stderr, "  change %zu: %s\n", i, err.text);
	}
}

/* Without fragments nobody looks at where their table would be. */
static void test_no_fragments(void)
{
	struct super super = example, out;
	uint8_t raw[SUPER_LEN];

	super.fragment_count = 0;
	super.fragment_table = UINT64_MAX;
	super_encode(&super, raw);
	check(super_decode(raw, IMAGE_LEN, &out, NULL) == 0);
	super.fragment_table = 3;
	super_encode(&super, raw);
	check(super_decode(raw, IMAGE_LEN, &out, NULL) == 0);
}

/* Whatever the bytes are, what is accepted keeps its promises. */
static void test_random(void)
{
	unsigned long good = 0, bad = 0;
	uint64_t seed = 3;

	for (int i = 0; i < 200000; i++) {
		struct super out;
		uint8_t raw[SUPER_LEN];
		unsigned count = 1 + next_random(&seed) % 4;

		memcpy(raw, example_raw, SUPER_LEN);
		while (count--)
			raw[next_random(&seed) % SUPER_LEN] =
				(uint8_t)next_random(&seed);
		if (super_decode(raw, 436, &out, NULL) < 0)
			continue;
		good++;
		bad += out.bytes_used > 436 || out.inode_table < SUPER_LEN ||
		       out.directory_table <= out.inode_table ||
		       out.id_table < out.directory_table ||
		       out.id_table >= out.bytes_used ||
		       (out.root_inode & 0xFFFF) >= 8192 ||
		       out.inode_count == 0 || out.id_count == 0;
	}
	check(good > 100);
	check_u64(bad, 0);
}

int main(void)
{
	test_encode();
	test_block_sizes();
	test_round_trip();
	test_changes();
	test_no_fragments();
	test_random();
	return check_report();
}
