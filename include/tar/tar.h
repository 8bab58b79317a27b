/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TAR_TAR_H
#define TAR_TAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct reader;
struct source;
struct warner;

/*
 * Limits, so that no number in an archive asks for memory that its bytes do
 * not pay for. Past one: ERR_LIMIT.
 */
#define TAR_PAX_MAX	     (64 * 1024 * 1024) /* bytes of extended header */
#define TAR_KEYWORD_MAX	     4096	/* bytes of a keyword */
#define TAR_NAME_MAX	     65536	/* bytes of a path */
#define TAR_SYMLINK_MAX	     4095	/* bytes of a symlink's target */
#define TAR_SEGMENT_MAX	     (1 << 24)	/* segments of a sparse file */
#define TAR_XATTR_NAME_MAX   255	/* bytes of an attribute's name */
#define TAR_XATTR_VALUE_MAX  65536	/* bytes of its value */
#define TAR_XATTR_COUNT_MAX  65536	/* attributes of an entry */
#define TAR_GLOBAL_XATTR_MAX 65536	/* bytes of all attributes that are set
					 * globally: each entry gets a copy */

/* True if len bytes begin with a header whose checksum is right. */
bool tar_is_header(const uint8_t *data, size_t len);

struct tar_options {
	struct warner *warner;	 /* borrowed for the source's life, or NULL */
	bool ignore_zeros;	 /* read on past an end mark */
	bool ignore_missing_eof; /* no warning where the end mark is missing */
	bool no_xattr;		 /* leave attributes out, unread */
};

/*
 * A source of the entries of a tar archive: v7, ustar, star, GNU and pax,
 * sparse files of all four forms. Of a seekable input, next reads headers only.
 *
 * The paths of entries and of hard link targets are cleaned. A hard link that
 * brings its content along has a size and extents. Times are not clamped, nor
 * device numbers limited to what an image holds.
 *
 * reader   the source's from then on, also on failure
 * options  copied
 * fails    ERR_NOMEM. next: ERR_CORRUPT, ERR_LIMIT, ERR_UNSUPPORTED, ERR_IO,
 *	    ERR_NOMEM, ERR_SKIPPED, the text beginning with
 *	    offset N (block N/512): entry "name":
 * format   doc/tar.md
 */
int tar_source_create(struct reader *reader, const struct tar_options *options,
		      struct source **out, struct err *err);

#endif
