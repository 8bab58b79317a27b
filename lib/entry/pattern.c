/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "entry/pattern.h"

/*
 * Globs. Where they fail, the text goes on from the last star: one that stays
 * in its component, or a double one. A star further left need not be tried
 * again: what is right of it has matched as early as possible, and the later
 * star takes anything the earlier one could have taken.
 * Format: doc/select.md, "Patterns".
 */
#include <stdlib.h>
#include <string.h>

#include "util/err.h"

/*
 * Matches one byte against a bracket, glob being behind its "[". Returns what
 * is behind the bracket; NULL if it does not end.
 */
static const char *match_bracket(const char *glob, const char *end,
				 unsigned char byte, bool *matches)
{
	bool negated = glob < end && (*glob == '!' || *glob == '^');
	bool found = false;

	glob += negated;
	for (const char *begin = glob; glob < end; glob++) {
		if (*glob == ']' && glob > begin) {
			*matches = found != negated && byte != '/';
			return glob + 1;
		}
		if (*glob == '\\' && ++glob == end)
			return NULL;

		unsigned char low = (unsigned char)*glob, high = low;

		if (end - glob > 2 && glob[1] == '-' && glob[2] != ']') {
			glob += 2;
			if (*glob == '\\' && ++glob == end)
				return NULL;
			high = (unsigned char)*glob;
		}
		if (byte >= low && byte <= high)
			found = true;
	}
	return NULL;
}

/* Matches one byte; the glob behind what took it, or NULL. */
static const char *match_byte(const char *glob, const char *end, char c)
{
	bool matches;

	switch (*glob) {
	case '?':
		return c != '/' ? glob + 1 : NULL;
	case '[':
		glob = match_bracket(glob + 1, end, (unsigned char)c, &matches);
		return matches ? glob : NULL;
	case '\\':
		glob++;
		break;
	}
	return *glob == c ? glob + 1 : NULL;
}

/* Where to go on after a mismatch. */
struct star {
	const char *glob; /* behind the star; NULL: there was none */
	const char *text; /* how much it has taken */
};

/* A star takes one byte more. */
static bool star_grow(struct star *star, const char *end)
{
	if (!star->glob || star->text == end || *star->text == '/')
		return false;
	star->text++;
	return true;
}

/* A double star takes one byte more, or one component. */
static bool double_grow(struct star *star, const char *end, bool whole)
{
	if (!star->glob || star->text == end)
		return false;
	if (!whole) {
		star->text++;
		return true;
	}
	star->text = memchr(star->text, '/', (size_t)(end - star->text));
	if (!star->text) {
		star->text = end;
		return false;
	}
	star->text++;
	return true;
}

bool glob_match(const char *glob, size_t glob_len, const char *text, size_t len)
{
	const char *begin = glob, *end = glob + glob_len;
	const char *text_end = text + len, *next;
	struct star one = { 0 }, two = { 0 };
	bool whole = false; /* two takes whole components */

	for (;;) {
		if (glob == end && text == text_end)
			return true;
		if (end - glob > 1 && glob[0] == '*' && glob[1] == '*') {
			whole = glob == begin || glob[-1] == '/';
			glob += 2;
			whole = whole && glob < end && *glob == '/';
			glob += whole;
			one.glob = NULL;
			two = (struct star) { glob, text };
		} else if (glob < end && *glob == '*') {
			one = (struct star) { ++glob, text };
		} else if (glob < end && text < text_end &&
			   (next = match_byte(glob, end, *text))) {
			glob = next;
			text++;
		} else if (star_grow(&one, text_end)) {
			glob = one.glob;
			text = one.text;
		} else if (double_grow(&two, text_end, whole)) {
			one.glob = NULL;
			glob = two.glob;
			text = two.text;
		} else {
			return false;
		}
	}
}

int glob_check(const char *glob, size_t len, struct err *err)
{
	const char *end = glob + len;
	bool unused;

	while (glob < end) {
		if (*glob == '\\') {
			if (++glob == end)
				return err_set(err, ERR_USAGE,
					       "a backslash at the end of a "
					       "pattern");
			glob++;
		} else if (*glob == '[') {
			glob = match_bracket(glob + 1, end, 0, &unused);
			if (!glob)
				return err_set(err, ERR_USAGE,
					       "a bracket in a pattern does "
					       "not end");
		} else {
			glob++;
		}
	}
	return 0;
}

int pattern_init(struct pattern *pattern, const char *text, struct err *err)
{
	const char *glob, *end;
	char name[NAME_TEXT_LEN];

	*pattern = (struct pattern) { .given = strdup(text) };
	if (!pattern->given)
		return err_nomem(err);
	glob = pattern->given;
	end = glob + strlen(glob);
	glob += strncmp(glob, "./", 2) == 0;
	pattern->is_dirs_only = end > glob && end[-1] == '/';
	while (end > glob && end[-1] == '/')
		end--;
	pattern->is_name = !memchr(glob, '/', (size_t)(end - glob));
	while (glob < end && *glob == '/')
		glob++;
	pattern->glob = glob;
	pattern->glob_len = (size_t)(end - glob);
	if (pattern->glob_len == 0 || (pattern->glob_len == 1 && *glob == '.'))
		err_set(err, ERR_USAGE, "it names the root or nothing");
	else if (glob_check(glob, pattern->glob_len, err) == 0)
		return 0;
	err_in(err, "\"%s\"", name_text(text, strlen(text), name));
	pattern_cleanup(pattern);
	return -1;
}

bool pattern_matches(const struct pattern *pattern, const char *path,
		     size_t len, bool is_dir)
{
	if (pattern->is_dirs_only && !is_dir)
		return false;

	size_t begin = pattern->is_name ? len : 0;

	while (begin > 0 && path[begin - 1] != '/')
		begin--;
	return glob_match(pattern->glob, pattern->glob_len, path + begin,
			  len - begin);
}

void pattern_cleanup(struct pattern *pattern)
{
	free(pattern->given);
	*pattern = (struct pattern) { 0 };
}
