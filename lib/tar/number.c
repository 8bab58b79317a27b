/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Numbers as tar writes them. Format: doc/tar.md, "Headers", "Times". */
#include "number.h"

#include <inttypes.h>

#include "util/err.h"

static bool is_blank(uint8_t c)
{
	return c == ' ' || c == '\0';
}

bool number_octal(const uint8_t *field, size_t width, int64_t *out)
{
	int64_t value = 0;
	size_t i = 0;

	while (i < width && is_blank(field[i]))
		i++;
	/* At most 12 digits, 36 bits. */
	for (; i < width && (field[i] & 0xf8) == '0'; i++)
		value = value << 3 | (field[i] & 7);
	for (; i < width; i++)
		if (!is_blank(field[i]))
			return false;
	*out = value;
	return true;
}

/* Two's complement, big endian, in all bits but the first. */
static bool number_binary(const uint8_t *field, size_t width, int64_t *out)
{
	int64_t value = field[0] & 0x3f;

	if (field[0] & 0x40)
		value -= 0x40;
	for (size_t i = 1; i < width; i++) {
		if (value > INT64_MAX / 256 || value < INT64_MIN / 256)
			return false;
		value = value * 256 + field[i];
	}
	*out = value;
	return true;
}

bool number_field(const uint8_t *field, size_t width, int64_t *out)
{
	return field[0] & 0x80 ? number_binary(field, width, out)
			       : number_octal(field, width, out);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int bad_record(const char *text, size_t len, const char *what,
		      struct err *err)
{
	char shown[NAME_TEXT_LEN];

	return err_set(err, ERR_CORRUPT, "bad number in the record %s, \"%s\"",
		       what, name_text(text, len, shown));
}

int number_decimal(const char *text, size_t len, uint64_t max, const char *what,
		   uint64_t *out, struct err *err)
{
	uint64_t value = 0;
	char shown[NAME_TEXT_LEN];

	if (len == 0)
		return bad_record(text, len, what, err);
	for (size_t i = 0; i < len; i++)
		if (!is_digit(text[i]))
			return bad_record(text, len, what, err);
	for (size_t i = 0; i < len; i++) {
		uint64_t digit = (uint64_t)(text[i] - '0');

		if (value > (max - digit) / 10 || digit > max)
			return err_set(err, ERR_LIMIT,
				       "the record %s is past %" PRIu64
				       ", \"%s\"",
				       what, max, name_text(text, len, shown));
		value = value * 10 + digit;
	}
	*out = value;
	return 0;
}

int number_time(const char *text, size_t len, const char *what, int64_t *out,
		struct err *err)
{
	bool negative = len > 0 && text[0] == '-', fraction = false;
	size_t i = negative, digits = 0;
	int64_t value = 0;

	for (; i < len && is_digit(text[i]); i++, digits++) {
		int digit = text[i] - '0';

		/* One below the largest: there is room to round down. */
		if (value > (INT64_MAX - 1 - digit) / 10)
			value = INT64_MAX - 1;
		else
			value = value * 10 + digit;
	}
	if (i < len && text[i] == '.')
		for (i++; i < len && is_digit(text[i]); i++, digits++)
			fraction = fraction || text[i] != '0';
	if (digits == 0 || i < len)
		return bad_record(text, len, what, err);
	if (negative)
		value = -value - fraction;
	*out = value;
	return 0;
}
