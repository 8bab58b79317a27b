/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef DIR_SCAN_H
#define DIR_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct entry;
struct err;
struct files;
struct scan;

/* A file that is left out wherever it is met. */
struct scan_skip {
	uint64_t dev, ino;
	bool is_silent; /* skipped is not called */
};

/* What is taken of what is found. */
struct scan_options {
	bool keep_time; /* else mtime is default_mtime */
	int64_t default_mtime;
	bool keep_xattrs;
	bool one_file_system; /* what is mounted below is an empty directory */
	bool no_hard_links;   /* names of one inode are files of their own */
	bool no_recursion;    /* only what lies in the directory itself */
	bool no_root;	      /* the directory itself does not count */

	/*
	 * In front of all paths, cleaned, or "": the directory that becomes
	 * what it names. Borrowed, as all pointers here, for the scan's life.
	 */
	const char *prefix;

	/* True if an entry is taken; a directory is entered anyway. NULL: all
	 * are. */
	bool (*take)(void *arg, const struct entry *entry);

	/*
	 * Of what cannot be looked at or listed: err says why, with the path in
	 * front. 0 to go on without it, -1 to fail with err. NULL: it fails.
	 */
	int (*fault)(void *arg, const struct err *err);
	void *arg;

	const struct scan_skip *skip; /* skip_count of them */
	size_t skip_count;
	void (*skipped)(void *arg, const char *path); /* NULL: is not told */
};

/*
 * Walks a tree: a directory before what it holds, names in the order of their
 * bytes, whatever order the file system has them in. Symlinks are entries and
 * are never followed. Depth is limited by memory only, and few descriptors are
 * open at a time.
 *
 * files    reads the content; borrowed
 * root     where the walk begins
 * options  copied
 * fails    ERR_NOMEM
 */
int scan_create(struct files *files, int root,
		const struct scan_options *options, struct scan **out,
		struct err *err);

/*
 * Returns the next entry, the caller's.
 *
 * returns  0, 1 at the end, -1
 * fails    ERR_IO, with the path in front; ERR_NOMEM; what fault says
 * thread   main
 */
int scan_next(struct scan *scan, struct entry **out, struct err *err);

/* Does not enter the directory that scan_next gave last. */
void scan_prune(struct scan *scan);

/*
 * One entry by its path, without a walk; the root is "".
 *
 * path     cleaned
 * returns  0, 1 if it was left out, -1
 * fails    as scan_next, but faults are not told to options.fault
 */
int scan_one(struct scan *scan, const char *path, struct entry **out,
	     struct err *err);

/* scan may be NULL. */
void scan_destroy(struct scan *scan);

#endif
