/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "internal.h"

/*
 * The super block against what is there, and the tables in their order: each
 * must begin where the one before it ends. Format: doc/squashfs.md, "Super
 * block", "Compressor options".
 */
#include <inttypes.h>

#include "codec/codec.h"
#include "sqfs/image.h"
#include "sqfs/meta.h"
#include "sqfs/super.h"
#include "util/num.h"

/* Bytes of the super block that faults name. */
#define AT_FRAGMENT_COUNT 16
#define AT_FLAGS	  24
#define AT_ID_COUNT	  26

#define HEADER_LEN	 2
#define HEADER_RAW	 0x8000u
#define OPTIONS_KNOWN	 8 /* bytes that are looked at */
#define LZ4_VERSION	 1
#define FRAGMENT_LEN	 16
#define EXPORT_LEN	 8
#define ID_LEN		 4
#define INDEX_ENTRY_LEN	 8

static void flag_fault(struct check *c, const char *what)
{
	fault(c, FAULT_SUPER, AT_FLAGS, "super block: flags 0x%04x: %s",
	      c->super->flags, what);
}

static void check_flags(struct check *c)
{
	const struct super *s = c->super;
	bool has_export = s->export_table != SUPER_NONE;
	bool has_xattrs = s->xattr_table != SUPER_NONE;

	if (has_export && !(s->flags & SUPER_EXPORTABLE))
		flag_fault(c, "an export table is there, and not told");
	if (!has_export && (s->flags & SUPER_EXPORTABLE))
		flag_fault(c, "an export table is told, and not there");
	if (has_xattrs && (s->flags & SUPER_NO_XATTRS))
		flag_fault(c, "no attributes are told, but a table is there");
	if (s->fragment_count > 0 && (s->flags & SUPER_NO_FRAGMENTS))
		flag_fault(c, "no fragments are told, but a table is there");
}

/* What unsquashfs refuses, too. */
static void check_counts(struct check *c)
{
	const struct super *s = c->super;

	if (s->id_count > (uint64_t)s->inode_count * 2)
		fault(c, FAULT_SUPER, AT_ID_COUNT,
		      "super block: %u ids for %" PRIu32 " inodes",
		      s->id_count, s->inode_count);
	if (s->fragment_count > s->inode_count)
		fault(c, FAULT_SUPER, AT_FRAGMENT_COUNT,
		      "super block: %" PRIu32 " fragment blocks for %" PRIu32
		      " inodes",
		      s->fragment_count, s->inode_count);
}

/* A power of two, or the sum of two neighbouring ones. */
static bool is_dictionary(uint32_t size)
{
	uint32_t low = size & (~size + 1);

	return size != 0 && (size == low || size == 3 * (uint64_t)low);
}

static void options_fault(struct check *c, const char *what, uint32_t value)
{
	fault(c, FAULT_SUPER, SUPER_LEN, "compressor options: %s is %" PRIu32,
	      what, value);
}

static void check_options(struct check *c, const uint8_t *raw, uint32_t len)
{
	static const uint8_t least[] = { [CODEC_GZIP] = 8, [CODEC_LZO] = 8,
					 [CODEC_XZ] = 8,   [CODEC_LZ4] = 8,
					 [CODEC_ZSTD] = 4 };
	unsigned id = c->super->compression_id;

	if (len < least[id])
		options_fault(c, "their length", len);
	else if (id == CODEC_XZ && !is_dictionary(get_le32(raw)))
		options_fault(c, "the size of the dictionary", get_le32(raw));
	else if (id == CODEC_LZ4 && get_le32(raw) != LZ4_VERSION)
		options_fault(c, "the version", get_le32(raw));
}

static int read_options(struct check *c, struct err *err)
{
	uint8_t raw[OPTIONS_KNOWN] = { 0 };
	uint32_t len;
	int ret;

	c->data_start = SUPER_LEN;
	if (!(c->super->flags & SUPER_OPTIONS)) {
		if (c->super->compression_id == CODEC_LZ4)
			flag_fault(c, "lz4 must have options");
		return 0;
	}
	ret = window_get(c, SUPER_LEN, raw, HEADER_LEN, err);
	if (ret != 0)
		return ret < 0 ? -1 : 0;
	len = get_le16(raw) & ~HEADER_RAW;
	if (!(get_le16(raw) & HEADER_RAW) || len == 0 || len > META_LEN ||
	    len + HEADER_LEN > c->super->inode_table - SUPER_LEN) {
		options_fault(c, "the header", get_le16(raw));
		return 0;
	}
	ret = window_get(c, SUPER_LEN + HEADER_LEN, raw,
			 len < sizeof(raw) ? len : sizeof(raw), err);
	if (ret != 0)
		return ret < 0 ? -1 : 0;
	c->data_start = SUPER_LEN + HEADER_LEN + len;
	check_options(c, raw, len);
	return 0;
}

int check_super(struct check *c, struct err *err)
{
	check_flags(c);
	check_counts(c);
	return read_options(c, err);
}

/*
 * Where a look-up table's blocks begin, as its index says; if that cannot be,
 * the index itself.
 */
static int first_block(struct check *c, uint64_t index, uint64_t *out,
		       struct err *err)
{
	uint8_t raw[INDEX_ENTRY_LEN];
	int ret = 1;

	*out = index;
	if (index <= c->super->bytes_used - sizeof(raw))
		ret = window_get(c, index, raw, sizeof(raw), err);
	if (ret == 0 && get_le64(raw) >= c->super->directory_table &&
	    get_le64(raw) < index)
		*out = get_le64(raw);
	return ret < 0 ? -1 : 0;
}

/* Behind the index of a table. */
static uint64_t index_end(const struct lookup *l)
{
	uint64_t len = l->count * l->entry_len;

	return l->index + (len + META_LEN - 1) / META_LEN * INDEX_ENTRY_LEN;
}

static int open_streams(struct check *c, struct err *err)
{
	const struct super *s = c->super;
	uint64_t index = s->id_table, end;

	if (s->fragment_count > 0)
		index = s->fragment_table;
	else if (s->export_table != SUPER_NONE)
		index = s->export_table;
	if (first_block(c, index, &end, err) < 0)
		return -1;
	if (stream_open(c, &c->inodes, "inode table", s->inode_table,
			s->directory_table, err) < 0)
		return -1;
	return stream_open(c, &c->directories, "directory table",
			   s->directory_table, end, err);
}

int open_tables(struct check *c, struct err *err)
{
	const struct super *s = c->super;
	struct lookup fragments = { .name = "fragment table",
				    .index = s->fragment_table,
				    .head = s->fragment_table,
				    .entry_len = FRAGMENT_LEN,
				    .count = s->fragment_count,
				    .each = note_fragment };
	struct lookup ids = { .name = "id table",
			      .index = s->id_table,
			      .head = s->id_table,
			      .entry_len = ID_LEN,
			      .count = s->id_count };
	uint64_t begin;

	if (open_streams(c, err) < 0)
		return -1;
	begin = c->directories.end;
	if (s->fragment_count > 0) {
		fragments.begin = begin;
		begin = index_end(&fragments);
		if (check_lookup(c, &fragments, err) < 0)
			return -1;
	}
	if (s->export_table != SUPER_NONE) {
		c->export = (struct lookup){ .name = "export table",
					     .index = s->export_table,
					     .head = s->export_table,
					     .begin = begin,
					     .entry_len = EXPORT_LEN,
					     .count = s->inode_count,
					     .each = check_export };
		begin = index_end(&c->export);
	}
	ids.begin = begin;
	begin = index_end(&ids);
	if (check_lookup(c, &ids, err) < 0)
		return -1;
	if (s->xattr_table != SUPER_NONE)
		return open_xattrs(c, begin, err);
	if (begin != s->bytes_used)
		fault(c, FAULT_TABLE, begin,
		      "super block: %" PRIu64
		      " bytes are used, but the last table ends here",
		      s->bytes_used);
	return 0;
}
