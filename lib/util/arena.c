/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "util/arena.h"

#include <stdlib.h>
#include <string.h>

#include "util/account.h"
#include "util/err.h"
#include "util/huge.h"
#include "util/num.h"

#define CHUNK_LEN  ((size_t)256 << 10) /* of the first CHUNK_MANY chunks */
#define CHUNK_MANY 16
#define LARGE_LEN  ((size_t)8 << 20) /* of the others: of huge pages */

struct arena_chunk {
	struct arena_chunk *next;
	size_t len; /* of data */
	max_align_t data[];
};

static struct arena_chunk *chunk_create(size_t len, struct err *err)
{
	struct arena_chunk *chunk;
	size_t bytes;

	if (!add_size(sizeof(*chunk), len, &bytes) ||
	    !(chunk = malloc(bytes))) {
		err_nomem(err);
		return NULL;
	}
	chunk->len = len;
	if (len >= LARGE_LEN)
		huge_pages(chunk->data, len);
	return chunk;
}

/* What does not fit well into a chunk gets one of its own, behind the first,
 * so that the rest of the first stays in use. */
static void *alloc_alone(struct arena *arena, size_t len, struct err *err)
{
	struct arena_chunk *chunk = chunk_create(len, err);

	if (!chunk)
		return NULL;
	if (arena->chunks) {
		chunk->next = arena->chunks->next;
		arena->chunks->next = chunk;
	} else {
		chunk->next = NULL;
		arena->chunks = chunk;
		arena->used = len;
	}
	return chunk->data;
}

void *arena_alloc(struct arena *arena, size_t len, struct err *err)
{
	if (len > CHUNK_LEN / 4)
		return alloc_alone(arena, len, err);
	len = (len + 7) & ~(size_t)7;

	if (!arena->chunks || len > arena->chunks->len - arena->used) {
		struct arena_chunk *chunk = chunk_create(
			arena->chunk_count < CHUNK_MANY ? CHUNK_LEN : LARGE_LEN,
			err);

		if (!chunk)
			return NULL;
		chunk->next = arena->chunks;
		arena->chunks = chunk;
		arena->chunk_count++;
		arena->used = 0;
	}

	void *p = (char *)arena->chunks->data + arena->used;

	arena->used += len;
	return p;
}

char *arena_text(struct arena *arena, const char *text, size_t len,
		 struct err *err)
{
	size_t bytes;
	char *copy;

	if (!add_size(len, 1, &bytes)) {
		err_nomem(err);
		return NULL;
	}
	copy = arena_alloc(arena, bytes, err);
	if (copy) {
		copy_bytes(copy, text, len);
		copy[len] = '\0';
	}
	return copy;
}

void arena_cleanup(struct arena *arena)
{
	while (arena->chunks) {
		struct arena_chunk *next = arena->chunks->next;

		free(arena->chunks);
		arena->chunks = next;
	}
	arena->chunk_count = 0;
	arena->used = 0;
}
