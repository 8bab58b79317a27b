/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef DIR_NAMES_H
#define DIR_NAMES_H

#include <stddef.h>

#include "util/array.h"

struct err;

/* The names in a directory, sorted. All zero is none. */
struct names {
	struct buffer text; /* each ended by a NUL */
	size_t *items;	    /* count of them, where each begins in text */
	size_t count, cap;
};

/*
 * Reads a directory, without "." and "..".
 *
 * fails    ERR_IO, ERR_NOMEM; the text does not name it
 */
int names_read(int dir, const char *name, struct names *out, struct err *err);

static inline const char *names_get(const struct names *names, size_t index)
{
	return (const char *)names->text.data + names->items[index];
}

void names_cleanup(struct names *names);

#endif
