/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef SQFS_XATTR_H
#define SQFS_XATTR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buffer;
struct codec;
struct entry;
struct err;
struct xattr_writer;

#define XATTR_NAME_MAX	255   /* bytes, prefix included */
#define XATTR_VALUE_MAX 65536 /* bytes that Linux returns */

/*
 * Collects sets of attributes; equal sets are stored once, equal long values
 * are stored once. Format: doc/squashfs.md, "Extended attributes".
 */
int xattr_writer_create(struct xattr_writer **out, struct err *err);

/* True for user., trusted. and security. followed by something. */
bool xattr_name_is_storable(const char *name);

/*
 * Adds one set.
 *
 * names    storable, at most XATTR_NAME_MAX bytes, ascending, different
 * values   value_lens[i] bytes at values[i]
 * count    1 or more
 * index    for inodes: the same for equal sets, from 0 in order of first use
 * fails    ERR_NOMEM, ERR_LIMIT
 */
int xattr_writer_add(struct xattr_writer *writer, const char *const *names,
		     const uint8_t *const *values, const size_t *value_lens,
		     size_t count, uint32_t *index, struct err *err);

/* Sets added so far that differ. */
uint32_t xattr_writer_count(const struct xattr_writer *writer);

/*
 * Appends the area of pairs, the id table, the header and its index.
 *
 * codec     NULL stores all as it is
 * position  of the first byte in the image
 * header    absolute position of the header, for the super block
 */
int xattr_writer_encode(struct xattr_writer *writer, struct codec *codec,
			uint64_t position, struct buffer *out,
			uint64_t *header, struct err *err);

/* writer may be NULL. */
void xattr_writer_destroy(struct xattr_writer *writer);

#endif
