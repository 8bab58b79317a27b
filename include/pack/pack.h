/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PACK_PACK_H
#define PACK_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/codec.h"
#include "tree/tree.h"

struct entry;
struct err;
struct sink;
struct warner;

/* What is stored as it is. */
struct pack_raw {
	bool data, fragments, inodes, ids, xattrs;
};

struct pack_options {
	const struct codec_ops *codec;
	struct codec_config config; /* its block_size is the image's */
	struct pack_raw raw;
	bool probe;	       /* blocks that look dense are not compressed */
	bool no_fragments;     /* every tail-end is a block of its own */
	bool no_tail_packing;  /* those of files over one block are */
	bool no_duplicates;    /* equal content is stored again */
	bool no_sparse;	       /* zeros are stored */
	bool exportable;       /* write an export table */
	uint32_t pad_to;       /* the image's length is a multiple; 1024 up */
	uint32_t mkfs_time;    /* of the super block */
	struct tree_options tree;

	/*
	 * Of a file whose content could not be read: err says why, with its
	 * name in front. 0 to leave it out, with all its names, and to go on;
	 * -1 to fail. NULL: the run fails. Main thread.
	 */
	int (*fault)(void *arg, const struct entry *entry,
		     const struct err *err);
	void *fault_arg;

	/* override what the root's entry or the defaults say; -1: do not */
	int32_t root_mode;
	int64_t root_uid, root_gid, root_mtime;
};

/* Bytes are of content unless said otherwise. */
struct pack_stats {
	uint64_t bytes_read;	   /* content of all files */
	uint64_t bytes_stored;	   /* data and fragment blocks in the image */
	uint64_t image_len;	   /* with padding */
	uint64_t files, dirs, symlinks, devices, ipcs, hard_links;
	uint64_t blocks;	   /* stored, fragment blocks included */
	uint64_t fragment_blocks;
	uint64_t duplicate_blocks; /* not stored a second time */
	uint64_t duplicate_bytes;
	uint64_t sparse_blocks;	   /* holes */
	uint64_t sparse_bytes;
	uint64_t tail_ends;	   /* in fragment blocks */
	uint64_t duplicate_tail_ends;
	uint64_t duplicate_tail_bytes;
	uint64_t tail_blocks_saved;/* blocks that tail-ends did not need */
	uint64_t inodes;
	uint64_t ids;
	uint64_t xattr_sets;
	uint64_t inode_table_len, directory_table_len; /* stored bytes */
};

/*
 * A sink that writes a SquashFS image.
 *
 * fd       open for writing at offset 0, borrowed; not closed, not synced
 * truncate the file's length is set to the image's: false for devices
 * options  copied
 * out      the sink, the caller's
 * fails    ERR_NOMEM, ERR_IO
 */
int pack_create(int fd, bool truncate, const struct pack_options *options,
		struct sink **out, struct err *err);

/* Complete after the flow is done. Borrowed. */
const struct pack_stats *pack_stats(const struct sink *sink);

#endif
