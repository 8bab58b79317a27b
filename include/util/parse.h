/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef UTIL_PARSE_H
#define UTIL_PARSE_H

#include <stddef.h>
#include <stdint.h>

struct err;

/*
 * Numbers that a user wrote. The whole text must be the number; anything else,
 * and anything out of range, is ERR_USAGE with a text that names what is
 * allowed but not the option: the caller adds that.
 */

/* Decimal, or hexadecimal behind 0x; min to max. */
int parse_u64(const char *text, uint64_t min, uint64_t max, uint64_t *out,
	      struct err *err);

/* Signed decimal; min to max. */
int parse_i64(const char *text, int64_t min, int64_t max, int64_t *out,
	      struct err *err);

/* Bytes: decimal and an optional K, M or G (1024 based), either case. */
int parse_size(const char *text, uint64_t min, uint64_t max, uint64_t *out,
	       struct err *err);

/* Permission bits in octal, with or without a leading zero; 0 to 07777. */
int parse_mode(const char *text, uint16_t *out, struct err *err);

#endif
