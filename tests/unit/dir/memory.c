/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Allocations fail one after the other: the run says so, what is left is
 * complete, and nothing leaks. The files of the library that allocate for the
 * sink are part of this program, with allocators of its own.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plant.h"

static long live;
static long until_failure = -1; /* allocations; -1: none fails */

static void *counted(void *old, void *made)
{
	live += made && !old;
	return made;
}

static bool fails_now(void)
{
	if (until_failure == 0)
		return true;
	until_failure -= until_failure > 0;
	return false;
}

static void *test_malloc(size_t len)
{
	return fails_now() ? NULL : counted(NULL, malloc(len));
}

static void *test_calloc(size_t count, size_t len)
{
	return fails_now() ? NULL : counted(NULL, calloc(count, len));
}

static void *test_realloc(void *old, size_t len)
{
	return fails_now() ? NULL : counted(old, realloc(old, len));
}

static void test_free(void *p)
{
	live -= p != NULL;
	free(p);
}

#define malloc	test_malloc
#define calloc	test_calloc
#define realloc test_realloc
#define free	test_free
#include "../../../lib/dir/attr.c"
#include "../../../lib/dir/end.c"
#include "../../../lib/dir/list.c"
#include "../../../lib/dir/make.c"
#include "../../../lib/dir/sink.c"
#include "../../../lib/dir/walk.c"
#include "../../../lib/dir/write.c"
#include "../../../lib/util/arena.c"
#include "../../../lib/util/array.c"
#include "../../../lib/util/hash.c"
#undef malloc
#undef calloc
#undef realloc
#undef free

#define LONG "a-name-of-more-than-255-bytes-a-name-of-more-than-255-bytes-"

static const struct item items[] = {
	{ .path = "a", .type = ENTRY_DIR, .mode = 0755,
	  .xattr_name = "user.x", .xattr_value = "value" },
	{ .path = "a/b", .type = ENTRY_DIR, .mode = 0755,
	  .xattr_name = "user.y", .xattr_value = "value" },
	{ .path = "a/b/big", .size = 5 * BLOCK },
	{ .path = "a/b/small", .size = 50 },
	{ .path = "a/c/d/e", .size = 60 },
	{ .path = "a/pipe", .type = ENTRY_FIFO },
	{ .path = "a/pipe2", .type = ENTRY_HARDLINK, .link = "a/pipe" },
	{ .path = LONG LONG LONG LONG LONG, .type = ENTRY_DIR },
	{ .path = "z", .size = 3 * BLOCK + 1 },
};

int main(void)
{
	const struct dir_sink_options options = { .set_mode = true,
						  .set_xattrs = true,
						  .no_fifos = true };
	long n = 0;

	enter_scratch();
	for (;; n++) {
		struct told told;
		int ret;

		fresh("t");
		until_failure = n;
		ret = unpack_items(items, COUNT(items), "t", 0, &options,
				   &told);
		check_u64((uint64_t)live, 0);
		if (ret == 0)
			break;
		check_u64(told.err.code, ERR_NOMEM);
		for (size_t i = 0; i < COUNT(items); i++) {
			char path[512];

			snprintf(path, sizeof(path), "t/%s", items[i].path);
			if (items[i].type == ENTRY_FILE && exists(path))
				check_item("t", &items[i], &options);
		}
		if (n > 200)
			break;
	}
	check(n > 10 && n <= 200);
	check_item("t", &items[2], &options);
	check_item("t", &items[8], &options);
	return check_report();
}
