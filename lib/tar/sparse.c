/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * Maps of sparse files in all their forms. No list of segments is kept besides
 * the entry's extents. Format: doc/tar.md, "Sparse files".
 */
#include "sparse.h"

#include <inttypes.h>

#include "entry/entry.h"
#include "header.h"
#include "number.h"
#include "tar/tar.h"
#include "util/err.h"
#include "util/num.h"

int sparse_map_add(struct sparse_map *map, uint64_t offset, uint64_t len,
		   struct err *err)
{
	uint64_t end;

	if (map->count >= TAR_SEGMENT_MAX)
		return err_set(err, ERR_LIMIT,
			       "sparse file of more than %d segments",
			       TAR_SEGMENT_MAX);
	if (!add_u64(offset, len, &end) || end > map->real_size)
		return err_set(err, ERR_CORRUPT,
			       "sparse segment of %" PRIu64 " bytes at %" PRIu64
			       " is past the file's size, %" PRIu64,
			       len, offset, map->real_size);
	if (offset < map->end)
		return err_set(err, ERR_CORRUPT,
			       "sparse segment at %" PRIu64
			       " begins before the end of the last, %" PRIu64,
			       offset, map->end);
	if (entry_add_extent(map->entry, offset, map->data_len, len, err) < 0)
		return -1;
	map->end = end;
	map->data_len += len; /* no more than real_size */
	map->count++;
	return 0;
}

int sparse_map_add_block(struct sparse_map *map, const uint8_t *segments,
			 size_t count, struct err *err)
{
	for (size_t i = 0; i < count; i++) {
		const uint8_t *at = segments + i * SEGMENT_LEN;
		int64_t offset, len;

		if (at[0] == '\0')
			break;
		if (!number_field(at, SEGMENT_LEN / 2, &offset) ||
		    !number_field(at + SEGMENT_LEN / 2, SEGMENT_LEN / 2,
				  &len) ||
		    offset < 0 || len < 0)
			return err_set(err, ERR_CORRUPT,
				       "bad number in sparse segment %" PRIu64,
				       map->count);
		if (sparse_map_add(map, (uint64_t)offset, (uint64_t)len, err) <
		    0)
			return -1;
	}
	return 0;
}

/* The number up to the next comma; *at moves behind the comma. */
static int next_number(const char *text, size_t len, size_t *at, uint64_t *out,
		       struct err *err)
{
	size_t begin = *at, end = begin;

	while (end < len && text[end] != ',')
		end++;
	*at = end < len ? end + 1 : end;
	return number_decimal(text + begin, end - begin, INT64_MAX,
			      "GNU.sparse.map", out, err);
}

int sparse_map_add_text(struct sparse_map *map, const char *text, size_t len,
			struct err *err)
{
	size_t at = 0;

	if (len > 0 && text[len - 1] == ',')
		return err_set(err, ERR_CORRUPT,
			       "the record GNU.sparse.map ends in a comma");
	while (at < len) {
		uint64_t offset, segment_len;

		if (next_number(text, len, &at, &offset, err) < 0)
			return -1;
		if (at == len)
			return err_set(err, ERR_CORRUPT,
				       "odd count of numbers in the record "
				       "GNU.sparse.map");
		if (next_number(text, len, &at, &segment_len, err) < 0 ||
		    sparse_map_add(map, offset, segment_len, err) < 0)
			return -1;
	}
	return 0;
}

/* A line of the map is complete. */
static int take_number(struct sparse_text *text, struct sparse_map *map,
		       struct err *err)
{
	uint64_t number = text->number;

	if (text->digits == 0)
		return err_set(err, ERR_CORRUPT,
			       "empty line in the sparse map");
	text->number = 0;
	text->digits = 0;
	if (!text->has_count) {
		if (number > TAR_SEGMENT_MAX)
			return err_set(err, ERR_LIMIT,
				       "sparse file of more than %d segments, "
				       "%" PRIu64,
				       TAR_SEGMENT_MAX, number);
		text->has_count = true;
		text->wanted = 2 * number;
	} else {
		if (text->wanted % 2 == 0)
			text->offset = number;
		else if (sparse_map_add(map, text->offset, number, err) < 0)
			return -1;
		text->wanted--;
	}
	text->is_complete = text->wanted == 0;
	return 0;
}

int sparse_text_feed(struct sparse_text *text, struct sparse_map *map,
		     const uint8_t *data, size_t len, struct err *err)
{
	for (size_t i = 0; i < len && !text->is_complete; i++) {
		uint8_t c = data[i];

		if (c == '\n') {
			if (take_number(text, map, err) < 0)
				return -1;
			continue;
		}
		if (c < '0' || c > '9')
			return err_set(err, ERR_CORRUPT,
				       "byte %u in the sparse map is no digit",
				       c);

		uint64_t digit = c - '0';

		if (text->number > (INT64_MAX - digit) / 10 ||
		    text->digits > 99)
			return err_set(err, ERR_CORRUPT,
				       "number in the sparse map is too large");
		text->number = text->number * 10 + digit;
		text->digits++;
	}
	return 0;
}

int sparse_map_finish(struct sparse_map *map, uint64_t data_at,
		      uint64_t data_len, struct err *err)
{
	if (map->data_len != data_len)
		return err_set(err, ERR_CORRUPT,
			       "sparse segments have %" PRIu64
			       " bytes, the archive holds %" PRIu64,
			       map->data_len, data_len);
	for (size_t i = 0; i < map->entry->extent_count; i++)
		map->entry->extents[i].at += data_at;
	return 0;
}
