/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random entries go into the tree and into a model that is a list of paths,
 * searched from end to end and with symlinks followed by rewriting strings.
 * Both must agree on what is refused and on every name, inode and count.
 */
#include "tree/tree.h"

#include "plant.h"

#define MODEL_MAX 512
#define TEXT_MAX  128
#define EXCLUDED  "b/e"

struct item {
	char path[TEXT_MAX];
	char link[TEXT_MAX]; /* symlink or hard link target */
	enum entry_type type;
	uint32_t stamp; /* the mtime: which entry made it */
	bool is_live;
	int inode; /* of a hard link; -1 none yet, -2 left out */
	int via;   /* the link that stood at the target, or -1 */
	bool is_walked;
};

struct model {
	struct item items[MODEL_MAX]; /* the first is the root */
	int count;
	uint32_t stamp; /* of the entry being added */
	uint32_t left_out;
};

static uint32_t seed;

static unsigned dice(unsigned sides)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % sides;
}

static int find(const struct model *m, const char *path)
{
	for (int i = 0; i < m->count; i++)
		if (m->items[i].is_live && !strcmp(m->items[i].path, path))
			return i;
	return -1;
}

static int inode_of(const struct model *m, int i)
{
	return m->items[i].type == ENTRY_HARDLINK ? m->items[i].inode : i;
}

static int append(struct model *m, const char *path, enum entry_type type,
		  const char *link, uint32_t stamp)
{
	struct item *item = &m->items[m->count];

	*item = (struct item) { .type = type,
				.stamp = stamp,
				.is_live = true,
				.inode = -1,
				.via = -1 };
	snprintf(item->path, TEXT_MAX, "%s", path);
	snprintf(item->link, TEXT_MAX, "%s", link ? link : "");
	return m->count++;
}

static void join(char *path, const char *name)
{
	size_t len = strlen(path);

	snprintf(path + len, TEXT_MAX - len, "%s%s", len ? "/" : "", name);
}

/* The directory at path, written to out. With make, missing ones are made. */
static bool resolve(struct model *m, const char *path, bool make, char *out)
{
	char todo[4096], rest[4096], name[TEXT_MAX];
	size_t own_len = strlen(path); /* of todo's end: not from a symlink */
	int hops = 0;

	snprintf(todo, sizeof(todo), "%s", path);
	out[0] = '\0';
	while (todo[0]) {
		size_t len = strcspn(todo, "/");
		bool is_own = strlen(todo) <= own_len;

		snprintf(name, sizeof(name), "%.*s", (int)len, todo);
		memmove(todo, todo + len, strlen(todo + len) + 1);
		if (todo[0] == '/')
			memmove(todo, todo + 1, strlen(todo));
		if (is_own)
			own_len = strlen(todo);
		if (!name[0] || !strcmp(name, "."))
			continue;
		if (!strcmp(name, "..")) {
			char *slash = strrchr(out, '/');

			*(slash ? slash : out) = '\0';
			continue;
		}

		char here[TEXT_MAX];

		snprintf(here, sizeof(here), "%s", out);
		join(out, name);
		int i = find(m, out);

		if (i < 0) {
			if (!make || !is_own)
				return false;
			append(m, out, ENTRY_DIR, NULL, 900);
			continue;
		}
		i = inode_of(m, i);
		if (i >= 0 && m->items[i].type == ENTRY_DIR)
			continue;
		if (i < 0 || m->items[i].type != ENTRY_SYMLINK || ++hops > 40)
			return false;
		snprintf(out, TEXT_MAX, "%s",
			 m->items[i].link[0] == '/' ? "" : here);
		snprintf(rest, sizeof(rest), "%s", todo);
		snprintf(todo, sizeof(todo), "%s/%.3900s", m->items[i].link,
			 rest);
	}
	return true;
}

/* The item at a path whose last name is not followed. */
static int target_of(struct model *m, const char *path)
{
	char dir[TEXT_MAX], out[TEXT_MAX];
	const char *slash = strrchr(path, '/');

	snprintf(dir, sizeof(dir), "%.*s", slash ? (int)(slash - path) : 0,
		 path);
	if (!resolve(m, dir, false, out))
		return -1;
	if (!path[0])
		return 0;
	join(out, slash ? slash + 1 : path);
	return find(m, out);
}

static bool has_children(const struct model *m, int dir)
{
	size_t len = strlen(m->items[dir].path);

	for (int i = 0; i < m->count; i++)
		if (m->items[i].is_live &&
		    !strncmp(m->items[i].path, m->items[dir].path, len) &&
		    m->items[i].path[len] == '/')
			return true;
	return false;
}

/* What tree_add returns. */
static int model_add(struct model *m, const struct entry *entry)
{
	char dir[TEXT_MAX], path[TEXT_MAX];
	const char *slash = strrchr(entry->path, '/');
	enum entry_type type = entry->type;
	int target = -1, inode = -1, old = 0;

	path[0] = '\0';
	if (entry->path[0]) {
		snprintf(dir, sizeof(dir), "%.*s",
			 slash ? (int)(slash - entry->path) : 0, entry->path);
		if (!resolve(m, dir, true, path))
			return -1;
		join(path, slash ? slash + 1 : entry->path);
		old = find(m, path);
	} else if (type != ENTRY_DIR) {
		return -1;
	}
	if (type == ENTRY_DIR && old >= 0 && m->items[old].type == ENTRY_DIR) {
		m->items[old].stamp = m->stamp;
		return 0;
	}
	if (type == ENTRY_HARDLINK) {
		target = target_of(m, entry->link);
		inode = target < 0 ? -1 : inode_of(m, target);
		if (inode >= 0 && m->items[inode].type == ENTRY_DIR)
			return -1;
		if (old >= 0 && (old == target ||
				 (inode >= 0 && inode_of(m, old) == inode)))
			return 1;
		if (target < 0 && entry->size > 0)
			type = ENTRY_FILE;
	}
	if (old >= 0) {
		if (m->items[old].type == ENTRY_DIR && has_children(m, old))
			return -1;
		m->items[old].is_live = false;
	}

	int i = append(m, path, type, entry->link, m->stamp);

	m->items[i].inode = inode;
	m->items[i].via = inode < 0 ? target : -1;
	return 0;
}

/* The inode of a link at the end: -2 left out, -3 none. */
static int settle(struct model *m, int i)
{
	struct item *item = &m->items[i];
	int next;

	if (item->type != ENTRY_HARDLINK)
		return item->type == ENTRY_DIR ? -3 : i;
	if (item->inode != -1)
		return item->inode;
	if (item->is_walked)
		return -3;
	item->is_walked = true;
	next = item->via >= 0 ? item->via : target_of(m, item->link);
	if (next < 0)
		item->inode = strcmp(item->link, EXCLUDED) ? -3 : -2;
	else
		item->inode = settle(m, next);
	if (item->inode == -2 && item->is_live)
		m->left_out++;
	return item->inode;
}

static bool model_finish(struct model *m)
{
	for (int i = 0; i < m->count; i++)
		if (m->items[i].is_live && settle(m, i) == -3 &&
		    m->items[i].type == ENTRY_HARDLINK)
			return false;

	/* Only now, for the paths of others may lead through one. */
	for (int i = 0; i < m->count; i++)
		if (m->items[i].inode == -2)
			m->items[i].is_live = false;
	return true;
}

static uint32_t names_of(const struct model *m, int inode)
{
	uint32_t count = 0;

	for (int i = 0; i < m->count; i++)
		count += m->items[i].is_live && inode_of(m, i) == inode;
	return count;
}

/* Names below a directory and not below one of these; kinds apart. */
static void count_names(const struct model *m, int dir, uint32_t *count,
			uint32_t *subdir_count)
{
	size_t len = strlen(m->items[dir].path);

	*count = *subdir_count = 0;
	for (int i = 1; i < m->count; i++) {
		const char *path = m->items[i].path;

		if (!m->items[i].is_live ||
		    strncmp(path, m->items[dir].path, len) ||
		    (len > 0 && path[len] != '/') ||
		    strchr(path + len + (len > 0), '/'))
			continue;
		(*count)++;
		*subdir_count += m->items[i].type == ENTRY_DIR;
	}
}

static void compare(const struct plant *p, const struct model *m)
{
	for (int i = 0; i < m->count; i++) {
		const struct item *item = &m->items[i];
		struct node *node = tree_find(p->tree, item->path), *inode;
		uint32_t count, subdir_count;

		if (!item->is_live) {
			check(node == NULL || find(m, item->path) >= 0);
			continue;
		}
		if (!node) {
			check(node != NULL);
			continue;
		}
		check(!node->is_removed);
		check((node->type == NODE_LINK) ==
		      (item->type == ENTRY_HARDLINK));
		check((node->type == NODE_DIR) == (item->type == ENTRY_DIR));
		inode = node_inode(node);
		check((inode == NULL) == (inode_of(m, i) < 0));
		if (!inode)
			continue;
		check_u64(inode->mtime, m->items[inode_of(m, i)].stamp);
		if (inode->type != NODE_DIR) {
			check_u64(inode->nlink, names_of(m, inode_of(m, i)));
			continue;
		}
		count_names(m, i, &count, &subdir_count);
		check_u64(inode->u.dir.count, count);
		check_u64(inode->u.dir.subdir_count, subdir_count);
		check_u64(inode->nlink, 2 + subdir_count);
		check((inode->mtime == 900) == inode->is_implicit);
	}
}

/* The lists hold what was counted, in order. */
static void check_lists(const struct node *dir)
{
	uint32_t seen = 0;

	for (const struct node *n = dir->u.dir.children; n; n = n->next) {
		seen++;
		check(n->parent == dir && !n->is_removed);
		check(!n->next || strcmp(n->name, n->next->name) < 0);
		if (n->type == NODE_DIR)
			check_lists(n); /* paths here are short */
	}
	check_u64(seen, dir->u.dir.count);
}

static void random_path(char *out, unsigned depth)
{
	out[0] = '\0';
	for (unsigned i = dice(depth + 1); i <= depth; i++) {
		char name[2] = { (char)('a' + dice(5)), '\0' };

		join(out, name);
	}
}

/* A path that was used before, often with another name behind it. */
static void known_path(const struct model *m, bool below, char *out)
{
	const struct item *item = &m->items[dice((unsigned)m->count)];

	snprintf(out, TEXT_MAX, "%s", item->path);
	if (!out[0] || (below && item->type == ENTRY_DIR && dice(4)))
		join(out, dice(2) ? "a" : "e");
}

static void random_target(char *out)
{
	static const char *const front[] = {
		"", "", "/", "../", "./", "../../"
	};
	static const char *const back[] = { "",	  "",  "",     "/..",
					    "/.", "/", "/../a" };
	char path[TEXT_MAX];

	random_path(path, 1);
	snprintf(out, TEXT_MAX, "%s%.60s%s", front[dice(6)], path,
		 back[dice(7)]);
}

static void run(uint32_t start, struct model *m)
{
	static const enum entry_type types[] = {
		ENTRY_FILE,	ENTRY_FILE,	ENTRY_DIR,    ENTRY_DIR,
		ENTRY_DIR,	ENTRY_SYMLINK,	ENTRY_FIFO,   ENTRY_HARDLINK,
		ENTRY_HARDLINK, ENTRY_HARDLINK, ENTRY_SYMLINK
	};
	struct plant p;
	int steps = 20 + (int)(start % 80);

	seed = start;
	plant_init(&p);
	p.excluded = EXCLUDED;
	m->count = 0;
	m->left_out = 0;
	append(m, "", ENTRY_DIR, NULL, 900);
	for (int i = 0; i < steps && m->count + 4 < MODEL_MAX; i++) {
		char path[TEXT_MAX], link[TEXT_MAX];
		struct entry entry = { .path = path, .link = link };
		int want;

		if (dice(2))
			known_path(m, true, path);
		else
			random_path(path, 2);
		if (dice(50) == 0 || strlen(path) > 20)
			path[0] = '\0';
		entry.type = types[dice(sizeof(types) / sizeof(types[0]))];
		if (entry.type == ENTRY_SYMLINK)
			random_target(link);
		else if (dice(8) == 0)
			snprintf(link, sizeof(link), EXCLUDED);
		else if (dice(8))
			known_path(m, false, link);
		else
			random_path(link, 2);
		entry.size = dice(4) == 0;
		m->stamp = 1000 + (uint32_t)i;
		entry.mtime = m->stamp;

		want = model_add(m, &entry);
		plant_add(&p, &entry, NODE_NO_XATTR);
		check(p.ret == want);
		if (p.ret != want) {
			fprintf(stderr, "  run %u step %d: %d for %s -> %s\n",
				(unsigned)start, i, p.ret, path, link);
			break;
		}
		if (i % 8 == 0)
			compare(&p, m);
	}
	compare(&p, m);

	bool good = model_finish(m);

	check((plant_finish(&p) == 0) == good);
	if (good && p.ret == 0) {
		compare(&p, m);
		check_lists(tree_root(p.tree));
		check_u64(p.warner.count[WARN_LINK], m->left_out);
	}
	plant_cleanup(&p);
}

int main(void)
{
	struct model *m = calloc(1, sizeof(*m));

	if (!m)
		return 1;
	for (uint32_t i = 0; i < 3000 && check_failed == 0; i++)
		run(i, m);
	free(m);
	return check_report();
}
