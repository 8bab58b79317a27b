/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Patterns against a plain recursive matcher; ids, modes and attributes. */
#include <stdlib.h>

#include "check.h"
#include "entry/entry.h"
#include "entry/ids.h"
#include "entry/mode.h"
#include "entry/pattern.h"
#include "entry/xattrs.h"
#include "util/err.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* What a glob means, without a thought for time. */
static bool plain_match(const char *begin, const char *g, const char *t)
{
	if (*g == '\0')
		return *t == '\0';
	if (g[0] == '*' && g[1] == '*') {
		bool whole = (g == begin || g[-1] == '/') && g[2] == '/';

		if (!whole)
			return plain_match(begin, g + 2, t) ||
			       (*t && plain_match(begin, g, t + 1));
		if (plain_match(begin, g + 3, t))
			return true;
		while (*t && *t != '/')
			t++;
		return *t && plain_match(begin, g, t + 1);
	}
	if (*g == '*')
		return plain_match(begin, g + 1, t) ||
		       (*t && *t != '/' && plain_match(begin, g, t + 1));
	if (*t == '\0')
		return false;
	if (*g == '?' ? *t == '/' : *g != *t)
		return false;
	return plain_match(begin, g + 1, t + 1);
}

static void test_against_plain(void)
{
	static const char glob_bytes[] = "ab/**?", text_bytes[] = "aab/";
	unsigned long state = 7, wrong = 0, matched = 0;

	for (unsigned n = 0; n < 300000; n++) {
		char glob[10] = { 0 }, text[12] = { 0 };

		for (size_t i = 0; i < sizeof(glob) - 1; i++) {
			state = state * 6364136223846793005u +
				1442695040888963407u;
			glob[i] = glob_bytes[(state >> 33) % 7];
		}
		for (size_t i = 0; i < sizeof(text) - 1; i++) {
			state = state * 6364136223846793005u +
				1442695040888963407u;
			text[i] = text_bytes[(state >> 33) % 5];
		}
		/* Three stars in a row could be read in two ways. */
		if (strstr(glob, "***"))
			continue;

		bool have = glob_match(glob, strlen(glob), text, strlen(text));

		wrong += have != plain_match(glob, glob, text);
		matched += have;
	}
	check_u64(wrong, 0);
	check(matched > 1000);
}

static void test_brackets(void)
{
	static const struct {
		const char *glob, *text;
		bool matches;
	} cases[] = {
		{ "[abc]", "b", true },
		{ "[abc]", "d", false },
		{ "[a-c]x", "bx", true },
		{ "[!a-c]", "d", true },
		{ "[^a-c]", "a", false },
		{ "[]]", "]", true },
		{ "[]-a]", "^", true },
		{ "[a-]", "-", true },
		{ "[!/]", "/", false },
		{ "a[/]b", "a/b", false },
		{ "[.-0]", "/", false },
		{ "[\\]]", "]", true },
		{ "[\xc0-\xff]", "\xe9", true },
		{ "\\*", "*", true },
		{ "\\*", "x", false },
		{ "*[0-9].so", "lib.7.so", true },
		{ "*[a]*", "xxay", true },
	};
	static const char *const bad[] = { "[",	  "[]",	  "[a",	  "[!]",
					   "a\\", "[a\\", "[a-\\" };
	struct err err;

	for (size_t i = 0; i < COUNT(cases); i++)
		check(glob_match(cases[i].glob, strlen(cases[i].glob),
				 cases[i].text,
				 strlen(cases[i].text)) == cases[i].matches);
	for (size_t i = 0; i < COUNT(bad); i++) {
		check(glob_check(bad[i], strlen(bad[i]), &err) < 0);
		check(err.code == ERR_USAGE);
	}
}

static bool matches(const char *text, const char *path, bool is_dir)
{
	struct pattern p;
	struct err err;
	bool ret;

	check(pattern_init(&p, text, &err) == 0);
	ret = pattern_matches(&p, path, strlen(path), is_dir);
	pattern_cleanup(&p);
	return ret;
}

static void test_patterns(void)
{
	struct pattern p;
	struct err err;

	check(matches("x", "a/b/x", false));
	check(!matches("/x", "a/b/x", false));
	check(matches("/x", "x", false) && matches("./x", "x", false));
	check(matches("b/x", "b/x", false) && !matches("b/x", "a/b/x", false));
	check(matches("**/b/x", "a/b/x", false));
	check(matches("**/b/x", "b/x", false));
	check(matches("x/", "a/x", true) && !matches("x/", "a/x", false));
	check(matches("*.c", "a.d/b.c", false));
	check(!matches("a*c", "a/b.c", false));
	check(matches("..", "a/..", false)); /* none such comes */
	check(pattern_init(&p, "", &err) < 0 && err.code == ERR_USAGE);
	check(pattern_init(&p, "//", &err) < 0);
	check(pattern_init(&p, "./", &err) < 0);
	check(strstr(err.text, "\"./\"") != NULL);
}

static void test_ids(void)
{
	struct id_map map = { 0 };
	struct err err;

	check_u64(id_map_apply(&map, 7), 7);
	check(id_map_add(&map, "100:0:10", &err) == 0);
	check(id_map_add(&map, "4294967295:5:1", &err) == 0);
	check(id_map_add(&map, "0:4294967195:100", &err) == 0);
	check(id_map_add(&map, "0x70:1:2", &err) == 0);
	check_u64(id_map_apply(&map, 0), 4294967195);
	check_u64(id_map_apply(&map, 99), UINT32_MAX - 1);
	check_u64(id_map_apply(&map, 100), 0);
	check_u64(id_map_apply(&map, 109), 9);
	check_u64(id_map_apply(&map, 110), 110);
	check_u64(id_map_apply(&map, 113), 2);
	check_u64(id_map_apply(&map, UINT32_MAX), 5);

	/* The edges of what is there, and what holds or is held by it. */
	static const char *const over[] = { "109:0:1",	      "99:0:1",
					    "0:0:200",	      "105:0:2",
					    "4294967295:0:1", "113:0:1",
					    "4294967290:0:6" };

	for (size_t i = 0; i < COUNT(over); i++) {
		check(id_map_add(&map, over[i], &err) < 0);
		check(strstr(err.text, "mapped twice") != NULL);
	}
	check(id_map_add(&map, "110:0:2", &err) == 0);
	id_map_cleanup(&map);
	check(id_map_add(&map, "0:0:4294967295", &err) == 0);
	check(id_map_add(&map, "1:0:4294967295", &err) < 0);
	check(id_map_add(&map, "2:0:4294967295", &err) < 0);
	check(strstr(err.text, "passes the last") != NULL);
	id_map_cleanup(&map);
}

static uint16_t mode(const char *text, uint16_t from, bool is_dir)
{
	struct mode_rules rules = { 0 };
	struct err err;

	check(mode_rules_add(&rules, text, &err) == 0);
	from = mode_rules_apply(&rules, from, is_dir);
	mode_rules_cleanup(&rules);
	return from;
}

static void test_modes(void)
{
	static const char *const bad[] = { "",	   "u",	   "8",	    "00000008",
					   "u=r,", ",u=r", "u=rz",  "ux",
					   "D",	   "x",	   "10000", "DF+x" };
	struct mode_rules rules = { 0 };
	struct err err;

	check_u64(mode("0755", 06644, false), 0755);
	check_u64(mode("+x", 0644, false), 0755);
	check_u64(mode("u+rw-x", 0155, false), 0655);
	check_u64(mode("a=rX", 0700, false), 0555);
	check_u64(mode("a=rX", 0600, false), 0444);
	check_u64(mode("a=rX", 0600, true), 0555);
	check_u64(mode("g=u", 0750, false), 0770);
	check_u64(mode("o+g,g=", 0751, false), 0705);
	check_u64(mode("u=", 07777, false), 03077);
	check_u64(mode("g-s", 07777, false), 05777);
	check_u64(mode("+st", 0, false), 07000);
	check_u64(mode("o=", 07777, true), 06770);
	check_u64(mode("u+t", 0, true), 0);
	check_u64(mode("D700,F600", 0, true), 0700);
	check_u64(mode("D700,F600", 0, false), 0600);
	for (size_t i = 0; i < COUNT(bad); i++) {
		check(mode_rules_add(&rules, bad[i], &err) < 0);
		check(err.code == ERR_USAGE);
	}
	mode_rules_cleanup(&rules);
}

/* What is added for a value; want is NULL where it is refused. */
static void check_value(const char *text, const char *want, size_t len)
{
	struct xattr_rules rules = { 0 };
	struct err err;
	char word[64];

	snprintf(word, sizeof(word), "user.k=%s", text);
	if (!want) {
		check(xattr_rules_add(&rules, word, &err) < 0);
		check(err.code == ERR_USAGE);
	} else if (xattr_rules_add(&rules, word, &err) < 0) {
		check_str(err.text, text);
	} else {
		check_str(rules.added[0].name, "user.k");
		check_u64(rules.added[0].len, len);
		check_mem(rules.added[0].value, want, len);
	}
	xattr_rules_cleanup(&rules);
}

static void test_values(void)
{
	check_value("", "", 0);
	check_value("a=b", "a=b", 3);
	check_value("0", "0", 1);
	check_value("0x", "", 0);
	check_value("0x0061fF", "\0a\xff", 3);
	check_value("0sAA==", "\0", 1);
	check_value("0sAAH/", "\0\1\xff", 3);
	check_value("0sAAH", "\0\1", 2);
	check_value("0s", "", 0);
	check_value("0x1", NULL, 0);
	check_value("0xgg", NULL, 0);
	check_value("0sA", NULL, 0);
	check_value("0sAA=A", NULL, 0);
	check_value("0s A", NULL, 0);
}

int main(void)
{
	test_against_plain();
	test_brackets();
	test_patterns();
	test_ids();
	test_modes();
	test_values();
	return check_report();
}
