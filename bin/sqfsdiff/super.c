/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sqfsdiff/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "codec/codec.h"
#include "sqfs/image.h"
#include "sqfs/super.h"

/*
 * The places of tables follow from what comes before them; they are told all
 * the same, as whoever asks for super blocks wants to know.
 */
enum field_kind {
	FIELD_NUMBER,
	FIELD_TABLE, /* a place, or SUPER_NONE */
	FIELD_TIME,
	FIELD_CODEC,
	FIELD_FLAGS
};

struct field {
	enum field_kind kind;
	const char *name, *key;
	uint64_t old, new;
};

#define FIELD_COUNT 15

static void fill(const struct super *a, const struct super *b,
		 struct field out[FIELD_COUNT])
{
	const struct field fields[FIELD_COUNT] = {
		{ FIELD_NUMBER, "inodes", "inode_count", a->inode_count,
		  b->inode_count },
		{ FIELD_TIME, "time", "mkfs_time", a->mkfs_time,
		  b->mkfs_time },
		{ FIELD_NUMBER, "block size", "block_size", a->block_size,
		  b->block_size },
		{ FIELD_NUMBER, "fragment blocks", "fragment_count",
		  a->fragment_count, b->fragment_count },
		{ FIELD_CODEC, "compressor", "compressor", a->compression_id,
		  b->compression_id },
		{ FIELD_FLAGS, "flags", "flags", a->flags, b->flags },
		{ FIELD_NUMBER, "ids", "id_count", a->id_count, b->id_count },
		{ FIELD_NUMBER, "root inode", "root_inode", a->root_inode,
		  b->root_inode },
		{ FIELD_NUMBER, "length", "bytes_used", a->bytes_used,
		  b->bytes_used },
		{ FIELD_TABLE, "id table", "id_table", a->id_table,
		  b->id_table },
		{ FIELD_TABLE, "xattr table", "xattr_table", a->xattr_table,
		  b->xattr_table },
		{ FIELD_TABLE, "inode table", "inode_table", a->inode_table,
		  b->inode_table },
		{ FIELD_TABLE, "directory table", "directory_table",
		  a->directory_table, b->directory_table },
		{ FIELD_TABLE, "fragment table", "fragment_table",
		  a->fragment_table, b->fragment_table },
		{ FIELD_TABLE, "export table", "export_table",
		  a->export_table, b->export_table },
	};

	memcpy(out, fields, sizeof(fields));
}

/* Names of the flags that are set, with a plus sign between. */
static void put_flags(uint64_t flags)
{
	static const struct {
		unsigned flag;
		const char *name;
	} names[] = {
		{ SUPER_RAW_INODES, "raw-inodes" },
		{ SUPER_RAW_DATA, "raw-data" },
		{ SUPER_RAW_FRAGMENTS, "raw-fragments" },
		{ SUPER_NO_FRAGMENTS, "no-fragments" },
		{ SUPER_ALWAYS_FRAGMENTS, "always-fragments" },
		{ SUPER_DEDUPLICATED, "deduplicated" },
		{ SUPER_EXPORTABLE, "exportable" },
		{ SUPER_RAW_XATTRS, "raw-xattrs" },
		{ SUPER_NO_XATTRS, "no-xattrs" },
		{ SUPER_OPTIONS, "compressor-options" },
		{ SUPER_RAW_IDS, "raw-ids" },
	};
	const char *between = "";

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!(flags & names[i].flag))
			continue;
		printf("%s%s", between, names[i].name);
		between = "+";
		flags &= ~(uint64_t)names[i].flag;
	}
	if (flags)
		printf("%s0x%" PRIx64, between, flags);
	else if (!*between)
		fputs("none", stdout);
}

static void put_value(const struct field *field, uint64_t value)
{
	const char *codec = codec_id_name((unsigned)value);
	char time[REPORT_TIME_LEN];

	if (field->kind == FIELD_FLAGS)
		put_flags(value);
	else if (field->kind == FIELD_CODEC && codec)
		fputs(codec, stdout);
	else if (field->kind == FIELD_TIME)
		fputs(report_time((int64_t)value, time), stdout);
	else if (field->kind == FIELD_TABLE && value == SUPER_NONE)
		fputs("none", stdout);
	else
		printf("%" PRIu64, value);
}

static void put_json_value(struct json *json, const char *key,
			   const struct field *field, uint64_t value)
{
	if (field->kind == FIELD_TABLE && value == SUPER_NONE)
		json_null(json, key);
	else
		json_number(json, key, value);
}

static void put_json(struct json *json, const struct field *field)
{
	json_object(json, NULL);
	json_text(json, "field", field->key);
	put_json_value(json, "old", field, field->old);
	put_json_value(json, "new", field, field->new);
	json_end(json);
}

static void put_text(const struct field *field)
{
	printf("~ super block: %s ", field->name);
	put_value(field, field->old);
	fputs(" -> ", stdout);
	put_value(field, field->new);
	putchar('\n');
}

void report_super(struct report *report, const struct image *old,
		  const struct image *new)
{
	struct field fields[FIELD_COUNT];

	fill(image_super(old), image_super(new), fields);
	if (report->is_json && !report->is_quiet)
		json_array(&report->json, "super");
	for (size_t i = 0; i < FIELD_COUNT; i++) {
		if (fields[i].old == fields[i].new)
			continue;
		report->super_count++;
		if (report->is_quiet)
			continue;
		if (report->is_json)
			put_json(&report->json, &fields[i]);
		else
			put_text(&fields[i]);
	}
	if (report->is_json && !report->is_quiet)
		json_end(&report->json);
}
