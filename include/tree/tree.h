/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TREE_TREE_H
#define TREE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct entry;
struct err;
struct warner;
struct tree;

enum node_type {
	NODE_FILE,
	NODE_DIR,
	NODE_SYMLINK,
	NODE_BLOCK_DEVICE,
	NODE_CHAR_DEVICE,
	NODE_FIFO,
	NODE_SOCKET,
	NODE_LINK /* another name of the inode at target */
};

#define NODE_NO_XATTR	 UINT32_MAX
#define NODE_NO_FRAGMENT UINT32_MAX

/* What the format, or Linux reading it, can hold; doc/tree.md, "Limits". */
#define TREE_SYMLINK_MAX 4095 /* bytes of a symlink's target */
#define TREE_MAJOR_MAX	 4095
#define TREE_MINOR_MAX	 1048575

/* Names, replaced ones too: a little below what the index can hold. */
#define TREE_NODES_MAX 3000000000

/* Symlinks on the way to one parent; as many as Linux follows. */
#define TREE_HOPS_MAX 40

/*
 * A name in a directory, and its inode unless it is a NODE_LINK. There is one
 * for every entry of the input, so each byte here counts a million times.
 */
struct node {
	struct node *parent; /* NULL for the root */
	struct node *next;   /* of the same directory: until tree_finish in the
			      * order of the input, with removed ones between;
			      * then ascending bytes, without them */
	union {
		struct {
			struct node *children;	  /* the first */
			struct node *last;	  /* until tree_finish */
			uint32_t count; /* names, removed ones left out */
			uint32_t subdir_count;
		} dir;
		struct {
			uint64_t size;
			uint64_t start;	 /* of the first stored block */
			uint64_t sparse; /* bytes in holes */
			uint32_t *words; /* one per block, or NULL */
			uint32_t word_count;
			uint32_t fragment; /* index or NODE_NO_FRAGMENT */
			uint32_t fragment_offset;
			bool start_is_of; /* start of the node at same_as */
			struct node *same_as;
		} file;
		struct {
			char *target; /* NUL behind target_len bytes */
			uint32_t target_len;
		} symlink;
		struct {
			uint32_t major, minor;
		} device;
		struct {
			struct node *target; /* the inode, so never a link
					      * itself; NULL until known */

			/* only of those whose target was not known at once */
			char *path;	      /* as the input names it */
			struct node *via;     /* the link at path, or NULL */
			struct node *pending; /* the next that waits */
			struct node *back;    /* tree_finish's */
			uint8_t state;	      /* tree_finish's */
		} link;
	} u;
	uint64_t inode_ref;    /* where the inode is stored; the writer's */
	uint32_t inode_number; /* 1 and up; 0: none yet */
	uint32_t nlink; /* names of this inode; directories: 2 and one for each
			 * subdirectory; without meaning for a NODE_LINK */
	uint32_t uid, gid;
	uint32_t mtime;
	uint32_t xattr; /* index of a set or NODE_NO_XATTR */
	uint16_t mode;
	uint8_t type;	    /* enum node_type */
	bool is_implicit : 1; /* a parent that no entry names */
	bool is_removed : 1;  /* replaced or left out: in no directory, and
			       * reached by hard links only, if at all */
	bool is_written : 1;  /* inode_ref and _number hold; the writer's */
	bool is_lost : 1;     /* removed by tree_lose */
	uint16_t name_len;
	char name[]; /* name_len bytes and a NUL; empty for the root */
};

/* What directories get that no entry names, and the root. */
struct tree_defaults {
	uint16_t mode;
	uint32_t uid, gid;
	uint32_t mtime;
};

struct tree_options {
	struct tree_defaults defaults;

	/*
	 * True if the path of a missing hard link target was left out on
	 * purpose: then the link is left out with a warning. May be NULL.
	 */
	bool (*is_excluded)(void *arg, const char *path);
	void *arg;
	struct warner *warner; /* may be NULL */
};

/* Keeps a copy of options. ERR_NOMEM, ERR_IO. */
int tree_create(const struct tree_options *options, struct tree **out,
		struct err *err);

/*
 * Puts an entry into the tree. The last of several for one path holds; an entry
 * for a directory that is there changes its attributes and keeps its children;
 * parents that are not there are made with the defaults; a path below a symlink
 * is followed inside the tree. mtime is clamped to what the format holds.
 *
 * A hard link whose target is there is bound to it now, else in tree_finish. A
 * hard link that brings content (size > 0) to a target that is not there
 * becomes a file; in every other case its content is for the caller to drop.
 *
 * An entry with ENTRY_IMPLIED gives a directory that no entry has named its
 * attributes; it is made with the defaults if it is not there.
 *
 * A file of size > 0 that loses its last name to a later entry is told of with
 * WARN_REPLACED.
 *
 * entry    borrowed for the call
 * xattr    index of its set of attributes, or NODE_NO_XATTR
 * out      its node, borrowed until tree_destroy; for a hard link the
 *	    NODE_LINK; for one whose name leads to that inode already, as a link
 *	    to itself does, the node that is there
 * returns  0; 1 nothing to do, *out was there and is unchanged; -1
 * fails    ERR_CORRUPT: empty name or symlink target, parent that is no
 *	    directory, directory with children to be replaced, hard link to a
 *	    directory; ERR_LIMIT: name, device numbers, symlink target, number
 *	    of entries; ERR_NOMEM. The text does not repeat the entry's path.
 * format   doc/tree.md
 */
int tree_add(struct tree *tree, const struct entry *entry, uint32_t xattr,
	     struct node **out, struct err *err);

/*
 * Takes a file out again whose content could not be had. Hard links to it, also
 * those that come later, are left out in tree_finish, each with a warning. A
 * later entry may take its place.
 *
 * node     a NODE_FILE that tree_add gave
 */
void tree_lose(struct tree *tree, struct node *node);

/*
 * Binds the hard links that wait for their target, and puts the children of
 * every directory in order. Once, after the last tree_add; the tree is of no
 * more use if it fails.
 *
 * fails    ERR_CORRUPT: a target is missing, a directory, or links go in a
 *	    circle; ERR_SKIPPED. The text names the link and its target.
 */
int tree_finish(struct tree *tree, struct err *err);

/*
 * The node at a cleaned path, borrowed until tree_destroy, symlinks not
 * followed; NULL if there is none.
 */
struct node *tree_find(const struct tree *tree, const char *path);

/* The root directory, borrowed. */
struct node *tree_root(const struct tree *tree);

/*
 * Memory that lives as long as the tree: for block words. ERR_NOMEM.
 */
void *tree_alloc(struct tree *tree, size_t len, struct err *err);

/*
 * The inode that a name leads to: node itself, or what a NODE_LINK names. Never
 * a NODE_LINK; NULL for one whose target is not known before tree_finish.
 */
static inline struct node *node_inode(struct node *node)
{
	return node->type == NODE_LINK ? node->u.link.target : node;
}

/*
 * "a/b/c" of a node, "/" for the root, escaped for a message; a long path keeps
 * its end.
 *
 * out      NAME_TEXT_LEN bytes
 * returns  out
 */
const char *node_path_text(const struct node *node, char *out);

/* tree may be NULL. */
void tree_destroy(struct tree *tree);

#endif
