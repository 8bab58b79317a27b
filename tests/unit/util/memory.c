/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The array, the buffer and the arena. */
#include <stdlib.h>

#include "check.h"
#include "util/arena.h"
#include "util/array.h"
#include "util/err.h"

static void test_array(void)
{
	struct err err = { 0 };
	uint32_t *items = NULL;
	size_t cap = 0, moves = 0;

	check(array_reserve(&items, &cap, 0, sizeof(*items), &err) == 0);
	check(items == NULL && cap == 0);
	for (size_t i = 0; i < 100000; i++) {
		size_t before = cap;

		check(array_reserve(&items, &cap, i + 1, sizeof(*items),
				    &err) == 0);
		check(cap > i);
		moves += cap != before;
		items[i] = (uint32_t)i * 3;
	}
	check(moves < 40); /* or appending would be quadratic */
	for (size_t i = 0; i < 100000; i++)
		check_u64(items[i], (uint32_t)i * 3);

	/* all at once, far beyond the half */
	check(array_reserve(&items, &cap, 1000000, sizeof(*items), &err) == 0);
	check(cap >= 1000000);
	check_u64(items[99999], 99999 * 3);

	/* what cannot be leaves the array as it is */
	size_t had = cap;
	uint32_t *were = items;

	check(array_reserve(&items, &cap, SIZE_MAX / 4 + 1, 4, &err) == -1);
	check_u64(err.code, ERR_NOMEM);
	check(array_reserve(&items, &cap, SIZE_MAX, SIZE_MAX, &err) == -1);
	check(items == were && cap == had);
	check_u64(items[99999], 99999 * 3);
	free(items);
}

static void test_buffer(void)
{
	struct buffer buffer = { 0 };
	struct err err = { 0 };
	uint8_t piece[300];
	size_t len = 0;

	check(buffer_append(&buffer, NULL, 0, &err) == 0);
	check_u64(buffer.len, 0);
	for (size_t n = 0; n < sizeof(piece); n++) {
		memset(piece, (int)n, sizeof(piece));
		check(buffer_append(&buffer, piece, n, &err) == 0);
		len += n;
		check_u64(buffer.len, len);
		check(buffer.cap >= len);
	}
	len = 0;
	for (size_t n = 0; n < sizeof(piece); len += n, n++) {
		memset(piece, (int)n, sizeof(piece));
		check_mem(buffer.data + len, piece, n);
	}
	check(buffer_reserve(&buffer, 5000, &err) == 0);
	check(buffer.cap - buffer.len >= 5000);
	check_u64(buffer.len, len);
	check(buffer_reserve(&buffer, SIZE_MAX, &err) == -1);
	check_u64(err.code, ERR_NOMEM);
	check_u64(buffer.len, len);
	buffer_cleanup(&buffer);
	check(buffer.data == NULL && buffer.len == 0 && buffer.cap == 0);
	check(buffer_append(&buffer, "x", 1, &err) == 0);
	buffer_cleanup(&buffer);
	buffer_cleanup(&buffer);
}

/* Objects of all sizes: aligned, and none lies upon another. */
static void test_arena(void)
{
	enum { COUNT = 3000 };
	struct arena arena = { 0 };
	struct err err = { 0 };
	uint8_t **objects = calloc(COUNT, sizeof(*objects));
	size_t *lens = calloc(COUNT, sizeof(*lens));
	uint32_t seed = 1;

	if (!objects || !lens)
		exit(1);
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < COUNT; i++) {
			seed = seed * 1664525 + 1013904223;
			lens[i] = (seed >> 8) % (i % 100 == 7 ? 200000 : 500);
			objects[i] = arena_alloc(&arena, lens[i], &err);
			check(objects[i] && (uintptr_t)objects[i] % 8 == 0);
			memset(objects[i], i & 255, lens[i]);
		}
		for (int i = 0; i < COUNT; i++) {
			size_t good = 0;

			while (good < lens[i] && objects[i][good] == (i & 255))
				good++;
			check_u64(good, lens[i]);
		}
		arena_cleanup(&arena);
		check(arena.chunks == NULL && arena.used == 0);
	}
	free(objects);
	free(lens);
}

/* Around the length that gets a chunk of its own, first and later. */
static void test_arena_edges(void)
{
	struct err err = { 0 };

	for (size_t len = 65536 - 20; len < 65536 + 20; len++) {
		struct arena arena = { 0 };
		uint8_t *a = arena_alloc(&arena, len, &err);
		uint8_t *b = arena_alloc(&arena, 5, &err);
		uint8_t *c = arena_alloc(&arena, len, &err);
		uint8_t *d = arena_alloc(&arena, 0, &err);

		check(a && b && c && d);
		memset(a, 1, len);
		memset(b, 2, 5);
		memset(c, 3, len);
		check(a[0] == 1 && a[len - 1] == 1);
		check(b[0] == 2 && b[4] == 2);
		arena_cleanup(&arena);
	}

	struct arena arena = { 0 };

	check(arena_alloc(&arena, SIZE_MAX, &err) == NULL);
	check_u64(err.code, ERR_NOMEM);
	check(arena_alloc(&arena, SIZE_MAX - 7, &err) == NULL);
	err.code = ERR_NONE;
	check(arena_text(&arena, "x", SIZE_MAX, &err) == NULL);
	check_u64(err.code, ERR_NOMEM);
	arena_cleanup(&arena);
}

static void test_arena_text(void)
{
	struct arena arena = { 0 };
	struct err err = { 0 };
	char *a = arena_text(&arena, "abc", 3, &err);
	char *b = arena_text(&arena, "abc", 2, &err);
	char *c = arena_text(&arena, "", 0, &err);

	check_str(a, "abc");
	check_str(b, "ab");
	check_str(c, "");
	arena_cleanup(&arena);
	arena_cleanup(&arena);
}

int main(void)
{
	test_array();
	test_buffer();
	test_arena();
	test_arena_edges();
	test_arena_text();
	return check_report();
}
