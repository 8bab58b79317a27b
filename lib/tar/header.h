/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TAR_HEADER_H
#define TAR_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

#define TAR_BLOCK 512

/*
 * Where the fields of a header stand and how long they are.
 *
 * format   doc/tar.md, "Headers"
 */
#define HEADER_NAME	    0
#define HEADER_NAME_LEN	    100
#define HEADER_TYPE	    156
#define HEADER_LINK	    157
#define HEADER_LINK_LEN	    100
#define HEADER_PREFIX	    345
#define HEADER_PREFIX_LEN   155
#define HEADER_STAR_LEN	    131 /* of star's prefix */
#define HEADER_SPARSE	    386 /* GNU: the first segments */
#define HEADER_SPARSE_COUNT 4
#define HEADER_EXTENDED	    482
#define EXTENSION_COUNT	    21 /* segments in an extension block */
#define EXTENSION_EXTENDED  504
#define SEGMENT_LEN	    24 /* offset and length, 12 bytes each */

enum header_field {
	FIELD_MODE,
	FIELD_UID,
	FIELD_GID,
	FIELD_SIZE,
	FIELD_MTIME,
	FIELD_MAJOR,
	FIELD_MINOR,
	FIELD_REAL_SIZE /* GNU sparse */
};

/* What the magic tells of a header. */
enum header_dialect {
	DIALECT_V7,
	DIALECT_USTAR,
	DIALECT_STAR,	/* ustar with a shorter prefix */
	DIALECT_GNU,	/* and its forerunners: no prefix */
	DIALECT_UNKNOWN /* read as v7 */
};

enum header_dialect header_dialect(const uint8_t block[TAR_BLOCK]);

/* True if the checksum is right, over unsigned or over signed bytes. */
bool header_is_valid(const uint8_t block[TAR_BLOCK]);

/* ERR_CORRUPT with both sums. Returns -1. */
int header_checksum_fail(const uint8_t block[TAR_BLOCK], struct err *err);

/* Bytes of a text that fills width bytes or ends at a NUL before. */
size_t header_text_len(const uint8_t *field, size_t width);

/* A number from min to max. ERR_CORRUPT: malformed; ERR_LIMIT. */
int header_number(const uint8_t block[TAR_BLOCK], enum header_field field,
		  int64_t min, int64_t max, int64_t *out, struct err *err);

#endif
