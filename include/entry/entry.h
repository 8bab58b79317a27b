/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ENTRY_ENTRY_H
#define ENTRY_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct source;

enum entry_type {
	ENTRY_FILE,
	ENTRY_DIR,
	ENTRY_SYMLINK,
	ENTRY_HARDLINK,
	ENTRY_BLOCK_DEVICE,
	ENTRY_CHAR_DEVICE,
	ENTRY_FIFO,
	ENTRY_SOCKET
};

/* The words for a type in messages: "file", "directory", ... */
const char *entry_type_name(enum entry_type type);

/*
 * len bytes of a file's content at offset, found in the input at at. The
 * extents of a file ascend and do not overlap; gaps between them, and from the
 * last to the file's size, are holes. len is never 0.
 */
struct extent {
	uint64_t offset;
	uint64_t at;
	uint64_t len;
};

/* How an entry's content wants to be stored, and where it comes in. */
enum entry_flag {
	ENTRY_NO_FRAGMENT = 1 << 0,   /* no tail-end: a block of its own */
	ENTRY_NO_COMPRESS = 1 << 1,   /* as it is */
	ENTRY_NO_DUPLICATES = 1 << 2, /* even if equal content is there */
	ENTRY_NO_SPARSE = 1 << 3,     /* zeros are stored, make no holes */
	ENTRY_ALIGN = 1 << 4,	      /* begins at a multiple of the output's
				       * device block size */

	/*
	 * A file of size 0 here, whose content comes later, as an entry with
	 * ENTRY_IS_CONTENT and the same content_index; what that entry says
	 * besides its size, extents and flags does not matter. All of them have
	 * the index 0, 1, 2 ... in this order; each comes once.
	 */
	ENTRY_CONTENT_LATER = 1 << 5,
	ENTRY_IS_CONTENT = 1 << 6,

	/*
	 * A directory that no entry has named so far, only what lies below:
	 * what it says are its extended attributes. For the rest it is what it
	 * would be without this entry, and nothing gives way to it.
	 */
	ENTRY_IMPLIED = 1 << 7
};

struct xattr {
	char *name;	/* whole: "user.k" */
	uint8_t *value; /* len bytes, then a NUL that does not count */
	size_t len;
};

/*
 * One member of an archive or tree. It owns all that it points to, and does
 * not change between flow taking it and its last block being collected, so
 * that workers may read it.
 *
 * path and link are heap memory of their own or lie in the entry's memory
 * (entry_create_named), extents likewise: entry_destroy knows. They may be
 * replaced by other heap memory by whoever frees the old with entry_free_part,
 * and shortened in place.
 */
struct entry {
	char *path; /* cleaned, relative; "" is the root */
	enum entry_type type;
	uint16_t mode; /* permission bits, 0 to 07777 */
	uint32_t uid, gid;
	int64_t mtime;	/* seconds since 1970, rounded down */
	uint32_t major, minor; /* devices */
	char *link; /* symlink: target as it is; hard link: cleaned path */

	uint64_t size; /* bytes, holes included; files, and a hard link that
			* brings its content along */
	struct extent *extents;
	size_t extent_count;

	struct xattr *xattrs; /* names differ; sorted by name */
	size_t xattr_count;

	uint64_t input_offset; /* where its first header stands, for messages */

	unsigned flags;		/* of enum entry_flag */
	uint32_t content_index; /* with ENTRY_CONTENT_LATER or _IS_CONTENT */

	/*
	 * Where the content is read from: borrowed, and there as long as the
	 * entry. NULL: the source that gave the entry.
	 */
	struct source *origin;

	/*
	 * What the source notes about how the content is stored: one piece of
	 * heap memory, freed with the entry, or NULL.
	 */
	void *stored;

	void *of_sink; /* the sink's, from sink_ops.announce to .end */

	struct entry *next; /* whoever holds the entry may chain it */

	size_t own_len;	     /* of this memory: the struct and its texts */
	struct extent first; /* room for the only extent of most files */
};

/* ERR_NOMEM. All zero, a file; path and link are NULL. */
int entry_create(struct entry **out, struct err *err);

/*
 * As entry_create, with copies of path and link, which cost no allocation of
 * their own.
 *
 * path  path_len bytes without a NUL
 * link  link_len bytes, or NULL
 */
int entry_create_named(const char *path, size_t path_len, const char *link,
		       size_t link_len, struct entry **out, struct err *err);

/*
 * Sets where the content is read from, unless that is set already, and counts
 * the entry there.
 */
void entry_set_origin(struct entry *entry, struct source *origin);

/* entry may be NULL. Thread: main, if it has an origin. */
void entry_destroy(struct entry *entry);

/* Frees what path, link or extents point to before they are replaced. */
void entry_free_part(const struct entry *entry, void *part);

/* Drops all attributes. */
void entry_clear_xattrs(struct entry *entry);

/*
 * Adds a copy of an extent behind the others; merges it with the last where
 * both touch in the file and in the input; one of no bytes is left out. Not for
 * an array that was set otherwise. ERR_NOMEM.
 */
int entry_add_extent(struct entry *entry, uint64_t offset, uint64_t at,
		     uint64_t len, struct err *err);

/*
 * Adds or replaces an attribute, keeping the order.
 *
 * returns  0 added, 1 replaced one of the same name, -1 with ERR_NOMEM
 */
int entry_set_xattr(struct entry *entry, const char *name, const void *value,
		    size_t len, struct err *err);

#endif
