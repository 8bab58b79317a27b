/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sort_file.h"

/*
 * Sort files, in both languages that are established: PRIORITY [FLAGS] PATH, and
 * PATH PRIORITY, which counts the other way and goes for all below PATH. Paths are found by a hash table, so that a list of all files costs no more
 * than its length. Format: doc/select.md, "Order".
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "entry/entry.h"
#include "entry/path.h"
#include "entry/pattern.h"
#include "util/array.h"
#include "util/err.h"
#include "util/parse.h"

/* What the language with the path in front allows. */
#define REVERSED_MIN (-32768)
#define REVERSED_MAX 32767

static const char blanks[] = " \t";

static char *skip_blanks(char *p)
{
	return p + strspn(p, blanks);
}

static int set_flag(struct sort_line *line, const char *word, size_t len,
		    struct err *err)
{
	static const struct {
		const char *word;
		unsigned flag;
	} flags[] = {
		{ "dont_fragment", ENTRY_NO_FRAGMENT },
		{ "dont_compress", ENTRY_NO_COMPRESS },
		{ "dont_deduplicate", ENTRY_NO_DUPLICATES },
		{ "nosparse", ENTRY_NO_SPARSE },
		{ "align", ENTRY_ALIGN },
	};
	char name[NAME_TEXT_LEN];

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (strlen(flags[i].word) == len &&
		    memcmp(flags[i].word, word, len) == 0) {
			line->flags |= flags[i].flag;
			return 0;
		}
	if (len == 4 && memcmp(word, "glob", len) == 0)
		line->match = SORT_GLOB;
	else if (len == 12 && memcmp(word, "glob_no_path", len) == 0)
		line->match = SORT_GLOB_NO_PATH;
	else
		return err_set(err, ERR_USAGE, "\"%s\" is no flag",
			       name_text(word, len, name));
	return 0;
}

/* The flags between brackets, if there are any; *text goes behind them. */
static int take_flags(char **text, struct sort_line *line, struct err *err)
{
	char *p = *text, *end = *p == '[' ? strchr(p, ']') : NULL;

	if (!end || !end[1] || !strchr(blanks, end[1]))
		return 0;
	do {
		p = skip_blanks(p + 1);

		size_t len = strcspn(p, " \t,]");

		if (set_flag(line, p, len, err) < 0)
			return -1;
		p = skip_blanks(p + len);
		if (*p != ',' && *p != ']')
			return err_set(err, ERR_USAGE,
				       "flags are not parted by commas");
	} while (p != end);
	*text = skip_blanks(end + 1);
	return 0;
}

/* Takes the quotes from a path, in place. */
static int unquote(char *text, struct err *err)
{
	char *out = text, *p = text + 1;

	for (; *p && *p != '"'; p++) {
		if (*p == '\\' && (p[1] == '"' || p[1] == '\\'))
			p++;
		*out++ = *p;
	}
	if (*p != '"' || *skip_blanks(p + 1))
		return err_set(err, ERR_USAGE,
			       "a quoted path does not end with its quote");
	*out = '\0';
	return 0;
}

static int take_path(char *text, struct sort_line *line, struct err *err)
{
	size_t len = strlen(text);

	if (*text == '"') {
		if (unquote(text, err) < 0)
			return -1;
	} else {
		while (len > 0 && strchr(blanks, text[len - 1]))
			len--;
		text[len] = '\0';
	}
	if (line->match == SORT_PATH) {
		if (path_clean(text, NULL, err) < 0) {
			err->code = ERR_USAGE;
			return -1;
		}
	} else {
		text += strncmp(text, "./", 2) == 0;
		text += strspn(text, "/");
	}
	if (*text == '\0')
		return err_set(err, ERR_USAGE, "it has no path");
	line->path = text;
	return line->match == SORT_GLOB ? glob_check(text, strlen(text), err)
					: 0;
}

static int take_priority(char **text, struct sort_line *line, struct err *err)
{
	size_t len = strcspn(*text, blanks);
	char word[32], name[NAME_TEXT_LEN];

	if (len >= sizeof(word) || (*text)[len] == '\0')
		return err_set(err, ERR_USAGE,
			       "\"%s\" is not followed by a path",
			       name_text(*text, len, name));
	memcpy(word, *text, len);
	word[len] = '\0';
	*text = skip_blanks(*text + len);
	return parse_i64(word, -INT64_MAX, INT64_MAX, &line->priority, err);
}

/* True if a word is a number, which tells one language from the other. */
static bool is_number(const char *text, size_t len)
{
	size_t sign = len > 0 && (*text == '-' || *text == '+');

	return len > sign && strspn(text + sign, "0123456789") >= len - sign;
}

/* Takes the backslashes from a path, in place. */
static void unescape(char *text)
{
	char *out = text;

	for (const char *p = text; *p; p++) {
		if (*p == '\\' && p[1])
			p++;
		*out++ = *p;
	}
	*out = '\0';
}

/* PATH PRIORITY: the higher the earlier. */
static int take_reversed(char *text, struct sort_line *line, struct err *err)
{
	size_t len = strlen(text), begin;
	int64_t priority;

	while (len > 0 && strchr(blanks, text[len - 1]))
		len--;
	text[len] = '\0';
	for (begin = len; begin > 0 && !strchr(blanks, text[begin - 1]);)
		begin--;
	if (begin == 0 || !is_number(text + begin, len - begin))
		return err_set(err, ERR_USAGE,
			       "neither its first word nor its last is a "
			       "priority");
	if (parse_i64(text + begin, REVERSED_MIN, REVERSED_MAX, &priority,
		      err) < 0)
		return -1;
	while (begin > 0 && strchr(blanks, text[begin - 1]))
		begin--;
	text[begin] = '\0';
	unescape(text);
	line->priority = -priority;
	line->is_tree = true;
	if (path_clean(text, NULL, err) < 0) {
		err->code = ERR_USAGE;
		return -1;
	}
	line->path = text;
	return 0;
}

static int add_line(struct sort_file *file, const struct sort_line *line,
		    struct err *err)
{
	uint64_t first;

	if (array_reserve(&file->lines, &file->cap, file->count + 1,
			  sizeof(*line), err) < 0)
		return -1;
	file->lines[file->count++] = *line;
	if (line->priority != 0)
		file->has_priority = true;
	if (line->is_tree)
		file->has_tree = true;
	if (line->match == SORT_PATH)
		return path_map_put(&file->paths, line->path,
				    strlen(line->path), file->count - 1, &first,
				    err);
	if (array_reserve(&file->globs, &file->glob_cap, file->glob_count + 1,
			  sizeof(*file->globs), err) < 0)
		return -1;
	file->globs[file->glob_count++] = file->count - 1;
	return 0;
}

static int parse_line(struct sort_file *file, char *text, size_t number,
		      struct err *err)
{
	struct sort_line line = { .number = number };

	text = skip_blanks(text);
	if (*text == '\0' || *text == '#')
		return 0;
	if (!is_number(text, strcspn(text, blanks))) {
		if (take_reversed(text, &line, err) < 0)
			return -1;
	} else if (take_priority(&text, &line, err) < 0 ||
		   take_flags(&text, &line, err) < 0 ||
		   take_path(text, &line, err) < 0) {
		return -1;
	}
	return add_line(file, &line, err);
}

int sort_file_read(const char *path, struct sort_file *out, struct err *err)
{
	char name[NAME_TEXT_LEN];

	*out = (struct sort_file) { 0 };
	if (path_map_init(&out->paths, err) < 0 ||
	    lines_read(path, &out->text, err) < 0)
		return -1;
	for (size_t i = 0; i < out->text.count; i++) {
		if (parse_line(out, out->text.items[i], i + 1, err) == 0)
			continue;
		sort_file_cleanup(out);
		return err_in(err, "%s: line %zu",
			      name_text(path, strlen(path), name), i + 1);
	}
	return 0;
}

static bool matches(const struct sort_line *line, const char *path)
{
	if (line->match == SORT_GLOB_NO_PATH)
		return fnmatch(line->path, path, 0) == 0;
	return glob_match(line->path, strlen(line->path), path, strlen(path));
}

/* The line for the nearest directory above a path; file->count if none is. */
static size_t find_above(const struct sort_file *file, const char *path)
{
	size_t len = strlen(path);

	while (file->has_tree && len > 0) {
		const uint64_t *above;

		do
			len--;
		while (len > 0 && path[len] != '/');
		above = path_map_find(&file->paths, path, len);
		if (above && file->lines[*above].is_tree)
			return (size_t)*above;
	}
	return file->count;
}

const struct sort_line *sort_file_find(struct sort_file *file, const char *path)
{
	const uint64_t *exact = path_map_find(&file->paths, path, strlen(path));
	size_t best = exact ? (size_t)*exact : file->count;

	for (size_t i = 0; i < file->glob_count && file->globs[i] < best; i++)
		if (matches(&file->lines[file->globs[i]], path))
			best = file->globs[i];
	if (best == file->count)
		best = find_above(file, path);
	if (best == file->count)
		return NULL;
	file->lines[best].is_used = true;
	return &file->lines[best];
}

void sort_file_cleanup(struct sort_file *file)
{
	lines_cleanup(&file->text);
	free(file->lines);
	free(file->globs);
	path_map_cleanup(&file->paths);
	*file = (struct sort_file) { 0 };
}
