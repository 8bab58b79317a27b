/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PACK_TABLES_H
#define PACK_TABLES_H

#include <stdbool.h>
#include <stdint.h>

struct codec;
struct err;
struct pack_raw;
struct pack_stats;
struct super;
struct tree;
struct xattr_writer;

/* All that follows the data of an image. Everything is borrowed. */
struct tables_job {
	int fd;
	uint64_t position;	    /* of the inode table: where the data ends */
	struct codec *codec;	    /* for metadata */
	const struct pack_raw *raw; /* inodes: directories, export table too */
	bool exportable;
	struct tree *tree; /* after tree_finish; nodes get their numbers */
	struct xattr_writer *xattrs;
	const uint8_t *fragments; /* entries of 16 bytes, encoded */
	uint32_t fragment_count;
};

/*
 * Numbers the inodes and writes all tables from job->position on.
 *
 * super    inode_count, id_count, fragment_count, root_inode, bytes_used, all
 *	    table positions and the flags for raw parts, xattrs and export are
 *	    set; other fields and flags stay as they are
 * stats    inodes, ids, xattr_sets, table lengths, counts of kinds; hard_links
 *	    counts the names of an inode behind its first
 * fails    ERR_LIMIT: over 65535 ids, 2^32 - 2 inodes, a table or listing too
 *	    long; ERR_IO; ERR_NOMEM; super and stats are then unspecified
 * thread   main
 * format   doc/squashfs.md, "Inodes", "Directories", "Look-up tables"
 */
int tables_write(const struct tables_job *job, struct super *super,
		 struct pack_stats *stats, struct err *err);

#endif
