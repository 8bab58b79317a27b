/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sqfs/dir.h"

#include <stdbool.h>

#include "decode.h"

/* A directory table being made. */
struct made {
	struct meta_writer meta;
	struct dir_writer dir;
	struct plain plain;
};

static void made_begin(struct made *made, struct codec *codec)
{
	*made = (struct made){ 0 };
	check(meta_writer_init(&made->meta, codec, "directory table", NULL) ==
	      0);
	dir_begin(&made->dir, &made->meta);
}

static void made_end(struct made *made)
{
	check(dir_end(&made->dir, NULL) == 0);
	check(meta_writer_flush(&made->meta, NULL) == 0);
	check(plain_decode(&made->plain, made->meta.out.data,
			   made->meta.out.len));
}

static void made_cleanup(struct made *made)
{
	plain_cleanup(&made->plain);
	dir_writer_cleanup(&made->dir);
	meta_writer_cleanup(&made->meta);
}

static int add(struct made *made, const char *name, uint64_t block,
	       unsigned offset, uint32_t number)
{
	struct meta_ref ref = { .block = block, .offset = (uint16_t)offset };

	return dir_add(&made->dir, name, (uint16_t)strlen(name), ref, number,
		       INODE_FILE, NULL);
}

static void test_example(void)
{
	static const uint8_t want[] = {
		2, 0, 0, 0,    0, 0, 0, 0, 1, 0, 0, 0, 0,    0, 0, 0,
		2, 0, 0, 0,    'a',    0x38, 0, 1, 0, 3, 0, 0, 0, 'l', 0x51, 0,
		2, 0, 1, 0, 2, 0, 's', 'u', 'b'
	};
	struct meta_ref ref = { 0 };
	struct made made;

	made_begin(&made, NULL);
	check(dir_add(&made.dir, "a", 1, ref, 1, INODE_FILE, NULL) == 0);
	ref.offset = 0x38;
	check(dir_add(&made.dir, "l", 1, ref, 2, INODE_SYMLINK, NULL) == 0);
	ref.offset = 0x51;
	check(dir_add(&made.dir, "sub", 3, ref, 3, INODE_DIR, NULL) == 0);
	made_end(&made);
	check_u64(made.dir.len, sizeof(want));
	check_u64(made.plain.len, sizeof(want));
	check_mem(made.plain.data, want, sizeof(want));
	check_u64(meta_ref_pack(made.dir.start), 0);
	check_u64(made.dir.index_count, 0);
	made_cleanup(&made);
}

/* An empty listing takes no bytes, and its place is 0/0 wherever it comes. */
static void test_empty(void)
{
	struct made made;

	made_begin(&made, NULL);
	check(add(&made, "a", 0, 0, 1) == 0);
	check(dir_end(&made.dir, NULL) == 0);
	dir_begin(&made.dir, &made.meta);
	check_u64(made.dir.start.offset, 21);
	made_end(&made);
	check_u64(made.dir.len, 0);
	check_u64(meta_ref_pack(made.dir.start), 0);
	check_u64(made.plain.len, 21);
	made_cleanup(&made);
}

/* Entries of the runs of a listing: counts, 0 behind the last. */
static size_t run_counts(const uint8_t *raw, size_t len, uint32_t *counts,
			 size_t max)
{
	size_t at = 0, runs = 0;

	while (at + 12 <= len && runs < max) {
		uint32_t count = get_le32(raw + at) + 1;

		counts[runs++] = count;
		for (at += 12; count > 0 && at + 8 <= len; count--)
			at += 8 + get_le16(raw + at + 6) + 1u;
	}
	check_u64(at, len);
	return runs;
}

static void test_run_of_256(void)
{
	uint32_t counts[4];

	for (unsigned total = 255; total <= 513; total++) {
		struct made made;
		size_t runs, want = (total + 255) / 256;

		made_begin(&made, NULL);
		for (unsigned i = 0; i < total; i++)
			check(add(&made, "n", 5, 0, i + 1) == 0);
		made_end(&made);
		runs = run_counts(made.plain.data, made.plain.len, counts, 4);
		check_u64(runs, want);
		check_u64(counts[runs - 1], total - 256 * (want - 1));
		made_cleanup(&made);
	}
}

/* Whether a second name shares the run of a first. */
static void check_shares(uint64_t block1, uint32_t number1, uint64_t block2,
			 uint32_t number2, bool want, int line)
{
	uint32_t counts[4];
	struct made made;
	size_t runs;

	made_begin(&made, NULL);
	check(add(&made, "a", block1, 1, number1) == 0);
	check(add(&made, "b", block2, 2, number2) == 0);
	made_end(&made);
	runs = run_counts(made.plain.data, made.plain.len, counts, 4);
	check_note(runs == (want ? 1 : 2), __FILE__, line, "runs");
	if (want)
		check_u64(get_le32(made.plain.data + 8) +
				  (uint32_t)(int16_t)get_le16(
					  made.plain.data + 12 + 9 + 2),
			  number2);
	made_cleanup(&made);
}

static void test_run_breaks(void)
{
	check_shares(0, 1, 0, 2, true, __LINE__);
	check_shares(0, 1, 8194, 2, false, __LINE__);
	check_shares(UINT32_MAX, 1, UINT32_MAX, 2, true, __LINE__);
	check_shares(0, 1, 0, 32768, true, __LINE__);
	check_shares(0, 1, 0, 32769, false, __LINE__);
	check_shares(0, 40000, 0, 7232, true, __LINE__);
	check_shares(0, 40000, 0, 7231, false, __LINE__);
	check_shares(0, 1, 0, UINT32_MAX, false, __LINE__);
	check_shares(0, UINT32_MAX, 0, 1, false, __LINE__);
	check_shares(0, UINT32_MAX, 0, UINT32_MAX - 5, true, __LINE__);
}

/* 3000 names of 22 bytes behind 89 others, inodes changing block at 248. */
static void test_index_example(void)
{
	static char names[3000][23];
	struct made made;

	made_begin(&made, NULL);
	check(meta_writer_append(&made.meta, names, 89, NULL) == 0);
	dir_begin(&made.dir, &made.meta);
	for (unsigned i = 0; i < 3000; i++) {
		snprintf(names[i], sizeof(names[i]), "file_with_a_name_%05u",
			 i);
		check(add(&made, names[i], i < 248 ? 0 : 3000, 0, i + 2) == 0);
	}
	made_end(&made);
	check_u64(made.dir.start.offset, 89);
	check(made.dir.index_count >= 2);
	check_u64(made.dir.index[0].index, 8184);
	check_u64(made.dir.index[0].block, META_LEN + 2);
	check_u64(made.dir.index[0].name_len, 22);
	check_str(made.dir.index[0].name, names[272]);
	check_u64(made.dir.index[1].index, 16368);
	check_u64(made.dir.index[1].block, 2 * (META_LEN + 2));
	check_str(made.dir.index[1].name, names[544]);
	made_cleanup(&made);
}

/* No index up to META_LEN bytes, one point behind that. */
static void test_index_edge(void)
{
	for (int extra = 0; extra < 2; extra++) {
		char name[DIR_NAME_MAX + 1] = { 0 };
		struct made made;

		/* 12 + 30 * 260 + 124 leave 256 bytes of META_LEN. */
		made_begin(&made, NULL);
		memset(name, 'x', 252);
		for (int i = 0; i < 30; i++)
			check(add(&made, name, 0, 0, 1) == 0);
		memset(name, 'x', DIR_NAME_MAX);
		name[116] = 0;
		check(add(&made, name, 0, 0, 1) == 0);
		memset(name, 'y', 248);
		name[248 + extra] = 0;
		name[248] = extra ? 'y' : 0;
		check(add(&made, name, 0, 0, 1) == 0);
		made_end(&made);
		check_u64(made.dir.len, META_LEN + (extra ? 13 : 0));
		check_u64(made.dir.index_count, extra);
		made_cleanup(&made);
	}
}

enum { RANDOM_MAX = 4000 };

struct name {
	char text[DIR_NAME_MAX];
	uint16_t len;
	uint64_t ref;
	uint32_t number;
	enum inode_type type;
};

static void fill_names(struct name *names, size_t count, uint64_t *seed)
{
	uint64_t block = 0;
	uint32_t number = 100000;

	for (size_t i = 0; i < count; i++) {
		uint32_t r = next_random(seed);

		names[i].len = (uint16_t)(1 + r % (r % 3 ? 12 : DIR_NAME_MAX));
		for (size_t k = 0; k < names[i].len; k++)
			names[i].text[k] = (char)('a' + (i + k) % 7);
		if (next_random(seed) % 90 == 0)
			block += 3000;
		number += next_random(seed) % 50 ? 1 : 20000;
		if (next_random(seed) % 80 == 0)
			number -= 35000;
		names[i].ref = block << 16 | next_random(seed) % META_LEN;
		names[i].number = number;
		names[i].type = (enum inode_type)(1 + r % 7);
	}
}

/* Reads the listing back; the positions of the headers go into headers. */
static size_t check_listing(const uint8_t *raw, size_t len,
			    const struct name *names, size_t count,
			    uint32_t *headers, size_t *firsts)
{
	size_t at = 0, done = 0, runs = 0, bad = 0;

	while (at + 12 <= len && !bad) {
		uint32_t left = get_le32(raw + at) + 1;
		uint64_t block = get_le32(raw + at + 4);
		uint32_t base = get_le32(raw + at + 8);

		bad += left > 256;
		headers[runs] = (uint32_t)at;
		firsts[runs++] = done;
		for (at += 12; left > 0 && !bad; left--, done++) {
			const struct name *name = &names[done];

			bad += at + 8 > len || done >= count;
			if (bad)
				break;
			bad += (block << 16 | get_le16(raw + at)) !=
			       name->ref;
			bad += base + (uint32_t)(int16_t)get_le16(
					      raw + at + 2) !=
			       name->number;
			bad += get_le16(raw + at + 4) != name->type;
			bad += get_le16(raw + at + 6) + 1 != name->len;
			bad += at + 8 + name->len > len ||
			       memcmp(raw + at + 8, name->text, name->len);
			at += 8u + name->len;
		}
	}
	check_u64(bad, 0);
	check_u64(at, len);
	check_u64(done, count);
	return runs;
}

/* Every point leads to a header, by the arithmetic that Linux does. */
static void check_index(const struct made *made, const struct name *names,
			const uint32_t *headers, const size_t *firsts,
			size_t runs)
{
	size_t start = plain_at(&made->plain, made->dir.start.block,
				made->dir.start.offset);
	uint32_t last = 0;
	size_t run = 0, bad = 0;

	for (size_t i = 0; i < made->dir.index_count; i++) {
		const struct dir_index *point = &made->dir.index[i];
		size_t at = plain_at(&made->plain, point->block,
				     (made->dir.start.offset + point->index) %
					     META_LEN);

		while (run < runs && headers[run] < point->index)
			run++;
		bad += run >= runs || headers[run] != point->index;
		bad += at != start + point->index;
		if (bad)
			break;
		bad += point->name_len != names[firsts[run]].len;
		bad += point->name != names[firsts[run]].text;
		bad += point->index <= last || point->index - last > META_LEN;
		last = point->index;
	}
	bad += made->dir.len - last > META_LEN;
	check_u64(bad, 0);
}

static void test_random(struct codec *codec)
{
	static struct name names[RANDOM_MAX];
	static uint32_t headers[RANDOM_MAX];
	static size_t firsts[RANDOM_MAX];
	uint64_t seed = 5;
	size_t counts[] = { 1, 2, 255, 256, 257, 300, 1000, RANDOM_MAX };

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		struct made made;
		size_t at, runs;

		fill_names(names, counts[i], &seed);
		made_begin(&made, codec);
		check(meta_writer_append(&made.meta, names,
					 next_random(&seed) % 20000,
					 NULL) == 0);
		dir_begin(&made.dir, &made.meta);
		for (size_t k = 0; k < counts[i]; k++)
			check(dir_add(&made.dir, names[k].text, names[k].len,
				      meta_ref_unpack(names[k].ref),
				      names[k].number, names[k].type,
				      NULL) == 0);
		made_end(&made);
		at = plain_at(&made.plain, made.dir.start.block,
			      made.dir.start.offset);
		check_u64(at + made.dir.len, made.plain.len);
		runs = check_listing(made.plain.data + at, made.dir.len, names,
				     counts[i], headers, firsts);
		check_index(&made, names, headers, firsts, runs);
		check((made.dir.len > META_LEN) == (made.dir.index_count > 0));
		made_cleanup(&made);
	}
}

/*
 * Pretends that the listing is longer than it is, so that each name makes a
 * point.
 */
static void check_thinned(size_t points, size_t want)
{
	struct made made;
	size_t bad = 0;

	made_begin(&made, NULL);
	check(add(&made, "a", 0, 0, 1) == 0);
	for (size_t i = 0; i < points; i++) {
		made.dir.len += META_LEN;
		made.meta.out.len = 0;
		bad += add(&made, "a", 0, 0, 1) < 0;
	}
	check_u64(bad, 0);
	check_u64(made.dir.index_count, points);
	check(dir_end(&made.dir, NULL) == 0);
	check_u64(made.dir.index_count, want);
	for (size_t i = 1; i < made.dir.index_count; i++)
		bad += made.dir.index[i].index <= made.dir.index[i - 1].index;
	check_u64(bad, 0);
	made_cleanup(&made);
}

static void test_thinning(void)
{
	check_thinned(INODE_INDEX_MAX, INODE_INDEX_MAX);
	check_thinned(INODE_INDEX_MAX + 1, 32768);
	check_thinned(INODE_INDEX_MAX * 2, INODE_INDEX_MAX);
	check_thinned(INODE_INDEX_MAX * 2 + 1, 43690);
}

static void test_listing_limit(void)
{
	struct meta_ref ref = { 0 };
	struct err err = { 0 };
	struct made made;

	made_begin(&made, NULL);
	check(add(&made, "a", 0, 0, 1) == 0);
	made.dir.len = DIR_LISTING_MAX - 21 - 21;
	check(dir_add(&made.dir, "a", 1, ref, 1, INODE_FILE, &err) == 0);
	check(dir_add(&made.dir, "a", 1, ref, 1, INODE_FILE, &err) == -1);
	check(err.code == ERR_LIMIT);
	check(strstr(err.text, "2147483644") != NULL);
	check(dir_end(&made.dir, &err) == 0);
	check_u64(made.dir.len, DIR_LISTING_MAX);
	made_cleanup(&made);

	/* The header of an index point counts: one byte too many here. */
	made_begin(&made, NULL);
	check(add(&made, "a", 0, 0, 1) == 0);
	made.dir.len = DIR_LISTING_MAX - 21 - 21 + 1;
	check(dir_add(&made.dir, "a", 1, ref, 1, INODE_FILE, &err) == -1);
	made_cleanup(&made);
}

static void test_table_limit(void)
{
	struct meta_ref ref = { 0 };
	struct err err = { 0 };
	struct made made;

	made_begin(&made, NULL);
	made.meta.block_position = UINT64_C(1) << 32;
	dir_begin(&made.dir, &made.meta);
	check(dir_add(&made.dir, "a", 1, ref, 1, INODE_FILE, &err) == 0);
	check(dir_end(&made.dir, &err) == -1);
	check(err.code == ERR_LIMIT);
	check(strstr(err.text, "directory table") != NULL);
	made_cleanup(&made);
}

int main(void)
{
	struct dir_writer zeroed = { 0 };

	dir_writer_cleanup(&zeroed);
	test_example();
	test_empty();
	test_run_of_256();
	test_run_breaks();
	test_index_example();
	test_index_edge();
	test_random(NULL);
	test_random(runs_codec());
	test_thinning();
	test_listing_limit();
	test_table_limit();
	return check_report();
}
