/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TAR_SINK_PAX_H
#define TAR_SINK_PAX_H

#include <stddef.h>
#include <stdint.h>

struct buffer;
struct err;
struct xattr;

/*
 * Adds a record to the body of an extended header. ERR_NOMEM.
 *
 * format   doc/tar.md, "Extended headers"
 */
int pax_put(struct buffer *body, const char *keyword, const void *value,
	    size_t len, struct err *err);

int pax_put_number(struct buffer *body, const char *keyword, int64_t value,
		   struct err *err);

/* A SCHILY.xattr record. */
int pax_put_xattr(struct buffer *body, const struct xattr *xattr,
		  struct err *err);

/*
 * Adds a record of a name; if it is no UTF-8, one before it says so.
 */
int pax_put_name(struct buffer *body, const char *keyword, const char *name,
		 size_t len, struct err *err);

#endif
