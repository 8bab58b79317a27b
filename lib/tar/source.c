/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * The tar source: collects the headers that extend an entry until its own
 * comes. Format: doc/tar.md.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "entry/entry.h"
#include "io/reader.h"
#include "state.h"
#include "util/err.h"

/* Bytes that are read at a time where a size is only claimed so far. */
#define BODY_STEP (64 * 1024)

/*
 * Reads the body of an extending header into buffer; reader is at the header.
 * The padding behind it may be missing at the end of the input.
 */
static int read_body(struct tar *tar, const uint8_t *block, uint64_t limit,
		     struct buffer *buffer, struct err *err)
{
	int64_t size;
	uint64_t skipped;

	if (header_number(block, FIELD_SIZE, 0, INT64_MAX, &size, err) < 0)
		return -1;
	if ((uint64_t)size > limit)
		return err_set(err, ERR_LIMIT,
			       "extended header is larger than %" PRIu64
			       " bytes, %" PRId64,
			       limit, size);
	if (reader_skip(tar->reader, TAR_BLOCK, &skipped, err) < 0)
		return -1;
	buffer->len = 0;
	while (buffer->len < (uint64_t)size) {
		size_t step = (size_t)size - buffer->len, got;

		if (step > BODY_STEP)
			step = BODY_STEP;
		if (buffer_reserve(buffer, step, err) < 0 ||
		    reader_read(tar->reader, buffer->data + buffer->len, step,
				&got, err) < 0)
			return -1;
		buffer->len += got;
		if (got < step)
			return err_set(err, ERR_CORRUPT,
				       "truncated data: have %zu of %" PRId64
				       " bytes",
				       buffer->len, size);
	}
	return reader_skip(tar->reader, -(uint64_t)size & (TAR_BLOCK - 1),
			   &skipped, err);
}

static int take_long(struct tar *tar, const uint8_t *block,
		     struct long_text *out, struct err *err)
{
	bool is_link = out == &tar->long_link;
	struct buffer *text = &out->text;

	if (out->is_set &&
	    place_warn(&tar->place, WARN_HEADER, err,
		       "two GNU long %s in a row, the second holds",
		       is_link ? "links" : "names") < 0)
		return -1;
	/* One more for the NUL that most writers count. */
	if (read_body(tar, block, TAR_NAME_MAX + 1, text, err) < 0)
		return -1;
	if (text->len > 0)
		text->len = header_text_len(text->data, text->len);
	if (text->len == 0)
		return err_set(err, ERR_CORRUPT, "empty GNU long %s",
			       is_link ? "link" : "name");
	if (text->len > TAR_NAME_MAX)
		return err_set(err, ERR_LIMIT,
			       "GNU long %s is longer than %d bytes, %zu",
			       is_link ? "link" : "name", TAR_NAME_MAX,
			       text->len);
	out->is_set = true;
	return 0;
}

static int parse_records(struct pax *pax, struct place *place, struct err *err)
{
	uint64_t header = place->offset;

	place->offset += TAR_BLOCK;
	if (pax_parse(pax, place, err) < 0)
		return -1;
	place->offset = header;
	return 0;
}

static int take_pax(struct tar *tar, const uint8_t *block, struct err *err)
{
	if (tar->has_pax) {
		if (place_warn(&tar->place, WARN_HEADER, err,
			       "two extended headers in a row, the second "
			       "holds") < 0)
			return -1;
		pax_reset(&tar->pax);
	}
	if (read_body(tar, block, TAR_PAX_MAX, &tar->pax.body, err) < 0 ||
	    parse_records(&tar->pax, &tar->place, err) < 0)
		return -1;
	tar->has_pax = true;
	return 0;
}

/* Global records stay; global attributes are put aside at once. */
static int take_global(struct tar *tar, const uint8_t *block, struct err *err)
{
	struct pax *pax = &tar->global;
	struct attr_set set;

	if (read_body(tar, block, TAR_PAX_MAX, &pax->body, err) < 0 ||
	    parse_records(pax, &tar->place, err) < 0)
		return -1;
	if (pax->attr_count == 0)
		return 0;
	if (attr_set_build(pax->attrs, pax->attr_count, &tar->global_attrs,
			   &tar->place, &set, err) < 0)
		return -1;
	pax->attr_count = 0;
	attr_set_cleanup(&tar->global_attrs);
	tar->global_attrs = set;
	if (attr_set_len(&set) > TAR_GLOBAL_XATTR_MAX)
		return err_set(err, ERR_LIMIT,
			       "attributes of global headers have more than "
			       "%d bytes, %zu",
			       TAR_GLOBAL_XATTR_MAX, attr_set_len(&set));
	return 0;
}

static void forget_pending(struct tar *tar)
{
	tar->has_first = false;
	if (tar->has_pax)
		pax_reset(&tar->pax);
	tar->has_pax = false;
	tar->long_name.is_set = false;
	tar->long_link.is_set = false;
}

/* An entry that is none for us: its body is skipped. */
static int pass_over(struct tar *tar, const uint8_t *block, struct err *err)
{
	uint64_t size, skipped;

	if (member_size(tar, block, &size, err) < 0 ||
	    reader_skip(tar->reader, TAR_BLOCK, &skipped, err) < 0 ||
	    content_expect(tar, size, err) < 0 || content_skip(tar, err) < 0)
		return -1;
	forget_pending(tar);
	return 0;
}

static int refuse(const uint8_t *block, struct err *err)
{
	switch (block[HEADER_TYPE]) {
	case 'M':
		return err_set(err, ERR_UNSUPPORTED,
			       "multi-volume continuation; join the volumes "
			       "first");
	case 'N':
		return err_set(err, ERR_UNSUPPORTED,
			       "old GNU rename script, type N");
	default:
		return err_set(err, ERR_UNSUPPORTED,
			       "Solaris attribute file, type E: what follows "
			       "is no file");
	}
}

static int take_entry(struct tar *tar, const uint8_t *block, struct entry **out,
		      struct err *err)
{
	struct entry *entry;

	tar->entry_offset = tar->place.offset;
	tar->bodiless_size = 0;
	if (member_create(tar, block, &entry, err) < 0)
		return -1;
	if (content_locate(tar, block, entry, err) < 0) {
		entry_destroy(entry);
		return -1;
	}
	tar->place.offset = tar->entry_offset;
	*out = entry;
	return 0;
}

/* One header. Returns 0 with *out, 1 if it is not that of an entry, -1. */
static int take_header(struct tar *tar, const uint8_t *block,
		       struct entry **out, struct err *err)
{
	const char flag = (char)block[HEADER_TYPE];

	if (!tar->has_first && flag != 'g') {
		tar->first_offset = tar->place.offset;
		tar->has_first = true;
	}
	switch (flag) {
	case 'x':
	case 'X':
		return take_pax(tar, block, err) < 0 ? -1 : 1;
	case 'g':
		return take_global(tar, block, err) < 0 ? -1 : 1;
	case 'L':
		return take_long(tar, block, &tar->long_name, err) < 0 ? -1 : 1;
	case 'K':
		return take_long(tar, block, &tar->long_link, err) < 0 ? -1 : 1;
	case 'A':
		if (place_warn(&tar->place, WARN_ACL, err,
			       "access control list is left out, type A") < 0)
			return -1;
		return pass_over(tar, block, err) < 0 ? -1 : 1;
	case 'V':
		return pass_over(tar, block, err) < 0 ? -1 : 1;
	case 'M':
	case 'N':
	case 'E':
		return refuse(block, err);
	default:
		return take_entry(tar, block, out, err);
	}
}

static int next_entry(struct tar *tar, struct entry **out, struct err *err)
{
	const uint8_t *block;
	int ret;

	if (tar->is_done)
		return 1;
	/* The place still is the last entry: its data may be cut off. */
	if (content_skip(tar, err) < 0)
		return -1;
	forget_pending(tar);
	do {
		ret = scan_header(tar, &block, err);
		if (ret != 0)
			return ret;
		ret = take_header(tar, block, out, err);
	} while (ret == 1);
	return ret;
}

static int tar_next(struct source *src, struct entry **out, struct err *err)
{
	struct tar *tar = (struct tar *)src;
	int ret = next_entry(tar, out, err);

	return ret < 0 ? place_fail(&tar->place, err) : ret;
}

/* Content has no name here: whoever asks for it knows whose it is. */
static int fail_content(uint64_t offset, struct err *err)
{
	const struct place place = { .offset = offset, .no_entry = true };

	return place_fail(&place, err);
}

static int tar_read_at(const struct source *src, const struct entry *entry,
		       uint64_t at, void *buf, size_t len, struct err *err)
{
	const struct tar *tar = (const struct tar *)src;

	(void)entry;
	if (reader_read_at(tar->reader, at, buf, len, err) < 0)
		return fail_content(at, err);
	return 0;
}

static int tar_readv_at(const struct source *src, const struct entry *entry,
			uint64_t at, struct iovec *iov, int count,
			struct err *err)
{
	const struct tar *tar = (const struct tar *)src;

	(void)entry;
	if (reader_readv_at(tar->reader, at, iov, count, err) < 0)
		return fail_content(at, err);
	return 0;
}

static int tar_read(struct source *src, void *buf, size_t len, struct err *err)
{
	struct tar *tar = (struct tar *)src;
	uint64_t at = reader_offset(tar->reader);
	size_t got;

	if (len > tar->extent_left) {
		err_set(err, ERR_CORRUPT, "read past the content of an entry");
		return fail_content(at, err);
	}
	if (reader_read(tar->reader, buf, len, &got, err) < 0)
		return fail_content(at, err);
	tar->content_left -= got;
	tar->extent_left -= got;
	if (got == len)
		return 0;
	err_set(err, ERR_CORRUPT,
		"truncated data: have %" PRIu64 " of %" PRIu64 " bytes",
		tar->content_len - tar->content_left, tar->content_len);
	return fail_content(tar->entry_offset, err);
}

static void tar_progress(const struct source *src, uint64_t *done,
			 uint64_t *total)
{
	const struct tar *tar = (const struct tar *)src;

	*done = reader_offset(tar->reader);
	*total = reader_size(tar->reader);
}

static void tar_destroy(struct source *src)
{
	struct tar *tar = (struct tar *)src;

	reader_destroy(tar->reader);
	pax_cleanup(&tar->pax);
	pax_cleanup(&tar->global);
	attr_set_cleanup(&tar->global_attrs);
	buffer_cleanup(&tar->long_name.text);
	buffer_cleanup(&tar->long_link.text);
	free(tar);
}

static const struct source_ops seekable_ops = {
	.next = tar_next,
	.read_at = tar_read_at,
	.readv_at = tar_readv_at,
	.progress = tar_progress,
	.destroy = tar_destroy,
};

static const struct source_ops forward_ops = {
	.next = tar_next,
	.read = tar_read,
	.progress = tar_progress,
	.destroy = tar_destroy,
};

int tar_source_create(struct reader *reader, const struct tar_options *options,
		      struct source **out, struct err *err)
{
	struct tar *tar = calloc(1, sizeof(*tar));

	if (!tar) {
		reader_destroy(reader);
		return err_nomem(err);
	}
	tar->source.ops =
		reader_is_seekable(reader) ? &seekable_ops : &forward_ops;
	tar->source.one_input = true;
	tar->reader = reader;
	tar->options = *options;
	tar->place.warner = options->warner;
	tar->pax.no_xattr = options->no_xattr;
	tar->global.no_xattr = options->no_xattr;
	tar->global.is_global = true;
	*out = &tar->source;
	return 0;
}
