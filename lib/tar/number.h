/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TAR_NUMBER_H
#define TAR_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/*
 * A header's field of width bytes, octal or binary; a blank one is 0.
 *
 * returns  false if it is malformed or does not fit
 * format   doc/tar.md, "Headers"
 */
bool number_field(const uint8_t *field, size_t width, int64_t *out);

/* Octal only, as for checksums. */
bool number_octal(const uint8_t *field, size_t width, int64_t *out);

/*
 * A record's decimal number, 0 to max, all of len bytes.
 *
 * what     the record's keyword, for messages
 * fails    ERR_CORRUPT: no number; ERR_LIMIT: past max
 */
int number_decimal(const char *text, size_t len, uint64_t max, const char *what,
		   uint64_t *out, struct err *err);

/*
 * A record's time, rounded down to seconds; one that does not fit becomes the
 * nearest that does. ERR_CORRUPT.
 *
 * format   doc/tar.md, "Times"
 */
int number_time(const char *text, size_t len, const char *what, int64_t *out,
		struct err *err);

#endif
