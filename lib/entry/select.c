/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "entry/select.h"

/*
 * Which paths are taken. A path is judged component by component from the
 * front, because a pattern that matches a directory decides about all below.
 * Neighbours mostly share their directory, whose judgement is kept.
 */
#include <stdlib.h>
#include <string.h>

#include "util/account.h"
#include "util/array.h"
#include "util/err.h"

int pattern_list_init(struct pattern_list *list, const char *const *texts,
		      size_t count, struct err *err)
{
	*list = (struct pattern_list) { 0 };
	list->patterns = calloc(count + 1, sizeof(*list->patterns));
	if (!list->patterns)
		return err_nomem(err);
	for (; list->count < count; list->count++)
		if (pattern_init(&list->patterns[list->count],
				 texts[list->count], err) < 0)
			return -1;
	return 0;
}

void pattern_list_cleanup(struct pattern_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		pattern_cleanup(&list->patterns[i]);
	free(list->patterns);
	*list = (struct pattern_list) { 0 };
}

/*
 * Sets *found if a pattern of the list matches. Those that have not matched
 * anything so far are tried in any case, so that it is not said of them.
 */
static void try_list(struct pattern_list *list, const char *path, size_t len,
		     bool is_dir, bool *found)
{
	for (size_t i = 0; i < list->count; i++) {
		struct pattern *p = &list->patterns[i];

		if (*found && p->is_used)
			continue;
		if (!pattern_matches(p, path, len, is_dir))
			continue;
		p->is_used = true;
		*found = true;
	}
}

static void try_both(struct selection *s, const char *path, size_t len,
		     bool is_dir, bool *excluded, bool *included)
{
	try_list(&s->exclude, path, len, is_dir, excluded);
	try_list(&s->include, path, len, is_dir, included);
}

/* Judges the directory of a path, len bytes, unless it is the last one. */
static int judge_dir(struct selection *s, const char *path, size_t len,
		     struct err *err)
{
	if (s->is_known && s->dir_len == len && memcmp(s->dir, path, len) == 0)
		return 0;
	s->is_known = false;
	if (array_reserve(&s->dir, &s->dir_cap, len + 1, 1, err) < 0)
		return -1;
	copy_bytes(s->dir, path, len);
	s->dir_len = len;
	s->is_excluded = false;
	s->is_included = false;
	for (size_t i = 1; i <= len; i++)
		if (i == len || path[i] == '/')
			try_both(s, path, i, true, &s->is_excluded,
				 &s->is_included);
	s->is_known = true;
	return 0;
}

int selection_judge(struct selection *s, const char *path, bool is_dir,
		    enum selected *out, struct err *err)
{
	const char *slash = strrchr(path, '/');
	bool excluded, included;

	*out = SELECT_TAKE;
	if (s->exclude.count + s->include.count == 0 || path[0] == '\0')
		return 0;
	if (judge_dir(s, path, slash ? (size_t)(slash - path) : 0, err) < 0)
		return -1;
	excluded = s->is_excluded;
	included = s->is_included;
	try_both(s, path, strlen(path), is_dir, &excluded, &included);
	if (excluded)
		*out = SELECT_LEAVE;
	else if (s->include.count > 0 && !included)
		*out = is_dir ? SELECT_MAYBE : SELECT_LEAVE;
	return 0;
}

void selection_cleanup(struct selection *s)
{
	pattern_list_cleanup(&s->exclude);
	pattern_list_cleanup(&s->include);
	free(s->dir);
	*s = (struct selection) { 0 };
}
