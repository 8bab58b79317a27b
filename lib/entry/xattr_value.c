/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "entry/xattr_value.h"

#include <string.h>

#include "util/err.h"

/* The value of a digit, or -1. */
static int hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *found;

	if (c >= 'A' && c <= 'F')
		c = (char)(c - 'A' + 'a');
	found = c ? strchr(digits, c) : NULL;
	return found ? (int)(found - digits) : -1;
}

static int base64_digit(char c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *found = c ? strchr(digits, c) : NULL;

	return found ? (int)(found - digits) : -1;
}

int xattr_decode_hex(const char *text, uint8_t *value, size_t *len,
		     struct err *err)
{
	size_t n = 0;

	for (; *text; text += 2) {
		int high = hex_digit(text[0]);
		int low = high < 0 ? -1 : hex_digit(text[1]);

		if (low < 0)
			return err_set(err, ERR_USAGE,
				       "0x is not followed by pairs of "
				       "hexadecimal digits");
		value[n++] = (uint8_t)(high << 4 | low);
	}
	*len = n;
	return 0;
}

int xattr_decode_base64(const char *text, uint8_t *value, size_t *len,
			struct err *err)
{
	uint32_t bits = 0;
	size_t n = 0, count = 0;
	int digit;

	for (; (digit = base64_digit(*text)) >= 0; text++) {
		bits = (bits << 6 | (uint32_t)digit) & 0xffffff;
		count++;
		if (count % 4 != 1) /* 2, 3 or 4 digits: 4, 2 or 0 bits left */
			value[n++] = (uint8_t)(bits >> (-count % 4 * 2));
	}
	while (*text == '=')
		text++;
	if (*text || count % 4 == 1)
		return err_set(err, ERR_USAGE, "0s is not followed by base64");
	*len = n;
	return 0;
}
