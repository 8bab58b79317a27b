/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One name and its place in a directory. A directory's list is linked one way
 * only, so a name that is replaced stays in the list, marked, until tree_finish
 * sweeps it out: taking it out at once would cost a search for the one before.
 */
#include "inside.h"

#include <string.h>

#include "entry/path.h"
#include "util/account.h"
#include "util/err.h"
#include "util/num.h"
#include "util/warn.h"

/* Entries come with clean paths; an image with such a name would be unusable,
 * so it is refused whatever the source was. */
static int check_name(const char *name, size_t len, struct err *err)
{
	if (len == 0)
		return err_set(err, ERR_CORRUPT, "empty name");
	if (len > PATH_NAME_MAX)
		return err_set(err, ERR_LIMIT, "name is longer than %d bytes",
			       PATH_NAME_MAX);
	if (name[0] == '.' && (len == 1 || (len == 2 && name[1] == '.')))
		return err_set(err, ERR_CORRUPT, "path contains '%.*s'",
			       (int)len, name);
	return 0;
}

static struct node *node_alloc(struct tree *tree, enum node_type type,
			       const char *name, size_t len, struct err *err)
{
	size_t bytes = offsetof(struct node, name) + len + 1;
	struct node *node;

	if (tree->node_count == TREE_NODES_MAX) {
		err_set(err, ERR_LIMIT, "more entries than an image can hold");
		return NULL;
	}
	if (bytes < sizeof(*node))
		bytes = sizeof(*node);
	node = arena_alloc(&tree->arena, bytes, err);
	if (!node)
		return NULL;
	memset(node, 0, bytes);
	node->type = type;
	node->nlink = type == NODE_DIR ? 2 : 1;
	node->xattr = NODE_NO_XATTR;
	node->name_len = (uint16_t)len;
	copy_bytes(node->name, name, len);
	tree->node_count++;
	return node;
}

int tree_node_create(struct tree *tree, enum node_type type, const char *name,
		     size_t len, struct node **out, struct err *err)
{
	if (check_name(name, len, err) < 0)
		return -1;
	*out = node_alloc(tree, type, name, len, err);
	return *out ? 0 : -1;
}

/* The name that goes counts no longer; if it was the last, so does a file. */
static void drop_inode(struct tree *tree, const struct node *name,
		       struct node *inode)
{
	char text[NAME_TEXT_LEN];

	if (--inode->nlink > 0 || inode->type != NODE_FILE ||
	    inode->u.file.size == 0)
		return;

	/* Never a loss, so it cannot fail. */
	warn(tree->options.warner, WARN_REPLACED, NULL,
	     "%s: a later entry replaces it; what it held stays in the image",
	     node_path_text(name, text));
}

void tree_node_drop(struct tree *tree, struct node *node)
{
	struct node *dir = node->parent;

	node->is_removed = true;
	dir->u.dir.count--;
	if (node->type == NODE_DIR) {
		dir->u.dir.subdir_count--;
		dir->nlink--;
	} else if (node_inode(node)) {
		drop_inode(tree, node, node_inode(node));
	}

	/* Files are no part of a trail; others are or may lead along it. */
	if (node->type != NODE_FILE)
		tree_trail_reset(&tree->trail);
}

int tree_node_attach(struct tree *tree, struct node *dir,
		     const struct table_place *place, struct node *old,
		     struct node *node, struct err *err)
{
	node->parent = dir;
	if (table_put(&tree->table, place, node, err) < 0)
		return -1;
	if (old)
		tree_node_drop(tree, old);

	if (dir->u.dir.last)
		dir->u.dir.last->next = node;
	else
		dir->u.dir.children = node;
	dir->u.dir.last = node;
	dir->u.dir.count++;
	if (node->type == NODE_DIR) {
		dir->u.dir.subdir_count++;
		dir->nlink++;
	}
	return 0;
}

static void set_defaults(const struct tree *tree, struct node *dir)
{
	const struct tree_defaults *defaults = &tree->options.defaults;

	dir->mode = defaults->mode & 07777;
	dir->uid = defaults->uid;
	dir->gid = defaults->gid;
	dir->mtime = defaults->mtime;
	dir->is_implicit = true;
}

int tree_root_create(struct tree *tree, struct err *err)
{
	tree->root = node_alloc(tree, NODE_DIR, "", 0, err);
	if (!tree->root)
		return -1;
	set_defaults(tree, tree->root);
	return 0;
}

int tree_implicit_dir(struct tree *tree, struct node *dir,
		      const struct table_place *place, const char *name,
		      size_t len, struct node **out, struct err *err)
{
	struct node *node;

	if (tree_node_create(tree, NODE_DIR, name, len, &node, err) < 0)
		return -1;
	set_defaults(tree, node);
	if (tree_node_attach(tree, dir, place, NULL, node, err) < 0)
		return -1;
	*out = node;
	return 0;
}

const char *tree_type_words(const struct node *node)
{
	static const char *const words[] = {
		[NODE_FILE] = "a file",
		[NODE_DIR] = "a directory",
		[NODE_SYMLINK] = "a symlink",
		[NODE_BLOCK_DEVICE] = "a block device",
		[NODE_CHAR_DEVICE] = "a character device",
		[NODE_FIFO] = "a FIFO",
		[NODE_SOCKET] = "a socket",
		[NODE_LINK] = "a hard link",
	};

	return words[node->type];
}

const char *node_path_text(const struct node *node, char *out)
{
	/* From the end, as much as a message can show before escaping. */
	char path[NAME_TEXT_LEN - 1];
	size_t at = sizeof(path);

	if (!node->parent)
		return name_text("/", 1, out);
	for (; node->parent; node = node->parent) {
		size_t take = node->name_len;

		if (at < sizeof(path))
			path[--at] = '/';
		if (take > at)
			take = at;
		at -= take;
		copy_bytes(path + at, node->name + node->name_len - take, take);
		if (at == 0 &&
		    (take < node->name_len || node->parent->parent)) {
			memcpy(path, "...", 3);
			break;
		}
	}
	return name_text(path + at, sizeof(path) - at, out);
}
