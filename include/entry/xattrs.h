/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ENTRY_XATTRS_H
#define ENTRY_XATTRS_H

#include <stdbool.h>
#include <stddef.h>

#include "entry/entry.h"

struct err;

/* Which extended attributes are kept, and which are added. All zero changes
 * nothing. */
struct xattr_rules {
	/* Globs of whole names, borrowed; "*" stands for any bytes. */
	const char *const *include; /* what is kept; none: all */
	size_t include_count;
	const char *const *exclude; /* what is dropped all the same */
	size_t exclude_count;

	struct xattr *added; /* owned */
	size_t added_count, added_cap;
};

/*
 * Adds NAME=VALUE to what every entry gets: the value is text, or hexadecimal
 * digits behind 0x, or base64 behind 0s. ERR_USAGE, ERR_NOMEM.
 */
int xattr_rules_add(struct xattr_rules *rules, const char *text,
		    struct err *err);

/*
 * Drops and adds attributes of an entry. "user." is added to files and
 * directories only, and nothing to hard links that are no more than a name.
 * ERR_NOMEM.
 */
int xattr_rules_apply(const struct xattr_rules *rules, struct entry *entry,
		      struct err *err);

void xattr_rules_cleanup(struct xattr_rules *rules);

#endif
