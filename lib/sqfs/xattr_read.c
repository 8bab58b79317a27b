/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "image_state.h"

/*
 * Sets of extended attributes. Format: doc/squashfs.md, "Extended attributes".
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "util/err.h"
#include "util/num.h"

#define HEAD_LEN    16
#define ID_LEN	    16
#define OUT_OF_LINE 0x0100u
#define NAME_NUL    1

static const char *const prefixes[] = { "user.", "trusted.", "security." };
#define PREFIX_COUNT (sizeof(prefixes) / sizeof(prefixes[0]))

/* Reads the header, once. */
static int find_tables(struct image *image, struct err *err)
{
	uint64_t header = image->super.xattr_table, first;
	struct lookup *table = &image->xattr_table;
	uint8_t raw[HEAD_LEN];

	if (image->has_xattrs)
		return 0;
	if (header == SUPER_NONE)
		return err_set(err, ERR_CORRUPT,
			       "the image has no table of attributes");
	if (image_read(image, header, raw, sizeof(raw), err) < 0)
		return err_in(err, "xattr table");
	*table = (struct lookup){ .name = "xattr table",
				  .index = header + HEAD_LEN,
				  .entry_len = ID_LEN,
				  .count = get_le32(raw + 8) };
	if (lookup_check(image, table, err) < 0)
		return -1;
	image->pairs.name = "xattr pairs";
	image->pairs.start = get_le64(raw);
	image->pairs.end = header;
	if (table->count > 0) {
		if (lookup_block(image, table, 0, &first, err) < 0)
			return -1;
		image->pairs.end = first;
	}
	if (image->pairs.start < SUPER_LEN ||
	    image->pairs.start > image->pairs.end)
		return err_set(err, ERR_CORRUPT,
			       "xattr table: pairs from byte %" PRIu64
			       " to %" PRIu64,
			       image->pairs.start, image->pairs.end);
	image->has_xattrs = true;
	return 0;
}

static int get(struct image *image, struct meta_ref *at, void *buf, size_t len,
	       struct err *err)
{
	return meta_get(image, &image->pairs, at, buf, len, err);
}

/* The name, with what its prefix stands for. */
static int read_name(struct image *image, struct meta_ref *at, unsigned type,
		     uint32_t len, struct xattr_pair *pair, struct err *err)
{
	struct buffer *name = &image->name;
	unsigned number = type & ~OUT_OF_LINE;
	char made[32];
	const char *prefix = made;

	pair->prefix_known = number < PREFIX_COUNT;
	if (pair->prefix_known)
		prefix = prefixes[number];
	else
		snprintf(made, sizeof(made), "prefix%u.", number);
	if (len == 0)
		return err_set(err, ERR_CORRUPT,
			       "an attribute %s with no name behind it",
			       prefix);
	name->len = 0;
	if (buffer_append(name, prefix, strlen(prefix), err) < 0 ||
	    meta_append(image, &image->pairs, at, name, len, err) < 0 ||
	    buffer_append(name, "", NAME_NUL, err) < 0)
		return -1;
	if (memchr(name->data, '\0', name->len - NAME_NUL))
		return err_set(err, ERR_CORRUPT,
			       "the name of an attribute has a NUL in it");
	pair->name = (const char *)name->data;
	return 0;
}

/* The value, where it stands or where the reference leads. */
static int read_value(struct image *image, struct meta_ref *at,
		      struct xattr_pair *pair, struct err *err)
{
	struct meta_ref there;
	struct meta_ref *from = at;
	uint8_t raw[8];
	uint32_t len;

	if (get(image, at, raw, 4, err) < 0)
		return -1;
	len = get_le32(raw);
	if (pair->out_of_line) {
		if (len != 8)
			return err_set(err, ERR_CORRUPT,
				       "a reference of %" PRIu32 " bytes", len);
		if (get(image, at, raw, 8, err) < 0)
			return -1;
		there = meta_ref_unpack(get_le64(raw));
		if (there.offset >= META_LEN)
			return err_set(err, ERR_CORRUPT,
				       "a reference to byte %u of a metadata "
				       "block",
				       there.offset);
		from = &there;
		if (get(image, from, raw, 4, err) < 0)
			return -1;
		len = get_le32(raw);
	}
	if (len > IMAGE_XATTR_VALUE_MAX)
		return err_set(err, ERR_LIMIT,
			       "a value of %" PRIu32
			       " bytes, more than %" PRIu32,
			       len, IMAGE_XATTR_VALUE_MAX);
	image->value.len = 0;
	if (meta_append(image, &image->pairs, from, &image->value, len, err) <
	    0)
		return -1;
	pair->value = image->value.data;
	pair->len = len;
	return 0;
}

static int read_pair(struct image *image, struct meta_ref *at,
		     struct xattr_pair *pair, struct err *err)
{
	uint8_t raw[4];
	unsigned type;
	char name[NAME_TEXT_LEN];

	if (get(image, at, raw, sizeof(raw), err) < 0)
		return -1;
	type = get_le16(raw);
	pair->out_of_line = type & OUT_OF_LINE;
	if (read_name(image, at, type, get_le16(raw + 2), pair, err) < 0)
		return -1;
	if (read_value(image, at, pair, err) < 0)
		return err_in(err, "%s",
			      name_text(pair->name, strlen(pair->name), name));
	return 0;
}

static int read_set(struct image *image, uint32_t index,
		    int (*each)(void *arg, const struct xattr_pair *pair,
				struct err *err),
		    void *arg, struct err *err)
{
	struct xattr_pair pair;
	uint8_t raw[ID_LEN];
	struct meta_ref at;
	uint64_t total = 0;
	uint32_t count;

	if (index >= image->xattr_table.count)
		return err_set(err, ERR_CORRUPT,
			       "there are %" PRIu64 " of them",
			       image->xattr_table.count);
	if (lookup_get(image, &image->xattr_table, index, raw, err) < 0)
		return -1;
	at = meta_ref_unpack(get_le64(raw));
	count = get_le32(raw + 8); /* raw + 12 is for statistics only */
	if (at.offset >= META_LEN)
		return err_set(err, ERR_CORRUPT,
			       "it begins at byte %u of a metadata block",
			       at.offset);
	if (count > IMAGE_XATTR_COUNT_MAX)
		return err_set(err, ERR_LIMIT,
			       "it counts %" PRIu32 " attributes, more than %u",
			       count, IMAGE_XATTR_COUNT_MAX);
	for (uint32_t i = 0; i < count; i++) {
		if (read_pair(image, &at, &pair, err) < 0)
			return -1;
		total += strlen(pair.name) + pair.len;
		if (total > IMAGE_XATTR_SET_MAX)
			return err_set(err, ERR_LIMIT,
				       "it has more than %" PRIu32 " bytes",
				       IMAGE_XATTR_SET_MAX);
		if (each(arg, &pair, err) < 0)
			return -1;
	}
	return 0;
}

int image_xattrs(struct image *image, uint32_t index,
		 int (*each)(void *arg, const struct xattr_pair *pair,
			     struct err *err),
		 void *arg, struct err *err)
{
	if (find_tables(image, err) < 0 ||
	    read_set(image, index, each, arg, err) < 0)
		return err_in(err, "attribute set %" PRIu32, index);
	return 0;
}

int image_xattr_count(struct image *image, uint32_t *out, struct err *err)
{
	*out = 0;
	if (image->super.xattr_table == SUPER_NONE)
		return 0;
	if (find_tables(image, err) < 0)
		return -1;
	*out = (uint32_t)image->xattr_table.count;
	return 0;
}
