/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RDSQUASHFS_NODE_H
#define RDSQUASHFS_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "sqfs/inode.h"
#include "sqfs/meta.h"

struct err;
struct image;

/* One name of the image with its inode; borrows from the walk. */
struct node {
	const char *path; /* cleaned, path_len bytes and a NUL */
	size_t path_len;
	struct meta_ref ref;
	struct inode inode;
	uint32_t uid, gid;
};

/* The last component of its path; "" for the root. Borrowed. */
const char *node_name(const struct node *node);

/* The size that is shown: of content, of a listing, of a target. */
uint64_t node_size(const struct inode *inode);

/* What ls puts first: d, -, l, b, c, p or s. */
char node_letter(enum inode_type type);

/* "directory", "file", "symbolic link", ... */
const char *node_type_name(enum inode_type type);

#define MODE_TEXT_LEN 11

/* "drwxr-xr-x" */
const char *mode_text(enum inode_type type, uint16_t mode,
		      char out[MODE_TEXT_LEN]);

#define TIME_TEXT_LEN 48

/* A time in UTC by strftime; returns out. */
const char *time_text(uint32_t mtime, const char *format,
		      char out[TIME_TEXT_LEN]);

/* What each may return besides 0 and -1: go no deeper here. */
#define WALK_PRUNE 1

/* What is walked. */
struct walk_start {
	const char *path;    /* cleaned */
	struct meta_ref ref; /* of the entry at path */
	uint32_t depth;	     /* levels below it; 0: itself alone */
	bool with_index;     /* inodes come with their directory index */
};

/*
 * Calls each for an entry and for what lies below it, in the order of the
 * names, parents first.
 *
 * each     the node is borrowed for the call
 * fails    ERR_CORRUPT: also if a directory is reached twice, or a path is
 *	    longer than IMAGE_PATH_MAX; ERR_NOMEM, ERR_IO, what each returns
 */
int node_walk(struct image *image, const struct walk_start *start,
	      int (*each)(void *arg, const struct node *node,
			  struct err *err),
	      void *arg, struct err *err);

#endif
