/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ENTRY_SORT_FILE_H
#define ENTRY_SORT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "entry/lines.h"
#include "path_map.h"

struct err;

enum sort_match { SORT_PATH, SORT_GLOB, SORT_GLOB_NO_PATH };

/* One line: what files it is for, and what it says of them. */
struct sort_line {
	int64_t priority; /* lower ones come first */
	unsigned flags;	  /* of enum entry_flag */
	enum sort_match match;
	char *path; /* or glob; in the text of the file */
	size_t number;
	bool is_tree; /* for all below the path, too */
	bool is_used;
};

/* A sort file; the first line that matches a path holds. All zero is an empty
 * one. */
struct sort_file {
	struct lines text;
	struct sort_line *lines; /* in their order */
	size_t count, cap;
	struct path_map paths; /* of SORT_PATH to the first index */
	size_t *globs;	       /* indexes of the others */
	size_t glob_count, glob_cap;
	bool has_priority; /* one that is not 0 */
	bool has_tree;
};

/* ERR_IO; ERR_USAGE: the text names file and line; ERR_NOMEM. */
int sort_file_read(const char *path, struct sort_file *out, struct err *err);

/* The line for a path, borrowed; NULL if none matches. Marks it as used. */
const struct sort_line *sort_file_find(struct sort_file *file,
				       const char *path);

void sort_file_cleanup(struct sort_file *file);

#endif
