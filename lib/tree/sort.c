/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Puts the lists of all directories in order. A merge sort of runs: it takes
 * no memory, and a list that is sorted already, as most archives have it, costs
 * one pass.
 */
#include "inside.h"

#include <string.h>

/* Bytes without sign, the shorter first: as the format wants names sorted. */
static bool comes_before(const struct node *a, const struct node *b)
{
	size_t len = a->name_len < b->name_len ? a->name_len : b->name_len;
	int diff = memcmp(a->name, b->name, len);

	return diff < 0 || (diff == 0 && a->name_len < b->name_len);
}

static struct node *merge(struct node *a, struct node *b)
{
	struct node *first = NULL, **end = &first;

	while (a && b) {
		struct node **less = comes_before(a, b) ? &a : &b;

		*end = *less;
		end = &(*less)->next;
		*less = *end;
	}
	*end = a ? a : b;
	return first;
}

/* Cuts the longest sorted run off the front of *list. */
static struct node *take_run(struct node **list)
{
	struct node *first = *list, *last = first;

	while (last->next && comes_before(last, last->next))
		last = last->next;
	*list = last->next;
	last->next = NULL;
	return first;
}

/*
 * bins[i] holds nothing or 2^i runs, merged: like counting in binary, so that
 * only lists of like length are merged. There are fewer than 2^32 nodes.
 */
static struct node *sort_list(struct node *list)
{
	struct node *bins[32] = { NULL };
	size_t used = 0, i;

	while (list) {
		struct node *run = take_run(&list);

		for (i = 0; i < used && bins[i]; i++) {
			run = merge(bins[i], run);
			bins[i] = NULL;
		}
		bins[i] = run;
		if (i == used)
			used++;
	}
	for (i = 0; i < used; i++)
		list = merge(bins[i], list);
	return list;
}

static struct node *sweep(struct node *list)
{
	struct node *first = NULL, **end = &first;

	for (; list; list = list->next) {
		if (list->is_removed)
			continue;
		*end = list;
		end = &list->next;
	}
	*end = NULL;
	return first;
}

/* The next directory after dir, parents first; NULL after the last. */
static struct node *next_dir(struct node *dir)
{
	struct node *node =
		dir->u.dir.subdir_count > 0 ? dir->u.dir.children : NULL;

	for (;;) {
		while (node && node->type != NODE_DIR)
			node = node->next;
		if (node)
			return node;
		if (!dir->parent)
			return NULL;
		node = dir->next;
		dir = dir->parent;
	}
}

void tree_sort(struct node *root)
{
	struct node *dir;

	for (dir = root; dir; dir = next_dir(dir)) {
		dir->u.dir.children = sort_list(sweep(dir->u.dir.children));
		dir->u.dir.last = NULL;
	}
}
