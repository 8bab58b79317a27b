/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef SQFS_IMAGE_H
#define SQFS_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sqfs/inode.h"
#include "sqfs/meta.h"
#include "util/array.h"

struct codec_ops;
struct err;
struct image;
struct super;

/*
 * An image that is there to be read. Everything that comes from it is checked
 * before it is used; what does not fit its format is ERR_CORRUPT, and the text
 * names the table and the byte.
 *
 * All functions are for the main thread, but for image_read and the plain
 * getters. Format: doc/squashfs.md.
 */

/* What an image can make a reader hold, whatever it claims. */
#define IMAGE_PATH_MAX	  65535u /* bytes of a path in it */
#define IMAGE_TARGET_MAX  65535u /* bytes of a symlink's target */
#define IMAGE_XATTR_NAME_MAX  65535u
#define IMAGE_XATTR_VALUE_MAX (UINT32_C(16) * 1024 * 1024)
#define IMAGE_XATTR_SET_MAX   (UINT32_C(64) * 1024 * 1024) /* bytes in all */
#define IMAGE_XATTR_COUNT_MAX 65536u /* in a set; as in an archive */

struct image_options {
	uint64_t offset; /* of the super block in the file */
	const struct codec_ops *const *codecs; /* besides the built in ones */
};

/*
 * Opens an image: super block, compressor options, ids.
 *
 * fd       borrowed until image_close; a file or device that can be read at
 *	    offsets
 * fails    ERR_CORRUPT; ERR_UNSUPPORTED: a compressor that is not built in, an
 *	    older version; ERR_IO, ERR_NOMEM
 */
int image_open(int fd, const struct image_options *options, struct image **out,
	       struct err *err);

/* image may be NULL. */
void image_close(struct image *image);

/*
 * Looks for an image that begins somewhere in a file, behind a program for
 * example: the first place with a super block that holds together.
 *
 * fails    ERR_CORRUPT: there is none; ERR_IO, ERR_NOMEM
 */
int image_find(int fd, uint64_t *offset, struct err *err);

/* Borrowed as long as the image. */
const struct super *image_super(const struct image *image);

/* The compressor; constant. */
const struct codec_ops *image_codec(const struct image *image);

int image_fd(const struct image *image);
uint64_t image_offset(const struct image *image);

/*
 * Reads exactly len bytes at a position counted from the super block, all of
 * them before bytes_used. ERR_CORRUPT, ERR_IO. Thread: any, many at once.
 */
int image_read(const struct image *image, uint64_t at, void *buf, size_t len,
	       struct err *err);

/* The id behind an index. ERR_CORRUPT. */
int image_id(const struct image *image, uint16_t index, uint32_t *out,
	     struct err *err);

/* What a decoded inode borrows from; all zero to begin with, used again. */
struct inode_space {
	bool with_index; /* set by the caller: decode directory indexes too */
	struct buffer words; /* block words, as uint32_t */
	struct buffer text;  /* target, or names of a directory index */
	struct buffer index; /* struct dir_index */
};

void inode_space_cleanup(struct inode_space *space);

/*
 * Decodes an inode.
 *
 * out      words, target (without a NUL among its bytes; one behind them) and
 *	    index are borrowed from space; is_extended tells the stored form
 * space    overwritten
 * next     where the record behind it begins, or NULL
 * fails    ERR_CORRUPT, ERR_NOMEM, ERR_IO
 * format   doc/squashfs.md, "Inodes"
 */
int inode_decode(struct image *image, struct meta_ref ref, struct inode *out,
		 struct inode_space *space, struct meta_ref *next,
		 struct err *err);

/* One name of a directory. */
struct dir_item {
	char name[256 + 1]; /* name_len bytes and a NUL */
	uint16_t name_len;  /* 1 to 256 */
	struct meta_ref ref;
	uint32_t number;
	enum inode_type type;
};

/* A listing being read. Holds no memory. */
struct dir_reader {
	struct image *image;
	struct meta_ref at; /* in the directory table */
	uint32_t left;	    /* bytes of the listing */
	uint32_t run;	    /* entries left of the run */
	uint32_t base;
	uint64_t block;
	char last[256 + 1]; /* the name before */
	uint16_t last_len;
};

/* dir is a decoded directory; ERR_CORRUPT. */
int dir_open(struct image *image, const struct inode *dir,
	     struct dir_reader *out, struct err *err);

/*
 * The next name. Names are fit to be names of files (not empty, ".", "..", no
 * slash and no NUL) and ascend, so that none comes twice.
 *
 * returns  0 with *out, 1 at the end, -1
 * fails    ERR_CORRUPT, ERR_NOMEM, ERR_IO
 * format   doc/squashfs.md, "Directories"
 */
int dir_next(struct dir_reader *reader, struct dir_item *out, struct err *err);

/*
 * Finds a path.
 *
 * path     cleaned and relative; "" is the root
 * returns  0, 1 if there is no such name, or a component of it is no
 *	    directory; -1
 */
int image_lookup(struct image *image, const char *path, struct meta_ref *out,
		 struct err *err);

struct meta_ref image_root(const struct image *image);

/* One entry of the fragment table. */
struct fragment {
	uint64_t start; /* from the super block */
	uint32_t word;	/* as of a block; never 0 */
};

/* ERR_CORRUPT: also if the fragment block lies outside of the data. */
int image_fragment(struct image *image, uint32_t index, struct fragment *out,
		   struct err *err);

/* The inode that the export table names. ERR_CORRUPT. Only if there is one. */
int image_export(struct image *image, uint32_t number, struct meta_ref *out,
		 struct err *err);

/*
 * Gives all attributes of one set.
 *
 * index    an inode's, not INODE_NO_XATTR
 * each     called with a whole name ("user.k"), a NUL behind it, and len bytes
 *	    of value, all borrowed for the call; -1 ends it. prefix_known is
 *	    false for a prefix that nobody has defined: the name is then made
 *	    up from its number
 * fails    ERR_CORRUPT, ERR_LIMIT, ERR_NOMEM, ERR_IO, what each returns
 * format   doc/squashfs.md, "Extended attributes"
 */
struct xattr_pair {
	const char *name;
	const uint8_t *value;
	size_t len;
	bool prefix_known;
	bool out_of_line;
};
int image_xattrs(struct image *image, uint32_t index,
		 int (*each)(void *arg, const struct xattr_pair *pair,
			     struct err *err),
		 void *arg, struct err *err);

/* Sets in the table; 0 if there is none. ERR_CORRUPT, ERR_IO. */
int image_xattr_count(struct image *image, uint32_t *out, struct err *err);

#endif
