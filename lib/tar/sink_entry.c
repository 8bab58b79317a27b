/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/*
 * What stands before the content of an entry, in three formats. Each field
 * goes where it fits: into the header, else where the format has another place,
 * else it is told or refused. Format: doc/tar.md, "Writing".
 */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "entry/entry.h"
#include "sink_head.h"
#include "sink_pax.h"
#include "sink_state.h"
#include "util/account.h"
#include "util/err.h"
#include "util/warn.h"

/* What GNU tar calls its records of names. */
#define LONG_NAME "././@LongLink"

#define REAL_SIZE  483
#define NUMBER_LEN 12
#define SIDE_MODE  0644 /* of headers that are no entry */

/* The names of headers that no entry is called by; cut to fit. */
#define PAX_DIR	   "PaxHeaders/"
#define SPARSE_DIR "GNUSparseFile.0/"

static char type_of(const struct entry *entry)
{
	switch (entry->type) {
	case ENTRY_FILE:
		return '0';
	case ENTRY_HARDLINK:
		return '1';
	case ENTRY_SYMLINK:
		return '2';
	case ENTRY_CHAR_DEVICE:
		return '3';
	case ENTRY_BLOCK_DEVICE:
		return '4';
	case ENTRY_DIR:
		return '5';
	case ENTRY_FIFO:
		return '6';
	case ENTRY_SOCKET:
		break;
	}
	return '0'; /* sockets do not come here */
}

/* A path as it is written. */
static int make_path(const struct tar_sink *s, const char *path, bool is_dir,
		     struct buffer *out, struct err *err)
{
	size_t len = strlen(path);

	out->len = 0;
	if (s->options.dot || len == 0)
		if (buffer_append(out, "./", 2, err) < 0)
			return -1;
	if (buffer_append(out, path, len, err) < 0)
		return -1;
	if (is_dir && len > 0)
		return buffer_append(out, "/", 1, err);
	return 0;
}

static int make_texts(struct tar_sink *s, const struct entry *entry,
		      struct err *err)
{
	s->link.len = 0;
	if (make_path(s, entry->path, entry->type == ENTRY_DIR, &s->name, err) <
	    0)
		return -1;
	if (entry->type == ENTRY_HARDLINK)
		return make_path(s, entry->link, false, &s->link, err);
	if (entry->type == ENTRY_SYMLINK)
		return buffer_append(&s->link, entry->link, strlen(entry->link),
				     err);
	return 0;
}

static bool is_device(const struct entry *entry)
{
	return entry->type == ENTRY_CHAR_DEVICE ||
	       entry->type == ENTRY_BLOCK_DEVICE;
}

/* The header of an entry, but for what goes elsewhere. */
static struct head head_of(const struct tar_sink *s, const struct entry *entry)
{
	struct head head = {
		.type = type_of(entry),
		.name = (const char *)s->name.data,
		.name_len = s->name.len,
		.link = (const char *)s->link.data,
		.link_len = s->link.len,
		.mode = entry->mode,
		.uid = entry->uid,
		.gid = entry->gid,
		.size = s->map.data_len,
		.mtime = entry->mtime,
	};

	if (is_device(entry)) {
		head.major = entry->major;
		head.minor = entry->minor;
	}
	return head;
}

static int put_head(struct tar_sink *s, const struct head *head,
		    struct err *err)
{
	uint8_t block[TAR_BLOCK];

	head_encode(head, s->options.format, block);
	head_seal(block);
	return tar_sink_put(s, block, sizeof(block), err);
}

/* Writes a header's content. */
static int put_body(struct tar_sink *s, const struct buffer *body,
		    struct err *err)
{
	if (tar_sink_put(s, body->data, body->len, err) < 0)
		return -1;
	return tar_sink_pad(s, body->len, err);
}

/*
 * A name for what is no entry itself: dir and the last part of the entry's, cut
 * to fit. It is the same in every run, and no reader uses it.
 */
static size_t make_side_name(const struct tar_sink *s, const char *dir,
			     char out[HEADER_NAME_LEN])
{
	const char *name = (const char *)s->name.data;
	size_t end = s->name.len, begin, len = strlen(dir);

	if (end > 1 && name[end - 1] == '/')
		end--;
	for (begin = end; begin > 0 && name[begin - 1] != '/'; begin--)
		;
	if (end - begin > HEADER_NAME_LEN - len)
		end = begin + HEADER_NAME_LEN - len;
	copy_bytes(out, dir, len);
	copy_bytes(out + len, name + begin, end - begin);
	return len + end - begin;
}

/* Tells of something that is lost with an entry. */
static int tell(const struct tar_sink *s, const char *what, struct err *err)
{
	char name[NAME_TEXT_LEN];

	return warn(s->options.warner, WARN_FORMAT, err,
		    "%s: %s: no place for it in the format %s",
		    name_text((const char *)s->name.data, s->name.len, name),
		    what,
		    s->options.format == TAR_FORMAT_GNU ? "gnu" : "ustar");
}

/*
 * pax
 */

static int put_sparse_records(struct tar_sink *s, const struct entry *entry,
			      struct err *err)
{
	struct buffer *body = &s->body;

	if (pax_put_number(body, "GNU.sparse.major", 1, err) < 0 ||
	    pax_put_number(body, "GNU.sparse.minor", 0, err) < 0 ||
	    pax_put_name(body, "GNU.sparse.name", (const char *)s->name.data,
			 s->name.len, err) < 0)
		return -1;
	return pax_put_number(body, "GNU.sparse.realsize", (int64_t)entry->size,
			      err);
}

static int put_names(struct tar_sink *s, const struct entry *entry,
		     struct head *head, struct err *err)
{
	if (s->map.count > 0) {
		if (put_sparse_records(s, entry, err) < 0)
			return -1;
	} else if (!head_split(head->name, head->name_len, &head->prefix_len)) {
		head->prefix_len = 0;
		if (pax_put_name(&s->body, "path", head->name, head->name_len,
				 err) < 0)
			return -1;
	}
	if (head->link_len <= HEADER_LINK_LEN)
		return 0;
	return pax_put_name(&s->body, "linkpath", head->link, head->link_len,
			    err);
}

static int put_numbers(struct tar_sink *s, const struct head *head,
		       struct err *err)
{
	const struct {
		const char *keyword;
		uint64_t value, max;
	} numbers[] = {
		{ "size", head->size, HEAD_SIZE_MAX },
		{ "uid", head->uid, HEAD_ID_MAX },
		{ "gid", head->gid, HEAD_ID_MAX },
		{ "SCHILY.devmajor", head->major, HEAD_ID_MAX },
		{ "SCHILY.devminor", head->minor, HEAD_ID_MAX },
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (numbers[i].value > numbers[i].max &&
		    pax_put_number(&s->body, numbers[i].keyword,
				   (int64_t)numbers[i].value, err) < 0)
			return -1;
	if (head_time_fits(head->mtime))
		return 0;
	return pax_put_number(&s->body, "mtime", head->mtime, err);
}

/* The map: how many segments, then the two numbers of each, line by line. */
static int make_map_text(struct tar_sink *s, struct err *err)
{
	struct buffer *text = &s->map_text;

	text->len = 0;
	for (size_t i = 0; i <= s->map.count; i++) {
		const struct segment *segment = &s->map.items[i - (i > 0)];
		int n;

		if (buffer_reserve(text, 64, err) < 0)
			return -1;
		if (i == 0)
			n = snprintf((char *)text->data, 64, "%zu\n",
				     s->map.count);
		else
			n = snprintf((char *)text->data + text->len, 64,
				     "%" PRIu64 "\n%" PRIu64 "\n",
				     segment->offset, segment->len);
		text->len += (size_t)n;
	}
	return 0;
}

static int put_extended(struct tar_sink *s, struct err *err)
{
	char name[HEADER_NAME_LEN];
	const struct head head = {
		.type = 'x',
		.name = name,
		.name_len = make_side_name(s, PAX_DIR, name),
		.mode = SIDE_MODE,
		.size = s->body.len,
	};

	if (put_head(s, &head, err) < 0)
		return -1;
	return put_body(s, &s->body, err);
}

static int put_pax(struct tar_sink *s, const struct entry *entry,
		   struct err *err)
{
	const bool is_sparse = s->map.count > 0;
	struct head head = head_of(s, entry);
	char name[HEADER_NAME_LEN];

	s->body.len = 0;
	if (is_sparse) {
		if (make_map_text(s, err) < 0)
			return -1;
		head.size += (s->map_text.len + TAR_BLOCK - 1) / TAR_BLOCK *
			     TAR_BLOCK;
	}
	if (put_names(s, entry, &head, err) < 0 ||
	    put_numbers(s, &head, err) < 0)
		return -1;
	for (size_t i = 0; i < entry->xattr_count; i++)
		if (pax_put_xattr(&s->body, &entry->xattrs[i], err) < 0)
			return -1;
	if (s->body.len > 0 && put_extended(s, err) < 0)
		return -1;
	if (is_sparse) {
		/* Who knows no sparse files shall not take it for the file. */
		head.name_len = make_side_name(s, SPARSE_DIR, name);
		head.name = name;
	}
	if (put_head(s, &head, err) < 0)
		return -1;
	return is_sparse ? put_body(s, &s->map_text, err) : 0;
}

/*
 * gnu
 */

static int put_long(struct tar_sink *s, char type, const struct buffer *text,
		    struct err *err)
{
	const struct head head = {
		.type = type,
		.name = LONG_NAME,
		.name_len = sizeof(LONG_NAME) - 1,
		.mode = SIDE_MODE,
		.size = text->len + 1,
	};

	if (put_head(s, &head, err) < 0 ||
	    tar_sink_put(s, text->data, text->len, err) < 0 ||
	    tar_sink_put(s, "", 1, err) < 0)
		return -1;
	return tar_sink_pad(s, text->len + 1, err);
}

/* Up to count segments of the map, from the first on; gives the next. */
static size_t put_segments(const struct sink_map *map, size_t first,
			   size_t count, uint8_t *field)
{
	while (first < map->count && count-- > 0) {
		const struct segment *segment = &map->items[first++];

		head_number(field, NUMBER_LEN, (int64_t)segment->offset);
		head_number(field + NUMBER_LEN, NUMBER_LEN,
			    (int64_t)segment->len);
		field += SEGMENT_LEN;
	}
	return first;
}

static int put_gnu_sparse(struct tar_sink *s, const struct entry *entry,
			  struct head *head, struct err *err)
{
	const struct sink_map *map = &s->map;
	uint8_t block[TAR_BLOCK];
	size_t next;

	head->type = 'S';
	head_encode(head, s->options.format, block);
	next = put_segments(map, 0, HEADER_SPARSE_COUNT, block + HEADER_SPARSE);
	block[HEADER_EXTENDED] = next < map->count;
	head_number(block + REAL_SIZE, NUMBER_LEN, (int64_t)entry->size);
	head_seal(block);
	for (;;) {
		if (tar_sink_put(s, block, sizeof(block), err) < 0)
			return -1;
		if (next == map->count)
			return 0;
		memset(block, 0, sizeof(block));
		next = put_segments(map, next, EXTENSION_COUNT, block);
		block[EXTENSION_EXTENDED] = next < map->count;
	}
}

static int put_gnu(struct tar_sink *s, const struct entry *entry,
		   struct err *err)
{
	struct head head = head_of(s, entry);

	if (entry->xattr_count > 0 && tell(s, "extended attributes", err) < 0)
		return -1;
	if (s->link.len > HEADER_LINK_LEN &&
	    put_long(s, 'K', &s->link, err) < 0)
		return -1;
	if (s->name.len > HEADER_NAME_LEN &&
	    put_long(s, 'L', &s->name, err) < 0)
		return -1;
	if (s->map.count > 0)
		return put_gnu_sparse(s, entry, &head, err);
	return put_head(s, &head, err);
}

/*
 * ustar
 */

/* What an archive would lie about if it were cut down to fit. */
static int check_ustar(const struct head *head, struct err *err)
{
	const struct {
		const char *what;
		uint64_t value, max;
	} numbers[] = {
		{ "size", head->size, HEAD_SIZE_MAX },
		{ "uid", head->uid, HEAD_ID_MAX },
		{ "gid", head->gid, HEAD_ID_MAX },
		{ "device major", head->major, HEAD_ID_MAX },
		{ "device minor", head->minor, HEAD_ID_MAX },
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (numbers[i].value > numbers[i].max)
			return err_set(err, ERR_LIMIT,
				       "%s %" PRIu64 " does not fit into ustar,"
				       " which holds %" PRIu64,
				       numbers[i].what, numbers[i].value,
				       numbers[i].max);
	if (head->link_len > HEADER_LINK_LEN)
		return err_set(err, ERR_LIMIT,
			       "a link's target of %zu bytes does not fit into"
			       " ustar, which holds %d",
			       head->link_len, HEADER_LINK_LEN);
	return 0;
}

static int put_ustar(struct tar_sink *s, const struct entry *entry,
		     struct err *err)
{
	struct head head = head_of(s, entry);

	if (!head_split(head.name, head.name_len, &head.prefix_len))
		return err_set(err, ERR_LIMIT,
			       "a name of %zu bytes does not fit into ustar",
			       head.name_len);
	if (check_ustar(&head, err) < 0)
		return -1;
	if (!head_time_fits(head.mtime) && tell(s, "its time", err) < 0)
		return -1;
	if (entry->xattr_count > 0 && tell(s, "extended attributes", err) < 0)
		return -1;
	return put_head(s, &head, err);
}

int tar_sink_put_heads(struct tar_sink *s, const struct entry *entry,
		       struct err *err)
{
	if (make_texts(s, entry, err) < 0)
		return -1;
	switch (s->options.format) {
	case TAR_FORMAT_PAX:
		return put_pax(s, entry, err);
	case TAR_FORMAT_GNU:
		return put_gnu(s, entry, err);
	case TAR_FORMAT_USTAR:
		return put_ustar(s, entry, err);
	}
	return 0;
}
