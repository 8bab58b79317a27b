/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_UNIT_TREE_PLANT_H
#define TESTS_UNIT_TREE_PLANT_H

/* A tree under test, with all that it says. */

#include <stdbool.h>
#include <stdlib.h>

#include "check.h"
#include "entry/entry.h"
#include "tree/tree.h"
#include "util/err.h"
#include "util/warn.h"

struct plant {
	struct tree *tree;
	struct warner warner;
	struct err err;
	int ret;	      /* of the last call */
	char said[512];	      /* the last warning handed on */
	const char *excluded; /* a path, or NULL */
};

static inline void plant_hear(void *arg, enum warn_kind kind, const char *text)
{
	struct plant *p = arg;

	(void)kind;
	snprintf(p->said, sizeof(p->said), "%s", text);
}

static inline bool plant_excludes(void *arg, const char *path)
{
	struct plant *p = arg;

	return p->excluded && strcmp(path, p->excluded) == 0;
}

static inline void plant_init(struct plant *p)
{
	struct tree_options options = {
		.defaults = { 0755, 7, 8, 900 },
		.is_excluded = plant_excludes,
		.arg = p,
		.warner = &p->warner,
	};

	memset(p, 0, sizeof(*p));
	p->warner.emit = plant_hear;
	p->warner.arg = p;
	if (tree_create(&options, &p->tree, &p->err) < 0) {
		fprintf(stderr, "tree_create: %s\n", p->err.text);
		exit(1);
	}
}

static inline void plant_cleanup(struct plant *p)
{
	tree_destroy(p->tree);
}

/* The node, or NULL and p->err. */
static inline struct node *plant_add(struct plant *p, const struct entry *entry,
				     uint32_t xattr)
{
	struct node *node = NULL;

	p->err = (struct err) { 0 };
	p->ret = tree_add(p->tree, entry, xattr, &node, &p->err);
	check((p->ret < 0) == (node == NULL));
	check((p->ret < 0) == (p->err.code != ERR_NONE));
	return node;
}

static inline struct node *plant_any(struct plant *p, enum entry_type type,
				     const char *path, const char *link,
				     uint64_t size)
{
	struct entry entry = {
		.path = (char *)path,
		.type = type,
		.mode = 0640,
		.uid = 1000,
		.gid = 100,
		.mtime = 12345,
		.major = 8,
		.minor = 1,
		.link = (char *)link,
		.size = size,
	};

	return plant_add(p, &entry, NODE_NO_XATTR);
}

static inline struct node *plant_file(struct plant *p, const char *path)
{
	return plant_any(p, ENTRY_FILE, path, NULL, 10);
}

static inline struct node *plant_dir(struct plant *p, const char *path)
{
	return plant_any(p, ENTRY_DIR, path, NULL, 0);
}

static inline struct node *plant_symlink(struct plant *p, const char *path,
					 const char *target)
{
	return plant_any(p, ENTRY_SYMLINK, path, target, 0);
}

static inline struct node *plant_link(struct plant *p, const char *path,
				      const char *target)
{
	return plant_any(p, ENTRY_HARDLINK, path, target, 0);
}

static inline int plant_finish(struct plant *p)
{
	p->err = (struct err) { 0 };
	p->ret = tree_finish(p->tree, &p->err);
	check((p->ret < 0) == (p->err.code != ERR_NONE));
	return p->ret;
}

static inline bool plant_says(const struct plant *p, const char *a,
			      const char *b)
{
	bool said = strstr(p->err.text, a) && strstr(p->err.text, b);

	if (!said)
		fprintf(stderr, "  error is \"%s\"\n", p->err.text);
	return said;
}

/* The names of a finished directory, in order, with blanks between. */
static inline const char *plant_names(const struct node *dir, char *out,
				      size_t cap)
{
	size_t used = 0;

	out[0] = '\0';
	for (const struct node *n = dir->u.dir.children; n && used < cap;
	     n = n->next)
		used += (size_t)snprintf(out + used, cap - used, "%s%s",
					 used ? " " : "", n->name);
	return out;
}

#endif
