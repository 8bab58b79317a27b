/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What an entry does to the tree: the rules are in doc/tree.md. An entry is
 * judged whole before anything but its missing parents is put into the tree.
 */
#include "tree/tree.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "entry/entry.h"
#include "inside.h"
#include "util/err.h"
#include "util/warn.h"

int tree_create(const struct tree_options *options, struct tree **out,
		struct err *err)
{
	struct tree *tree = calloc(1, sizeof(*tree));

	if (!tree)
		return err_nomem(err);
	tree->options = *options;
	if (table_init(&tree->table, err) < 0 ||
	    tree_root_create(tree, err) < 0) {
		tree_destroy(tree);
		return -1;
	}
	*out = tree;
	return 0;
}

/* doc/tree.md, "Limits". */
static int check_symlink(const char *target, struct err *err)
{
	size_t len = target ? strlen(target) : 0;

	if (len == 0)
		return err_set(err, ERR_CORRUPT, "empty symlink target");
	if (len > TREE_SYMLINK_MAX)
		return err_set(err, ERR_LIMIT,
			       "symlink target has %zu bytes, more than %d",
			       len, TREE_SYMLINK_MAX);
	return 0;
}

static int check_entry(const struct entry *entry, struct err *err)
{
	switch (entry->type) {
	case ENTRY_SYMLINK:
		return check_symlink(entry->link, err);
	case ENTRY_HARDLINK:
		if (!entry->link)
			return err_set(err, ERR_CORRUPT,
				       "empty hard link target");
		return 0;
	case ENTRY_BLOCK_DEVICE:
	case ENTRY_CHAR_DEVICE:
		if (entry->major > TREE_MAJOR_MAX ||
		    entry->minor > TREE_MINOR_MAX)
			return err_set(err, ERR_LIMIT,
				       "device number %" PRIu32 ":%" PRIu32
				       " is over %d:%d",
				       entry->major, entry->minor,
				       TREE_MAJOR_MAX, TREE_MINOR_MAX);
		return 0;
	default:
		return 0;
	}
}

/* Seconds that the format holds; doc/tree.md, "Limits". */
static uint32_t clamp_time(struct tree *tree, const struct entry *entry)
{
	uint32_t stored = entry->mtime < 0 ? 0 : UINT32_MAX;
	char name[NAME_TEXT_LEN];

	if (entry->mtime >= 0 && entry->mtime <= (int64_t)UINT32_MAX)
		return (uint32_t)entry->mtime;

	/* Never a loss, so it cannot fail. */
	warn(tree->options.warner, WARN_TIME, NULL,
	     "%s: time %" PRId64 " does not fit, stored as %" PRIu32,
	     name_text(entry->path, strlen(entry->path), name), entry->mtime,
	     stored);
	return stored;
}

static void set_attributes(struct tree *tree, struct node *node,
			   const struct entry *entry, uint32_t xattr)
{
	node->mode = entry->mode & 07777;
	node->uid = entry->uid;
	node->gid = entry->gid;
	node->mtime = clamp_time(tree, entry);
	node->xattr = xattr;
	node->is_implicit = false;
}

/* What only nodes of its type have. */
static int set_content(struct tree *tree, struct node *node,
		       const struct entry *entry, struct err *err)
{
	size_t len;

	switch (node->type) {
	case NODE_FILE:
		node->u.file.size = entry->size;
		node->u.file.fragment = NODE_NO_FRAGMENT;
		return 0;
	case NODE_SYMLINK:
		len = strlen(entry->link);
		node->u.symlink.target_len = (uint32_t)len;
		node->u.symlink.target =
			arena_text(&tree->arena, entry->link, len, err);
		return node->u.symlink.target ? 0 : -1;
	case NODE_BLOCK_DEVICE:
	case NODE_CHAR_DEVICE:
		node->u.device.major = entry->major;
		node->u.device.minor = entry->minor;
		return 0;
	default:
		return 0;
	}
}

static enum node_type type_of(const struct entry *entry)
{
	static const enum node_type types[] = {
		[ENTRY_FILE] = NODE_FILE,
		[ENTRY_DIR] = NODE_DIR,
		[ENTRY_SYMLINK] = NODE_SYMLINK,
		[ENTRY_HARDLINK] = NODE_LINK,
		[ENTRY_BLOCK_DEVICE] = NODE_BLOCK_DEVICE,
		[ENTRY_CHAR_DEVICE] = NODE_CHAR_DEVICE,
		[ENTRY_FIFO] = NODE_FIFO,
		[ENTRY_SOCKET] = NODE_SOCKET,
	};

	return types[entry->type];
}

/* A directory that holds names gives way to nothing but a directory. */
static int check_replaced(const struct node *old, const struct entry *entry,
			  struct err *err)
{
	char text[NAME_TEXT_LEN];
	const struct node *child;

	if (!old || old->type != NODE_DIR || old->u.dir.count == 0)
		return 0;
	child = old->u.dir.children;
	while (child->is_removed)
		child = child->next;
	return err_set(err, ERR_CORRUPT,
		       "a %s cannot replace the directory that holds %s",
		       entry_type_name(entry->type),
		       node_path_text(child, text));
}

/* The place of an entry: its directory, its name there, and who has it now. */
struct spot {
	struct node *dir;
	const char *name;
	size_t len;
	struct node *old; /* or NULL */
	struct table_place place;
};

static int find_spot(struct tree *tree, const char *path, struct spot *spot,
		     struct err *err)
{
	const char *slash = strrchr(path, '/');
	size_t dir_len = slash ? (size_t)(slash - path) : 0;

	spot->name = slash ? slash + 1 : path;
	spot->len = strlen(spot->name);
	if (tree_walk_dir(tree, path, dir_len, &spot->dir, err) < 0)
		return -1;
	spot->old = table_find(&tree->table, spot->dir, spot->name, spot->len,
			       &spot->place);
	if (spot->old && spot->old->is_lost && spot->old->is_removed)
		spot->old = NULL; /* its place is free, but still its own */
	return 0;
}

static int add_node(struct tree *tree, const struct spot *spot,
		    const struct entry *entry, enum node_type type,
		    uint32_t xattr, struct node **out, struct err *err)
{
	struct node *node;

	if (check_replaced(spot->old, entry, err) < 0 ||
	    tree_node_create(tree, type, spot->name, spot->len, &node, err) <
		    0 ||
	    set_content(tree, node, entry, err) < 0)
		return -1;
	if (type != NODE_LINK)
		set_attributes(tree, node, entry, xattr);
	if (tree_node_attach(tree, spot->dir, &spot->place, spot->old, node,
			     err) < 0)
		return -1;
	*out = node;
	return 0;
}

/* doc/tree.md, "Hard links". */
static int add_link(struct tree *tree, const struct spot *spot,
		    const struct entry *entry, uint32_t xattr,
		    struct node **out, struct err *err)
{
	struct node *target = tree_walk_find(tree, entry->link);
	struct node *inode = target ? node_inode(target) : NULL;
	struct node *old = spot->old, *node;
	char text[NAME_TEXT_LEN], *path = NULL;

	if (!target && entry->size > 0)
		return add_node(tree, spot, entry, NODE_FILE, xattr, out, err);
	if (inode && inode->type == NODE_DIR)
		return err_set(err, ERR_CORRUPT, "hard link to a directory: %s",
			       node_path_text(inode, text));
	if (old && (old == target || (inode && node_inode(old) == inode))) {
		*out = old;
		return 1;
	}
	if (!inode) {
		path = arena_text(&tree->arena, entry->link,
				  strlen(entry->link), err);
		if (!path)
			return -1;
	}
	if (add_node(tree, spot, entry, NODE_LINK, NODE_NO_XATTR, &node, err) <
	    0)
		return -1;
	if (inode) {
		node->u.link.target = inode;
		inode->nlink++;
	} else {
		tree_link_wait(tree, node, path, target);
	}
	*out = node;
	return 0;
}

/* A directory that no entry has named gets attributes, and is made first. */
static int add_implied(struct tree *tree, const struct spot *spot,
		       uint32_t xattr, struct node **out, struct err *err)
{
	*out = spot->old;
	if (!spot->old) {
		if (tree_implicit_dir(tree, spot->dir, &spot->place, spot->name,
				      spot->len, out, err) < 0)
			return -1;
	} else if (spot->old->type != NODE_DIR || !spot->old->is_implicit) {
		return 1;
	}
	(*out)->xattr = xattr;
	return 0;
}

int tree_add(struct tree *tree, const struct entry *entry, uint32_t xattr,
	     struct node **out, struct err *err)
{
	struct spot spot;

	assert(!tree->is_finished);
	if (check_entry(entry, err) < 0)
		return -1;
	if (entry->path[0] == '\0') {
		if (entry->type != ENTRY_DIR)
			return err_set(err, ERR_CORRUPT, "empty name");
		spot.old = tree->root;
	} else if (find_spot(tree, entry->path, &spot, err) < 0) {
		return -1;
	}
	if (entry->flags & ENTRY_IMPLIED)
		return add_implied(tree, &spot, xattr, out, err);
	if (entry->type == ENTRY_DIR && spot.old &&
	    spot.old->type == NODE_DIR) {
		set_attributes(tree, spot.old, entry, xattr);
		*out = spot.old;
		return 0;
	}
	if (entry->type == ENTRY_HARDLINK)
		return add_link(tree, &spot, entry, xattr, out, err);
	return add_node(tree, &spot, entry, type_of(entry), xattr, out, err);
}

void tree_lose(struct tree *tree, struct node *node)
{
	assert(node->type == NODE_FILE && !tree->is_finished);
	node->u.file.size = 0; /* nothing of it stays in the image */
	node->is_lost = true;
	tree->has_lost = true;
	if (!node->is_removed)
		tree_node_drop(tree, node);
}

int tree_finish(struct tree *tree, struct err *err)
{
	assert(!tree->is_finished);
	tree->is_finished = true;
	if (tree_link_resolve(tree, err) < 0)
		return -1;
	if (tree->has_lost && tree_link_drop_lost(tree, err) < 0)
		return -1;
	tree_sort(tree->root);
	return 0;
}

struct node *tree_root(const struct tree *tree)
{
	return tree->root;
}

void *tree_alloc(struct tree *tree, size_t len, struct err *err)
{
	return arena_alloc(&tree->arena, len, err);
}

void tree_destroy(struct tree *tree)
{
	if (!tree)
		return;
	table_cleanup(&tree->table);
	tree_trail_cleanup(&tree->trail);
	arena_cleanup(&tree->arena);
	free(tree);
}
