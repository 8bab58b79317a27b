/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ENTRY_XATTR_FILE_H
#define ENTRY_XATTR_FILE_H

#include <stddef.h>

struct entry;
struct err;
struct xattr_file;

/* What Linux allows, in bytes. */
#define XATTR_FILE_NAME_MAX  255
#define XATTR_FILE_VALUE_MAX 65536

/*
 * Attributes for paths, as getfattr --dump prints them.
 *
 * out      the caller's
 * fails    ERR_IO; ERR_LIMIT; ERR_USAGE: a bad line, with file, line and word;
 *	    ERR_NOMEM
 * format   doc/select.md, "Attributes from a file"
 */
int xattr_file_read(const char *path, struct xattr_file **out, struct err *err);

/*
 * Adds to an entry what the file says of its path, in place of attributes of
 * the same name; nothing to a hard link that is no more than a name. ERR_NOMEM.
 */
int xattr_file_apply(struct xattr_file *file, struct entry *entry,
		     struct err *err);

/*
 * How many sections have met no entry so far: a hard link that is no more than
 * a name counts if its target has a section as well.
 *
 * line     the number of the first of them
 */
size_t xattr_file_unused(const struct xattr_file *file, size_t *line);

/* file may be NULL. */
void xattr_file_destroy(struct xattr_file *file);

#endif
