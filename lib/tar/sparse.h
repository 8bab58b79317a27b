/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TAR_SPARSE_H
#define TAR_SPARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct entry;
struct err;

/*
 * The map of a sparse file while it is read: each segment becomes an extent of
 * the entry at once. All zero, with entry and real_size set, is the beginning.
 *
 * format   doc/tar.md, "Sparse files"
 */
struct sparse_map {
	struct entry *entry; /* borrowed */
	uint64_t real_size;  /* bytes of the file, holes included */
	uint64_t end;	     /* of the last segment in the file */
	uint64_t data_len;   /* bytes of all segments */
	uint64_t count;	     /* segments */
};

/*
 * Adds the next segment; its extent counts from the first byte of the data
 * until sparse_map_finish. ERR_CORRUPT, ERR_LIMIT, ERR_NOMEM.
 */
int sparse_map_add(struct sparse_map *map, uint64_t offset, uint64_t len,
		   struct err *err);

/*
 * Adds up to count segments of a header or an extension block.
 *
 * returns  0; -1 as sparse_map_add
 */
int sparse_map_add_block(struct sparse_map *map, const uint8_t *segments,
			 size_t count, struct err *err);

/* Adds all of "offset,len,offset,len". As sparse_map_add. */
int sparse_map_add_text(struct sparse_map *map, const char *text, size_t len,
			struct err *err);

/*
 * The map that stands in front of the data, a number to a line: its bytes are
 * handed over block by block. All zero is the beginning.
 */
struct sparse_text {
	uint64_t number;  /* so far */
	uint64_t offset;  /* of the segment whose length comes next */
	uint64_t wanted;  /* numbers to come */
	unsigned digits;  /* of number */
	bool has_count;	  /* the first number was read */
	bool is_complete; /* the rest of the block is padding */
};

/* ERR_CORRUPT, ERR_LIMIT, ERR_NOMEM. */
int sparse_text_feed(struct sparse_text *text, struct sparse_map *map,
		     const uint8_t *data, size_t len, struct err *err);

/*
 * Ends the map: its extents lie at data_at.
 *
 * data_len  bytes that the archive holds; ERR_CORRUPT unless the segments are
 *	     just as many
 */
int sparse_map_finish(struct sparse_map *map, uint64_t data_at,
		      uint64_t data_len, struct err *err);

#endif
