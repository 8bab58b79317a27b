/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hard links: when they are bound, to what, and what is refused. */
#include "tree/tree.h"

#include "plant.h"

static void check_bound(struct plant *p, const char *path, struct node *inode)
{
	struct node *node = tree_find(p->tree, path);

	check(node && node->type == NODE_LINK);
	check(node && node_inode(node) == inode);
}

static void test_earlier(void)
{
	static const enum entry_type types[] = {
		ENTRY_FILE,	   ENTRY_SYMLINK, ENTRY_BLOCK_DEVICE,
		ENTRY_CHAR_DEVICE, ENTRY_FIFO,	  ENTRY_SOCKET
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		struct plant p;

		plant_init(&p);
		struct node *a = plant_any(&p, types[i], "d/a", "t", 1);
		struct node *h = plant_link(&p, "h", "d/a");

		check(h->type == NODE_LINK && h->u.link.target == a);
		check(node_inode(h) == a);
		check_u64(a->nlink, 2);
		plant_link(&p, "d/h", "d/a");
		check_u64(a->nlink, 3);
		check_u64((uint64_t)plant_finish(&p), 0);
		check_u64(a->nlink, 3);
		check_u64(tree_root(p.tree)->u.dir.count, 2);
		check_u64(tree_find(p.tree, "d")->u.dir.count, 2);
		plant_cleanup(&p);
	}
}

static void test_later(void)
{
	struct plant p;

	plant_init(&p);
	struct node *h = plant_link(&p, "h", "d/a");

	check(h->type == NODE_LINK && node_inode(h) == NULL);
	struct node *a = plant_file(&p, "d/a");

	check_u64(a->nlink, 1);
	check_u64((uint64_t)plant_finish(&p), 0);
	check(node_inode(h) == a);
	check_u64(a->nlink, 2);
	plant_cleanup(&p);
}

/* All orders of a, h1 -> a, h2 -> h1, h3 -> h2. */
static void test_chains(void)
{
	static const char *const names[] = { "a", "h1", "h2", "h3" };
	static const char *const targets[] = { NULL, "a", "h1", "h2" };

	for (int order = 0; order < 256; order++) {
		int at[4] = { order & 3, order >> 2 & 3, order >> 4 & 3,
			      order >> 6 };
		struct plant p;
		unsigned seen = 0;

		for (int i = 0; i < 4; i++)
			seen |= 1u << at[i];
		if (seen != 15)
			continue;
		plant_init(&p);
		for (int i = 0; i < 4; i++) {
			if (at[i] == 0)
				plant_file(&p, names[at[i]]);
			else
				plant_link(&p, names[at[i]], targets[at[i]]);
		}
		check_u64((uint64_t)plant_finish(&p), 0);

		struct node *a = tree_find(p.tree, "a");

		check_u64(a->nlink, 4);
		check(a->type == NODE_FILE);
		check_bound(&p, "h1", a);
		check_bound(&p, "h2", a);
		check_bound(&p, "h3", a);
		plant_cleanup(&p);
	}
}

/* a, h -> a, a': the link keeps the first. */
static void test_bound_at_once(void)
{
	struct plant p;

	plant_init(&p);
	struct node *first = plant_file(&p, "a");
	struct node *h = plant_link(&p, "h", "a");
	struct node *second = plant_file(&p, "a");

	check(first != second && first->is_removed);
	check(node_inode(h) == first);
	check_u64(first->nlink, 1);
	check_u64(second->nlink, 1);
	check_u64(p.warner.count[WARN_REPLACED], 0);
	plant_link(&p, "g", "h");
	check_u64(first->nlink, 2);

	/* The last names go, and with them the content. */
	plant_file(&p, "h");
	check_u64(p.warner.count[WARN_REPLACED], 0);
	plant_dir(&p, "g");
	check_u64(first->nlink, 0);
	check_u64(p.warner.count[WARN_REPLACED], 1);
	check(strstr(p.said, "g: ") == p.said);
	check_u64((uint64_t)plant_finish(&p), 0);
	check(first->is_removed);
	check_u64(tree_root(p.tree)->u.dir.count, 3);
	plant_cleanup(&p);
}

/* Links that stood at a path when they were named keep their say. */
static void test_via(void)
{
	struct plant p;

	plant_init(&p);
	struct node *h1 = plant_link(&p, "h1", "b");
	struct node *h2 = plant_link(&p, "h2", "h1");
	struct node *own = plant_file(&p, "h1");
	struct node *h3 = plant_link(&p, "h3", "h1");
	struct node *b = plant_file(&p, "b");

	check(h1->is_removed);
	check_u64((uint64_t)plant_finish(&p), 0);
	check(node_inode(h2) == b);
	check(node_inode(h3) == own);
	check_u64(b->nlink, 2);
	check_u64(own->nlink, 2);
	plant_cleanup(&p);

	/* A link that was replaced needs no target. */
	plant_init(&p);
	plant_link(&p, "h", "nowhere");
	plant_file(&p, "h");
	check_u64((uint64_t)plant_finish(&p), 0);
	check(tree_find(p.tree, "h")->type == NODE_FILE);
	plant_cleanup(&p);
}

static void test_itself(void)
{
	struct plant p;

	plant_init(&p);
	struct node *a = plant_file(&p, "d/a");

	plant_symlink(&p, "l", "d");
	check(plant_link(&p, "d/a", "d/a") == a);
	check_u64((uint64_t)p.ret, 1);
	check(plant_link(&p, "d/a", "l/a") == a);
	check(plant_link(&p, "l/a", "d/a") == a);
	check(plant_any(&p, ENTRY_HARDLINK, "d/a", "d/a", 10) == a);
	check_u64((uint64_t)p.ret, 1);
	check(!a->is_removed);
	check_u64(a->nlink, 1);

	/* So is a name that leads to the inode already. */
	struct node *h = plant_link(&p, "h", "d/a");

	check_u64((uint64_t)p.ret, 0);
	check(plant_link(&p, "h", "d/a") == h);
	check(plant_link(&p, "d/a", "h") == a);
	check(plant_link(&p, "h", "h") == h);
	check_u64((uint64_t)p.ret, 1);
	check_u64(a->nlink, 2);
	check_u64(tree_find(p.tree, "d")->u.dir.count, 1);
	check_u64(p.warner.count[WARN_REPLACED], 0);

	/* Also where the target is not known yet. */
	struct node *w = plant_link(&p, "w", "later");

	check(plant_link(&p, "w", "w") == w);
	plant_link(&p, "later", "h");
	check_u64((uint64_t)plant_finish(&p), 0);
	check(node_inode(w) == a);
	check_u64(a->nlink, 4);
	plant_cleanup(&p);
}

static void test_cycles(void)
{
	struct plant p;

	plant_init(&p);
	check(plant_link(&p, "a", "a")->type == NODE_LINK);
	check(plant_finish(&p) < 0);
	check_u64(p.err.code, ERR_CORRUPT);
	check(plant_says(&p, "a: hard link to a, which leads back", ""));
	plant_cleanup(&p);

	for (int len = 2; len < 6; len++) {
		char name[16], target[16];

		plant_init(&p);
		plant_link(&p, "into", "c0");
		for (int i = 0; i < len; i++) {
			snprintf(name, sizeof(name), "c%d", i);
			snprintf(target, sizeof(target), "c%d", (i + 1) % len);
			plant_link(&p, name, target);
		}
		check(plant_finish(&p) < 0);
		check_u64(p.err.code, ERR_CORRUPT);
		check(plant_says(&p, "hard link to c", "leads back"));
		plant_cleanup(&p);
	}
}

static void test_missing(void)
{
	static const char *const targets[] = { "nope", "d/nope", "no/pe",
					       "f/x",  "loop/x", "gone/x" };

	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
		struct plant p;

		plant_init(&p);
		plant_dir(&p, "d");
		plant_file(&p, "f");
		plant_symlink(&p, "loop", "loop");
		plant_symlink(&p, "gone", "to/nothing");
		plant_link(&p, "d/h", targets[i]);
		check(plant_finish(&p) < 0);
		check_u64(p.err.code, ERR_CORRUPT);
		check(plant_says(&p, "d/h: hard link to ", targets[i]));
		check(plant_says(&p, "is missing", ""));
		plant_cleanup(&p);
	}
}

static void test_directory(void)
{
	struct plant p;

	plant_init(&p);
	plant_dir(&p, "d/e");
	plant_symlink(&p, "l", "d");
	check(!plant_link(&p, "h", "d"));
	check_u64(p.err.code, ERR_CORRUPT);
	check(plant_says(&p, "hard link to a directory: d", ""));
	check(!plant_link(&p, "h", "l/e"));
	check(plant_says(&p, "hard link to a directory: d/e", ""));
	check(!plant_link(&p, "h", ""));
	check(!plant_link(&p, "d/e", "d/e"));
	check(!plant_any(&p, ENTRY_HARDLINK, "h", "d", 5));
	check(!plant_any(&p, ENTRY_HARDLINK, "h", NULL, 5));
	check_u64(p.err.code, ERR_CORRUPT);
	check(!tree_find(p.tree, "h"));

	plant_link(&p, "h", "later");
	plant_dir(&p, "later");
	check(plant_finish(&p) < 0);
	check_u64(p.err.code, ERR_CORRUPT);
	check(plant_says(&p, "h: hard link to later, which is a directory",
			 ""));
	plant_cleanup(&p);
}

/* The way to the target goes through symlinks, the last name does not. */
static void test_symlinks(void)
{
	struct plant p;

	plant_init(&p);
	struct node *a = plant_file(&p, "d/a");
	struct node *l = plant_symlink(&p, "d/l", "a");

	plant_symlink(&p, "s", "/d");
	check(node_inode(plant_link(&p, "h1", "s/a")) == a);
	check(node_inode(plant_link(&p, "h2", "s/l")) == l);
	check(node_inode(plant_link(&p, "s/h3", "d/a")) == a);
	check(tree_find(p.tree, "d/h3") != NULL);
	struct node *late = plant_link(&p, "h4", "t/a");

	plant_symlink(&p, "t", "s");
	check_u64((uint64_t)plant_finish(&p), 0);
	check(node_inode(late) == a);
	check_u64(a->nlink, 4);
	check_u64(l->nlink, 2);
	plant_cleanup(&p);
}

static void test_excluded(void)
{
	struct plant p;

	plant_init(&p);
	p.excluded = "x/gone";
	plant_link(&p, "d/h1", "x/gone");
	plant_link(&p, "h2", "d/h1");
	plant_link(&p, "h3", "h2");
	struct node *old = plant_link(&p, "h4", "x/gone");
	struct node *h5 = plant_link(&p, "h5", "h4");
	struct node *f = plant_file(&p, "h4");

	plant_link(&p, "h6", "h5");
	plant_link(&p, "z", "h4");
	check(old->is_removed);
	check_u64((uint64_t)plant_finish(&p), 0);

	/* not counted: h4, which was replaced anyway */
	check_u64(p.warner.count[WARN_LINK], 5);
	check(strstr(p.said, "hard link to x/gone, which is excluded"));
	check(!tree_find(p.tree, "d/h1"));
	check(!tree_find(p.tree, "h2"));
	check(!tree_find(p.tree, "h3"));
	check(!tree_find(p.tree, "h6"));
	check(h5->is_removed);
	check(tree_find(p.tree, "h4") == f);
	check_u64(f->nlink, 2);
	check_u64(tree_find(p.tree, "d")->u.dir.count, 0);
	check(tree_find(p.tree, "d")->u.dir.children == NULL);

	char names[64];

	check_u64(tree_root(p.tree)->u.dir.count, 3);
	check_str(plant_names(tree_root(p.tree), names, sizeof(names)),
		  "d h4 z");
	plant_cleanup(&p);

	/* A missing target that was not excluded stays an error. */
	plant_init(&p);
	p.excluded = "x/gone";
	plant_link(&p, "h", "x/other");
	check(plant_finish(&p) < 0);
	plant_cleanup(&p);

	plant_init(&p);
	p.excluded = "x/gone";
	p.warner.strict = true;
	plant_link(&p, "h", "x/gone");
	check(plant_finish(&p) < 0);
	check_u64(p.err.code, ERR_SKIPPED);
	check(plant_says(&p, "h: left out", "x/gone"));
	plant_cleanup(&p);
}

static void test_with_content(void)
{
	struct plant p;

	plant_init(&p);
	struct node *a = plant_any(&p, ENTRY_HARDLINK, "a", "gone", 77);

	check(a->type == NODE_FILE);
	check_u64((uint64_t)p.ret, 0);
	check_u64(a->u.file.size, 77);
	check_u64(a->u.file.fragment, NODE_NO_FRAGMENT);
	check_u64(a->mode, 0640);
	check_u64(a->uid, 1000);
	check_u64(a->mtime, 12345);

	struct node *b = plant_any(&p, ENTRY_HARDLINK, "b", "a", 77);

	check(b->type == NODE_LINK && node_inode(b) == a);
	check_u64(a->nlink, 2);

	/* to itself: the file that is not there yet */
	struct node *c = plant_any(&p, ENTRY_HARDLINK, "c", "c", 5);

	check(c->type == NODE_FILE);
	check(plant_any(&p, ENTRY_HARDLINK, "c", "c", 5) == c);
	check_u64((uint64_t)p.ret, 1);
	check_u64((uint64_t)plant_finish(&p), 0);
	plant_cleanup(&p);
}

int main(void)
{
	test_earlier();
	test_later();
	test_chains();
	test_bound_at_once();
	test_via();
	test_itself();
	test_cycles();
	test_missing();
	test_directory();
	test_symlinks();
	test_excluded();
	test_with_content();
	return check_report();
}
