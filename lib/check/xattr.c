/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "internal.h"

/*
 * Sets of extended attributes: every entry of the table, every pair of every
 * set. Values are passed over, not read: that their blocks are sound shows by
 * themselves. Format: doc/squashfs.md, "Extended attributes".
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sqfs/image.h"
#include "sqfs/meta.h"
#include "sqfs/super.h"
#include "util/hash.h"
#include "util/num.h"

#define HEAD_LEN	 16
#define SET_LEN		 16
#define PAIR_HEAD	 4
#define PREFIX_COUNT	 3u
#define OUT_OF_LINE	 0x0100u
#define REFERENCE_LEN	 8u
#define AREA_SHARED_MAX	 16u /* times that pairs may be shared by sets */
#define AREA_FREE	 65536u

struct sets {
	struct lookup table;
	struct hash_key key;
	struct digest_map names; /* of the set at hand */
	struct buffer name;
	uint64_t budget; /* bytes of pairs that are still read */
	bool is_spent;
};

/* One set. */
struct set {
	uint64_t number;
	uint64_t at;	/* of the image, for messages */
	uint64_t pos;	/* of the next pair */
};

static void set_fault(struct check *c, const struct set *set, const char *fmt,
		      ...) ERR_PRINTF(3, 4);

static void set_fault(struct check *c, const struct set *set, const char *fmt,
		      ...)
{
	struct err text;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text.text, sizeof(text.text), fmt, args);
	va_end(args);
	fault(c, FAULT_XATTR, set->at, "attribute set %" PRIu64 ": %s",
	      set->number, text.text);
}

static int get(struct check *c, struct set *set, void *buf, size_t len,
	       struct err *err)
{
	int ret = stream_get(c, &c->pairs, set->pos, buf, len, err);

	if (ret > 0)
		set_fault(c, set,
			  "it cannot be read from byte %" PRIu64
			  " of the pairs on",
			  set->pos);
	set->pos += len;
	return ret;
}

/* A name: that it is fit to be one, and the only one of the set. */
static int check_name(struct check *c, struct set *set, unsigned prefix,
		      size_t len, struct err *err)
{
	struct sets *sets = c->sets;
	struct buffer *name = &sets->name;
	struct digest digest;
	int ret;

	name->len = 0;
	if (buffer_reserve(name, len + 1, err) < 0)
		return -1;
	name->data[0] = (uint8_t)prefix;
	ret = get(c, set, name->data + 1, len, err);
	if (ret != 0)
		return ret;
	if (len == 0 || memchr(name->data + 1, '\0', len))
		set_fault(c, set, len == 0 ? "a name is empty"
					   : "a name has a NUL in it");
	hash128(&sets->key, name->data, len + 1, &digest);
	if (digest_map_find(&sets->names, &digest)) {
		char text[NAME_TEXT_LEN];

		set_fault(c, set, "name \"%s\" comes twice",
			  name_text((const char *)name->data + 1, len, text));
		return 0;
	}
	return digest_map_add(&sets->names, &digest, 0, err);
}

/* A value that stands elsewhere: that there is room for what it says. */
static int check_reference(struct check *c, struct set *set, struct err *err)
{
	uint64_t own = set->pos - 4; /* the length of the reference */
	uint8_t raw[REFERENCE_LEN];
	struct meta_ref ref;
	uint64_t pos;
	int ret = get(c, set, raw, sizeof(raw), err);

	if (ret != 0)
		return ret;
	ref = meta_ref_unpack(get_le64(raw));
	if (!stream_find(&c->pairs, ref.block, ref.offset, &pos)) {
		set_fault(c, set,
			  "a value out of line at %" PRIu64
			  ":%u, where no metadata block begins",
			  ref.block, ref.offset);
		return 0;
	}
	if (pos == own)
		set_fault(c, set, "a value out of line is itself");
	ret = stream_get(c, &c->pairs, pos, raw, 4, err);
	if (ret < 0)
		return -1;
	pos += 4;
	if (ret > 0 || pos > c->pairs.len ||
	    get_le32(raw) > c->pairs.len - pos)
		set_fault(c, set,
			  "a value out of line runs over the end of the "
			  "pairs from byte %" PRIu64,
			  pos);
	return 0;
}

static int check_pair(struct check *c, struct set *set, struct err *err)
{
	uint8_t raw[PAIR_HEAD];
	unsigned type, prefix;
	uint32_t len;
	int ret = get(c, set, raw, sizeof(raw), err);

	if (ret != 0)
		return ret;
	type = get_le16(raw);
	prefix = type & 0xFF;
	if (prefix >= PREFIX_COUNT || (type & ~(OUT_OF_LINE | 0xFFu)) != 0)
		set_fault(c, set, "a name has the unknown type 0x%04x", type);
	ret = check_name(c, set, prefix, get_le16(raw + 2), err);
	if (ret == 0)
		ret = get(c, set, raw, 4, err);
	if (ret != 0)
		return ret;
	len = get_le32(raw);
	if (type & OUT_OF_LINE) {
		if (len != REFERENCE_LEN)
			set_fault(c, set,
				  "a value out of line has a reference of "
				  "%" PRIu32 " bytes",
				  len);
		return check_reference(c, set, err);
	}
	if (len > c->pairs.len - set->pos) {
		set_fault(c, set,
			  "a value of %" PRIu32
			  " bytes runs over the end of the pairs",
			  len);
		return 1;
	}
	set->pos += len;
	return 0;
}

/* Sets may share pairs, but not so many that reading them has no end. */
static bool may_read(struct check *c, const struct set *set)
{
	struct sets *sets = c->sets;

	if (sets->budget > 0)
		return true;
	if (!sets->is_spent)
		set_fault(c, set, "sets share so many pairs that this one and "
				  "those behind it are not read");
	sets->is_spent = true;
	return false;
}

static int check_set(struct check *c, uint64_t number, const uint8_t *entry,
		     uint64_t at, struct err *err)
{
	struct meta_ref ref = meta_ref_unpack(get_le64(entry));
	uint32_t pairs = get_le32(entry + 8);
	struct set set = { .number = number, .at = at };

	if (pairs == 0)
		set_fault(c, &set, "it has no pairs");
	if (get_le32(entry + 12) == 0)
		set_fault(c, &set, "its size is 0");
	if (!stream_find(&c->pairs, ref.block, ref.offset, &set.pos)) {
		set_fault(c, &set,
			  "it is at %" PRIu64
			  ":%u, where no metadata block begins",
			  ref.block, ref.offset);
		return 0;
	}
	set.at = stream_at(&c->pairs, set.pos);
	digest_map_cleanup(&c->sets->names);
	for (uint32_t i = 0; i < pairs; i++) {
		uint64_t before = set.pos, used;
		int ret;

		if (!may_read(c, &set))
			return 0;
		ret = check_pair(c, &set, err);
		if (ret != 0)
			return ret < 0 ? -1 : 0;
		used = set.pos - before;
		c->sets->budget -= used < c->sets->budget ? used
							  : c->sets->budget;
	}
	return 0;
}

/* Where the first block of the table is, which ends the pairs. */
static int open_pairs(struct check *c, uint64_t start, uint64_t begin,
		      struct err *err)
{
	uint64_t header = c->super->xattr_table, end;
	uint8_t raw[8];
	int ret = window_get(c, header + HEAD_LEN, raw, sizeof(raw), err);

	if (ret != 0)
		return ret;
	end = get_le64(raw);
	if (begin != 0 && start != begin)
		fault(c, FAULT_TABLE, header,
		      "xattr table: pairs begin at byte %" PRIu64
		      ", not behind the id table at %" PRIu64,
		      start, begin);
	if (start < SUPER_LEN || start >= end || end >= header) {
		fault(c, FAULT_TABLE, header,
		      "xattr table: pairs from byte %" PRIu64 " to %" PRIu64,
		      start, end);
		return 1;
	}
	return stream_open(c, &c->pairs, "xattr pairs", start, end, err);
}

int open_xattrs(struct check *c, uint64_t begin, struct err *err)
{
	uint64_t header = c->super->xattr_table, end;
	uint64_t used = c->super->bytes_used;
	uint8_t raw[HEAD_LEN];
	int ret = window_get(c, header, raw, sizeof(raw), err);

	if (ret != 0)
		return ret < 0 ? -1 : 0;
	c->xattr_count = get_le32(raw + 8);
	if (c->xattr_count == 0) {
		fault(c, FAULT_TABLE, header, "xattr table: it has no sets");
		return 0;
	}
	ret = open_pairs(c, get_le64(raw), begin, err);
	if (ret != 0)
		return ret < 0 ? -1 : 0;
	end = header + HEAD_LEN +
	      ((uint64_t)c->xattr_count * SET_LEN + META_LEN - 1) / META_LEN *
		      sizeof(uint64_t);
	if (end != used)
		fault(c, FAULT_TABLE, header,
		      "xattr table: its index ends at byte %" PRIu64
		      ", %" PRIu64 " are used",
		      end, used);
	return 0;
}

int check_xattrs(struct check *c, struct err *err)
{
	struct sets sets = {
		.table = { .name = "xattr table",
			   .index = c->super->xattr_table + HEAD_LEN,
			   .head = c->super->xattr_table,
			   .begin = c->pairs.end,
			   .entry_len = SET_LEN,
			   .count = c->xattr_count,
			   .each = check_set },
	};
	int ret;

	if (c->pairs.count == 0 || c->xattr_count == 0)
		return 0;
	if (hash_key_draw(&sets.key, err) < 0)
		return -1;
	sets.budget = c->pairs.len * AREA_SHARED_MAX + AREA_FREE;
	c->sets = &sets;
	ret = check_lookup(c, &sets.table, err);
	c->sets = NULL;
	digest_map_cleanup(&sets.names);
	buffer_cleanup(&sets.name);
	return ret < 0 ? -1 : stream_rest(c, &c->pairs, err);
}
