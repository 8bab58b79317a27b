/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#include "entry/entry.h"
#include "entry/source.h"
#include "util/err.h"

#define GRANULE_MIN  4096u
#define GRANULES_MAX 64u /* of a file, as long as PIECE_LEN allows */

/*
 * A power of two that divides PIECE_LEN. Small files tell their difference
 * precisely, and no file of less than a petabyte costs many digests.
 */
uint32_t granule_of(uint64_t size)
{
	uint32_t granule = GRANULE_MIN;

	while (granule < PIECE_LEN && size / granule > GRANULES_MAX)
		granule *= 2;
	return granule;
}

static uint64_t extent_end(const struct extent *extent)
{
	return extent->offset + extent->len;
}

uint64_t content_next(const struct content *c, uint64_t offset, size_t *at)
{
	while (*at < c->extent_count &&
	       extent_end(&c->extents[*at]) <= offset)
		++*at;
	if (*at == c->extent_count)
		return c->size;
	return c->extents[*at].offset > offset ? c->extents[*at].offset
					       : offset;
}

size_t content_touched(const struct content *c, uint64_t offset, uint64_t len,
		       size_t *at)
{
	uint64_t granule = granule_of(c->size), end = offset + len;
	size_t count = 0;

	while ((offset = content_next(c, offset, at)) < end) {
		offset += granule - offset % granule;
		count++;
	}
	return count;
}

/* The first extent that ends behind offset. */
static size_t find_extent(const struct content *c, uint64_t offset)
{
	size_t low = 0, high = c->extent_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (extent_end(&c->extents[middle]) <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int content_read(const struct content *c, uint64_t offset, uint8_t *buf,
		 uint64_t len, struct err *err)
{
	size_t i = find_extent(c, offset);

	while (len > 0) {
		const struct extent *e = &c->extents[i];
		uint64_t n = len;

		if (i == c->extent_count || offset < e->offset) {
			if (i < c->extent_count && n > e->offset - offset)
				n = e->offset - offset;
			memset(buf, 0, n);
		} else {
			if (n > extent_end(e) - offset)
				n = extent_end(e) - offset;
			if (source_read_at(c->source, c->entry,
					   e->at + (offset - e->offset), buf,
					   n, err) < 0)
				return -1;
			if (offset + n == extent_end(e))
				i++;
		}
		offset += n;
		buf += n;
		len -= n;
	}
	return 0;
}

void granule_digest(const struct digest_key *key, const uint8_t *data,
		    size_t len, struct digest *out)
{
	if (mem_is_zero(data, len))
		*out = (struct digest){ 0, 0 };
	else
		digest_content(key, data, len, out);
}

/*
 * Fills one granule with the next bytes of the source.
 *
 * at       the extent that the next byte is in, done bytes of it read
 */
static int fill(struct source *source, const struct entry *entry,
		uint64_t offset, uint8_t *buf, uint64_t len, size_t *at,
		uint64_t *done, struct err *err)
{
	uint64_t end = offset + len;

	memset(buf, 0, len);
	while (*at < entry->extent_count) {
		const struct extent *e = &entry->extents[*at];
		uint64_t from = e->offset + *done, n = e->len - *done;

		if (from >= end)
			break;
		if (n > end - from)
			n = end - from;
		if (source_read(source, buf + (from - offset), n, err) < 0)
			return -1;
		*done += n;
		if (*done == e->len) {
			++*at;
			*done = 0;
		}
	}
	return 0;
}

int content_digest(struct source *source, const struct entry *entry,
		   const struct digest_key *key, struct buffer *out,
		   struct err *err)
{
	uint64_t granule = granule_of(entry->size), done = 0;
	uint8_t *buf = malloc(granule);
	struct digest digest;
	size_t at = 0;
	int ret = 0;

	if (!buf)
		return err_nomem(err);
	while (ret == 0 && at < entry->extent_count) {
		uint64_t from = entry->extents[at].offset + done;
		uint64_t offset = from - from % granule;
		uint64_t len = entry->size - offset;

		if (len > granule)
			len = granule;
		ret = fill(source, entry, offset, buf, len, &at, &done, err);
		if (ret < 0)
			break;
		granule_digest(key, buf, len, &digest);
		ret = buffer_append(out, &digest, sizeof(digest), err);
	}
	free(buf);
	return ret;
}
