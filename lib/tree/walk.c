/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * From paths to nodes. Nothing here recurses: trees may be as deep as an
 * archive cares to make them.
 */
#include "inside.h"

#include <stdlib.h>
#include <string.h>

#include "util/account.h"
#include "util/array.h"
#include "util/err.h"

bool tree_component(const char **path, const char *end, const char **name,
		    size_t *len)
{
	const char *p = *path, *slash;

	while (p != end && *p == '/')
		p++;
	if (p == end)
		return false;
	slash = memchr(p, '/', (size_t)(end - p));
	*name = p;
	*path = slash ? slash : end;
	*len = (size_t)(*path - p);
	return true;
}

enum follow { FOLLOW_DIR, FOLLOW_MISSING, FOLLOW_NO_DIR, FOLLOW_TOO_MANY };

/* What is left of a path, for when the symlink met in it has been followed. */
struct rest {
	const char *p, *end;
};

static void push_target(const struct tree *tree, const struct node *symlink,
			struct rest *rest, struct node **dir)
{
	rest->p = symlink->u.symlink.target;
	rest->end = rest->p + symlink->u.symlink.target_len;
	if (rest->p != rest->end && *rest->p == '/')
		*dir = tree->root;
}

/*
 * Follows a symlink to the directory it leads to. Every symlink on the way
 * costs a hop, so the stack of rests needs no more places than there are hops.
 *
 * dir      in: where the symlink is; out: where it leads
 * hops     counts on
 */
static enum follow follow(const struct tree *tree, const struct node *symlink,
			  struct node **dir, unsigned *hops)
{
	struct rest rests[TREE_HOPS_MAX];
	struct node *at = *dir;
	unsigned depth = 0;
	const char *name;
	size_t len;

	if (++*hops > TREE_HOPS_MAX)
		return FOLLOW_TOO_MANY;
	push_target(tree, symlink, &rests[depth++], &at);

	while (depth > 0) {
		struct rest *rest = &rests[depth - 1];
		struct node *node;

		if (!tree_component(&rest->p, rest->end, &name, &len)) {
			depth--;
			continue;
		}
		if (len == 1 && name[0] == '.')
			continue;
		if (len == 2 && name[0] == '.' && name[1] == '.') {
			at = at->parent ? at->parent : at;
			continue;
		}
		node = table_find(&tree->table, at, name, len, NULL);
		if (!node)
			return FOLLOW_MISSING;
		node = node_inode(node);
		if (node && node->type == NODE_DIR) {
			at = node;
			continue;
		}
		if (!node || node->type != NODE_SYMLINK)
			return FOLLOW_NO_DIR;
		if (++*hops > TREE_HOPS_MAX)
			return FOLLOW_TOO_MANY;
		push_target(tree, node, &rests[depth++], &at);
	}
	*dir = at;
	return FOLLOW_DIR;
}

static int symlink_fault(const struct node *name, const struct node *symlink,
			 enum follow fault, struct err *err)
{
	static const char *const why[] = {
		[FOLLOW_MISSING] = "missing",
		[FOLLOW_NO_DIR] = "not a directory",
		[FOLLOW_TOO_MANY] = "too many symlinks away",
	};
	char text[NAME_TEXT_LEN], target[NAME_TEXT_LEN];

	return err_set(err, ERR_CORRUPT,
		       "parent is not a directory: symlink %s leads to %s, "
		       "which is %s",
		       node_path_text(name, text),
		       name_text(symlink->u.symlink.target,
				 symlink->u.symlink.target_len, target),
		       why[fault]);
}

/* The directory that a name in *dir leads to. */
static int enter(const struct tree *tree, struct node *name, struct node **dir,
		 unsigned *hops, struct err *err)
{
	struct node *inode = node_inode(name);
	char text[NAME_TEXT_LEN];
	enum follow ret;

	if (inode && inode->type == NODE_DIR) {
		*dir = inode;
		return 0;
	}
	if (!inode || inode->type != NODE_SYMLINK)
		return err_set(err, ERR_CORRUPT,
			       "parent is not a directory: %s is %s",
			       node_path_text(name, text),
			       tree_type_words(inode ? inode : name));
	ret = follow(tree, inode, dir, hops);
	return ret == FOLLOW_DIR ? 0 : symlink_fault(name, inode, ret, err);
}

/* Drops the steps that path does not share; returns where the rest ends. */
static size_t trail_keep(struct trail *trail, const char *path, size_t len)
{
	size_t same = 0, max;

	if (trail->count == 0)
		return 0;
	max = trail->steps[trail->count - 1].end;
	if (max > len)
		max = len;
	while (same < max && path[same] == trail->path[same])
		same++;
	for (; trail->count > 0; trail->count--) {
		size_t end = trail->steps[trail->count - 1].end;

		if (end <= same && (end == len || path[end] == '/'))
			return end;
	}
	return 0;
}

/* Adds a step; path from the last one's end up to end joins the trail. */
static int trail_add(struct trail *trail, const char *path, size_t end,
		     struct node *dir, unsigned hops, struct err *err)
{
	size_t from = trail->count ? trail->steps[trail->count - 1].end : 0;

	if (array_reserve(&trail->path, &trail->path_cap, end,
			  sizeof(*trail->path), err) < 0 ||
	    array_reserve(&trail->steps, &trail->cap, trail->count + 1,
			  sizeof(*trail->steps), err) < 0)
		return -1;
	copy_bytes(trail->path + from, path + from, end - from);
	trail->steps[trail->count++] = (struct trail_step) { end, dir, hops };
	return 0;
}

void tree_trail_reset(struct trail *trail)
{
	trail->count = 0;
}

void tree_trail_cleanup(struct trail *trail)
{
	free(trail->path);
	free(trail->steps);
	*trail = (struct trail) { 0 };
}

int tree_walk_dir(struct tree *tree, const char *path, size_t len,
		  struct node **out, struct err *err)
{
	struct trail *trail = &tree->trail;
	const char *p = path + trail_keep(trail, path, len);
	struct node *dir = tree->root;
	unsigned hops = 0;
	const char *name;
	size_t name_len;

	if (trail->count > 0) {
		dir = trail->steps[trail->count - 1].dir;
		hops = trail->steps[trail->count - 1].hops;
	}
	while (tree_component(&p, path + len, &name, &name_len)) {
		struct table_place place;
		struct node *node =
			table_find(&tree->table, dir, name, name_len, &place);

		if (!node) {
			if (tree_implicit_dir(tree, dir, &place, name, name_len,
					      &node, err) < 0)
				return -1;
			dir = node;
		} else if (enter(tree, node, &dir, &hops, err) < 0) {
			return -1;
		}
		if (trail_add(trail, path, (size_t)(p - path), dir, hops, err) <
		    0)
			return -1;
	}
	*out = dir;
	return 0;
}

struct node *tree_walk_find(const struct tree *tree, const char *path)
{
	const char *end = path + strlen(path), *name;
	struct node *dir = tree->root, *node = tree->root;
	unsigned hops = 0;
	size_t len;

	while (tree_component(&path, end, &name, &len)) {
		/* A name was behind node, so it must lead to a directory. */
		if (node != tree->root &&
		    enter(tree, node, &dir, &hops, NULL) < 0)
			return NULL;
		node = table_find(&tree->table, dir, name, len, NULL);
		if (!node)
			return NULL;
	}
	return node;
}

struct node *tree_find(const struct tree *tree, const char *path)
{
	const char *end = path + strlen(path), *name;
	struct node *node = tree->root;
	size_t len;

	while (node && tree_component(&path, end, &name, &len)) {
		node = table_find(&tree->table, node, name, len, NULL);
		if (node && node->is_removed)
			node = NULL;
	}
	return node;
}
