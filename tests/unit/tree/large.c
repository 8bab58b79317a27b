/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sizes at which a search in a list, a recursion or a 16-bit counter shows. No
 * time is measured: what is quadratic takes minutes here.
 */
#include "tree/tree.h"

#include "plant.h"

static void check_sorted(const struct node *dir, uint32_t count)
{
	uint32_t seen = 0, wrong = 0;

	for (const struct node *n = dir->u.dir.children; n; n = n->next) {
		seen++;
		wrong += n->is_removed || n->parent != dir;
		if (n->next)
			wrong += strcmp(n->name, n->next->name) >= 0;
	}
	check_u64(seen, count);
	check_u64(dir->u.dir.count, count);
	check_u64(wrong, 0);
}

/* Files in an order that is neither sorted nor in long runs. */
static void test_wide(void)
{
	enum { COUNT = 100000 };
	struct plant p;
	char path[32];

	plant_init(&p);
	for (int i = 0; i < COUNT; i++) {
		snprintf(path, sizeof(path), "d/%d", i * 7919 % COUNT);
		plant_file(&p, path);
	}
	for (int i = 0; i < COUNT; i++) {
		snprintf(path, sizeof(path), "d/%d", i);
		check(tree_find(p.tree, path) != NULL);
	}
	check(!tree_find(p.tree, "d/100000"));
	check_u64((uint64_t)plant_finish(&p), 0);
	check_sorted(tree_find(p.tree, "d"), COUNT);
	plant_cleanup(&p);
}

static void test_replaced(void)
{
	enum { COUNT = 100000 };
	struct plant p;
	char path[32];

	plant_init(&p);
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < COUNT; i++) {
			/* the second time from the back */
			int n = round ? COUNT - 1 - i : i;

			snprintf(path, sizeof(path), "d/%d", n);
			plant_any(&p, ENTRY_FILE, path, NULL,
				  (uint64_t)round + 1);
		}
	}
	for (int i = 0; i < COUNT; i++)
		plant_file(&p, "one");
	check_u64(p.warner.count[WARN_REPLACED], 2 * COUNT - 1);
	check_u64((uint64_t)plant_finish(&p), 0);
	check_sorted(tree_find(p.tree, "d"), COUNT);
	check_sorted(tree_root(p.tree), 2);
	check_u64(tree_find(p.tree, "d/77")->u.file.size, 2);
	plant_cleanup(&p);
}

static void test_subdirs(void)
{
	struct plant p;
	char path[32];

	plant_init(&p);
	for (int i = 0; i < 66000; i++) {
		snprintf(path, sizeof(path), "d/%d/f", i);
		plant_file(&p, path);
	}
	struct node *dir = tree_find(p.tree, "d");

	check_u64(dir->nlink, 66002);
	check_u64(dir->u.dir.subdir_count, 66000);
	check_u64((uint64_t)plant_finish(&p), 0);
	check_sorted(dir, 66000);
	check_u64(dir->nlink, 66002);
	plant_cleanup(&p);
}

static void test_deep(void)
{
	enum { DEPTH = 20000 };
	struct plant p;
	char *path = malloc(2 * DEPTH + 8), out[NAME_TEXT_LEN];

	plant_init(&p);
	for (size_t i = 0; i < DEPTH; i++) {
		memcpy(path + 2 * i, "a", 2);
		plant_dir(&p, path);
		path[2 * i + 1] = '/';
	}
	memcpy(path + 2 * (size_t)DEPTH, "f", 2);
	struct node *file = plant_file(&p, path);
	struct node *h = plant_link(&p, "h", path);

	check(node_inode(h) == file);
	check(tree_find(p.tree, path) == file);
	check_str(node_path_text(file, out) + NAME_TEXT_LEN - 6, "a/a/f");

	/* Directories that no entry names, and siblings on the way back. */
	path[0] = 'b';
	plant_file(&p, path);
	for (size_t i = DEPTH; i > 0; i--) {
		memcpy(path + 2 * i, "c", 2);
		check(plant_file(&p, path) != NULL);
	}
	check_u64((uint64_t)plant_finish(&p), 0);

	unsigned depth = 0;
	struct node *dir = tree_find(p.tree, "b");

	for (; dir->type == NODE_DIR; dir = dir->u.dir.children) {
		depth++;
		check_u64(dir->u.dir.count, 2);
	}
	check_u64(depth, DEPTH);
	free(path);
	plant_cleanup(&p);
}

/* h0 -> h1 -> ... -> f, each waiting for the next, and one inode for all. */
static void test_chain(void)
{
	enum { COUNT = 100000 };
	struct plant p;
	char path[32], target[32];

	plant_init(&p);
	for (int i = 0; i < COUNT; i++) {
		snprintf(path, sizeof(path), "h%d", i);
		snprintf(target, sizeof(target), "h%d", i + 1);
		plant_link(&p, path, target);
	}
	struct node *file = plant_file(&p, target);

	for (int i = 0; i < COUNT; i++) {
		snprintf(path, sizeof(path), "g%d", i);
		plant_link(&p, path, "h0");
	}
	check_u64((uint64_t)plant_finish(&p), 0);
	check_u64(file->nlink, 2 * COUNT + 1);
	check(node_inode(tree_find(p.tree, "h0")) == file);
	check(node_inode(tree_find(p.tree, "g0")) == file);
	check_sorted(tree_root(p.tree), 2 * COUNT + 1);
	plant_cleanup(&p);

	/* All left out, as the first of them names what is excluded. */
	plant_init(&p);
	p.excluded = "gone";
	plant_link(&p, "h0", "gone");
	for (int i = 1; i < COUNT; i++) {
		snprintf(path, sizeof(path), "h%d", i);
		snprintf(target, sizeof(target), "h%d", i - 1);
		plant_link(&p, path, target);
	}
	check_u64((uint64_t)plant_finish(&p), 0);
	check_u64(p.warner.count[WARN_LINK], COUNT);
	check_sorted(tree_root(p.tree), 0);
	plant_cleanup(&p);

	/* The same as a circle. */
	plant_init(&p);
	for (int i = 0; i < COUNT; i++) {
		snprintf(path, sizeof(path), "h%d", i);
		snprintf(target, sizeof(target), "h%d", (i + 1) % COUNT);
		plant_link(&p, path, target);
	}
	check(plant_finish(&p) < 0);
	check_u64(p.err.code, ERR_CORRUPT);
	plant_cleanup(&p);
}

/* Orders that a merge sort of runs may trip over. */
static void test_orders(void)
{
	for (int count = 0; count < 130; count++) {
		for (int kind = 0; kind < 4; kind++) {
			struct plant p;
			char path[32];

			plant_init(&p);
			for (int i = 0; i < count; i++) {
				int n = kind == 0   ? i
					: kind == 1 ? count - 1 - i
					: kind == 2 ? i * 89 % 131
						    : (i & 1 ? 1000 - i : i);

				snprintf(path, sizeof(path), "%04d", n);
				plant_file(&p, path);
			}
			check_u64((uint64_t)plant_finish(&p), 0);
			check_sorted(tree_root(p.tree), (uint32_t)count);
			plant_cleanup(&p);
		}
	}
}

/* What a file costs on top of its name. */
static void test_node_len(void)
{
	check(offsetof(struct node, name) <= 112);
}

int main(void)
{
	test_wide();
	test_replaced();
	test_subdirs();
	test_deep();
	test_chain();
	test_orders();
	test_node_len();
	return check_report();
}
