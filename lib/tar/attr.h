/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TAR_ATTR_H
#define TAR_ATTR_H

#include <stddef.h>

struct err;
struct pax_attr;
struct place;
struct xattr;

/* Attributes ready for an entry: names differ, sorted by name. */
struct attr_set {
	struct xattr *items; /* heap, as are names and values */
	size_t count;
};

/*
 * Decodes records into a set.
 *
 * base     attributes that hold unless a record is of the same name: copied
 * out      the caller's; untouched on failure
 * fails    ERR_CORRUPT: no name, a NUL in it, no base 64; ERR_LIMIT;
 *	    ERR_SKIPPED, ERR_NOMEM
 * format   doc/tar.md, "Attributes"
 */
int attr_set_build(const struct pax_attr *records, size_t record_count,
		   const struct attr_set *base, const struct place *place,
		   struct attr_set *out, struct err *err);

/* Bytes of all names and values. */
size_t attr_set_len(const struct attr_set *set);

void attr_set_cleanup(struct attr_set *set);

#endif
