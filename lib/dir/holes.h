/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef DIR_HOLES_H
#define DIR_HOLES_H

#include <stdbool.h>

struct entry;
struct err;
struct stat;

/*
 * Sets the extents of a file's content: what the file system has no blocks for
 * is left out. Only a file with fewer blocks than its size asks for is looked
 * at, and one that cannot be counts as having no holes.
 *
 * dir, name  where it is
 * follow     name may lead through symlinks
 * fails      ERR_NOMEM
 */
int holes_find(int dir, const char *name, bool follow, const struct stat *st,
	       struct entry *entry, struct err *err);

#endif
