/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include <stdint.h>

struct err;
struct image;

enum fault_kind {
	FAULT_SUPER,	 /* the super block, its flags and counts */
	FAULT_TABLE,	 /* a table, its index or its metadata blocks */
	FAULT_INODE,
	FAULT_DIRECTORY,
	FAULT_LINKS,	 /* link counts, inodes that nothing names */
	FAULT_XATTR,
	FAULT_DATA,	 /* a data block or a fragment block */
	FAULT_KIND_COUNT
};

/* The word for a kind: "super block", "table", ... */
const char *fault_kind_name(enum fault_kind kind);

struct check_options {
	unsigned jobs; /* worker threads; 0: none */
	/*
	 * Called for each fault, in the same order for any number of threads;
	 * or NULL: then they are counted only.
	 *
	 * at       byte of the image, or UINT64_MAX if it has no place
	 * text     what is wrong, with the path where there is one
	 */
	void (*fault)(void *arg, enum fault_kind kind, uint64_t at,
		      const char *text);
	void *arg;
};

struct check_stats {
	uint64_t faults;
	uint64_t inodes, directories, entries;
	uint64_t blocks, fragments; /* stored blocks that were decompressed */
	uint64_t stored, unpacked;  /* bytes of them */
	uint64_t unused; /* bytes between data and tables that are no block's */
};

/*
 * Looks at all of an image: every table, every inode, every name, every stored
 * block, each decompressed once. Memory is bounded by the number of inodes and
 * stored runs, not by what the image claims.
 *
 * image    open, which is the first check; borrowed
 * returns  0, also if faults were found; -1 if it could not be done
 * fails    ERR_NOMEM, ERR_IO
 * thread   main
 */
int check_image(struct image *image, const struct check_options *options,
		struct check_stats *out, struct err *err);

#endif
