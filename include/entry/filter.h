/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ENTRY_FILTER_H
#define ENTRY_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct source;
struct warner;

/* What a filter leaves out and changes. All zero but for the ids changes
 * nothing. */
struct filter_options {
	/*
	 * Globs of paths to leave out, with all that lies below; "*" stands
	 * for slashes too. A slash at either end does not count.
	 */
	const char *const *exclude;
	size_t exclude_count;

	/*
	 * The directory that becomes the root, or NULL: what does not lie
	 * below is left out, the rest moves up. "." or "/" is the root as it
	 * is. Hard link targets move along, and symlink targets that begin
	 * with its absolute path unless they are to be kept.
	 */
	const char *root;
	bool no_symlink_retarget;

	bool all_root; /* owner and group 0 */
	int64_t uid;   /* owner of all, 0 to 2^32-1, or -1; over all_root */
	int64_t gid;   /* the same for the group */
	bool no_xattr;
	bool no_keep_time; /* mtime is default_mtime */
	int64_t default_mtime;
	bool clamp_mtime; /* mtime is no more than max_mtime */
	int64_t max_mtime;

	struct warner *warner; /* borrowed for the filter's life, or NULL */
};

/*
 * A source that hands on the entries of another.
 *
 * inner    the filter's from then on, also on failure
 * options  copied, but for warner
 * fails    ERR_USAGE: a bad root or pattern; ERR_NOMEM. next: as inner;
 *	    ERR_USAGE at the end if nothing lies below root, or root is no
 *	    directory; ERR_CORRUPT: a hard link to what lies outside of root;
 *	    ERR_SKIPPED
 */
int filter_create(struct source *inner, const struct filter_options *options,
		  struct source **out, struct err *err);

/*
 * True if a pattern leaves out path, as the tree knows it: below root.
 *
 * filter   made by filter_create
 * thread   main
 */
bool filter_is_excluded(const struct source *filter, const char *path);

/* The pattern of that index, borrowed, if it has matched nothing so far. */
const char *filter_unused(const struct source *filter, size_t index);

#endif
