/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Allocations fail one after the other, and are counted. The files of the
 * library that allocate for a tree are part of this program, with allocators
 * of its own.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plant.h"

static size_t live_bytes, peak_bytes;
static long until_failure = -1; /* allocations; -1: none fails */

struct head {
	size_t len;
	max_align_t data[];
};

static void *test_realloc(void *old, size_t len)
{
	struct head *head =
		old ? (struct head *)((char *)old - offsetof(struct head, data))
		    : NULL;
	size_t old_len = head ? head->len : 0;

	if (len > SIZE_MAX / 2 || until_failure == 0)
		return NULL;
	if (until_failure > 0)
		until_failure--;
	head = realloc(head, sizeof(*head) + len);
	if (!head)
		return NULL;
	head->len = len;
	live_bytes = live_bytes - old_len + len;
	if (live_bytes > peak_bytes)
		peak_bytes = live_bytes;
	return head->data;
}

static void *test_malloc(size_t len)
{
	return test_realloc(NULL, len);
}

static void *test_calloc(size_t count, size_t len)
{
	void *p = test_malloc(count * len); /* both small here */

	return p ? memset(p, 0, count * len) : NULL;
}

static void test_free(void *p)
{
	struct head *head;

	if (!p)
		return;
	head = (struct head *)((char *)p - offsetof(struct head, data));
	live_bytes -= head->len;
	free(head);
}

#define malloc	test_malloc
#define calloc	test_calloc
#define realloc test_realloc
#define free	test_free
#include "../../../lib/tree/table.c"
#include "../../../lib/tree/tree.c"
#include "../../../lib/tree/walk.c"
#include "../../../lib/util/arena.c"
#include "../../../lib/util/array.c"
#undef malloc
#undef calloc
#undef realloc
#undef free

static int add(struct tree *tree, enum entry_type type, const char *path,
	       const char *link, struct err *err)
{
	struct entry entry = { .path = (char *)path,
			       .type = type,
			       .link = (char *)link };
	struct node *node;

	return tree_add(tree, &entry, NODE_NO_XATTR, &node, err);
}

/* A little of everything, with more names than a first table holds. */
static int grow_tree(struct tree *tree, struct err *err)
{
	static char target[TREE_SYMLINK_MAX + 1];
	char path[64];

	for (int i = 0; i < 120; i++) {
		snprintf(path, sizeof(path), "a/b/c/d/%d/e/f/g/h/i/j", i % 30);
		if (add(tree, ENTRY_FILE, path, NULL, err) < 0)
			return -1;
		snprintf(path, sizeof(path), "h%d", i);
		if (add(tree, ENTRY_HARDLINK, path, "a/later", err) < 0)
			return -1;
		memset(target, 't', TREE_SYMLINK_MAX);
		snprintf(path, sizeof(path), "s%d", i);
		if (add(tree, ENTRY_SYMLINK, path, target, err) < 0)
			return -1;
	}
	if (add(tree, ENTRY_FILE, "a/later", NULL, err) < 0)
		return -1;
	return tree_finish(tree, err);
}

static void test_failures(void)
{
	struct tree_options options = { .defaults = { 0755, 0, 0, 0 } };
	long failures = 0;
	int ret = -1;

	for (long n = 0; ret < 0 && n < 1000; n++) {
		struct tree *tree = NULL;
		struct err err = { 0 };

		until_failure = n;
		ret = tree_create(&options, &tree, &err);
		check((ret == 0) == (tree != NULL));
		if (ret == 0)
			ret = grow_tree(tree, &err);
		check_u64(err.code, ret < 0 ? ERR_NOMEM : ERR_NONE);
		failures += ret < 0;
		tree_destroy(tree);
		check_u64(live_bytes, 0);
	}
	until_failure = -1;
	check(ret == 0);
	check(failures > 10);
}

/* What is asked for, without what nobody has touched of the newest chunk. */
static size_t bytes_in_use(const struct tree *tree)
{
	const struct arena *arena = &tree->arena;

	return live_bytes - (arena->chunks->len - arena->used);
}

/*
 * What a file costs besides its name. The table grows by steps, so the worst
 * count is one that has just made it grow.
 */
static void test_cost(void)
{
	struct tree_options options = { .defaults = { 0755, 0, 0, 0 } };
	struct tree *tree;
	struct err err;
	size_t worst = 0, names = 0;
	char path[64];

	check(tree_create(&options, &tree, &err) == 0);
	for (size_t i = 1; i <= 200000; i++) {
		names += (size_t)snprintf(path, sizeof(path), "dir/name%06zu",
					  i) -
			 4;
		check(add(tree, ENTRY_FILE, path, NULL, &err) == 0);
		if (i > 50000 && (bytes_in_use(tree) - names) / i > worst)
			worst = (bytes_in_use(tree) - names) / i;
	}
	printf("%zu bytes per file and its name at worst\n", worst);
	check(worst <= 142);
	tree_destroy(tree);
	check_u64(live_bytes, 0);
}

int main(void)
{
	test_failures();
	test_cost();
	return check_report();
}
