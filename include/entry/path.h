/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ENTRY_PATH_H
#define ENTRY_PATH_H

#include <stdbool.h>

struct err;

/* Bytes of the longest name that Linux file systems hold. */
#define PATH_NAME_MAX 255

/*
 * Cleans a path in place: leading slashes, empty and "." components and
 * trailing slashes go. "" is the root. Bytes are never changed otherwise.
 *
 * absolute  set if a leading slash was taken away; may be NULL
 * fails     ERR_CORRUPT: a component is ".."; ERR_LIMIT: a component is longer
 *	     than PATH_NAME_MAX. The path is then unspecified.
 */
int path_clean(char *path, bool *absolute, struct err *err);

/*
 * The part of path below dir, both cleaned: "" for dir itself; NULL if path is
 * not below. With dir "" that is path itself. Borrowed from path.
 */
const char *path_below(const char *path, const char *dir);

/*
 * As strcmp, of cleaned paths in the order of a tree: what lies below a
 * directory comes right behind it, in front of its longer namesakes.
 */
int path_compare(const char *a, const char *b);

#endif
