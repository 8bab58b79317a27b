/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef LIB_TREE_INSIDE_H
#define LIB_TREE_INSIDE_H

/* What the files of this room share. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "table.h"
#include "tree/tree.h"
#include "util/arena.h"

/*
 * The directories along the path that was walked last. Neighbours in an archive
 * share most of it, and what is shared is not looked up again.
 */
struct trail_step {
	size_t end; /* of the component in path */
	struct node *dir;
	unsigned hops; /* symlinks followed so far */
};

struct trail {
	char *path; /* valid up to the end of the last step */
	size_t path_cap;
	struct trail_step *steps;
	size_t count, cap;
};

struct tree {
	struct tree_options options;
	struct arena arena;
	struct table table;
	struct trail trail;
	struct node *root;
	uint32_t node_count; /* removed ones included */
	bool is_finished, has_lost;

	/* hard links without a known target, in the order of the input */
	struct node *pending, *last_pending;
};

/* node.c */

/*
 * A node that is in no directory yet; all that its entry says is zero.
 *
 * fails    ERR_CORRUPT, ERR_LIMIT: name; ERR_LIMIT: count; ERR_NOMEM
 */
int tree_node_create(struct tree *tree, enum node_type type, const char *name,
		     size_t len, struct node **out, struct err *err);

/*
 * Puts node into dir, in the place of old where that is not NULL. place comes
 * from looking the name up. ERR_NOMEM.
 */
int tree_node_attach(struct tree *tree, struct node *dir,
		     const struct table_place *place, struct node *old,
		     struct node *node, struct err *err);

/* Takes a name out of its directory; the inode lives on with its others. */
void tree_node_drop(struct tree *tree, struct node *node);

/* Makes the root with the defaults. ERR_NOMEM. */
int tree_root_create(struct tree *tree, struct err *err);

/* A directory that no entry names, in dir. Fails as create and attach. */
int tree_implicit_dir(struct tree *tree, struct node *dir,
		      const struct table_place *place, const char *name,
		      size_t len, struct node **out, struct err *err);

/* The words for a node's type in messages. */
const char *tree_type_words(const struct node *node);

/* walk.c */

/*
 * The directory at the first len bytes of path, symlinks followed; those that
 * are missing are made.
 *
 * fails    ERR_CORRUPT: not a directory; as tree_implicit_dir
 */
int tree_walk_dir(struct tree *tree, const char *path, size_t len,
		  struct node **out, struct err *err);

/* The node at path, symlinks followed but for the last; NULL if none. */
struct node *tree_walk_find(const struct tree *tree, const char *path);

/* Cuts the next component off *path, slashes skipped; false if none is left. */
bool tree_component(const char **path, const char *end, const char **name,
		    size_t *len);

/* Forgets the trail, because a name on it may lead elsewhere now. */
void tree_trail_reset(struct trail *trail);
void tree_trail_cleanup(struct trail *trail);

/* link.c */

/*
 * Lets a NODE_LINK that is in the tree wait for its target until tree_finish.
 *
 * path     the target's, in the arena
 * via      a link that waits itself and stands at path, or NULL
 */
void tree_link_wait(struct tree *tree, struct node *link, char *path,
		    struct node *via);

/* Binds or leaves out all links that wait. Fails as tree_finish. */
int tree_link_resolve(struct tree *tree, struct err *err);

/* Leaves out all links to inodes that are lost. ERR_SKIPPED. */
int tree_link_drop_lost(struct tree *tree, struct err *err);

/* sort.c */

/* Sweeps removed names out of all directories and sorts the others. */
void tree_sort(struct node *root);

#endif
