/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef LIB_ENTRY_CONTEXT_SPEC_H
#define LIB_ENTRY_CONTEXT_SPEC_H

#include <stdbool.h>
#include <stddef.h>

#include "entry/entry.h"

struct err;
struct regex;

/* How a path is compared, beginning with the prefix in any case. */
enum context_match {
	CONTEXT_EXACT, /* it is the prefix */
	CONTEXT_BELOW, /* "(/.*)?": it is the prefix, or lies below */
	CONTEXT_ANY,   /* ".*": anything may follow */
	CONTEXT_REGEX  /* the regular expression decides */
};

/* A line of a file of contexts. Texts are borrowed but for the prefix. */
struct context_spec {
	const char *regex; /* as it is written */
	const char *label; /* NULL: none is wanted */
	int type;	   /* enum entry_type, or -1 for any */
	const char *file;  /* where it stands, for messages */
	size_t line;

	char *prefix; /* what every path that matches begins with; owned */
	size_t prefix_len;
	enum context_match match;
	bool is_pattern; /* for the order: it has characters that are not
			  * meant as they are */
	size_t rank;	 /* the highest that matches wins */
	struct regex *compiled; /* with CONTEXT_REGEX; owned */
};

/*
 * Fills in prefix, match, is_pattern and compiled from the regex.
 *
 * fails    ERR_USAGE: it is none, its text in front; ERR_NOMEM
 */
int context_spec_init(struct context_spec *spec, struct err *err);

/*
 * Whether a path matches that begins with the prefix.
 *
 * returns  1, 0, -1
 * fails    ERR_USAGE: it takes too long; place and expression are in front
 */
int context_spec_matches(const struct context_spec *spec, const char *path,
			 size_t len, struct err *err);

void context_spec_cleanup(struct context_spec *spec);

#endif
