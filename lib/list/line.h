/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef LIST_LINE_H
#define LIST_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "entry/entry.h"
#include "words.h"

struct err;

enum line_kind {
	LINE_ENTRY, /* of type */
	LINE_GLOB,
	LINE_TIME,
	LINE_XATTR
};

/* What a line says. Texts are borrowed from its words. */
struct line {
	enum line_kind kind;
	enum entry_type type;
	char *path; /* cleaned; "" is the root */

	/* -1: "*", what is found has its own; of glob lines only */
	int64_t mode, uid, gid;

	const char *target; /* of a symlink; of a hard link cleaned */
	const char *source; /* of a file; NULL: path */
	uint32_t major, minor;
	int64_t time;
	const char *name; /* of an attribute */
	size_t value;	  /* the word that is its value */
	size_t rest;	  /* of a glob line: the first word behind the fields */
};

/*
 * Makes sense of a line that has words.
 *
 * words    cleaned paths and decoded values replace what was written
 * fails    ERR_USAGE, with the word in front; ERR_NOMEM
 */
int line_parse(struct words *words, struct line *out, struct err *err);

#endif
