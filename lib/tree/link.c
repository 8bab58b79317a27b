/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Hard links that wait for their target. A link waits for a path, or for the
 * link that stood at that path when its entry was read: a later entry for the
 * path does not change what it names. In the end each link is visited once:
 * a chain of links is walked to its end and then bound on the way back.
 */
#include "inside.h"

#include <string.h>

#include "util/err.h"
#include "util/warn.h"

/* Of a link without a target. */
enum link_state { WAITS, ON_WALK, LEFT_OUT };

void tree_link_wait(struct tree *tree, struct node *link, char *path,
		    struct node *via)
{
	link->u.link.path = path;
	link->u.link.via = via;
	if (tree->last_pending)
		tree->last_pending->u.link.pending = link;
	else
		tree->pending = link;
	tree->last_pending = link;
}

static int fault(const struct node *link, const char *what, struct err *err)
{
	char name[NAME_TEXT_LEN], target[NAME_TEXT_LEN];
	const char *path = link->u.link.path;

	return err_set(err, ERR_CORRUPT, "%s: hard link to %s, which %s",
		       node_path_text(link, name),
		       name_text(path, strlen(path), target), what);
}

static bool is_excluded(const struct tree *tree, const char *path)
{
	return tree->options.is_excluded &&
	       tree->options.is_excluded(tree->options.arg, path);
}

/* Leaves out a link; one that was replaced anyway goes without a word. */
static int leave_out(struct tree *tree, struct node *link, struct err *err)
{
	char name[NAME_TEXT_LEN], target[NAME_TEXT_LEN];
	const char *path = link->u.link.path;

	link->u.link.state = LEFT_OUT;
	if (link->is_removed)
		return 0;
	tree_node_drop(tree, link);
	return warn(tree->options.warner, WARN_LINK, err,
		    "%s: left out, a hard link to %s, which is excluded",
		    node_path_text(link, name),
		    name_text(path, strlen(path), target));
}

/*
 * Walks from link along links without a target, chaining them by back.
 *
 * chain    the last of them, whose back leads to link in the end
 * inode    what that one names; NULL if it is to be left out
 */
static int walk_chain(struct tree *tree, struct node *link, struct node **chain,
		      struct node **inode, struct err *err)
{
	struct node *back = NULL;

	for (;;) {
		struct node *next = link->u.link.via;

		link->u.link.state = ON_WALK;
		link->u.link.back = back;
		back = link;
		*chain = link;
		*inode = NULL;

		if (!next)
			next = tree_walk_find(tree, link->u.link.path);
		if (!next)
			return is_excluded(tree, link->u.link.path)
				       ? 0
				       : fault(link, "is missing", err);
		if (node_inode(next)) {
			*inode = node_inode(next);
			return (*inode)->type == NODE_DIR
				       ? fault(link, "is a directory", err)
				       : 0;
		}
		if (next->u.link.state == LEFT_OUT)
			return 0;
		if (next->u.link.state == ON_WALK)
			return fault(link, "leads back to it", err);
		link = next;
	}
}

static int resolve(struct tree *tree, struct node *link, struct err *err)
{
	struct node *chain, *inode;

	if (walk_chain(tree, link, &chain, &inode, err) < 0)
		return -1;
	for (; chain; chain = chain->u.link.back) {
		if (!inode) {
			if (leave_out(tree, chain, err) < 0)
				return -1;
			continue;
		}
		chain->u.link.target = inode;
		inode->nlink += !chain->is_removed;
	}
	return 0;
}

int tree_link_resolve(struct tree *tree, struct err *err)
{
	struct node *link;

	for (link = tree->pending; link; link = link->u.link.pending)
		if (!link->is_removed && !link->u.link.target &&
		    resolve(tree, link, err) < 0)
			return -1;
	return 0;
}

/* The node behind this one, each directory before what it holds. */
static struct node *next_node(struct node *node)
{
	if (node->type == NODE_DIR && node->u.dir.children)
		return node->u.dir.children;
	while (node && !node->next)
		node = node->parent;
	return node ? node->next : NULL;
}

int tree_link_drop_lost(struct tree *tree, struct err *err)
{
	char name[NAME_TEXT_LEN], target[NAME_TEXT_LEN];
	struct node *node;

	for (node = tree->root; node; node = next_node(node)) {
		struct node *inode = node_inode(node);

		if (node == inode || node->is_removed || !inode ||
		    !inode->is_lost)
			continue;
		tree_node_drop(tree, node);
		if (warn(tree->options.warner, WARN_LINK, err,
			 "%s: left out, a hard link to %s, which is",
			 node_path_text(node, name),
			 node_path_text(inode, target)) < 0)
			return -1;
	}
	return 0;
}
