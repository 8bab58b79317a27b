/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sqfs/xattr.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "sqfs/meta.h"
#include "util/array.h"
#include "util/err.h"
#include "util/hash.h"
#include "util/num.h"

/*
 * Sets of extended attributes. While sets come in, each value is kept once and
 * has a number; a set is kept as its pairs with the value's number in place of
 * the value, so that equal sets are equal bytes. The stored form is made at the
 * end. Format: doc/squashfs.md, "Extended attributes".
 */

#define PAIR_LEN    4  /* type and length, in front of the name */
#define NUMBER_LEN  4  /* of a value, behind the name */
#define SET_LEN	    16 /* an entry of the id table */
#define HEADER_LEN  16
#define OUT_OF_LINE 0x0100u /* of a pair's type */
#define REF_LEN	    8	    /* stored in place of a value */
#define NOT_STORED  UINT64_MAX

/* Longer values get a record of their own, so that names lie together. */
#define INLINE_MAX 128

struct value {
	size_t at; /* in value_bytes */
	uint32_t len;
	uint64_t ref; /* of its stored form, or NOT_STORED */
};

struct set {
	size_t at; /* in pair_bytes */
	size_t len;
	uint32_t count;	      /* of pairs */
	uint32_t counted_len; /* what the id table says */
};

struct xattr_writer {
	struct hash_key key;
	struct buffer value_bytes;
	struct value *values;
	size_t value_count, value_cap;
	struct digest_map value_map;
	struct buffer pair_bytes;
	struct set *sets;
	size_t set_count, set_cap;
	struct digest_map set_map;
};

/* The number of a prefix is its place. */
static const char *const prefixes[] = { "user.", "trusted.", "security." };

#define PREFIX_COUNT (sizeof(prefixes) / sizeof(prefixes[0]))

/* The number of the prefix, and the name behind it; PREFIX_COUNT if none. */
static size_t split_name(const char *name, const char **rest)
{
	size_t i;

	for (i = 0; i < PREFIX_COUNT; i++) {
		size_t len = strlen(prefixes[i]);

		if (strncmp(name, prefixes[i], len) == 0 && name[len] != 0) {
			*rest = name + len;
			break;
		}
	}
	return i;
}

int xattr_writer_create(struct xattr_writer **out, struct err *err)
{
	struct xattr_writer *writer = calloc(1, sizeof(*writer));

	if (!writer)
		return err_nomem(err);
	if (hash_key_draw(&writer->key, err) < 0) {
		free(writer);
		return -1;
	}
	*out = writer;
	return 0;
}

bool xattr_name_is_storable(const char *name)
{
	const char *rest;

	return split_name(name, &rest) < PREFIX_COUNT;
}

/* The number of a value, which is kept if it is new. */
static int intern_value(struct xattr_writer *writer, const uint8_t *value,
			size_t len, uint32_t *number, struct err *err)
{
	size_t at = writer->value_bytes.len;
	struct digest digest;
	const uint64_t *known;

	hash128(&writer->key, len > 0 ? value : (const uint8_t *)"", len,
		&digest);
	known = digest_map_find(&writer->value_map, &digest);
	if (known) {
		*number = (uint32_t)*known;
		return 0;
	}
	if (array_reserve(&writer->values, &writer->value_cap,
			  writer->value_count + 1, sizeof(*writer->values),
			  err) < 0 ||
	    buffer_append(&writer->value_bytes, value, len, err) < 0)
		return -1;
	if (digest_map_add(&writer->value_map, &digest, writer->value_count,
			   err) < 0) {
		writer->value_bytes.len = at;
		return -1;
	}
	*number = (uint32_t)writer->value_count;
	writer->values[writer->value_count++] = (struct value) {
		.at = at, .len = (uint32_t)len, .ref = NOT_STORED
	};
	return 0;
}

static int check_lens(const char *name, size_t name_len, size_t value_len,
		      struct err *err)
{
	char text[NAME_TEXT_LEN];

	if (name_len > XATTR_NAME_MAX)
		return err_set(err, ERR_LIMIT,
			       "name of attribute %s is longer than %d bytes",
			       name_text(name, name_len, text), XATTR_NAME_MAX);
	if (value_len > XATTR_VALUE_MAX)
		return err_set(err, ERR_LIMIT,
			       "value of attribute %s has %zu bytes, %d are "
			       "possible",
			       name_text(name, name_len, text), value_len,
			       XATTR_VALUE_MAX);
	return 0;
}

/* Appends one pair to pair_bytes and counts it into the set. */
static int add_pair(struct xattr_writer *writer, struct set *set,
		    const char *name, const uint8_t *value, size_t value_len,
		    struct err *err)
{
	size_t name_len = strlen(name), rest_len, prefix;
	uint8_t raw[PAIR_LEN], raw_number[NUMBER_LEN];
	uint32_t number;
	uint64_t counted;
	const char *rest;

	if (check_lens(name, name_len, value_len, err) < 0)
		return -1;
	counted = (uint64_t)set->counted_len + name_len + 1 + value_len;
	if (counted > UINT32_MAX)
		return err_set(err, ERR_LIMIT,
			       "attributes are longer than 4 GiB");
	prefix = split_name(name, &rest);
	assert(prefix < PREFIX_COUNT);
	rest_len = strlen(rest);
	if (intern_value(writer, value, value_len, &number, err) < 0)
		return -1;
	put_le16(raw, (uint16_t)prefix);
	put_le16(raw + 2, (uint16_t)rest_len);
	put_le32(raw_number, number);
	if (buffer_append(&writer->pair_bytes, raw, sizeof(raw), err) < 0 ||
	    buffer_append(&writer->pair_bytes, rest, rest_len, err) < 0 ||
	    buffer_append(&writer->pair_bytes, raw_number, sizeof(raw_number),
			  err) < 0)
		return -1;
	set->counted_len = (uint32_t)counted;
	set->count++;
	return 0;
}

/* Takes the set whose pairs end pair_bytes, or finds its equal. */
static int intern_set(struct xattr_writer *writer, struct set *set,
		      uint32_t *index, struct err *err)
{
	struct digest digest;
	const uint64_t *known;

	set->len = writer->pair_bytes.len - set->at;
	hash128(&writer->key, writer->pair_bytes.data + set->at, set->len,
		&digest);
	known = digest_map_find(&writer->set_map, &digest);
	if (known) {
		writer->pair_bytes.len = set->at;
		*index = (uint32_t)*known;
		return 0;
	}
	if (array_reserve(&writer->sets, &writer->set_cap,
			  writer->set_count + 1, sizeof(*writer->sets),
			  err) < 0 ||
	    digest_map_add(&writer->set_map, &digest, writer->set_count, err) <
		    0)
		return -1;
	*index = (uint32_t)writer->set_count;
	writer->sets[writer->set_count++] = *set;
	return 0;
}

int xattr_writer_add(struct xattr_writer *writer, const char *const *names,
		     const uint8_t *const *values, const size_t *value_lens,
		     size_t count, uint32_t *index, struct err *err)
{
	struct set set = { .at = writer->pair_bytes.len };

	assert(count > 0);
	for (size_t i = 0; i < count; i++) {
		assert(i == 0 || strcmp(names[i - 1], names[i]) < 0);
		if (add_pair(writer, &set, names[i], values[i], value_lens[i],
			     err) < 0)
			goto fail;
	}
	if (intern_set(writer, &set, index, err) < 0)
		goto fail;
	return 0;
fail:
	writer->pair_bytes.len = set.at;
	return -1;
}

uint32_t xattr_writer_count(const struct xattr_writer *writer)
{
	return (uint32_t)writer->set_count;
}

static int store_u32(struct meta_writer *meta, uint32_t number, struct err *err)
{
	uint8_t raw[4];

	put_le32(raw, number);
	return meta_writer_append(meta, raw, sizeof(raw), err);
}

/* A value's stored form, its length and bytes; keeps where that is. */
static int store_value(const struct xattr_writer *writer,
		       struct meta_writer *meta, struct value *value,
		       struct err *err)
{
	value->ref = meta_ref_pack(meta_writer_position(meta));
	if (store_u32(meta, value->len, err) < 0)
		return -1;
	if (value->len == 0)
		return 0;
	return meta_writer_append(meta, writer->value_bytes.data + value->at,
				  value->len, err);
}

/*
 * True for values that are stored out of line: long ones, and those that have
 * been stored and are longer than a reference.
 */
static bool is_out_of_line(const struct value *value)
{
	return value->len > INLINE_MAX ||
	       (value->len > REF_LEN && value->ref != NOT_STORED);
}

/* The pairs of a set in their kept form, one after the other. */
struct pair {
	const uint8_t *raw;
	uint16_t name_len;
	struct value *value;
};

static const uint8_t *next_pair(const struct xattr_writer *writer,
				const uint8_t *raw, struct pair *out)
{
	out->raw = raw;
	out->name_len = get_le16(raw + 2);
	raw += PAIR_LEN + out->name_len;
	out->value = &writer->values[get_le32(raw)];
	return raw + NUMBER_LEN;
}

static int store_pair(const struct xattr_writer *writer,
		      struct meta_writer *meta, const struct pair *pair,
		      struct err *err)
{
	bool out_of_line = is_out_of_line(pair->value);
	uint8_t head[PAIR_LEN], ref[REF_LEN];

	put_le16(head, (uint16_t)(get_le16(pair->raw) |
				  (out_of_line ? OUT_OF_LINE : 0)));
	put_le16(head + 2, pair->name_len);
	if (meta_writer_append(meta, head, sizeof(head), err) < 0 ||
	    meta_writer_append(meta, pair->raw + PAIR_LEN, pair->name_len,
			       err) < 0)
		return -1;
	if (!out_of_line)
		return store_value(writer, meta, pair->value, err);
	put_le64(ref, pair->value->ref);
	if (store_u32(meta, REF_LEN, err) < 0)
		return -1;
	return meta_writer_append(meta, ref, sizeof(ref), err);
}

/* Long values that are new, then the pairs; encodes the entry of the set. */
static int store_set(const struct xattr_writer *writer,
		     struct meta_writer *meta, const struct set *set,
		     uint8_t entry[SET_LEN], struct err *err)
{
	const uint8_t *raw = writer->pair_bytes.data + set->at;
	const uint8_t *end = raw + set->len;
	const uint8_t *p;
	struct pair pair;

	for (p = raw; p != end;) {
		p = next_pair(writer, p, &pair);
		if (pair.value->len > INLINE_MAX &&
		    pair.value->ref == NOT_STORED &&
		    store_value(writer, meta, pair.value, err) < 0)
			return -1;
	}
	put_le64(entry, meta_ref_pack(meta_writer_position(meta)));
	put_le32(entry + 8, set->count);
	put_le32(entry + 12, set->counted_len);
	for (p = raw; p != end;) {
		p = next_pair(writer, p, &pair);
		if (store_pair(writer, meta, &pair, err) < 0)
			return -1;
	}
	return 0;
}

int xattr_writer_encode(struct xattr_writer *writer, struct codec *codec,
			uint64_t position, struct buffer *out, uint64_t *header,
			struct err *err)
{
	struct meta_writer meta = { 0 };
	struct buffer entries = { 0 };
	uint8_t raw_header[HEADER_LEN] = { 0 };
	struct meta_table table;
	uint64_t end;
	int ret = -1;

	assert(writer->set_count > 0);
	if (meta_writer_init(&meta, codec, "xattr table", err) < 0)
		goto out;
	for (size_t i = 0; i < writer->set_count; i++) {
		uint8_t entry[SET_LEN];

		if (store_set(writer, &meta, &writer->sets[i], entry, err) <
			    0 ||
		    buffer_append(&entries, entry, sizeof(entry), err) < 0)
			goto out;
	}
	if (meta_writer_flush(&meta, err) < 0 ||
	    buffer_append(out, meta.out.data, meta.out.len, err) < 0)
		goto out;
	if (!add_u64(position, meta.block_position, &end)) {
		err_set(err, ERR_LIMIT, "image is longer than 2^64 bytes");
		goto out;
	}
	put_le64(raw_header, position);
	put_le32(raw_header + 8, (uint32_t)writer->set_count);
	table = (struct meta_table) { .entries = entries.data,
				      .len = entries.len,
				      .head = raw_header,
				      .head_len = sizeof(raw_header) };
	ret = meta_table_encode(codec, &table, end, out, header, err);
out:
	buffer_cleanup(&entries);
	meta_writer_cleanup(&meta);
	return ret;
}

void xattr_writer_destroy(struct xattr_writer *writer)
{
	if (!writer)
		return;
	buffer_cleanup(&writer->value_bytes);
	free(writer->values);
	digest_map_cleanup(&writer->value_map);
	buffer_cleanup(&writer->pair_bytes);
	free(writer->sets);
	digest_map_cleanup(&writer->set_map);
	free(writer);
}
