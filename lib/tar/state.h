/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TAR_STATE_H
#define TAR_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attr.h"
#include "entry/source.h"
#include "header.h"
#include "pax.h"
#include "place.h"
#include "tar/tar.h"
#include "util/array.h"

struct entry;
struct reader;

/* A name or link target that a GNU header brings for the next entry. */
struct long_text {
	struct buffer text; /* no NUL at the end */
	bool is_set;
};

/*
 * The tar source. In the order of use: scan.c finds the next header, source.c
 * collects what extends an entry, member.c builds it, content.c finds out where
 * its content lies.
 */
struct tar {
	struct source source; /* first */
	struct reader *reader;
	struct tar_options options;
	struct place place;
	bool is_done;

	/* Of the next entry; first_offset is that of its first header. */
	struct pax pax;
	bool has_pax;
	struct long_text long_name, long_link;
	uint64_t first_offset;
	bool has_first;

	/* Of global headers. */
	struct pax global;
	struct attr_set global_attrs;

	/* Of the entry that was handed out last. */
	uint64_t content_left; /* bytes that must be there */
	uint64_t content_len;
	uint32_t padding;      /* bytes that may be missing at the end */
	uint64_t extent_left;  /* bytes of content_left that read may ask for */
	uint64_t entry_offset; /* of its header */
	uint64_t bodiless_size; /* what the header claims where none is due */

	/* The name of a header that extends over name and prefix, for place. */
	char joined[HEADER_PREFIX_LEN + 1 + HEADER_NAME_LEN];
};

/*
 * Finds the next header and peeks at it; reads over zero blocks. At the end of
 * the archive the rest of the input is read through.
 *
 * block    borrowed until the next call on the reader
 * returns  0, 1 at the end, -1
 */
int scan_header(struct tar *tar, const uint8_t **block, struct err *err);

/* True while an extended header or a long name waits for its entry. */
bool tar_has_pending(const struct tar *tar);

/*
 * Builds the entry of a header, without its content.
 *
 * out      the caller's
 */
int member_create(struct tar *tar, const uint8_t block[TAR_BLOCK],
		  struct entry **out, struct err *err);

/* The size that a record or the header gives. */
int member_size(const struct tar *tar, const uint8_t block[TAR_BLOCK],
		uint64_t *out, struct err *err);

/*
 * Finds out what content entry has and where it lies; the reader is at the
 * header and then behind all that belongs to it but the content.
 */
int content_locate(struct tar *tar, const uint8_t block[TAR_BLOCK],
		   struct entry *entry, struct err *err);

/* Makes size bytes from here on the content that is skipped next. */
int content_expect(struct tar *tar, uint64_t size, struct err *err);

/* Skips what is left of the content of the last entry. */
int content_skip(struct tar *tar, struct err *err);

#endif
