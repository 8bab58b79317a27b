/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Entries, their parts, and paths. */
#include "entry/entry.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "entry/path.h"
#include "util/err.h"

static void test_named(void)
{
	struct entry *e;
	struct err err;

	check(entry_create_named("a/bX", 3, "target", 4, &e, &err) == 0);
	check_str(e->path, "a/b");
	check_str(e->link, "targ");
	check(e->type == ENTRY_FILE && e->size == 0 && e->xattr_count == 0);

	/* Own memory in the place of both, as a source of trees sets it. */
	entry_free_part(e, e->path);
	entry_free_part(e, e->link);
	e->path = malloc(300);
	memset(e->path, 'p', 299);
	e->path[299] = '\0';
	e->link = NULL;
	entry_destroy(e);

	check(entry_create_named("", 0, NULL, 0, &e, &err) == 0);
	check_str(e->path, "");
	check(e->link == NULL);
	entry_destroy(e);
	entry_destroy(NULL);

	check(entry_create_named("p", 1, "t", SIZE_MAX, &e, &err) == -1);
	check(err.code == ERR_NOMEM);

	check(entry_create(&e, &err) == 0);
	check(e->path == NULL && e->link == NULL);
	e->path = malloc(1);
	e->path[0] = '\0';
	entry_destroy(e);
}

static void test_extents(void)
{
	struct entry *e;
	struct err err;

	check(entry_create(&e, &err) == 0);
	check(entry_add_extent(e, 0, 512, 0, &err) == 0);
	check_u64(e->extent_count, 0);
	check(entry_add_extent(e, 0, 512, 100, &err) == 0);
	check(entry_add_extent(e, 100, 612, 28, &err) == 0);
	check_u64(e->extent_count, 1);
	check_u64(e->extents[0].len, 128);

	/* Touching in the file only, or in the input only, is not enough. */
	check(entry_add_extent(e, 128, 1000, 1, &err) == 0);
	check(entry_add_extent(e, 200, 1001, 1, &err) == 0);
	check_u64(e->extent_count, 3);

	for (uint64_t i = 0; i < 1000; i++)
		check(entry_add_extent(e, 1000 + 10 * i, 5000 + i, 1, &err) ==
		      0);
	check_u64(e->extent_count, 1003);
	for (uint64_t i = 0; i < 1000; i++)
		if (e->extents[3 + i].offset != 1000 + 10 * i ||
		    e->extents[3 + i].at != 5000 + i)
			check(!"extent kept");
	check_u64(e->extents[0].len, 128);
	entry_destroy(e);
}

static void test_xattrs(void)
{
	static const char *const names[] = { "user.m", "user.a", "user.z",
					     "security.x", "user.mm" };
	struct entry *e;
	struct err err;

	check(entry_create(&e, &err) == 0);
	for (size_t i = 0; i < 5; i++)
		check(entry_set_xattr(e, names[i], names[i], i, &err) == 0);
	check_u64(e->xattr_count, 5);
	for (size_t i = 0; i + 1 < 5; i++)
		check(strcmp(e->xattrs[i].name, e->xattrs[i + 1].name) < 0);
	check_str(e->xattrs[0].name, "security.x");

	check(entry_set_xattr(e, "user.m", "\0\n", 2, &err) == 1);
	check_u64(e->xattr_count, 5);
	check_str(e->xattrs[2].name, "user.m");
	check_u64(e->xattrs[2].len, 2);
	check_mem(e->xattrs[2].value, "\0\n\0", 3);

	entry_clear_xattrs(e);
	check_u64(e->xattr_count, 0);
	check(entry_set_xattr(e, "user.n", NULL, 0, &err) == 0);
	check_u64(e->xattrs[0].len, 0);
	check(e->xattrs[0].value[0] == 0);
	entry_destroy(e);
}

/* Cleans a copy; returns borrowed text, or NULL on failure. */
static const char *clean(const char *path, bool *absolute, struct err *err)
{
	static char text[2048];

	snprintf(text, sizeof(text), "%s", path);
	return path_clean(text, absolute, err) < 0 ? NULL : text;
}

static void test_clean(void)
{
	static const char *const same[][2] = {
		{ "", "" },
		{ "/", "" },
		{ "//", "" },
		{ ".", "" },
		{ "./", "" },
		{ ".//", "" },
		{ "/./.", "" },
		{ "a", "a" },
		{ "./a", "a" },
		{ "/a", "a" },
		{ "a/", "a" },
		{ "a//b", "a/b" },
		{ "a/./b/.", "a/b" },
		{ ".//a/.//b//", "a/b" },
		{ "a/b/c", "a/b/c" },
		{ "...", "..." },
		{ "..a/b..", "..a/b.." },
		{ ".a/.b", ".a/.b" },
		{ "a\\b\n\xff", "a\\b\n\xff" },
	};
	static const char *const bad[] = { "..",    "../a", "a/..",  "a/../b",
					   "/../a", "./..", "a/../", "..//a" };
	struct err err = { 0 };
	bool absolute;

	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		const char *out = clean(same[i][0], &absolute, &err);

		check(out != NULL);
		check_str(out ? out : "", same[i][1]);
		check(absolute == (same[i][0][0] == '/'));

		/* Cleaning what is clean changes nothing. */
		char again[2048];

		snprintf(again, sizeof(again), "%s", out ? out : "");
		check(path_clean(again, NULL, &err) == 0);
		check_str(again, same[i][1]);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		check(clean(bad[i], &absolute, &err) == NULL);
		check(err.code == ERR_CORRUPT);
	}
}

static void test_long_components(void)
{
	struct err err = { 0 };
	char path[600];

	for (size_t len = 254; len <= 257; len++) {
		path[0] = 'd';
		path[1] = '/';
		memset(path + 2, 'n', len);
		memcpy(path + 2 + len, "/x", 3);
		err.code = ERR_NONE;
		check((path_clean(path, NULL, &err) == 0) ==
		      (len <= PATH_NAME_MAX));
		check(len <= PATH_NAME_MAX || err.code == ERR_LIMIT);
	}
}

static void test_below(void)
{
	check_str(path_below("a/b", "a"), "b");
	check_str(path_below("a/b/c", "a/b"), "c");
	check_str(path_below("a", "a"), "");
	check_str(path_below("a/b", ""), "a/b");
	check_str(path_below("", ""), "");
	check(path_below("ab", "a") == NULL);
	check(path_below("a", "a/b") == NULL);
	check(path_below("", "a") == NULL);
	check(path_below("b/a", "a") == NULL);
}

static void test_type_names(void)
{
	for (int a = ENTRY_FILE; a <= ENTRY_SOCKET; a++)
		for (int b = ENTRY_FILE; b < a; b++)
			check(strcmp(entry_type_name((enum entry_type)a),
				     entry_type_name((enum entry_type)b)) != 0);
}

int main(void)
{
	test_named();
	test_extents();
	test_xattrs();
	test_clean();
	test_long_components();
	test_below();
	test_type_names();
	return check_report();
}
