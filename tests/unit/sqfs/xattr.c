/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sqfs/xattr.h"

#include <stdbool.h>

#include "decode.h"

enum { PAIR_MAX = 8 };

/* A set as the tests know it. */
struct set {
	const char *names[PAIR_MAX];
	const uint8_t *values[PAIR_MAX];
	size_t lens[PAIR_MAX];
	size_t count;
};

static void set_add(struct set *set, const char *name, const void *value,
		    size_t len)
{
	set->names[set->count] = name;
	set->values[set->count] = value;
	set->lens[set->count++] = len;
}

static int put(struct xattr_writer *writer, const struct set *set,
	       uint32_t *index, struct err *err)
{
	return xattr_writer_add(writer, set->names, set->values, set->lens,
				set->count, index, err);
}

/* One attribute as a set. */
static uint32_t put_one(struct xattr_writer *writer, const char *name,
			const void *value, size_t len)
{
	struct set set = { .count = 0 };
	uint32_t index = UINT32_MAX;

	set_add(&set, name, value, len);
	check(put(writer, &set, &index, NULL) == 0);
	return index;
}

/* Encoded tables taken apart again. */
struct tables {
	struct buffer raw;
	uint64_t position, header;
	struct plain area, ids;
	uint32_t count;
};

static void tables_open(struct tables *tables, struct xattr_writer *writer,
			struct codec *codec, uint64_t position)
{
	const uint8_t *raw;
	size_t head, index_count, first;

	*tables = (struct tables){ .position = position };
	check(xattr_writer_encode(writer, codec, position, &tables->raw,
				  &tables->header, NULL) == 0);
	raw = tables->raw.data;
	head = (size_t)(tables->header - position);
	check_u64(get_le64(raw + head), position);
	check_u64(get_le32(raw + head + 12), 0);
	tables->count = get_le32(raw + head + 8);
	check_u64(tables->count, xattr_writer_count(writer));
	index_count = (tables->count * (size_t)16 + META_LEN - 1) / META_LEN;
	check_u64(tables->raw.len, head + 16 + 8 * index_count);
	first = (size_t)(get_le64(raw + head + 16) - position);
	check(first > 0 && first < head);
	check(plain_decode(&tables->area, raw, first));
	check(plain_decode(&tables->ids, raw + first, head - first));
	check_u64(tables->ids.len, tables->count * (size_t)16);
	check_u64(tables->ids.block_count, index_count);
	for (size_t i = 0; i < index_count; i++)
		check_u64(get_le64(raw + head + 16 + 8 * i),
			  position + first + tables->ids.starts[i]);
}

static void tables_close(struct tables *tables)
{
	plain_cleanup(&tables->area);
	plain_cleanup(&tables->ids);
	buffer_cleanup(&tables->raw);
}

static const char *const prefixes[] = { "user.", "trusted.", "security." };

/* Compares one pair at *at, and steps over it. */
static bool same_pair(const struct plain *area, size_t *at, const char *name,
		      const uint8_t *value, size_t len)
{
	const uint8_t *p = area->data + *at;
	unsigned type = get_le16(p), rest = get_le16(p + 2);
	uint32_t stored = get_le32(p + 4 + rest);
	char full[300] = { 0 };

	if ((type & 0xFF) > 2 || type >> 8 > 1 || rest > 255)
		return false;
	memcpy(full, prefixes[type & 0xFF], strlen(prefixes[type & 0xFF]));
	memcpy(full + strlen(full), p + 4, rest);
	*at += 8 + rest + stored;
	p += 8 + rest;
	if (type & 0x100) {
		uint64_t ref = get_le64(p);
		size_t out = plain_at(area, ref >> 16, ref & 0xFFFF);

		if (stored != 8 || out == SIZE_MAX)
			return false;
		p = area->data + out + 4;
		stored = get_le32(area->data + out);
	}
	return strcmp(full, name) == 0 && stored == len &&
	       (len == 0 || memcmp(p, value, len) == 0);
}

static bool same_set(const struct tables *tables, uint32_t index,
		     const struct set *set)
{
	const uint8_t *entry = tables->ids.data + index * (size_t)16;
	uint64_t ref = get_le64(entry);
	size_t at = plain_at(&tables->area, ref >> 16, ref & 0xFFFF);
	size_t counted = 0;

	if (index >= tables->count || at == SIZE_MAX ||
	    get_le32(entry + 8) != set->count)
		return false;
	for (size_t i = 0; i < set->count; i++) {
		if (!same_pair(&tables->area, &at, set->names[i],
			       set->values[i], set->lens[i]))
			return false;
		counted += strlen(set->names[i]) + 1 + set->lens[i];
	}
	return at <= tables->area.len && get_le32(entry + 12) == counted;
}

static void test_example(void)
{
	static const uint8_t want[] = {
		0x0A, 0x80, 0, 0, 1, 0, 'k', 1, 0, 0, 0, 'v',
		0x10, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0,
		0x7E, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,
		0x8A, 1, 0, 0, 0, 0, 0, 0
	};
	struct xattr_writer *writer;
	struct buffer out = { 0 };
	uint64_t header = 0;

	check(xattr_writer_create(&writer, NULL) == 0);
	check_u64(xattr_writer_count(writer), 0);
	check_u64(put_one(writer, "user.k", "v", 1), 0);
	check_u64(put_one(writer, "user.k", "v", 1), 0);
	check(buffer_append(&out, "x", 1, NULL) == 0);
	check(xattr_writer_encode(writer, NULL, 0x17E, &out, &header, NULL) ==
	      0);
	check_u64(header, 0x19C);
	check_u64(out.len, 1 + sizeof(want));
	check_mem(out.data + 1, want, sizeof(want));
	buffer_cleanup(&out);
	xattr_writer_destroy(writer);
}

/* A value of two sets is stored once: the later one refers to the former. */
static void test_shared_value(void)
{
	static const uint8_t want[] = {
		0, 0, 1, 0, 'x', 14, 0, 0, 0, 'V', 'A', 'L', 'U', 'E', '1',
		'2', '3', '4', '5', '6', '7', '8', '9', 0, 1, 1, 0, 'y', 8, 0,
		0, 0, 5, 0, 0, 0, 0, 0, 0, 0
	};
	struct xattr_writer *writer;
	struct tables tables;

	check(xattr_writer_create(&writer, NULL) == 0);
	check_u64(put_one(writer, "user.x", "VALUE123456789", 14), 0);
	check_u64(put_one(writer, "user.y", "VALUE123456789", 14), 1);
	tables_open(&tables, writer, NULL, 5000);
	check_u64(tables.area.len, sizeof(want));
	check_mem(tables.area.data, want, sizeof(want));
	tables_close(&tables);
	xattr_writer_destroy(writer);
}

/* Bytes of the area for two sets that share a value of len bytes. */
static size_t area_len(size_t len)
{
	static uint8_t value[XATTR_VALUE_MAX];
	struct xattr_writer *writer;
	struct tables tables;
	size_t ret;

	check(xattr_writer_create(&writer, NULL) == 0);
	put_one(writer, "user.x", value, len);
	put_one(writer, "user.y", value, len);
	tables_open(&tables, writer, NULL, 0);
	ret = tables.area.len;
	tables_close(&tables);
	xattr_writer_destroy(writer);
	return ret;
}

/* Short values are repeated, longer ones not, long ones stand alone. */
static void test_value_lens(void)
{
	check_u64(area_len(0), 2 * 9);
	check_u64(area_len(1), 2 * 10);
	check_u64(area_len(8), 2 * 17);
	check_u64(area_len(9), 18 + 17);
	check_u64(area_len(128), 9 + 128 + 17);
	check_u64(area_len(129), 4 + 129 + 2 * 17);
	check_u64(area_len(XATTR_VALUE_MAX), 4 + XATTR_VALUE_MAX + 2 * 17);
}

static void test_names(void)
{
	check(xattr_name_is_storable("user.a"));
	check(xattr_name_is_storable("user.."));
	check(xattr_name_is_storable("trusted.overlay.opaque"));
	check(xattr_name_is_storable("security.selinux"));
	check(!xattr_name_is_storable(""));
	check(!xattr_name_is_storable("user"));
	check(!xattr_name_is_storable("user."));
	check(!xattr_name_is_storable("trusted."));
	check(!xattr_name_is_storable("security."));
	check(!xattr_name_is_storable("User.a"));
	check(!xattr_name_is_storable("system.posix_acl_access"));
}

static void test_limits(void)
{
	static uint8_t value[XATTR_VALUE_MAX + 1];
	char name[XATTR_NAME_MAX + 2] = "user.";
	struct set set = { .count = 0 };
	struct xattr_writer *writer;
	struct tables tables;
	struct err err = { 0 };
	uint32_t index = 9;

	check(xattr_writer_create(&writer, NULL) == 0);
	memset(name + 5, 'n', XATTR_NAME_MAX - 5);
	check_u64(put_one(writer, name, value, XATTR_VALUE_MAX), 0);

	/* The pair before the one that fails must leave no trace. */
	set_add(&set, "security.a", "a", 1);
	set_add(&set, name, value, XATTR_VALUE_MAX + 1);
	check(put(writer, &set, &index, &err) == -1);
	check(err.code == ERR_LIMIT);
	check(strstr(err.text, "65537") != NULL);
	check_u64(index, 9);

	name[XATTR_NAME_MAX] = 'n';
	set.count = 0;
	set_add(&set, "security.a", "a", 1);
	set_add(&set, name, value, 1);
	check(put(writer, &set, &index, &err) == -1);
	check(err.code == ERR_LIMIT);
	check(strstr(err.text, "255") != NULL);

	check_u64(xattr_writer_count(writer), 1);
	check_u64(put_one(writer, "user.b", "a", 1), 1);
	tables_open(&tables, writer, NULL, 96);
	set.count = 0;
	name[XATTR_NAME_MAX] = 0;
	set_add(&set, name, value, XATTR_VALUE_MAX);
	check(same_set(&tables, 0, &set));
	set.count = 0;
	set_add(&set, "user.b", "a", 1);
	check(same_set(&tables, 1, &set));
	tables_close(&tables);
	xattr_writer_destroy(writer);
}

static void test_only_empty_values(void)
{
	struct set set = { .count = 0 };
	struct xattr_writer *writer;
	struct tables tables;
	uint32_t index;

	check(xattr_writer_create(&writer, NULL) == 0);
	set_add(&set, "trusted.e", NULL, 0);
	set_add(&set, "user.e", "", 0);
	check(put(writer, &set, &index, NULL) == 0);
	tables_open(&tables, writer, NULL, 96);
	check(same_set(&tables, 0, &set));
	tables_close(&tables);
	xattr_writer_destroy(writer);
}

/* 512 sets fill one block of the id table, 513 need two. */
static void test_id_blocks(struct codec *codec)
{
	static const uint32_t counts[] = { 511, 512, 513, 1024, 1025 };

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		struct xattr_writer *writer;
		struct tables tables;

		check(xattr_writer_create(&writer, NULL) == 0);
		for (uint32_t k = 0; k < counts[i]; k++)
			check_u64(put_one(writer, "user.n", &k, sizeof(k)), k);
		tables_open(&tables, writer, codec, 1 << 20);
		check_u64(tables.ids.block_count, (counts[i] + 511) / 512);
		for (uint32_t k = 0; k < counts[i]; k++) {
			struct set set = { .count = 0 };

			set_add(&set, "user.n", &k, sizeof(k));
			check(same_set(&tables, k, &set));
		}
		tables_close(&tables);
		xattr_writer_destroy(writer);
	}
}

/* In ascending order. */
static const char *const names[PAIR_MAX] = {
	"security.capability", "security.selinux", "trusted.a",
	"trusted.overlay.opaque", "user.a", "user.b", "user.bb", "user.c"
};

static const uint16_t value_lens[] = { 0,   1,	 7,    8,    9,	   20,
				       127, 128, 129, 3000, 9000 };

static void random_set(struct set *set, const uint8_t *bytes, uint64_t *seed)
{
	set->count = 0;
	while (set->count == 0)
		for (int i = 0; i < PAIR_MAX; i++) {
			size_t r = next_random(seed);

			if (r % 3 != 0)
				continue;
			set_add(set, names[i], bytes + r / 3 % 5,
				value_lens[r / 16 % 11]);
		}
}

static bool equal_sets(const struct set *a, const struct set *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (a->names[i] != b->names[i] || a->lens[i] != b->lens[i] ||
		    memcmp(a->values[i], b->values[i], a->lens[i]) != 0)
			return false;
	return true;
}

/* Equal sets have one index, others their own; all read back. */
static void test_random(struct codec *codec)
{
	enum { COUNT = 3000 };
	static struct set sets[COUNT];
	static uint32_t indexes[COUNT], firsts[COUNT];
	static uint8_t bytes[9100];
	struct xattr_writer *writer;
	struct tables tables;
	uint64_t seed = 11;
	uint32_t count = 0;
	size_t bad = 0;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i / 64 + i % 5);
	check(xattr_writer_create(&writer, NULL) == 0);
	for (size_t i = 0; i < COUNT; i++) {
		if (i % 3 == 2)
			sets[i] = sets[next_random(&seed) % i];
		else
			random_set(&sets[i], bytes, &seed);
		check(put(writer, &sets[i], &indexes[i], NULL) == 0);
		if (indexes[i] == count)
			firsts[count++] = (uint32_t)i;
		bad += indexes[i] >= count ||
		       !equal_sets(&sets[i], &sets[firsts[indexes[i]]]);
	}
	check_u64(xattr_writer_count(writer), count);
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < i; k++)
			bad += equal_sets(&sets[firsts[i]], &sets[firsts[k]]);
	tables_open(&tables, writer, codec, UINT64_C(1) << 40);
	for (size_t i = 0; i < COUNT; i++)
		bad += !same_set(&tables, indexes[i], &sets[i]);
	check_u64(bad, 0);

	/* Of the 5 * 11 values only short ones are repeated; else a pair has
	 * 40 bytes at most. */
	check(tables.area.len < 5 * 12500 + count * (size_t)(8 * 40));
	tables_close(&tables);
	xattr_writer_destroy(writer);
}

int main(void)
{
	xattr_writer_destroy(NULL);
	test_example();
	test_shared_value();
	test_value_lens();
	test_names();
	test_limits();
	test_only_empty_values();
	test_id_blocks(NULL);
	test_id_blocks(runs_codec());
	test_random(NULL);
	test_random(runs_codec());
	return check_report();
}
