/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef LIB_ENTRY_REGEX_H
#define LIB_ENTRY_REGEX_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct regex;

/* False if the library was built without PCRE2: then nothing else is called. */
bool regex_is_built_in(void);

/*
 * Compiles a Perl-compatible regular expression that has to match a whole text,
 * and whose dot matches any byte.
 *
 * fails    ERR_USAGE: it is none, with the byte where that shows; ERR_NOMEM
 */
int regex_create(const char *text, struct regex **out, struct err *err);

/*
 * returns  1 if len bytes of text match, 0 if not, -1
 * fails    ERR_USAGE: it takes too long, or too much memory
 */
int regex_match(const struct regex *regex, const char *text, size_t len,
		struct err *err);

/* regex may be NULL. */
void regex_destroy(struct regex *regex);

#endif
