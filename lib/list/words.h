/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef LIST_WORDS_H
#define LIST_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "util/array.h"

struct err;

/* The words of one line, decoded. All zero is none. */
struct word {
	size_t at;	 /* in text */
	size_t len;	 /* behind it is a NUL that does not count */
	bool is_quoted;
};

struct words {
	struct buffer text;
	struct word *items;
	size_t count, cap;
};

/*
 * Takes a line apart; a comment has no words.
 *
 * line     len bytes without the line end
 * out      emptied first
 * fails    ERR_USAGE, with the number of the word; ERR_NOMEM
 */
int words_split(const char *line, size_t len, struct words *out,
		struct err *err);

static inline const char *words_get(const struct words *words, size_t index)
{
	return (const char *)words->text.data + words->items[index].at;
}

/*
 * Puts a word, and its number, in front of a failure. Returns -1.
 */
int words_in(const struct words *words, size_t index, struct err *err);

void words_cleanup(struct words *words);

#endif
