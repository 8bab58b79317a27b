/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CODEC_WORD_H
#define CODEC_WORD_H

#include <stdint.h>

struct err;

/*
 * What the config_word functions of all codecs share. The messages name the
 * word and what it may be.
 */

/* key=value with a number from min to max. ERR_USAGE. */
int codec_word_number(const char *key, const char *value, int min, int max,
		      int *out, struct err *err);

/* Refuses a value behind a word that takes none. ERR_USAGE. */
int codec_word_bare(const char *key, const char *value, struct err *err);

#endif
