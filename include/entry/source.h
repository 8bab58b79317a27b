/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ENTRY_SOURCE_H
#define ENTRY_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct entry;
struct err;
struct iovec;
struct source;

/* Where entries come from: an archive, a tree, an image. */
struct source_ops {
	/*
	 * The next entry, the caller's from then on; what is left of the
	 * content of the one before is skipped.
	 *
	 * returns  0 with *out, 1 at the end, -1
	 * thread   main
	 */
	int (*next)(struct source *src, struct entry **out, struct err *err);

	/*
	 * Reads exactly len bytes of the input, at being in the terms of
	 * entry's extents. NULL if the input only goes forward.
	 * Thread: any, many at once.
	 */
	int (*read_at)(const struct source *src, const struct entry *entry,
		       uint64_t at, void *buf, size_t len, struct err *err);

	/*
	 * The same into count pieces of memory, one behind the other; the list
	 * of them may be changed. Not NULL where one_input is set and
	 * read_at is there. Thread: any, many at once.
	 */
	int (*readv_at)(const struct source *src, const struct entry *entry,
			uint64_t at, struct iovec *iov, int count,
			struct err *err);

	/*
	 * True if the bytes of an entry from at on, in the terms of its
	 * extents, lie unchanged in a file, so that the system can copy them:
	 * then *fd, borrowed, has *len of them, 1 or more, at *fd_at. NULL:
	 * never. Thread: main.
	 */
	bool (*plain)(const struct source *src, const struct entry *entry,
		      uint64_t at, int *fd, uint64_t *fd_at, uint64_t *len);

	/*
	 * Where read_at is NULL: reads exactly the next len bytes of the last
	 * entry's extents, one extent after the other without the gaps.
	 * Thread: main.
	 */
	int (*read)(struct source *src, void *buf, size_t len,
		    struct err *err);

	/*
	 * The last entry, a directory, is left out with all that lies below,
	 * so that need not be looked at. It may be given all the same. NULL: it
	 * is. Thread: main.
	 */
	void (*prune)(struct source *src);

	/*
	 * How far the input has been read, and its length or 0 if that is not
	 * known, in bytes: for a progress display. May be NULL. Thread: main.
	 */
	void (*progress)(const struct source *src, uint64_t *done,
			 uint64_t *total);

	void (*destroy)(struct source *src);
};

struct source {
	const struct source_ops *ops;

	/*
	 * The extents of all entries lie in one input, so that one read can
	 * fetch the content of neighbours together with what lies between.
	 */
	bool one_input;

	/*
	 * What the input is called, in front of failures about its entries, or
	 * NULL; borrowed. Of an entry's origin.
	 */
	const char *name;

	/*
	 * Entries that have it as their origin: added by whoever sets that,
	 * taken away by entry_destroy. Thread: main.
	 */
	size_t entry_count;
};

static inline int source_next(struct source *src, struct entry **out,
			      struct err *err)
{
	return src->ops->next(src, out, err);
}

static inline int source_read_at(const struct source *src,
				 const struct entry *entry, uint64_t at,
				 void *buf, size_t len, struct err *err)
{
	return src->ops->read_at(src, entry, at, buf, len, err);
}

static inline int source_readv_at(const struct source *src,
				  const struct entry *entry, uint64_t at,
				  struct iovec *iov, int count,
				  struct err *err)
{
	return src->ops->readv_at(src, entry, at, iov, count, err);
}

static inline int source_read(struct source *src, void *buf, size_t len,
			      struct err *err)
{
	return src->ops->read(src, buf, len, err);
}

/* src may be NULL. */
static inline void source_destroy(struct source *src)
{
	if (src)
		src->ops->destroy(src);
}

#endif
