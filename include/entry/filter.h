/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ENTRY_FILTER_H
#define ENTRY_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct contexts;
struct err;
struct id_map;
struct mode_rules;
struct source;
struct warner;
struct xattr_file;
struct xattr_rules;

/* Texts of the user's. */
struct filter_list {
	const char *const *items;
	size_t count;
};

/*
 * What a filter leaves out and changes, in this order. All zero but for the ids
 * changes nothing. Format: doc/select.md.
 */
struct filter_options {
	/*
	 * Globs of paths in the input to leave out, with all that lies below;
	 * "*" stands for slashes too. A slash at either end does not count.
	 */
	struct filter_list exclude_dir;

	/*
	 * The directory that becomes the root, or NULL: what does not lie
	 * below is left out, the rest moves up. "." or "/" is the root as it
	 * is. Hard link targets move along, and symlink targets that begin
	 * with its absolute path unless they are to be kept.
	 */
	const char *root;
	bool no_symlink_retarget;

	/*
	 * Components that are taken from the front of paths and hard link
	 * targets; what has no more of them is left out.
	 */
	uint64_t strip;

	/*
	 * Patterns (entry/pattern.h) of paths as they are by now: with all that
	 * lies below, what matches exclude is left out, and of the rest what
	 * does not match include, if there is any. Directories that lead to
	 * what is included come along.
	 */
	struct filter_list exclude, include;

	const char *prefix; /* the directory that all is put below, or NULL */

	/* Pointers from here on are borrowed for the filter's life, or NULL. */
	const struct id_map *uid_map, *gid_map;
	bool all_root; /* owner and group 0 */
	int64_t uid;   /* owner of all, 0 to 2^32-1, or -1; over all_root */
	int64_t gid;   /* the same for the group */
	const struct mode_rules *mode; /* of all but symlinks */
	bool no_xattr; /* drops those of the input */
	const struct xattr_rules *xattrs;

	/*
	 * Labels, and attributes for paths, by the path that an entry has by
	 * then. With either of them the filter hands on an entry with
	 * ENTRY_IMPLIED for the root and for each directory that is on the way
	 * to an entry before one has named it.
	 */
	struct contexts *contexts;
	struct xattr_file *xattr_file;

	bool no_keep_time; /* mtime is default_mtime */
	int64_t default_mtime;
	bool clamp_mtime; /* mtime is no more than max_mtime */
	int64_t max_mtime;

	struct warner *warner; /* is told of access control lists, too, which
				* come as attributes and cannot be stored */
};

/*
 * A source that hands on the entries of another.
 *
 * inner    the filter's from then on, also on failure
 * options  copied, but for what is borrowed
 * fails    ERR_USAGE: a bad root, prefix or pattern; ERR_NOMEM; ERR_IO: no
 *	    random key. next: as inner; ERR_USAGE at the end if nothing lies
 *	    below root or matches a pattern of include, or root is no directory;
 *	    ERR_CORRUPT: a hard link to what lies outside of root; ERR_SKIPPED
 */
int filter_create(struct source *inner, const struct filter_options *options,
		  struct source **out, struct err *err);

/*
 * True if a hard link was handed on, or left out, whose target, or itself, is
 * at path for the sink and was left out on purpose: so that it need not be
 * there.
 *
 * filter   made by filter_create
 * thread   main
 */
bool filter_is_excluded(const struct source *filter, const char *path);

/* The text of that index, borrowed, if it has matched nothing so far. */
const char *filter_unused_exclude_dir(const struct source *filter,
				      size_t index);
const char *filter_unused_exclude(const struct source *filter, size_t index);

/* Entries that had too few components for strip, without directories. */
uint64_t filter_stripped(const struct source *filter);

#endif
