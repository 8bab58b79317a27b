/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "util/parse.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "util/err.h"
#include "util/num.h"

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 99;
}

/*
 * Digits at the front of text; *end is behind them. False if there is none or
 * the number has more than 64 bits.
 */
static bool take_digits(const char *text, unsigned base, uint64_t *out,
			const char **end)
{
	uint64_t value = 0;
	const char *p = text;

	for (; digit_value(*p) < (int)base; p++)
		if (!mul_u64(value, base, &value) ||
		    !add_u64(value, (uint64_t)digit_value(*p), &value))
			return false;
	*end = p;
	*out = value;
	return p != text;
}

static int refuse(struct err *err, const char *text, const char *what,
		  uint64_t min, uint64_t max)
{
	char name[NAME_TEXT_LEN];

	return err_set(err, ERR_USAGE,
		       "\"%s\" is not %s from %" PRIu64 " to %" PRIu64,
		       name_text(text, strlen(text), name), what, min, max);
}

int parse_u64(const char *text, uint64_t min, uint64_t max, uint64_t *out,
	      struct err *err)
{
	bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *end;
	uint64_t value;

	if (!take_digits(is_hex ? text + 2 : text, is_hex ? 16 : 10, &value,
			 &end) ||
	    *end || value < min || value > max)
		return refuse(err, text, "a number", min, max);
	*out = value;
	return 0;
}

int parse_i64(const char *text, int64_t min, int64_t max, int64_t *out,
	      struct err *err)
{
	bool negative = text[0] == '-';
	char name[NAME_TEXT_LEN];
	const char *end;
	uint64_t size;

	if (!take_digits(negative ? text + 1 : text, 10, &size, &end) || *end ||
	    size > (uint64_t)INT64_MAX)
		goto refused;

	int64_t value = negative ? -(int64_t)size : (int64_t)size;

	if (value < min || value > max)
		goto refused;
	*out = value;
	return 0;
refused:
	return err_set(err, ERR_USAGE,
		       "\"%s\" is not a number from %" PRId64 " to %" PRId64,
		       name_text(text, strlen(text), name), min, max);
}

int parse_size(const char *text, uint64_t min, uint64_t max, uint64_t *out,
	       struct err *err)
{
	const char *end, *letters = "kKmMgG", *letter;
	uint64_t value, unit = 1;

	if (!take_digits(text, 10, &value, &end))
		goto refused;
	if (*end) {
		letter = strchr(letters, *end);
		if (!letter || end[1])
			goto refused;
		unit = (uint64_t)1 << (10 * ((letter - letters) / 2 + 1));
	}
	if (!mul_u64(value, unit, &value) || value < min || value > max)
		goto refused;
	*out = value;
	return 0;
refused:
	return refuse(err, text, "a size (with K, M or G if you like)", min,
		      max);
}

int parse_mode(const char *text, uint16_t *out, struct err *err)
{
	char name[NAME_TEXT_LEN];
	const char *end;
	uint64_t value;

	if (!take_digits(text, 8, &value, &end) || *end || value > 07777)
		return err_set(err, ERR_USAGE,
			       "\"%s\" is not an octal mode from 0 to 7777",
			       name_text(text, strlen(text), name));
	*out = (uint16_t)value;
	return 0;
}
