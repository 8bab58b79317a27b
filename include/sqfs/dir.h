/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef SQFS_DIR_H
#define SQFS_DIR_H

#include <stddef.h>
#include <stdint.h>

#include "sqfs/inode.h"
#include "sqfs/meta.h"

struct err;

#define DIR_NAME_MAX 256u /* bytes of a name */

/* Bytes of a listing: Linux counts them, and the three for ".." in an int. */
#define DIR_LISTING_MAX (UINT32_C(0x80000000) - 4)

/*
 * Writes directory listings into a directory table, one after the other: begin,
 * add names in ascending order of unsigned bytes, end. All zero is ready to
 * begin. Format: doc/squashfs.md, "Directories".
 */
struct dir_writer {
	struct meta_writer *meta; /* the directory table; borrowed */
	struct meta_ref start;	  /* of the listing */
	uint32_t len;		  /* bytes of the listing; known at the end */
	struct dir_index *index;  /* names are borrowed from dir_add */
	size_t index_count, index_cap;

	/* the run being collected; lib/sqfs/dir.c alone knows them */
	struct buffer run; /* header and entries */
	uint32_t run_count;
	uint32_t run_base;
	uint64_t run_block;
	uint32_t last_index_at;
};

/* Starts a listing. */
void dir_begin(struct dir_writer *dir, struct meta_writer *meta);

/*
 * Adds a name.
 *
 * name     1 to DIR_NAME_MAX bytes, borrowed until the listing's index was used
 * ref      of the inode, from the start of the inode table
 * number   of the inode
 * fails    ERR_LIMIT: the listing grows over DIR_LISTING_MAX bytes, or its
 *	    table over 4 GiB; ERR_NOMEM
 */
int dir_add(struct dir_writer *dir, const char *name, uint16_t name_len,
	    struct meta_ref ref, uint32_t number, enum inode_type type,
	    struct err *err);

/*
 * Ends the listing: start, len, and index (empty for listings of up to
 * META_LEN bytes, at most INODE_INDEX_MAX points for long ones) then say what
 * goes into the inode; start is 0/0 if the listing is empty. The index may be
 * taken away: set it to NULL, and count and cap to 0.
 *
 * fails    ERR_LIMIT: the table grows over 4 GiB; ERR_NOMEM
 */
int dir_end(struct dir_writer *dir, struct err *err);

/* Accepts zeroed memory. */
void dir_writer_cleanup(struct dir_writer *dir);

#endif
