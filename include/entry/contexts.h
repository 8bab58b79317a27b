/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ENTRY_CONTEXTS_H
#define ENTRY_CONTEXTS_H

#include "entry/entry.h"

struct contexts;
struct err;

/* The attribute that a label is stored as, with a NUL that counts. */
#define CONTEXTS_XATTR "security.selinux"

/*
 * The labels of an SELinux policy for paths: a file of contexts, and what lies
 * beside it under the same name with .homedirs, .local, .subs and .subs_dist
 * behind it.
 *
 * out      the caller's
 * fails    ERR_IO; ERR_LIMIT; ERR_USAGE: a bad line, with file, line and word;
 *	    ERR_UNSUPPORTED: built without PCRE2; ERR_NOMEM
 * format   doc/select.md, "SELinux labels"
 */
int contexts_read(const char *path, struct contexts **out, struct err *err);

/*
 * Finds the label of a path.
 *
 * path     cleaned, "" is the root
 * type     a hard link counts as a file
 * label    borrowed; NULL if there is none, or none is wanted
 * fails    ERR_USAGE: a regular expression takes too long; ERR_NOMEM
 * thread   main
 */
int contexts_find(struct contexts *contexts, const char *path,
		  enum entry_type type, const char **label, struct err *err);

/*
 * Sets the label as an attribute, in place of one that is there. Nothing
 * changes where no label is found, and for a hard link that is no more than a
 * name. Fails as contexts_find.
 */
int contexts_apply(struct contexts *contexts, struct entry *entry,
		   struct err *err);

/* contexts may be NULL. */
void contexts_destroy(struct contexts *contexts);

#endif
