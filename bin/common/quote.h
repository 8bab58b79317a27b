/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMON_QUOTE_H
#define COMMON_QUOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * The ways to print a name or a value so that whatever its bytes are it stays
 * one word or one line, and can be read back. No name has a NUL.
 */

/*
 * For listings: bytes below 32 and 127 and the controls 80 to 9F in UTF-8
 * become \ooo, and so does a backslash that would be taken for the begin of
 * such.
 */
void quote_listed(FILE *out, const char *name, size_t len);

/*
 * A word of a description: in double quotes where it must be, or always.
 * Format: doc/describe.md, "Words".
 */
void quote_word(FILE *out, const char *text, size_t len, bool always);

/* The same for the value of an attribute, which may be any bytes. */
void quote_value(FILE *out, const void *data, size_t len);

/*
 * As getfattr --dump has it, which setfattr --restore reads: a name has \ooo
 * for control characters, the backslash and, with is_key, the equal sign; a
 * value is text in double quotes with \ooo, or hexadecimal behind 0x.
 */
void quote_dump_name(FILE *out, const char *name, size_t len, bool is_key);
void quote_dump_value(FILE *out, const void *data, size_t len);

/* True if sha256sum writes the name with \\, \n and \r, and then does it. */
bool quote_sum_name(FILE *out, const char *name, size_t len, bool print);

/* A word of mtree(5). */
void quote_mtree(FILE *out, const char *name, size_t len);

#endif
