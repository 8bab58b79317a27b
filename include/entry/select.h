/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ENTRY_SELECT_H
#define ENTRY_SELECT_H

#include <stdbool.h>
#include <stddef.h>

#include "entry/pattern.h"

struct err;

/* A list of patterns, of which any may match. All zero is an empty one. */
struct pattern_list {
	struct pattern *patterns;
	size_t count;
};

/* texts are copied. ERR_USAGE, ERR_NOMEM. */
int pattern_list_init(struct pattern_list *list, const char *const *texts,
		      size_t count, struct err *err);
void pattern_list_cleanup(struct pattern_list *list);

/* What is taken: --exclude and --include. All zero takes everything. */
struct selection {
	struct pattern_list exclude, include;

	/* The judgement of the directory that the last path lies in. */
	char *dir;
	size_t dir_len, dir_cap;
	bool is_known, is_excluded, is_included;
};

enum selected {
	SELECT_TAKE,
	SELECT_LEAVE,
	SELECT_MAYBE /* a directory, not included itself: what it holds may be */
};

/*
 * Judges a cleaned path; the root is always taken. Marks the patterns that
 * match. ERR_NOMEM.
 *
 * format   doc/select.md, "Include and exclude"
 */
int selection_judge(struct selection *selection, const char *path, bool is_dir,
		    enum selected *out, struct err *err);

void selection_cleanup(struct selection *selection);

#endif
