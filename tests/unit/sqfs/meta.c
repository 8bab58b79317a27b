/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sqfs/meta.h"

#include "decode.h"

static int liar_compress(struct codec *codec, enum codec_use use,
			 const uint8_t *src, size_t len, uint8_t *dst,
			 size_t cap, size_t *out_len, struct err *err)
{
	(void)codec;
	(void)use;
	(void)src;
	(void)cap;
	(void)err;
	memset(dst, 1, len);
	*out_len = len;
	return 0;
}

static int failing_compress(struct codec *codec, enum codec_use use,
			    const uint8_t *src, size_t len, uint8_t *dst,
			    size_t cap, size_t *out_len, struct err *err)
{
	(void)codec;
	(void)use;
	(void)src;
	(void)len;
	(void)dst;
	(void)cap;
	(void)out_len;
	return err_nomem(err);
}

static void test_empty(void)
{
	struct meta_writer writer;

	check(meta_writer_init(&writer, NULL, "table", NULL) == 0);
	check(meta_writer_append(&writer, NULL, 0, NULL) == 0);
	check(meta_writer_flush(&writer, NULL) == 0);
	check_u64(writer.out.len, 0);
	check_u64(writer.block_position, 0);
	meta_writer_cleanup(&writer);
}

static void test_full_block(void)
{
	static uint8_t data[META_LEN + 1];
	struct meta_writer writer;
	struct meta_ref ref;

	check(meta_writer_init(&writer, NULL, "table", NULL) == 0);
	check(meta_writer_append(&writer, data, META_LEN - 1, NULL) == 0);
	ref = meta_writer_position(&writer);
	check_u64(ref.block, 0);
	check_u64(ref.offset, META_LEN - 1);
	check_u64(writer.out.len, 0);

	/* What follows a full block is at the start of the next. */
	check(meta_writer_append(&writer, data, 1, NULL) == 0);
	ref = meta_writer_position(&writer);
	check_u64(ref.block, META_LEN + 2);
	check_u64(ref.offset, 0);
	check_u64(writer.out.len, META_LEN + 2);
	check_mem(writer.out.data, "\x00\xA0", 2);
	check(meta_writer_flush(&writer, NULL) == 0);
	check_u64(writer.out.len, META_LEN + 2);
	meta_writer_cleanup(&writer);
}

static void test_short_block(void)
{
	static uint8_t data[153];
	struct meta_writer writer;

	check(meta_writer_init(&writer, NULL, "table", NULL) == 0);
	check(meta_writer_append(&writer, data, sizeof(data), NULL) == 0);
	check(meta_writer_flush(&writer, NULL) == 0);
	check_u64(writer.out.len, 155);
	check_u64(writer.block_position, 155);
	check_mem(writer.out.data, "\x99\x80", 2);
	meta_writer_cleanup(&writer);
}

/* A codec that gains nothing must not be believed. */
static void test_no_gain(void)
{
	static const struct codec_ops ops = { .compress = liar_compress };
	struct codec codec = { .ops = &ops };
	struct meta_writer writer;

	check(meta_writer_init(&writer, &codec, "table", NULL) == 0);
	check(meta_writer_append(&writer, "abc", 3, NULL) == 0);
	check(meta_writer_flush(&writer, NULL) == 0);
	check_u64(writer.out.len, 5);
	check_mem(writer.out.data, "\x03\x80"
				   "abc",
		  5);
	meta_writer_cleanup(&writer);
}

static void test_codec_fails(void)
{
	static const struct codec_ops ops = { .compress = failing_compress };
	static uint8_t data[META_LEN];
	struct codec codec = { .ops = &ops };
	struct meta_table table = { .entries = data, .len = 8 };
	struct meta_writer writer;
	struct buffer out = { 0 };
	struct err err = { 0 };
	uint64_t index = 7;

	check(meta_writer_init(&writer, &codec, "table", &err) == 0);
	check(meta_writer_append(&writer, data, META_LEN, &err) == -1);
	check(err.code == ERR_NOMEM);
	meta_writer_cleanup(&writer);
	err.code = ERR_NONE;
	check(meta_table_encode(&codec, &table, 0, &out, &index, &err) == -1);
	check(err.code == ERR_NOMEM);
	check_u64(index, 7);
	check_u64(out.len, 0);
}

/* Records of any length are found where the writer said they would be. */
static void test_random(struct codec *codec)
{
	enum { COUNT = 2000, LEN_MAX = 20000 };
	static struct meta_ref refs[COUNT];
	static uint8_t record[LEN_MAX];
	static size_t lens[COUNT];
	struct buffer stored = { 0 };
	struct meta_writer writer;
	struct plain plain;
	uint64_t seed = 1;
	size_t bad = 0;

	check(meta_writer_init(&writer, codec, "table", NULL) == 0);
	for (size_t i = 0; i < COUNT; i++) {
		size_t max = i % 100 == 0 ? LEN_MAX : 300;

		refs[i] = meta_writer_position(&writer);
		lens[i] = 1 + next_random(&seed) % max;
		for (size_t k = 0; k < lens[i]; k++)
			record[k] = (uint8_t)(i % 4 == 0 ? i * 31 + k : i);
		check(meta_writer_append(&writer, record, lens[i], NULL) == 0);
		if (i % 50 == 0) {
			/* The owner may take the bytes at any time. */
			check(buffer_append(&stored, writer.out.data,
					    writer.out.len, NULL) == 0);
			writer.out.len = 0;
		}
	}
	check(meta_writer_flush(&writer, NULL) == 0);
	check(buffer_append(&stored, writer.out.data, writer.out.len, NULL) ==
	      0);
	check_u64(writer.block_position, stored.len);
	check(plain_decode(&plain, stored.data, stored.len));
	check(codec ? plain.raw_count < plain.block_count :
		      plain.raw_count == plain.block_count);
	for (size_t i = 0, sum = 0; i < COUNT; sum += lens[i++]) {
		size_t at = plain_at(&plain, refs[i].block, refs[i].offset);

		bad += at != sum;
		for (size_t k = 0; at == sum && k < lens[i]; k++)
			bad += plain.data[at + k] !=
			       (uint8_t)(i % 4 == 0 ? i * 31 + k : i);
	}
	check_u64(bad, 0);
	plain_cleanup(&plain);
	buffer_cleanup(&stored);
	meta_writer_cleanup(&writer);
}

/* Blocks begin below 4 GiB where 32 bits must name their position. */
static void test_limit(void)
{
	static uint8_t data[META_LEN + 1];
	struct meta_writer writer;
	struct err err = { 0 };

	check(meta_writer_init(&writer, NULL, "inode table", &err) == 0);
	writer.block_position = UINT32_MAX;
	check(meta_writer_append(&writer, data, META_LEN, &err) == 0);
	check_u64(writer.block_position, UINT32_MAX + UINT64_C(2) + META_LEN);
	check(meta_writer_append(&writer, data, 1, &err) == -1);
	check(err.code == ERR_LIMIT);
	check(strstr(err.text, "inode table") != NULL);
	check(meta_writer_flush(&writer, &err) == 0);
	meta_writer_cleanup(&writer);

	check(meta_writer_init(&writer, NULL, "inode table", &err) == 0);
	writer.block_position = UINT32_MAX;
	check(meta_writer_append(&writer, data, META_LEN + 1, &err) == -1);
	meta_writer_cleanup(&writer);

	check(meta_writer_init(&writer, NULL, NULL, &err) == 0);
	writer.block_position = UINT64_C(1) << 40;
	check(meta_writer_append(&writer, data, 1, &err) == 0);
	meta_writer_cleanup(&writer);
}

static void test_ref_pack(void)
{
	struct meta_ref ref = { .block = 0x2AF57, .offset = 0x58E };

	check_u64(meta_ref_pack(ref), 0x2AF57058E);
	ref = meta_ref_unpack(0x2AF57058E);
	check_u64(ref.block, 0x2AF57);
	check_u64(ref.offset, 0x58E);
}

/* A table of count entries has as many blocks as the arithmetic says. */
static void test_table(struct codec *codec, size_t entry_len, size_t count)
{
	const uint64_t position = 123456789012345;
	struct meta_table table = { .len = entry_len * count };
	size_t blocks = (table.len + META_LEN - 1) / META_LEN;
	struct buffer out = { 0 };
	struct plain plain;
	uint8_t *entries = malloc(table.len);
	uint64_t index = 0;
	size_t stored;

	if (!entries)
		abort();
	for (size_t i = 0; i < table.len; i++)
		entries[i] = (uint8_t)(i / 100 + (i < META_LEN ? i : 0));
	table.entries = entries;
	table.head = (const uint8_t *)"head";
	table.head_len = count % 2 ? 4 : 0;
	check(buffer_append(&out, "before", 6, NULL) == 0);
	check(meta_table_encode(codec, &table, position, &out, &index, NULL) ==
	      0);
	stored = (size_t)(index - position);
	check_u64(out.len, 6 + stored + table.head_len + 8 * blocks);
	check_mem(out.data + 6 + stored, "head", table.head_len);
	check(plain_decode(&plain, out.data + 6, stored));
	check_u64(plain.block_count, blocks);
	check_u64(plain.len, table.len);
	check_mem(plain.data, entries, table.len);
	for (size_t i = 0; i < blocks && i < plain.block_count; i++)
		check_u64(get_le64(out.data + 6 + stored + table.head_len +
				   8 * i),
			  position + plain.starts[i]);
	plain_cleanup(&plain);
	buffer_cleanup(&out);
	free(entries);
}

static void test_tables(void)
{
	static const size_t entry_lens[] = { 4, 8, 16 };

	for (size_t i = 0; i < 3; i++) {
		size_t per_block = META_LEN / entry_lens[i];

		for (size_t k = 1; k <= 3; k++)
			for (int step = -1; step <= 1; step++) {
				size_t count = k * per_block + (size_t)step;

				test_table(NULL, entry_lens[i], count);
				test_table(runs_codec(), entry_lens[i], count);
			}
		test_table(NULL, entry_lens[i], 1);
	}
}

static void test_table_past_end(void)
{
	struct meta_table table = { .entries = (const uint8_t *)"abcd",
				    .len = 4 };
	struct buffer out = { 0 };
	struct err err = { 0 };
	uint64_t index = 0;

	check(meta_table_encode(NULL, &table, UINT64_MAX - 6, &out, &index,
				&err) == 0);
	check_u64(index, UINT64_MAX);
	out.len = 0;
	check(meta_table_encode(NULL, &table, UINT64_MAX - 5, &out, &index,
				&err) == -1);
	check(err.code == ERR_LIMIT);
	check_u64(out.len, 0);
	buffer_cleanup(&out);
}

int main(void)
{
	struct meta_writer zeroed = { 0 };

	meta_writer_cleanup(&zeroed);
	test_empty();
	test_full_block();
	test_short_block();
	test_no_gain();
	test_codec_fails();
	test_random(NULL);
	test_random(runs_codec());
	test_limit();
	test_ref_pack();
	test_tables();
	test_table_past_end();
	return check_report();
}
