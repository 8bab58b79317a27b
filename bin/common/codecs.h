/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMON_CODECS_H
#define COMMON_CODECS_H

#include <stddef.h>

struct codec_ops;
struct err;

/* Codecs of the programs that the library lacks, ended by NULL. */
extern const struct codec_ops *const codecs_more[];

#define CODECS_NAMES_LEN 64

/* "gzip, xz, ..." of all that are built in, the default first; returns out. */
const char *codecs_names(char out[CODECS_NAMES_LEN]);

/* By name; the best one there is where name is NULL. ERR_USAGE. */
int codecs_find(const char *name, const struct codec_ops **out,
		struct err *err);

/*
 * Adds the words of one -X behind the words of those before; words of theirs
 * with the same key go, so that the last one counts.
 *
 * words    on the heap, or NULL; replaced
 * fails    ERR_NOMEM
 */
int codecs_add_words(char **words, const char *text, struct err *err);

#endif
