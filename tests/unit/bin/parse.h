/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_UNIT_BIN_PARSE_H
#define TESTS_UNIT_BIN_PARSE_H

/*
 * Command lines of a tool, whose options.h has been included before this.
 */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "util/err.h"

#define ARGS_MAX 40

/* Parses a line of words between blanks, copied to copy. */
static inline int parse(const char *line, char copy[512],
			struct options *options, struct err *err)
{
	char *argv[ARGS_MAX] = { copy };
	int argc = 1;

	snprintf(copy, 512, "%s", line);
	for (char *p = strtok(copy, " "); p; p = strtok(NULL, " "))
		argv[argc++] = p;
	argv[argc] = NULL;
	return options_parse(argc, argv, options, err);
}

/* The line is wrong usage, and the message begins so. */
static inline void check_refused(const char *line, const char *text)
{
	struct err err = { .code = ERR_NONE };
	struct options options;
	char copy[512];

	check(parse(line, copy, &options, &err) == -1);
	check_u64(err.code, ERR_USAGE);
	if (strncmp(err.text, text, strlen(text)) != 0)
		check_str(err.text, text);
	options_cleanup(&options);
}

#endif
