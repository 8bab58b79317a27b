/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RDSQUASHFS_DU_H
#define RDSQUASHFS_DU_H

#include <stdbool.h>
#include <stdint.h>

#include "rdsquashfs/tally.h"

struct view;

/* Files that are named on their own: the largest. */
#define DU_FILES 20

/*
 * Where the bytes of an image go. The row of the root, and what is listed in
 * rest, add up to its length.
 */
struct usage {
	struct hash_key key;
	struct tally dirs;   /* by path, what lies below included */
	struct tally kinds;  /* by extension or type */
	struct tally owners; /* by user */
	struct tally files;  /* the DU_FILES largest, at least */

	uint64_t total; /* bytes used by the image */
	struct {
		uint64_t super;	  /* super block */
		uint64_t tables;  /* fragments, export, ids, attributes */
		uint64_t unnamed; /* data that no file names, gaps, options of
				   * the compressor */
		uint64_t twice;	  /* charged twice, as blocks overlap */
	} rest;
};

void usage_print(const struct view *view, struct usage *usage);

#endif
