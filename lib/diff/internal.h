/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef DIFF_INTERNAL_H
#define DIFF_INTERNAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "diff/diff.h"
#include "util/arena.h"
#include "util/array.h"
#include "util/digest.h"

struct err;
struct held;
struct source;

/*
 * content.c: the bytes of a file, which can be read anywhere, or went by once
 * and left digests.
 */
struct content {
	uint64_t size;
	struct source *source;	    /* NULL if there are digests */
	const struct entry *entry;  /* what reading wants, as extents */
	const struct extent *extents;
	size_t extent_count;
	const struct digest *digests; /* one for each granule that an extent
				       * touches, or NULL */
};

/* Files are compared in pieces that begin at multiples of this. */
#define PIECE_LEN (UINT32_C(1) << 20)

/* Bytes that one digest stands for, in a file of that size. */
uint32_t granule_of(uint64_t size);

/* The first byte from offset on that is in an extent; size if none is. *at is
 * 0 to begin with, and then goes along with offset. */
uint64_t content_next(const struct content *content, uint64_t offset,
		      size_t *at);

/* Granules of a part that extents touch; at as above. */
size_t content_touched(const struct content *content, uint64_t offset,
		       uint64_t len, size_t *at);

/* Reads any part, zeros where there are holes. Thread: any. */
int content_read(const struct content *content, uint64_t offset, uint8_t *buf,
		 uint64_t len, struct err *err);

/* The digest of a granule; all zero for nothing but zeros. */
void granule_digest(const struct digest_key *key, const uint8_t *data,
		    size_t len, struct digest *out);

/*
 * Reads the content of the entry that a source which goes forward gave last.
 *
 * out      digests are appended, one for each granule that extents touch
 */
int content_digest(struct source *source, const struct entry *entry,
		   const struct digest_key *key, struct buffer *out,
		   struct err *err);

/* side.c: one of the two as paths in the order of the tree. */
struct side {
	const struct diff_input *input;
	struct held *held; /* what had to be read whole; or NULL */
	bool as_image; /* nothing counts that an image could not hold */
};

struct item {
	const char *path;      /* borrowed until the next step */
	struct diff_node node; /* borrowed likewise, or from entry */
	bool has_names;	       /* its inode has several */
	uint64_t inode[2];     /* then which one */
	bool is_implicit;      /* nobody says what its attributes are */
	struct entry *entry;   /* that goes with it, owned; or NULL */
	size_t cost;	       /* bytes that entry takes, roughly */
	const void *kept;      /* held.c's */
};

/*
 * Makes an entry what an image could hold of it: attributes with other names
 * go, and the time comes into range.
 */
void fit_image(struct entry *entry);

/* key is borrowed for the side's life. */
int side_init(struct side *side, const struct diff_options *options,
	      const struct diff_input *input, const struct digest_key *key,
	      struct err *err);

/* 0 with *out, 1 at the end, -1. */
int side_next(struct side *side, struct item *out, struct err *err);

/* The directory that side_next gave last is left out with all below it. */
void side_prune(struct side *side);

/*
 * The content of a file that side_next gave last. An entry that is made for it
 * becomes the item's.
 */
int side_content(struct side *side, struct item *item, struct content *out,
		 struct err *err);

/* Puts the input's name in front; -1. */
int side_fail(const struct side *side, struct err *err);

void side_cleanup(struct side *side);

/* held.c: all entries of a source in a tree. */
int held_create(const struct diff_options *options,
		const struct diff_input *input, const struct digest_key *key,
		struct held **out, struct err *err);
int held_next(struct held *held, struct item *out, struct err *err);
int held_content(struct held *held, struct item *item, struct content *out,
		 struct err *err);

/* held may be NULL. */
void held_destroy(struct held *held);

/* judge.c: what differs between two, but for content and links. */
unsigned judge(const struct diff_options *options, const struct item *old,
	       const struct item *new);

/* work.c: what becomes of the content of two files. Thread: main. */
struct outcome {
	size_t pending; /* pieces on their way */
	bool is_failed; /* work_failure says why */
	bool differs;
	uint64_t differs_at, differs_span;
};

/* links.c: inodes with several names. */
struct link_level;
struct link_name;

struct group {
	const struct link_name *first; /* of its names that both sides have */
	struct outcome outcome; /* of the content there, once that is known */
};

struct links {
	const struct digest_key *key; /* borrowed */
	struct digest_map old, new; /* inodes of either side */
	struct arena arena;
	struct buffer last;	   /* the path that came last */
	struct link_level *levels; /* depth of them, of its components */
	size_t depth, level_cap;
};

/*
 * The group of an inode; a new one that begins with this path if there is none.
 *
 * map      links->old or ->new
 * path     in the order of the tree; that of the call before, or behind it
 * is_new   whether it begins here; the first of both sides is then the same
 */
int links_find(struct links *links, struct digest_map *map,
	       const uint64_t inode[2], const char *path, struct group **out,
	       bool *is_new, struct err *err);

/* The path, with a NUL. ERR_NOMEM. */
int link_name_text(const struct link_name *name, struct buffer *out,
		   struct err *err);

void links_cleanup(struct links *links);

/* piece.c: the work. */
#define PAIRS_LEN 1024

/* Pairs of fragment blocks that were compared lately. */
struct pairs {
	_Atomic uint64_t slots[PAIRS_LEN];
};

struct piece_kit {
	uint8_t *old, *new; /* PIECE_LEN bytes each */
};

struct piece {
	/* set before submit, read-only from then on */
	const struct content *old, *new;
	const struct side *old_side, *new_side;
	uint64_t offset, len;
	size_t old_digest, new_digest; /* the first of its granules */

	/* the worker's from submit to collect, then the main thread's */
	bool differs;
	uint64_t differs_at, differs_span;
};

/* Thread: any, each with its own kit. */
int piece_compare(struct piece *piece, const struct digest_key *key,
		  struct pairs *pairs, struct piece_kit *kit, struct err *err);

struct work;

/* key is borrowed. ERR_NOMEM. */
int work_create(unsigned jobs, const struct digest_key *key, struct work **out,
		struct err *err);

/* False: collect first. */
bool work_has_room(const struct work *work);

/* Gives a piece away; there is room. Pieces come back in the same order. */
void work_add(struct work *work, const struct piece *piece,
	      struct outcome *outcome);

/* Waits for the oldest pieces; there are some. */
void work_collect(struct work *work);

/*
 * Why the first outcome in the order of pieces failed. Those behind it may not
 * be known.
 */
const struct err *work_failure(const struct work *work);

/* work may be NULL. What outcomes point to must still be there. */
void work_destroy(struct work *work);

#endif
