/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef SQFS_XATTR_H
#define SQFS_XATTR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buffer;
struct codec;
struct err;
struct xattr_writer;

#define XATTR_NAME_MAX	255   /* bytes, prefix included */
#define XATTR_VALUE_MAX 65536 /* bytes that Linux returns */

/*
 * Collects sets of attributes; equal sets are stored once, equal long values
 * are stored once. Format: doc/squashfs.md, "Extended attributes".
 */

/* ERR_NOMEM; ERR_IO: no random key. */
int xattr_writer_create(struct xattr_writer **out, struct err *err);

/* True for user., trusted. and security. followed by something. */
bool xattr_name_is_storable(const char *name);

/*
 * Adds one set.
 *
 * names    storable, ascending bytes, different
 * values   value_lens[i] bytes at values[i], which may be NULL for none
 * count    1 or more
 * index    for inodes: the same for equal sets, from 0 in order of first use
 * fails    ERR_NOMEM; ERR_LIMIT: a name over XATTR_NAME_MAX or a value over
 *	    XATTR_VALUE_MAX bytes, a set that counts 4 GiB, 2^32 - 2 sets. The
 *	    set is then not added
 */
int xattr_writer_add(struct xattr_writer *writer, const char *const *names,
		     const uint8_t *const *values, const size_t *value_lens,
		     size_t count, uint32_t *index, struct err *err);

/* Sets added so far that differ. */
uint32_t xattr_writer_count(const struct xattr_writer *writer);

/*
 * Appends the area of pairs, the id table, the header and its index, for at
 * least one set. To be called once.
 *
 * codec     NULL stores all as it is
 * position  of the first byte in the image
 * header    absolute position of the header, for the super block
 * fails     ERR_NOMEM; ERR_LIMIT: the area of pairs grows over 4 GiB
 */
int xattr_writer_encode(struct xattr_writer *writer, struct codec *codec,
			uint64_t position, struct buffer *out,
			uint64_t *header, struct err *err);

/* writer may be NULL. */
void xattr_writer_destroy(struct xattr_writer *writer);

#endif
