/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef LIST_GLOB_H
#define LIST_GLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "line.h"

struct entry;
struct err;

/* What the options of a glob line say. All zero takes everything. */
struct glob {
	unsigned types; /* bits of enum entry_type; 0: all */
	struct glob_pattern {
		char *text;
		bool is_path; /* for the whole path; else for the name */
	} *patterns;
	size_t count, cap;
	bool one_file_system, keep_time, no_recursion, no_hard_links;
	char *location; /* "." where none is given */
};

/*
 * Reads the words behind the fields.
 *
 * out      to be given to glob_cleanup in any case
 * fails    ERR_USAGE, with the word in front; ERR_NOMEM
 */
int glob_parse(const struct words *words, const struct line *line,
	       struct glob *out, struct err *err);

/* True if type and patterns let an entry in: any of several patterns does. */
bool glob_takes(const struct glob *glob, const struct entry *entry);

void glob_cleanup(struct glob *glob);

#endif
