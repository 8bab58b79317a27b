/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What entries do to the tree: parents, duplicates, symlinks, limits. */
#include "tree/tree.h"

#include "plant.h"

static const enum entry_type no_dirs[] = {
	ENTRY_FILE,	   ENTRY_SYMLINK, ENTRY_BLOCK_DEVICE,
	ENTRY_CHAR_DEVICE, ENTRY_FIFO,	  ENTRY_SOCKET
};

#define NO_DIR_COUNT (sizeof(no_dirs) / sizeof(no_dirs[0]))

static void test_root(void)
{
	struct plant p;
	struct entry entry = { .path = (char *)"",
			       .type = ENTRY_DIR,
			       .mode = 0700,
			       .uid = 1,
			       .gid = 2,
			       .mtime = 3 };

	plant_init(&p);

	struct node *root = tree_root(p.tree);

	check(root->is_implicit);
	check_u64(root->mode, 0755);
	check_u64(root->uid, 7);
	check_u64(root->gid, 8);
	check_u64(root->mtime, 900);
	check_u64(root->xattr, NODE_NO_XATTR);
	check_u64(root->nlink, 2);
	check(root->parent == NULL);
	check(tree_find(p.tree, "") == root);

	plant_file(&p, "f");
	check(plant_add(&p, &entry, 4) == root);
	check(!root->is_implicit);
	check_u64(root->mode, 0700);
	check_u64(root->uid, 1);
	check_u64(root->gid, 2);
	check_u64(root->mtime, 3);
	check_u64(root->xattr, 4);
	check_u64(root->u.dir.count, 1);

	for (size_t i = 0; i < NO_DIR_COUNT; i++) {
		check(!plant_any(&p, no_dirs[i], "", "t", 0));
		check_u64(p.err.code, ERR_CORRUPT);
		check(plant_says(&p, "empty name", ""));
	}
	check(!plant_link(&p, "", "f"));
	check_u64(p.err.code, ERR_CORRUPT);
	plant_cleanup(&p);
}

static void test_types(void)
{
	static const enum node_type types[] = {
		NODE_FILE,	  NODE_SYMLINK, NODE_BLOCK_DEVICE,
		NODE_CHAR_DEVICE, NODE_FIFO,	NODE_SOCKET
	};
	struct plant p;
	struct node *node;

	plant_init(&p);
	for (size_t i = 0; i < NO_DIR_COUNT; i++) {
		char path[] = { (char)('a' + i), '\0' };

		node = plant_any(&p, no_dirs[i], path, "the/../target/", 99);
		check(node && node->type == types[i]);
		check_str(node->name, path);
		check_u64(node->name_len, 1);
		check_u64(node->mode, 0640);
		check_u64(node->uid, 1000);
		check_u64(node->gid, 100);
		check_u64(node->mtime, 12345);
		check_u64(node->nlink, 1);
		check_u64(node->inode_number, 0);
		check(!node->is_implicit && !node->is_removed);
		check(node_inode(node) == node);
		check(tree_find(p.tree, path) == node);
	}
	node = tree_find(p.tree, "a");
	check_u64(node->u.file.size, 99);
	check_u64(node->u.file.fragment, NODE_NO_FRAGMENT);
	check(node->u.file.words == NULL);
	node = tree_find(p.tree, "b");
	check_str(node->u.symlink.target, "the/../target/");
	check_u64(node->u.symlink.target_len, 14);
	node = tree_find(p.tree, "c");
	check_u64(node->u.device.major, 8);
	check_u64(node->u.device.minor, 1);
	check(!tree_find(p.tree, "g"));
	check(!tree_find(p.tree, "a/x"));
	check(!tree_find(p.tree, "b/x"));
	plant_cleanup(&p);
}

static void test_implicit(void)
{
	struct plant p;

	plant_init(&p);
	struct node *z = plant_file(&p, "x/y/z");
	struct node *y = tree_find(p.tree, "x/y");
	struct node *x = tree_find(p.tree, "x");

	check(z->parent == y && y->parent == x);
	check(x->parent == tree_root(p.tree));
	check(x->is_implicit && y->is_implicit);
	check_u64(y->mode, 0755);
	check_u64(y->uid, 7);
	check_u64(y->gid, 8);
	check_u64(y->mtime, 900);
	check_u64(y->xattr, NODE_NO_XATTR);
	check_u64(x->nlink, 3);
	check_u64(y->nlink, 2);
	check_u64(tree_root(p.tree)->nlink, 3);

	/* The entry that comes later sets the attributes. */
	check(plant_dir(&p, "x/y") == y);
	check(!y->is_implicit);
	check_u64(y->mode, 0640);
	check_u64(y->uid, 1000);
	check_u64(y->mtime, 12345);
	check_u64(y->u.dir.count, 1);
	check(x->is_implicit);
	check(tree_find(p.tree, "x/y/z") == z);
	plant_cleanup(&p);
}

static struct node *plant_implied(struct plant *p, const char *path,
				  uint32_t xattr)
{
	const struct entry entry = {
		.path = (char *)path,
		.type = ENTRY_DIR,
		.flags = ENTRY_IMPLIED,
		.mode = 0123,
	};

	return plant_add(p, &entry, xattr);
}

/* An entry for what no entry names sets attributes, and nothing else. */
static void test_implied(void)
{
	struct plant p;

	plant_init(&p);
	struct node *root = plant_implied(&p, "", 1);
	struct node *x = plant_implied(&p, "x", 2);
	struct node *y = plant_implied(&p, "x/y/z", 3)->parent;

	check(root == tree_root(p.tree) && root->is_implicit);
	check_u64(root->xattr, 1);
	check_u64(root->mode, 0755);
	check(x->is_implicit && y->is_implicit);
	check_u64(x->xattr, 2);
	check_u64(x->mode, 0755);
	check_u64(x->uid, 7);
	check_u64(y->xattr, NODE_NO_XATTR);
	check(plant_implied(&p, "x/y", 4) == y);
	check_u64(y->xattr, 4);
	check_u64(x->u.dir.count, 1);

	/* What an entry names is left alone, and replaces what was implied. */
	check(plant_dir(&p, "x") == x);
	check(!x->is_implicit);
	check_u64(x->xattr, NODE_NO_XATTR);
	check(plant_implied(&p, "x", 5) == x);
	check_u64(p.ret, 1);
	check_u64(x->xattr, NODE_NO_XATTR);
	check_u64(x->mode, 0640);

	/* Nothing gives way to it, and it leads where its path does. */
	struct node *link = plant_symlink(&p, "l", "x");

	check(plant_implied(&p, "l", 6) == link);
	check_u64(link->type, NODE_SYMLINK);
	check(plant_implied(&p, "l/new", 7)->parent == x);
	plant_file(&p, "f");
	check(!plant_implied(&p, "f/x", 8));
	plant_cleanup(&p);
}

/* A non-directory gives way to any other, and to a directory. */
static void test_replace_no_dir(void)
{
	for (size_t i = 0; i < NO_DIR_COUNT; i++) {
		for (size_t k = 0; k <= NO_DIR_COUNT; k++) {
			enum entry_type type =
				k < NO_DIR_COUNT ? no_dirs[k] : ENTRY_DIR;
			struct plant p;
			char names[64];

			plant_init(&p);
			struct node *old =
				plant_any(&p, no_dirs[i], "d/a", "t", 5);
			struct node *dir = tree_find(p.tree, "d");
			struct node *next;

			plant_file(&p, "d/b");
			next = plant_any(&p, type, "d/a", "t", 6);
			check(next && next != old);
			check_u64((uint64_t)p.ret, 0);
			check(old->is_removed && !next->is_removed);
			check(tree_find(p.tree, "d/a") == next);
			check_u64(dir->u.dir.count, 2);
			check_u64(dir->u.dir.subdir_count, type == ENTRY_DIR);
			check_u64(dir->nlink, 2 + (type == ENTRY_DIR));
			check_u64(p.warner.count[WARN_REPLACED],
				  no_dirs[i] == ENTRY_FILE);
			check_u64((uint64_t)plant_finish(&p), 0);
			check_str(plant_names(dir, names, sizeof(names)),
				  "a b");
			check(dir->u.dir.children == next);
			plant_cleanup(&p);
		}
	}
}

static void test_merge_dirs(void)
{
	struct plant p;
	struct entry entry = { .path = (char *)"d",
			       .type = ENTRY_DIR,
			       .mode = 01777,
			       .uid = 5,
			       .gid = 6,
			       .mtime = 7 };

	plant_init(&p);
	entry.mode = 0;
	struct node *dir = plant_add(&p, &entry, 3);
	struct node *file = plant_file(&p, "d/f");

	check_u64(dir->xattr, 3);
	entry.mode = 01777;
	check(plant_add(&p, &entry, NODE_NO_XATTR) == dir);
	check_u64((uint64_t)p.ret, 0);
	check_u64(dir->mode, 01777);
	check_u64(dir->uid, 5);
	check_u64(dir->gid, 6);
	check_u64(dir->mtime, 7);
	check_u64(dir->xattr, NODE_NO_XATTR);
	check_u64(dir->u.dir.count, 1);
	check(tree_find(p.tree, "d/f") == file);
	check_u64(tree_root(p.tree)->u.dir.count, 1);
	check_u64(tree_root(p.tree)->nlink, 3);
	plant_cleanup(&p);
}

static void test_replace_dir(void)
{
	struct plant p;

	for (size_t i = 0; i < NO_DIR_COUNT; i++) {
		plant_init(&p);
		struct node *root = tree_root(p.tree);
		struct node *dir = plant_dir(&p, "d");
		struct node *next = plant_any(&p, no_dirs[i], "d", "t", 0);

		check(next && dir->is_removed);
		check(tree_find(p.tree, "d") == next);
		check_u64(root->u.dir.count, 1);
		check_u64(root->u.dir.subdir_count, 0);
		check_u64(root->nlink, 2);

		/* and back, with children this time */
		dir = plant_dir(&p, "d");
		plant_file(&p, "d/x");
		plant_file(&p, "d/x");
		check(!plant_any(&p, no_dirs[i], "d", "t", 0));
		check_u64(p.err.code, ERR_CORRUPT);
		check(plant_says(&p, "directory that holds", "d/x"));
		check(plant_says(&p, entry_type_name(no_dirs[i]), ""));
		check(tree_find(p.tree, "d") == dir && !dir->is_removed);
		check_u64(root->u.dir.count, 1);
		plant_cleanup(&p);
	}

	plant_init(&p);
	plant_file(&p, "a");
	plant_file(&p, "d/x");
	check(!plant_link(&p, "d", "a"));
	check(plant_says(&p, "directory that holds", "d/x"));
	check_u64(tree_find(p.tree, "a")->nlink, 1);
	plant_cleanup(&p);
}

/* Names below a directory are not found in what replaced it. */
static void test_trail(void)
{
	struct plant p;

	plant_init(&p);
	plant_dir(&p, "a/b/c");
	plant_file(&p, "a/b/f"); /* the trail is now a, a/b */
	plant_file(&p, "a/bb");	 /* shares a prefix, but no component */
	check(tree_find(p.tree, "a/bb") != NULL);
	plant_file(&p, "a/bb2/x");
	plant_file(&p, "a/bb2/y/z");
	check_u64(tree_find(p.tree, "a/bb2")->u.dir.count, 2);
	plant_file(&p, "a/b2");
	check_u64(tree_find(p.tree, "a")->u.dir.count, 4);

	plant_file(&p, "a/b/g");
	plant_file(&p, "a/bc/x"); /* as a directory's name, too */
	check(tree_find(p.tree, "a/bc/x") != NULL);

	plant_symlink(&p, "l", "a/b");
	plant_file(&p, "l/1");
	check(tree_find(p.tree, "a/b/1") != NULL);
	plant_symlink(&p, "l", "a/bb2");
	plant_file(&p, "l/2");
	check(tree_find(p.tree, "a/bb2/2") != NULL);
	plant_dir(&p, "l");
	plant_file(&p, "l/3");
	check(tree_find(p.tree, "l/3") != NULL);
	check(tree_find(p.tree, "a/bb2/3") == NULL);

	/* A hard link to a symlink, too, may be on the way and be replaced. */
	plant_symlink(&p, "s", "a/b");
	plant_link(&p, "h", "s");
	plant_file(&p, "h/4");
	check(tree_find(p.tree, "a/b/4") != NULL);
	plant_symlink(&p, "h", "a");
	plant_file(&p, "h/5");
	check(tree_find(p.tree, "a/5") != NULL);

	/* A name may be replaced by a path that leads through it. */
	plant_symlink(&p, "dot", ".");
	plant_link(&p, "also", "dot");
	check(plant_file(&p, "also/x") != NULL);
	check(plant_file(&p, "also/also") != NULL);
	check(tree_find(p.tree, "also")->type == NODE_FILE);
	check(!plant_file(&p, "also/y"));
	check(plant_file(&p, "dot/dot") != NULL);
	check(!plant_file(&p, "dot/y"));

	plant_dir(&p, "e/e");
	plant_dir(&p, "e/e/e");
	check(plant_file(&p, "e/e/e") != NULL);
	check(!plant_file(&p, "e/e/e/x"));
	plant_cleanup(&p);
}

static void test_parent_no_dir(void)
{
	struct plant p;

	for (size_t i = 0; i < NO_DIR_COUNT; i++) {
		if (no_dirs[i] == ENTRY_SYMLINK)
			continue;
		plant_init(&p);
		plant_any(&p, no_dirs[i], "a/f", NULL, 0);
		check(!plant_file(&p, "a/f/x/y"));
		check_u64(p.err.code, ERR_CORRUPT);
		check(plant_says(&p, "parent is not a directory: a/f is a",
				 ""));
		plant_link(&p, "a/l", "a/f");
		check(!plant_file(&p, "a/l/x"));
		check(plant_says(&p, "parent is not a directory: a/l is a",
				 ""));
		plant_cleanup(&p);
	}
	plant_init(&p);
	plant_link(&p, "h", "later");
	check(!plant_file(&p, "h/x"));
	check(plant_says(&p, "parent is not a directory", "a hard link"));
	plant_cleanup(&p);
}

static void test_parent_symlink(void)
{
	static const struct {
		const char *target, *where;
	} rows[] = {
		{ "d", "d/x" },		  { "/d", "d/x" },
		{ "//d/", "d/x" },	  { "./d/.", "d/x" },
		{ "d/e", "d/e/x" },	  { "/", "x" },
		{ ".", "s/x" },		  { "..", "x" },
		{ "../../..", "x" },	  { "../../../d", "d/x" },
		{ "/../d/e/..", "d/x" },  { "to_d/e", "d/e/x" },
		{ "to_e/../e", "d/e/x" }, { "to_d/to_root/d", "d/x" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct plant p;
		char target[64];
		/* half of them from the root, where ".." changes nothing */
		bool top = i % 2 && strcmp(rows[i].target, ".") != 0;

		plant_init(&p);
		plant_dir(&p, "d/e");
		plant_symlink(&p, "d/to_root", "/");
		plant_symlink(&p, "s/to_d", "../d");
		plant_symlink(&p, "to_d", "d");
		plant_symlink(&p, "s/to_e", "/d/e");
		plant_symlink(&p, "to_e", "/s/to_e");
		snprintf(target, sizeof(target), "%s%s",
			 !top && rows[i].target[0] == 'd' ? "../" : "",
			 rows[i].target);
		if (!top && strncmp(rows[i].target, "./", 2) == 0)
			snprintf(target, sizeof(target), "./../d/.");
		plant_symlink(&p, top ? "l" : "s/l", target);

		struct node *node = plant_file(&p, top ? "l/x" : "s/l/x");

		check(node != NULL);
		if (!node)
			fprintf(stderr, "  %s: %s\n", target, p.err.text);
		check(tree_find(p.tree, rows[i].where) == node);

		/* New directories behind the symlink are made. */
		node = plant_file(&p, top ? "l/new/y" : "s/l/new/y");
		check(node && node->parent->is_implicit);
		plant_cleanup(&p);
	}
}

static void test_parent_symlink_fails(void)
{
	static const struct {
		const char *target, *why;
	} rows[] = { { "gone", "missing" },	  { "/tmp", "missing" },
		     { "d/gone", "missing" },	  { "f", "not a directory" },
		     { "f/", "not a directory" }, { "f/x", "not a directory" },
		     { "h", "not a directory" },  { "l", "too many symlinks" },
		     { "p/q", "not a directory" } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct plant p;

		plant_init(&p);
		plant_dir(&p, "d");
		plant_file(&p, "f");
		plant_link(&p, "h", "f");
		plant_link(&p, "p", "later");
		plant_symlink(&p, "l", rows[i].target);
		for (int again = 0; again < 2; again++) {
			check(!plant_file(&p, "l/x"));
			check_u64(p.err.code, ERR_CORRUPT);
			check(plant_says(&p,
					 "parent is not a directory: symlink "
					 "l leads to",
					 rows[i].target));
			check(plant_says(&p, rows[i].why, ""));
		}
		plant_cleanup(&p);
	}
}

/* s0 -> d, s1 -> s0, ...: the 40th hop is the last, with or without trail. */
static void test_hops(void)
{
	struct plant p;
	char name[32], target[32];

	plant_init(&p);
	plant_dir(&p, "d");
	plant_symlink(&p, "s0", "d");
	plant_symlink(&p, "d/up", "..");
	for (int i = 1; i < 50; i++) {
		snprintf(name, sizeof(name), "s%d", i);
		snprintf(target, sizeof(target), "s%d", i - 1);
		plant_symlink(&p, name, target);
	}
	check(plant_file(&p, "s39/x") != NULL);
	check(plant_file(&p, "s38/up/x") != NULL);
	check(!plant_file(&p, "s39/up/x"));
	check(plant_says(&p, "too many symlinks", ""));
	check(!plant_file(&p, "s40/x"));

	/* Hops count for a whole path, whether it was walked before or not. */
	check(plant_file(&p, "s38/y") != NULL);
	check(plant_file(&p, "s38/up/y") != NULL);
	check(!plant_file(&p, "s38/up/d/up/y"));
	plant_cleanup(&p);
}

static void test_limits(void)
{
	struct plant p;
	char *big = malloc(5000), *path = malloc(600);
	struct entry dev = { .path = (char *)"dev",
			     .type = ENTRY_CHAR_DEVICE,
			     .major = 4095,
			     .minor = 1048575 };

	plant_init(&p);
	memset(big, 't', 5000);
	big[4095] = '\0';
	check(plant_symlink(&p, "s", big) != NULL);
	check_u64(tree_find(p.tree, "s")->u.symlink.target_len, 4095);
	big[4095] = 't';
	big[4096] = '\0';
	check(!plant_symlink(&p, "s", big));
	check_u64(p.err.code, ERR_LIMIT);
	check(!plant_symlink(&p, "s", ""));
	check_u64(p.err.code, ERR_CORRUPT);
	check(!plant_symlink(&p, "s", NULL));
	check_u64(p.err.code, ERR_CORRUPT);

	check(plant_add(&p, &dev, NODE_NO_XATTR) != NULL);
	dev.major = 4096;
	check(!plant_add(&p, &dev, NODE_NO_XATTR));
	check_u64(p.err.code, ERR_LIMIT);
	dev.major = 0;
	dev.minor = 1048576;
	dev.type = ENTRY_BLOCK_DEVICE;
	check(!plant_add(&p, &dev, NODE_NO_XATTR));
	check_u64(p.err.code, ERR_LIMIT);
	dev.minor = 0; /* 0:0 marks a whiteout and is sound */
	check(plant_add(&p, &dev, NODE_NO_XATTR) != NULL);

	memset(path, 'n', 600);
	path[255] = '\0';
	check(plant_file(&p, path) != NULL);
	check(tree_find(p.tree, path) != NULL);
	path[255] = 'n';
	path[256] = '\0';
	check(!plant_file(&p, path));
	check_u64(p.err.code, ERR_LIMIT);
	check(!tree_find(p.tree, path));
	path[256] = '/';
	path[258] = '\0';
	check(!plant_file(&p, path));
	check_u64(p.err.code, ERR_LIMIT);

	/* Names that would make an image unusable never get in. */
	check(!plant_file(&p, "."));
	check(!plant_file(&p, ".."));
	check(!plant_file(&p, "a/.."));
	check(!plant_file(&p, "../a"));
	check(!plant_file(&p, "./a"));
	check(!plant_file(&p, "b/"));
	check_u64(p.err.code, ERR_CORRUPT);
	check(plant_file(&p, "...") != NULL);
	check(plant_file(&p, ".a") != NULL);
	free(big);
	free(path);
	plant_cleanup(&p);
}

static void test_time(void)
{
	static const struct {
		int64_t in;
		uint32_t out;
		unsigned told;
	} rows[] = {
		{ 0, 0, 0 },
		{ -1, 0, 1 },
		{ INT64_MIN, 0, 1 },
		{ 2147483648, 2147483648, 0 },
		{ 4294967295, 4294967295, 0 },
		{ 4294967296, 4294967295, 1 },
		{ INT64_MAX, 4294967295, 1 },
	};
	struct plant p;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct entry entry = { .path = (char *)"a/b\nc",
				       .mtime = rows[i].in };

		plant_init(&p);
		p.warner.strict = true; /* a bent time is no loss */
		check_u64(plant_add(&p, &entry, 0)->mtime, rows[i].out);
		check_u64(p.warner.count[WARN_TIME], rows[i].told);
		check(!rows[i].told || strstr(p.said, "a/b\\012c: time "));
		plant_cleanup(&p);
	}

	/* Without a warner nothing is told, and nothing fails. */
	struct tree_options options = { .defaults = { 0755, 0, 0, 0 } };
	struct entry entry = { .path = (char *)"f", .mtime = -5, .size = 3 };
	struct tree *tree;
	struct node *node;
	struct err err;

	check(tree_create(&options, &tree, &err) == 0);
	check(tree_add(tree, &entry, 0, &node, &err) == 0);
	check(tree_add(tree, &entry, 0, &node, &err) == 0);
	check(tree_finish(tree, &err) == 0);
	check_u64(node->mtime, 0);
	tree_destroy(tree);
	tree_destroy(NULL);
}

static void test_order(void)
{
	static const char *const names[] = { "b",    "a",    "ab",   "\xff",
					     "aa",   "A",    "\x80", "a.b",
					     "a-b",  "\x01", "abc",  "~",
					     "a\x7f" };
	struct plant p;
	char text[128];

	plant_init(&p);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		plant_file(&p, names[i]);
	check_u64(tree_root(p.tree)->u.dir.count, 13);
	check_u64((uint64_t)plant_finish(&p), 0);
	check_str(plant_names(tree_root(p.tree), text, sizeof(text)),
		  "\x01 A a a-b a.b aa ab abc a\x7f b ~ \x80 \xff");
	plant_cleanup(&p);
}

static void test_path_text(void)
{
	struct plant p;
	char out[NAME_TEXT_LEN], path[600];

	plant_init(&p);
	check_str(node_path_text(tree_root(p.tree), out), "/");
	check_str(node_path_text(plant_file(&p, "a/b/c"), out), "a/b/c");
	check_str(node_path_text(plant_file(&p, "a/\n\\"), out),
		  "a/\\012\\134");

	/* Every length around the room that a message has. */
	for (size_t len = 1; len < 420; len++) {
		size_t want_len;

		for (size_t i = 0; i < len; i++)
			path[i] = i % 10 == 9 && i + 1 < len
					  ? '/'
					  : (char)('a' + i % 26);
		path[len] = '\0';
		plant_cleanup(&p);
		plant_init(&p);
		node_path_text(plant_file(&p, path), out);
		if (len < NAME_TEXT_LEN) {
			check_str(out, path);
			continue;
		}
		want_len = NAME_TEXT_LEN - 1 - 3;
		check(memcmp(out, "...", 3) == 0);
		check_str(out + 3, path + len - want_len);
	}
	memset(path, 'x', 255);
	path[255] = '/';
	memset(path + 256, 'y', 255);
	path[511] = '\0';
	node_path_text(plant_file(&p, path), out);
	check_u64(strlen(out), NAME_TEXT_LEN - 1);
	check_str(out + 3, path + 511 - (NAME_TEXT_LEN - 4));
	plant_cleanup(&p);
}

static void test_alloc(void)
{
	struct plant p;

	plant_init(&p);
	for (size_t len = 1; len < 3000000; len *= 3) {
		uint8_t *bytes = tree_alloc(p.tree, len, &p.err);

		check(bytes && (uintptr_t)bytes % 8 == 0);
		memset(bytes, 1, len);
	}
	check(!tree_alloc(p.tree, SIZE_MAX, &p.err));
	check_u64(p.err.code, ERR_NOMEM);
	plant_cleanup(&p);
}

int main(void)
{
	test_root();
	test_types();
	test_implicit();
	test_implied();
	test_replace_no_dir();
	test_merge_dirs();
	test_replace_dir();
	test_trail();
	test_parent_no_dir();
	test_parent_symlink();
	test_parent_symlink_fails();
	test_hops();
	test_limits();
	test_time();
	test_order();
	test_path_text();
	test_alloc();
	return check_report();
}
