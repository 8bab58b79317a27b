/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "entry/contexts.h"

#include "check.h"
#include "file.h"
#include "util/err.h"

static struct contexts *read_text(const char *text, struct err *err)
{
	struct contexts *contexts = NULL;
	char path[FILE_PATH_LEN];
	int fd = file_make(text, strlen(text), path);

	if (contexts_read(path, &contexts, err) < 0)
		contexts = NULL;
	close(fd);
	return contexts;
}

#ifdef WITH_PCRE2

#include "contexts_model.h"

/* Both ways have the same answer for a path; "" is none. */
static void check_both(struct contexts *contexts, const char *text,
		       const char *path)
{
	static const struct {
		enum entry_type type;
		char letter;
	} types[] = {
		{ ENTRY_FILE, '-' },	     { ENTRY_DIR, 'd' },
		{ ENTRY_SYMLINK, 'l' },	     { ENTRY_BLOCK_DEVICE, 'b' },
		{ ENTRY_CHAR_DEVICE, 'c' },  { ENTRY_FIFO, 'p' },
		{ ENTRY_SOCKET, 's' },	     { ENTRY_HARDLINK, '-' },
	};
	static unsigned turn;
	char want[MODEL_LABEL_LEN];
	const char *have;
	unsigned i = turn++ % (sizeof(types) / sizeof(types[0]));

	check(model_find(text, path, types[i].letter, want) == 0);
	check(contexts_find(contexts, path + 1, types[i].type, &have, NULL) ==
	      0);
	check_str(have ? have : "", want);
}

/* Expressions that are easily mistaken for something plainer. */
static void test_expressions(void)
{
	static const char *const expressions[] = {
		"/a", "/a/b", "/a(/.*)?", "/a/.*", "/a.*", "/a/?", "/a/b?",
		"/a/b+", "/a/b*", "/a/b{2}", "/a/b{0,1}c", "/a|/b", "/a/(b|c)",
		"/a/(b|c)|/d", "/a/[|]", "/a/[(]|/b", "/a/[]|]|/c", "/a/[^]|]",
		"/a/[[:alpha:]|]|/d", "/a/\\Q|\\E", "/a/\\Q.*\\E", "/a\\.b",
		"/a\\.b?", "/a/\\d", "/a/\\w+", "/a]b", "/a}b", "/a{b", "/a/b$",
		"^/a", "/a^b", "(?i)/A", "/a/(?i)B", "/a/(?i:B)|/X", "/a/\\|",
		"/a/\\|b|/c", "/a(/.*)?(/.*)?", "(/.*)?", ".*", "/.*", "/",
		"\\/a", "/a\\/b", "/\\141", "/a/\\(b|/c", "/a\\\\b", "/a/b\\?",
		"/(a|b)(/.*)?", "/[ab](/.*)?", "a", "/a/.", "/a/[^/]+", "/a//b",
		"/a/b(?#)|/c", "/a/[\\]|x]|/b", "/a/b{1}|/c",
	};
	static const char *const paths[] = {
		"/", "/a", "/b", "/c", "/d", "/A", "/X", "/a/", "/a/b", "/a/B",
		"/a/bb", "/a/bbb", "/a/bc", "/a/c", "/a/|", "/a/|b", "/a/(",
		"/a/(b", "/a.b", "/a.", "/axb", "/a/1", "/a]b", "/a}b", "/a{b",
		"/a\\b", "/a/b?", "/a/.*", "/a/b/c", "/ab", "/a/x", "/a/]",
		"/a/b{0,1}c", "/a//b", "/a/\n", "/a\nb", "/a/\xff",
		"/a/b\n", "/b/c/d",
	};
	const size_t count = sizeof(expressions) / sizeof(expressions[0]);
	char text[8192];

	/* Each alone, and all together. */
	for (size_t i = 0; i <= count; i++) {
		struct contexts *contexts;
		struct err err = { 0 };
		size_t len = 0;

		for (size_t k = 0; k < count; k++)
			if (i == count || i == k)
				len += (size_t)snprintf(
					text + len, sizeof(text) - len,
					"%s\t%su:r:t%zu\n", expressions[k],
					k % 5 == 4 ? "-- " : "", k);
		contexts = read_text(text, &err);
		check_str(err.text, "");
		if (!contexts)
			continue;
		for (size_t k = 0; k < sizeof(paths) / sizeof(paths[0]); k++)
			for (int again = 0; again < 3; again++)
				check_both(contexts, text, paths[k]);
		contexts_destroy(contexts);
	}
}

static unsigned draw(unsigned below)
{
	static uint64_t state = 1;

	state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)(state >> 33) % below;
}

/* Many lines of random expressions, and paths of the same few letters. */
static void test_random(void)
{
	static const char *const parts[] = {
		"/", "/", "a", "b", "\\.", ".", "a*", "b?", "(a|b)", "[ab]",
		"(/.*)?", ".*", "/a", "/b", "[^/]*", "a{2}", "b+", "|", "\\|",
	};
	static const char *const types[] = { "", "", "-- ", "-d ", "-l ",
					     "-s " };

	for (int round = 0; round < 40; round++) {
		struct contexts *contexts;
		struct err err = { 0 };
		char text[4096];
		size_t len = 0;

		for (unsigned line = 0; line < 1 + draw(40); line++) {
			len += (size_t)sprintf(text + len, "/");
			for (unsigned n = draw(6); n > 0; n--)
				len += (size_t)sprintf(
					text + len, "%s",
					parts[draw(sizeof(parts) /
						   sizeof(parts[0]))]);
			len += (size_t)sprintf(text + len, " %s", types[draw(6)]);
			if (draw(10) == 0)
				len += (size_t)sprintf(text + len,
						       "<<none>>\n");
			else
				len += (size_t)sprintf(text + len,
						       "u:r:t%u\n", line);
		}
		contexts = read_text(text, &err);
		check_str(err.text, "");
		if (!contexts)
			continue;
		for (int k = 0; k < 100; k++) {
			char path[16] = "/";

			for (unsigned n = draw(8), i = 1; n > 0; n--, i++)
				path[i] = "aabb//.|"[draw(8)];
			check_both(contexts, text, path);
		}
		contexts_destroy(contexts);
	}
}

static void test_apply(void)
{
	struct contexts *contexts =
		read_text("/f u:r:t\n/none <<none>>\n", NULL);
	struct entry *entry;

	check(contexts != NULL);
	if (!contexts || entry_create_named("f", 1, "x", 1, &entry, NULL) < 0)
		return;
	check(entry_set_xattr(entry, CONTEXTS_XATTR, "old", 3, NULL) == 0);
	entry->type = ENTRY_HARDLINK;
	check(contexts_apply(contexts, entry, NULL) == 0);
	check_u64(entry->xattrs[0].len, 3);
	entry->size = 1;
	check(contexts_apply(contexts, entry, NULL) == 0);
	check_u64(entry->xattr_count, 1);
	check_u64(entry->xattrs[0].len, 6);
	check_mem(entry->xattrs[0].value, "u:r:t", 6);
	entry_destroy(entry);
	if (entry_create_named("none", 4, NULL, 0, &entry, NULL) < 0)
		return;
	check(contexts_apply(contexts, entry, NULL) == 0);
	check_u64(entry->xattr_count, 0);
	entry_destroy(entry);
	contexts_destroy(contexts);
	contexts_destroy(NULL);
}

/* Cut at every byte a text is read, or refused with the line. */
static void test_cut(void)
{
	static const char text[] = "# comment\n/usr/lib(/.*)?  -d\tu:r:t:s0\n\n"
				   "  /[a-z]+\\.x? -- <<none>>\n"
				   "/b(a|c) u:r:t # more\n";
	char cut[sizeof(text)];

	for (size_t len = 0; len < sizeof(text); len++) {
		struct err err = { 0 };
		struct contexts *contexts;
		const char *label;

		memcpy(cut, text, len);
		cut[len] = '\0';
		contexts = read_text(cut, &err);
		check((contexts == NULL) == (err.code == ERR_USAGE));
		if (!contexts) {
			check(strstr(err.text, ": line ") != NULL);
			continue;
		}
		check(contexts_find(contexts, "usr/lib/x", ENTRY_DIR, &label,
				    &err) == 0);
		check((label != NULL) == (len >= 34));
		contexts_destroy(contexts);
	}
}

int main(void)
{
	struct err err = { 0 };
	struct contexts *contexts;

	check(contexts_read("/nonexistent/file", &contexts, &err) < 0);
	check_u64(err.code, ERR_IO);
	check(contexts_read("/nonexistent/file", &contexts, NULL) < 0);
	test_expressions();
	test_random();
	test_apply();
	test_cut();
	return check_report();
}

#else

int main(void)
{
	struct err err = { 0 };

	check(read_text("/ u:r:t\n", &err) == NULL);
	check_u64(err.code, ERR_UNSUPPORTED);
	return check_report();
}

#endif
