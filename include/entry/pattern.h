/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ENTRY_PATTERN_H
#define ENTRY_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

struct err;

/*
 * Whether len bytes of text match a glob: "?" is any byte but a slash, "*" any
 * number of these; "**" any bytes, and as a whole component any number of
 * components; [a-z], [!a-z] and [^a-z] a byte but a slash; a backslash takes
 * the meaning from what follows. The glob is sound: glob_check.
 *
 * format   doc/select.md, "Patterns"
 */
bool glob_match(const char *glob, size_t glob_len, const char *text,
		size_t len);

/* ERR_USAGE: a bracket that does not end, a backslash at the end. */
int glob_check(const char *glob, size_t len, struct err *err);

/*
 * A glob of paths. All zero is one that was not made.
 *
 * Without a slash it matches a name at any depth; with one, also at its front,
 * a whole path. With a slash at its end it matches directories only.
 */
struct pattern {
	char *given; /* as the user wrote it; owned */
	const char *glob; /* glob_len bytes of given, without slashes at either
			   * end */
	size_t glob_len;
	bool is_name;	   /* for a name at any depth */
	bool is_dirs_only; /* for directories */
	bool is_used;	   /* has matched; whoever asks keeps it */
};

/* text is copied. ERR_USAGE: matches nothing at all; as glob_check; ERR_NOMEM. */
int pattern_init(struct pattern *pattern, const char *text, struct err *err);

/*
 * path     cleaned, len bytes; not the root
 * is_dir   it is a directory
 */
bool pattern_matches(const struct pattern *pattern, const char *path,
		     size_t len, bool is_dir);

void pattern_cleanup(struct pattern *pattern);

#endif
