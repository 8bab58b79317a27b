/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef DIFF_DIFF_H
#define DIFF_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "entry/entry.h"

struct err;
struct image;
struct source;
struct warner;

/* One of the two that are compared. */
struct diff_input {
	/*
	 * Its entries, in any order and of any number for a path, as a tar has
	 * them; borrowed, and read to its end. Their content is found by their
	 * extents alone.
	 */
	struct source *source;

	/*
	 * Of an image, borrowed: source reads it, and was made with
	 * no_hard_links. Else NULL.
	 */
	struct image *image;

	/*
	 * Not NULL: entries come in the order of the tree, each path once,
	 * without hard links, and their content can be read at any time; this
	 * is true if an entry's inode has more names, and then sets id to what
	 * tells it from others. NULL for an image, which is so anyway.
	 */
	bool (*has_names)(const struct entry *entry, uint64_t id[2]);
	const char *name;      /* in front of failures, borrowed; or NULL: the
				* source puts it there, or names the origin */
	struct warner *warner; /* or NULL */
};

/* What is not the same of a path that both have. */
enum diff_what {
	DIFF_TYPE = 1 << 0, /* then nothing else is looked at */
	DIFF_MODE = 1 << 1,
	DIFF_OWNER = 1 << 2,
	DIFF_TIME = 1 << 3,
	DIFF_SIZE = 1 << 4,
	DIFF_CONTENT = 1 << 5, /* of equal size */
	DIFF_TARGET = 1 << 6,  /* of a symlink */
	DIFF_DEVICE = 1 << 7,
	DIFF_LINKS = 1 << 8, /* which paths are names of one inode */
	DIFF_XATTRS = 1 << 9,
	DIFF_NUMBER = 1 << 10 /* of the inode */
};

/* What one of the two has at a path; a hard link is what it leads to. */
struct diff_node {
	enum entry_type type; /* never ENTRY_HARDLINK */
	uint16_t mode;
	uint32_t uid, gid;
	int64_t mtime;
	uint32_t major, minor;	  /* devices */
	uint64_t size;		  /* files */
	uint32_t number;	  /* of the inode; 0: there is none */
	const char *target;	  /* symlinks */
	const char *first;	  /* a path that both have, which is a name of
				   * the same inode and comes before; NULL:
				   * there is none */
	const struct xattr *xattrs; /* sorted by name */
	size_t xattr_count;
};

struct diff_change {
	const char *path;
	const struct diff_node *old, *new; /* NULL: the path is not there */
	unsigned what; /* of enum diff_what; 0 if one of both is NULL */
	uint64_t differs_at;   /* DIFF_CONTENT: the first byte that differs */
	uint64_t differs_span; /* is one of so many from there on; 1: it is
				* that one */
	/*
	 * With diff_options.entries: a file, with its path, attributes, extents
	 * and origin; else NULL. Whoever takes one puts NULL in its place.
	 */
	struct entry *old_entry, *new_entry;
};

enum diff_pick {
	DIFF_TAKE,
	DIFF_LEAVE,	 /* but not what lies below */
	DIFF_LEAVE_BELOW /* which need not be looked at */
};

struct diff_options {
	struct diff_input old, new;
	bool no_contents, no_mode, no_owner, no_links, no_xattrs;
	bool times, numbers; /* are compared, too */
	bool entries; /* are given along with changes; contents can then be
		       * read at any time on both sides */
	unsigned jobs; /* worker threads; 0: all in the caller's thread */

	/* Whether a path is compared; NULL: all are. The root always is. */
	enum diff_pick (*pick)(void *arg, const char *path, bool is_dir);
	void *pick_arg;

	/*
	 * Called for each difference, in the order of the tree: a directory
	 * before what it holds, names ascending. All is borrowed for the call.
	 * Returns 0 to go on, 1 to stop, -1. Thread: main.
	 */
	int (*change)(void *arg, struct diff_change *change,
		      struct err *err);
	void *arg;
};

struct diff_counts {
	uint64_t paths; /* that were compared */
	uint64_t removed, added, changed;
};

/*
 * Compares. Directories that no entry of an archive names have no attributes to
 * compare. What an image cannot hold, attributes of other names than user,
 * trusted and security and times outside of 1970 to 2106, counts only where
 * both inputs have has_names.
 *
 * out      counts up to where it went
 * returns  0; 1 if change stopped it; -1
 * fails    what the sources fail with, the name of the input and the path in
 *	    front; what change fails with; ERR_NOMEM, ERR_IO. Up to there the
 *	    same differences are told, and the same failure, for any number of
 *	    jobs.
 */
int diff_run(const struct diff_options *options, struct diff_counts *out,
	     struct err *err);

#endif
