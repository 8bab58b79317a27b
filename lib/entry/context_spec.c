/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "context_spec.h"

/*
 * What can be said of a regular expression by its look: with what every path
 * begins that it matches, and often all that it says. Where that is in doubt,
 * the prefix is shorter, never longer. The others are compiled at once, so that
 * a fault shows before anything is packed: thousands take milliseconds.
 */
#include <stdlib.h>
#include <string.h>

#include "regex.h"
#include "util/err.h"

static bool is_one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

static bool is_letter_or_digit(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9');
}

/*
 * Whether policies count an expression as a pattern: an escaped character is
 * none, whatever it means to the expression.
 */
static bool has_pattern_characters(const char *p)
{
	for (; *p; p++) {
		if (is_one_of(*p, ".^$?*+|[({"))
			return true;
		if (*p == '\\' && p[1])
			p++;
	}
	return false;
}

/* The end of the class that begins at p, or NULL. */
static const char *class_end(const char *p)
{
	p++;
	p += *p == '^';
	p += *p == ']';
	for (; *p && *p != ']'; p++) {
		const char *end = NULL;

		if (*p == '[' && is_one_of(p[1], ":.="))
			end = strchr(p + 2, ']');
		if (end && end[-1] == p[1])
			p = end;
		else if (*p == '\\' && p[1])
			p++;
	}
	return *p ? p : NULL;
}

/* Whether the expression may be several, of which one has to match. */
static bool may_be_several(const char *p)
{
	int depth = 0;

	if (!strchr(p, '|'))
		return false;
	/* What these do to the characters behind them is not told here. */
	if (strstr(p, "(?") || strstr(p, "(*") || strstr(p, "\\Q"))
		return true;
	for (; *p; p++) {
		if (*p == '\\' && p[1]) {
			p++;
		} else if (*p == '[') {
			p = class_end(p);
			if (!p)
				return true;
		} else if (*p == '(') {
			depth++;
		} else if (*p == ')') {
			depth--;
		} else if (*p == '|' && depth <= 0) {
			return true;
		}
	}
	return false;
}

/*
 * Takes the characters at the front that are meant as they are; returns where
 * the others begin.
 */
static const char *take_prefix(const char *p, char *prefix, size_t *len)
{
	size_t n = 0;

	while (*p) {
		const char *next = p + 1;
		char c = *p;

		if (c == '\\') {
			c = p[1];
			if (!c || is_letter_or_digit(c) || (c & 0x80))
				break;
			next++;
		} else if (is_one_of(c, ".^$?*+|[]({})")) {
			break;
		}
		if (is_one_of(*next, "?*+{"))
			break;
		prefix[n++] = c;
		p = next;
	}
	prefix[n] = '\0';
	*len = n;
	return p;
}

/* Fills in prefix and match. */
static int judge(struct context_spec *spec, struct err *err)
{
	const char *rest;

	spec->match = CONTEXT_REGEX;
	spec->prefix_len = 0;
	spec->prefix = malloc(strlen(spec->regex) + 1);
	if (!spec->prefix)
		return err_nomem(err);
	spec->prefix[0] = '\0';
	if (may_be_several(spec->regex))
		return 0;
	rest = take_prefix(spec->regex, spec->prefix, &spec->prefix_len);
	if (*rest == '\0')
		spec->match = CONTEXT_EXACT;
	else if (strcmp(rest, "(/.*)?") == 0)
		spec->match = CONTEXT_BELOW;
	else if (strcmp(rest, ".*") == 0)
		spec->match = CONTEXT_ANY;
	return 0;
}

int context_spec_init(struct context_spec *spec, struct err *err)
{
	char name[NAME_TEXT_LEN];

	spec->is_pattern = has_pattern_characters(spec->regex);
	spec->compiled = NULL;
	if (judge(spec, err) < 0)
		return -1;
	if (spec->match != CONTEXT_REGEX ||
	    regex_create(spec->regex, &spec->compiled, err) == 0)
		return 0;
	free(spec->prefix);
	return err_in(err, "\"%s\"",
		      name_text(spec->regex, strlen(spec->regex), name));
}

int context_spec_matches(const struct context_spec *spec, const char *path,
			 size_t len, struct err *err)
{
	char file[NAME_TEXT_LEN], name[NAME_TEXT_LEN];
	int ret;

	switch (spec->match) {
	case CONTEXT_EXACT:
		return len == spec->prefix_len;
	case CONTEXT_BELOW:
		return len == spec->prefix_len ||
		       path[spec->prefix_len] == '/';
	case CONTEXT_ANY:
		return 1;
	case CONTEXT_REGEX:
		break;
	}
	ret = regex_match(spec->compiled, path, len, err);
	if (ret < 0)
		return err_in(err, "%s: line %zu: \"%s\"",
			      name_text(spec->file, strlen(spec->file), file),
			      spec->line,
			      name_text(spec->regex, strlen(spec->regex),
					name));
	return ret;
}

void context_spec_cleanup(struct context_spec *spec)
{
	free(spec->prefix);
	regex_destroy(spec->compiled);
}
