/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * Where the content of an entry lies, if it has any. Format: doc/tar.md,
 * "Headers", "Sparse files".
 */
#include <inttypes.h>

#include "entry/entry.h"
#include "io/reader.h"
#include "sparse.h"
#include "state.h"
#include "util/err.h"
#include "util/hash.h"

static int fail_truncated(uint64_t have, uint64_t want, struct err *err)
{
	return err_set(err, ERR_CORRUPT,
		       "truncated data: have %" PRIu64 " of %" PRIu64 " bytes",
		       have, want);
}

int content_expect(struct tar *tar, uint64_t size, struct err *err)
{
	if (reader_is_seekable(tar->reader)) {
		uint64_t at = reader_offset(tar->reader);
		uint64_t end = reader_size(tar->reader);
		uint64_t have = at < end ? end - at : 0;

		if (have < size)
			return fail_truncated(have, size, err);
	}
	tar->content_left = size;
	tar->content_len = size;
	tar->padding = (uint32_t)(-size & (TAR_BLOCK - 1));
	return 0;
}

int content_skip(struct tar *tar, struct err *err)
{
	uint64_t want = tar->content_left + tar->padding, got;

	if (want == 0)
		return 0;
	if (reader_skip(tar->reader, want, &got, err) < 0)
		return -1;
	if (got < tar->content_left)
		return fail_truncated(tar->content_len - tar->content_left +
					      got,
				      tar->content_len, err);
	tar->content_left = 0;
	tar->extent_left = 0;
	tar->padding = 0;
	return 0;
}

/* Takes one whole block that belongs to an entry's headers. */
static int take_block(struct tar *tar, const uint8_t **block, const char *what,
		      struct err *err)
{
	size_t got;

	if (reader_peek(tar->reader, TAR_BLOCK, block, &got, err) < 0)
		return -1;
	if (got < TAR_BLOCK)
		return err_set(err, ERR_CORRUPT,
			       "truncated %s: have %zu of %d bytes", what, got,
			       TAR_BLOCK);
	return 0;
}

static int skip_block(struct tar *tar, struct err *err)
{
	uint64_t got;

	return reader_skip(tar->reader, TAR_BLOCK, &got, err);
}

/*
 * Whether data follows a hard link with a size: most writers repeat the size of
 * the target there and bring no data, some bring it. Where nothing else tells,
 * the next block does: a header or zeros are no data.
 */
static int link_has_body(struct tar *tar, enum header_dialect dialect,
			 bool *out, struct err *err)
{
	const uint8_t *next;
	size_t got;

	*out = true;
	if (tar->pax.set & 1u << PAX_SIZE)
		return 0;
	*out = false;
	if (dialect != DIALECT_USTAR && dialect != DIALECT_STAR)
		return 0;
	if (reader_peek(tar->reader, TAR_BLOCK, &next, &got, err) < 0)
		return -1;
	*out = got > 0 && !mem_is_zero(next, got) &&
	       !(got == TAR_BLOCK && header_is_valid(next));
	return 0;
}

/* The extents of size bytes from here on, all in a row. */
static int take_plain(struct tar *tar, struct entry *entry, uint64_t size,
		      struct err *err)
{
	if (content_expect(tar, size, err) < 0)
		return -1;
	entry->size = size;
	tar->extent_left = size;
	return entry_add_extent(entry, 0, reader_offset(tar->reader), size,
				err);
}

/* The content that is left behind a map. */
static int take_mapped(struct tar *tar, struct sparse_map *map, uint64_t size,
		       struct err *err)
{
	if (sparse_map_finish(map, reader_offset(tar->reader), size, err) < 0 ||
	    content_expect(tar, size, err) < 0)
		return -1;
	map->entry->size = map->real_size;
	tar->extent_left = size;
	return 0;
}

/* GNU's old form: the map in the header and in blocks behind it. */
static int take_old_sparse(struct tar *tar, const uint8_t *block,
			   struct entry *entry, uint64_t size, struct err *err)
{
	struct sparse_map map = { .entry = entry };
	int64_t real_size;
	bool more = block[HEADER_EXTENDED] != 0;

	if (header_number(block, FIELD_REAL_SIZE, 0, INT64_MAX, &real_size,
			  err) < 0)
		return -1;
	map.real_size = (uint64_t)real_size;
	if (sparse_map_add_block(&map, block + HEADER_SPARSE,
				 HEADER_SPARSE_COUNT, err) < 0 ||
	    skip_block(tar, err) < 0)
		return -1;
	while (more) {
		const uint8_t *extension;

		tar->place.offset = reader_offset(tar->reader);
		if (take_block(tar, &extension, "sparse map", err) < 0 ||
		    sparse_map_add_block(&map, extension, EXTENSION_COUNT,
					 err) < 0)
			return -1;
		more = extension[EXTENSION_EXTENDED] != 0;
		if (skip_block(tar, err) < 0)
			return -1;
	}
	return take_mapped(tar, &map, size, err);
}

/* Version 1.0: the map is the beginning of the data. */
static int take_sparse_1(struct tar *tar, struct sparse_map *map, uint64_t size,
			 struct err *err)
{
	struct sparse_text text = { 0 };

	while (!text.is_complete) {
		const uint8_t *data;

		if (size < TAR_BLOCK)
			return err_set(err, ERR_CORRUPT,
				       "the sparse map is longer than the "
				       "data");
		tar->place.offset = reader_offset(tar->reader);
		if (take_block(tar, &data, "sparse map", err) < 0 ||
		    sparse_text_feed(&text, map, data, TAR_BLOCK, err) < 0 ||
		    skip_block(tar, err) < 0)
			return -1;
		size -= TAR_BLOCK;
	}
	return take_mapped(tar, map, size, err);
}

/* Versions 0.0 and 0.1: the map is in the extended header. */
static int take_sparse_0(struct tar *tar, struct sparse_map *map, uint64_t size,
			 struct err *err)
{
	const struct pax_sparse *s = &tar->pax.sparse;

	if (s->map.data && s->pair_count > 0)
		return err_set(err, ERR_CORRUPT, "sparse file with two maps");
	if (!s->map.data && !s->has_count)
		return err_set(err, ERR_CORRUPT, "sparse file without a map");
	if (s->map.data &&
	    sparse_map_add_text(map, s->map.data, s->map.len, err) < 0)
		return -1;
	for (size_t i = 0; i < s->pair_count; i += 2)
		if (sparse_map_add(map, s->pairs[i], s->pairs[i + 1], err) < 0)
			return -1;
	if (s->has_count && s->count != map->count)
		return err_set(err, ERR_CORRUPT,
			       "sparse map has %" PRIu64
			       " segments, GNU.sparse.numblocks is %" PRIu64,
			       map->count, s->count);
	return take_mapped(tar, map, size, err);
}

/* A file with GNU.sparse records. */
static int take_pax_sparse(struct tar *tar, struct entry *entry, uint64_t size,
			   struct err *err)
{
	const struct pax_sparse *s = &tar->pax.sparse;
	struct sparse_map map = { .entry = entry };

	if (s->has_real_size)
		map.real_size = s->real_size;
	else if (s->has_size)
		map.real_size = s->size;
	else
		return err_set(err, ERR_CORRUPT,
			       "sparse file without its real size");
	if (!s->has_major && !s->has_minor)
		return take_sparse_0(tar, &map, size, err);
	if (s->has_major && s->has_minor && s->major == 0 && s->minor <= 1)
		return take_sparse_0(tar, &map, size, err);
	if (s->has_major && s->has_minor && s->major == 1 && s->minor == 0)
		return take_sparse_1(tar, &map, size, err);
	return err_set(err, ERR_UNSUPPORTED,
		       "unknown version of sparse files, %" PRIu64 ".%" PRIu64,
		       s->major, s->minor);
}

/* An entry whose header's size is of no meaning; it is kept for a hint. */
static int take_bodiless(struct tar *tar, const uint8_t *block, struct err *err)
{
	int64_t size;

	if (header_number(block, FIELD_SIZE, 0, INT64_MAX, &size, NULL) == 0)
		tar->bodiless_size = (uint64_t)size;
	return skip_block(tar, err);
}

static int take_link(struct tar *tar, const uint8_t *block, struct entry *entry,
		     struct err *err)
{
	enum header_dialect dialect = header_dialect(block);
	uint64_t size;
	bool has_body = false;

	if (member_size(tar, block, &size, err) < 0 || skip_block(tar, err) < 0)
		return -1;
	if (size > 0 && link_has_body(tar, dialect, &has_body, err) < 0)
		return -1;
	if (has_body)
		return take_plain(tar, entry, size, err);
	tar->bodiless_size = size;
	return 0;
}

static int take_sparse(struct tar *tar, const uint8_t *block,
		       struct entry *entry, uint64_t size, struct err *err)
{
	if (block[HEADER_TYPE] != 'S') {
		if (skip_block(tar, err) < 0)
			return -1;
		return take_pax_sparse(tar, entry, size, err);
	}
	if (header_dialect(block) != DIALECT_GNU || tar->pax.has_star_size)
		return err_set(err, ERR_UNSUPPORTED,
			       "star's sparse files are not supported");
	if (tar->pax.sparse.is_used)
		return err_set(err, ERR_CORRUPT, "sparse file with two maps");
	return take_old_sparse(tar, block, entry, size, err);
}

int content_locate(struct tar *tar, const uint8_t block[TAR_BLOCK],
		   struct entry *entry, struct err *err)
{
	const char flag = (char)block[HEADER_TYPE];
	uint64_t size;

	if (tar->pax.sparse.is_used && entry->type != ENTRY_FILE)
		return err_set(err, ERR_CORRUPT, "sparse records for a %s",
			       entry_type_name(entry->type));
	if (flag == '1')
		return take_link(tar, block, entry, err);
	if (flag >= '2' && flag <= '6')
		return take_bodiless(tar, block, err);
	if (member_size(tar, block, &size, err) < 0)
		return -1;
	if (flag == 'D') {
		/* A list of names, of use for restoring increments only. */
		if (skip_block(tar, err) < 0)
			return -1;
		return content_expect(tar, size, err);
	}
	if (entry->type == ENTRY_DIR) {
		if (size > 0)
			return err_set(err, ERR_CORRUPT,
				       "file whose name ends in '/', with "
				       "%" PRIu64 " bytes of content",
				       size);
		return skip_block(tar, err);
	}
	if (flag == 'S' || tar->pax.sparse.is_used)
		return take_sparse(tar, block, entry, size, err);
	if (skip_block(tar, err) < 0)
		return -1;
	return take_plain(tar, entry, size, err);
}
