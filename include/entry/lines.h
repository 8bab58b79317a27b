/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ENTRY_LINES_H
#define ENTRY_LINES_H

#include <stddef.h>

struct err;

/* The lines of a text file, each ended by a NUL. All zero is none. */
struct lines {
	char *text;
	char **items; /* count of them, in text */
	size_t count, cap;
};

#define LINES_FILE_MAX (256 * 1024 * 1024) /* bytes */

/*
 * Reads a file whole. Empty lines and those whose first byte is "#" are there
 * as empty ones, so that indexes count lines.
 *
 * fails  ERR_IO; ERR_LIMIT: longer than LINES_FILE_MAX; ERR_USAGE: a line has a
 *	  NUL byte; ERR_NOMEM. The text begins with the file's name.
 */
int lines_read(const char *path, struct lines *out, struct err *err);

/* The same, but a "#" begins a line like any other. */
int lines_read_all(const char *path, struct lines *out, struct err *err);

void lines_cleanup(struct lines *lines);

#endif
