/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_UNIT_ENTRY_CONTEXTS_MODEL_H
#define TESTS_UNIT_ENTRY_CONTEXTS_MODEL_H

/*
 * Files of contexts the plain way: every line is tried, by PCRE2 alone. The
 * including file has included config.h, and there is PCRE2.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "entry/entry.h"

#define MODEL_BLANKS " \t\r\v\f"
#define MODEL_LABEL_LEN 256

static inline bool model_is_pattern(const char *p)
{
	for (; *p; p += 1 + (*p == '\\' && p[1]))
		if (strchr(".^$?*+|[({", *p))
			return true;
	return false;
}

/* 1 if it matches, 0 if not, -1 if PCRE2 gives up. */
static inline int model_match(const char *regex, const char *path)
{
	int fault;
	PCRE2_SIZE at;
	pcre2_code *code = pcre2_compile(
		(PCRE2_SPTR)regex, PCRE2_ZERO_TERMINATED,
		PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_DOTALL, &fault, &at,
		NULL);
	pcre2_match_data *data = pcre2_match_data_create(1, NULL);
	int ret = -2;

	if (!code || !data)
		abort();
	ret = pcre2_match(code, (PCRE2_SPTR)path, strlen(path), 0, 0, data,
			  NULL);
	pcre2_match_data_free(data);
	pcre2_code_free(code);
	if (ret == PCRE2_ERROR_NOMATCH)
		return 0;
	return ret >= 0 ? 1 : -1;
}

/*
 * The label in a sound text for a path from the root, "" for none; -1 if PCRE2
 * gives up on the way. type is the letter behind the "-" of a type.
 */
static inline int model_find(const char *text, const char *path, char type,
			     char label[MODEL_LABEL_LEN])
{
	label[0] = '\0';
	/* What is no pattern is stronger: the last of those, else the last. */
	for (int pass = 0; pass < 2; pass++) {
		char *copy = strdup(text), *rest = copy, *line;
		bool found = false;

		while ((line = strsep(&rest, "\n"))) {
			char *more, *words[3];
			int ret;

			for (int i = 0; i < 3; i++)
				words[i] = strtok_r(i ? NULL : line,
						    MODEL_BLANKS, &more);
			if (!words[0] || words[0][0] == '#' ||
			    model_is_pattern(words[0]) == (pass == 0))
				continue;
			if (words[2] && words[2][0] == '#')
				words[2] = NULL;
			if (words[2] && words[1][1] != type)
				continue;
			ret = model_match(words[0], path);
			if (ret < 0) {
				free(copy);
				return -1;
			}
			if (ret == 0)
				continue;
			found = true;
			strncpy(label, words[words[2] ? 2 : 1],
				MODEL_LABEL_LEN - 1);
			label[MODEL_LABEL_LEN - 1] = '\0';
		}
		free(copy);
		if (found)
			break;
	}
	if (strcmp(label, "<<none>>") == 0)
		label[0] = '\0';
	return 0;
}

#endif
