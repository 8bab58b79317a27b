/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef UTIL_ARENA_H
#define UTIL_ARENA_H

#include <stddef.h>

struct err;
struct arena_chunk;

/*
 * Memory that is given back all at once: no cost per allocation beyond
 * rounding up to eight bytes. All zero is an empty arena.
 */
struct arena {
	struct arena_chunk *chunks; /* the newest first */
	size_t chunk_count;	    /* without those of a single object */
	size_t used;		    /* of the newest chunk */
};

/*
 * Memory for one object, aligned to eight bytes, not cleared.
 *
 * returns  borrowed until arena_cleanup; NULL with ERR_NOMEM
 */
void *arena_alloc(struct arena *arena, size_t len, struct err *err);

/* A copy of len bytes with a NUL behind them; as arena_alloc. */
char *arena_text(struct arena *arena, const char *text, size_t len,
		 struct err *err);

/* Frees all of it; the arena is empty and usable afterwards. */
void arena_cleanup(struct arena *arena);

#endif
