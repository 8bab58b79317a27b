/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CHECK_INTERNAL_H
#define CHECK_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check/check.h"
#include "util/array.h"
#include "util/err.h"

struct check;
struct codec;
struct image;
struct super;

/*
 * The parts of a check. Unless said otherwise a function returns 0, also after
 * it reported faults, and -1 if the check cannot go on; those that fetch
 * something return 1 where it is not to be had, which was reported if the image
 * is damaged there.
 */

#define NONE UINT32_MAX

/* decoder.c: reads and decompresses; of one thread. */
struct decoder {
	const struct image *image;
	struct codec *codec;
	uint8_t *raw; /* as many bytes as the longest stored block has */
};

int decoder_init(struct decoder *decoder, const struct image *image,
		 struct err *err);
void decoder_cleanup(struct decoder *decoder);

/*
 * Reads one block of stored bytes, which are up to the longest that a block
 * may have.
 *
 * returns  0; -1: with ERR_CORRUPT where the block is damaged
 */
int decoder_read(struct decoder *decoder, uint64_t at, uint32_t stored,
		 bool is_raw, uint8_t *buf, size_t cap, size_t *len,
		 struct err *err);

/*
 * stream.c: records in metadata blocks, one block behind the other. A record is
 * found by its byte in the whole of them, which is to say that every block but
 * the last has META_LEN bytes.
 */
struct stream {
	const char *name; /* "inode table" */
	uint64_t start, end;
	uint32_t *positions; /* of the headers from start, and of the end */
	size_t count, cap;   /* blocks */
	uint8_t *states;     /* of each block: was it looked at */
	uint64_t len;	     /* bytes in all blocks */
	size_t last;	     /* the block found last */
	struct slot *slots;  /* blocks that were decompressed lately */
	uint64_t clock;
};

/* An entry of a look-up table as lookup.c gives it. */
struct lookup {
	const char *name;
	uint64_t index;	    /* position of it */
	uint64_t head;	    /* where the blocks end: the index, or the header in
			     * front of it */
	uint64_t begin;	    /* where its first block is to stand, or 0 */
	uint32_t entry_len; /* bytes, a power of two */
	uint64_t count;
	int (*each)(struct check *c, uint64_t number, const uint8_t *entry,
		    uint64_t at, struct err *err); /* or NULL */
};

/* An inode that was found; 32 bytes. */
struct node {
	uint64_t pos;	 /* in the inode table */
	uint32_t number; /* as it says, as is */
	uint32_t nlink;
	uint32_t found; /* names that lead to it */
	uint32_t dir;	/* the first one's directory, in check.dirs; or NONE */
	uint32_t entry; /* the first one's place in the listing */
	uint8_t type;	/* enum inode_type */
};

/* Whether the root is above a directory; links.c finds out. */
enum dir_state { DIR_UNKNOWN, DIR_ON_THE_WAY, DIR_BELOW_ROOT, DIR_APART };

struct directory {
	uint32_t node;
	uint32_t parent; /* number that it says */
	uint32_t block;	 /* of its listing */
	uint32_t len;	 /* bytes of the listing */
	uint16_t offset;
	uint16_t index_count;
	uint8_t state;	     /* enum dir_state */
	bool is_broken;	     /* not all of its listing could be read */
	uint32_t names, dirs; /* found in it */
};

/* Inodes one behind the other; those between segments are not known. */
struct segment {
	uint64_t pos, end;   /* in the inode table */
	uint32_t first, count; /* nodes */
};

/* Blocks that are stored one behind the other: of a file, or a fragment's. */
struct run {
	uint64_t start;
	uint64_t words; /* where they are: in check.words or, with in_table, in
			 * the inode table; of a fragment block its word */
	uint64_t count; /* of words */
	uint32_t owner; /* node, or number of the fragment block */
	uint32_t last_len; /* bytes of the last block; 0: a fragment block */
	bool in_table;
};

/* A fault that waits for the paths to be known. */
struct held {
	enum fault_kind kind;
	uint32_t node;
	uint64_t at;
	size_t text; /* in check.held_text */
};

struct check {
	struct image *image;
	const struct super *super;
	const struct check_options *options;
	struct check_stats stats;
	struct decoder decoder; /* the main thread's */
	uint8_t *window;	/* bytes of the image, for look-ups */
	uint64_t window_at;
	size_t window_len;

	uint64_t data_start; /* behind the compressor's options */
	struct stream inodes, directories, pairs;
	struct lookup export;	/* if there is one */

	struct node *nodes;
	size_t node_count, node_cap, last_node;
	struct segment *segments; /* ascending */
	size_t segment_count, segment_cap;
	bool is_broken; /* not all of the inode table could be read */
	uint32_t root; /* node, or NONE */
	struct directory *dirs;
	size_t dir_count, dir_cap;
	size_t dirs_broken;
	uint64_t listings_left; /* bytes that are still read */

	uint32_t *words; /* of block lists, up to a limit */
	size_t word_count, word_cap;
	struct run *runs;
	size_t run_count, run_cap;
	uint32_t *need; /* bytes wanted of each fragment block */
	size_t need_count, need_cap;

	uint32_t xattr_count; /* sets, as the table says */
	struct sets *sets;    /* xattr.c's, while they are read */

	bool is_holding; /* faults of inodes are held */
	struct held *held;
	size_t held_count, held_cap;
	struct buffer held_text;
	struct buffer path; /* of path.c: path_dir_len bytes of the path of
			     * path_dir, in check.dirs, or NONE; then a name */
	uint32_t path_dir;
	size_t path_dir_len;
};

/* check.c */
void fault(struct check *c, enum fault_kind kind, uint64_t at, const char *fmt,
	   ...) ERR_PRINTF(4, 5);

/* Of an inode: its path comes in front. Given away when paths are known. */
void node_fault(struct check *c, enum fault_kind kind, uint32_t node,
		uint64_t at, const char *fmt, ...) ERR_PRINTF(5, 6);
void release_held(struct check *c);

/* True if err tells of damage, not of something that stops the check. */
bool is_damage(const struct err *err);

/* path.c: "" is the root; NULL if there is none, or it is not known yet;
 * borrowed until the next. */
const char *node_path(struct check *c, uint32_t node);

/* Bytes of the image, by way of the window. 0, 1, -1. */
int window_get(struct check *c, uint64_t at, void *buf, size_t len,
	       struct err *err);

/* stream.c: finds the blocks from start to end, which must be all there is. */
int stream_open(struct check *c, struct stream *s, const char *name,
		uint64_t start, uint64_t end, struct err *err);
int stream_get(struct check *c, struct stream *s, uint64_t pos, void *buf,
	       size_t len, struct err *err);

/* Where a reference leads; false if no block begins there. */
bool stream_find(struct stream *s, uint64_t block, uint32_t offset,
		 uint64_t *pos);

/* The byte of the image where the block of a record begins. */
uint64_t stream_at(const struct stream *s, uint64_t pos);

/* Looks at the blocks that nothing was read from. */
int stream_rest(struct check *c, struct stream *s, struct err *err);
void stream_cleanup(struct stream *s);

/* lookup.c: checks a table and gives all its entries in order. */
int check_lookup(struct check *c, const struct lookup *l, struct err *err);

/* super.c */
int check_super(struct check *c, struct err *err);
int open_tables(struct check *c, struct err *err);

/* inode.c: all inodes from a record on, to the end or to those known. */
int walk_inodes(struct check *c, uint64_t pos, struct err *err);

/* inode.c: the inode at a place of the table; NONE if there is none known. */
uint32_t find_node(struct check *c, uint64_t pos);

/* listing.c: all directories, those too that are found on the way. */
int check_directories(struct check *c, struct err *err);

/* links.c: counts, numbers, what is not reached, the export table. */
int check_links(struct check *c, struct err *err);
int check_export(struct check *c, uint64_t number, const uint8_t *entry,
		 uint64_t at, struct err *err);

/* xattr.c */
int open_xattrs(struct check *c, uint64_t begin, struct err *err);
int check_xattrs(struct check *c, struct err *err);

/* data.c: fragment table entries are noted, then all blocks checked. */
int note_fragment(struct check *c, uint64_t number, const uint8_t *entry,
		  uint64_t at, struct err *err);
int check_data(struct check *c, struct err *err);

#endif
