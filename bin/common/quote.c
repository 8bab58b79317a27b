/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/quote.h"

#include <stdint.h>
#include <string.h>

#include "common/json.h"

static bool is_control(uint8_t c)
{
	return c < 0x20 || c == 0x7F;
}

/*
 * True if byte i is one that a terminal may take for a command: also the two
 * bytes that are one of the controls 80 to 9F in UTF-8.
 */
static bool is_command(const uint8_t *p, size_t i, size_t len)
{
	if (is_control(p[i]))
		return true;
	if (p[i] == 0xC2)
		return i + 1 < len && (p[i + 1] & 0xE0) == 0x80;
	return (p[i] & 0xE0) == 0x80 && i > 0 && p[i - 1] == 0xC2;
}

static bool is_octal(uint8_t c)
{
	return c >= '0' && c <= '7';
}

static void put_octal(FILE *out, uint8_t c)
{
	fprintf(out, "\\%03o", c);
}

void quote_listed(FILE *out, const char *name, size_t len)
{
	const uint8_t *p = (const uint8_t *)name;

	for (size_t i = 0; i < len; i++) {
		if (is_command(p, i, len) ||
		    (p[i] == '\\' && len - i > 3 && is_octal(p[i + 1]) &&
		     is_octal(p[i + 2]) && is_octal(p[i + 3])))
			put_octal(out, p[i]);
		else
			putc(p[i], out);
	}
}

/* True if a word of a description cannot stand as it is. */
static bool needs_quotes(const uint8_t *p, size_t len)
{
	if (len == 0)
		return true;
	for (size_t i = 0; i < len; i++)
		if (is_command(p, i, len) || p[i] == ' ' || p[i] == '"' ||
		    p[i] == '\\')
			return true;
	return false;
}

/* A byte between double quotes. */
static void put_quoted(FILE *out, uint8_t byte, bool as_octal)
{
	if (as_octal)
		put_octal(out, byte);
	else if (byte == '"' || byte == '\\')
		fprintf(out, "\\%c", byte);
	else
		putc(byte, out);
}

void quote_word(FILE *out, const char *text, size_t len, bool always)
{
	const uint8_t *p = (const uint8_t *)text;

	if (!always && !needs_quotes(p, len)) {
		fwrite(p, 1, len, out);
		return;
	}
	putc('"', out);
	for (size_t i = 0; i < len; i++) {
		if (p[i] == '\n')
			fputs("\\n", out);
		else
			put_quoted(out, p[i],
				   is_command(p, i, len) && p[i] != '\t');
	}
	putc('"', out);
}

/*
 * True if a value is better read as text: UTF-8 without control characters but
 * line ends, tabs, and a NUL at its end.
 */
static bool is_text(const uint8_t *p, size_t len)
{
	for (size_t i = 0; i < len;) {
		size_t n = utf8_len(p + i, len - i);

		if (n == 0)
			return false;
		if (is_control(p[i]) && p[i] != '\n' && p[i] != '\t' &&
		    !(p[i] == '\0' && i == len - 1 && i > 0))
			return false;
		i += n;
	}
	return true;
}

static void put_hex(FILE *out, const uint8_t *p, size_t len)
{
	static const char digits[] = "0123456789abcdef";

	fputs("0x", out);
	for (size_t i = 0; i < len; i++) {
		putc(digits[p[i] >> 4], out);
		putc(digits[p[i] & 15], out);
	}
}

void quote_value(FILE *out, const void *data, size_t len)
{
	if (is_text(data, len))
		quote_word(out, data, len, true);
	else
		put_hex(out, data, len);
}

void quote_dump_name(FILE *out, const char *name, size_t len, bool is_key)
{
	const uint8_t *p = (const uint8_t *)name;

	for (size_t i = 0; i < len; i++) {
		if (is_control(p[i]) || p[i] == '\\' ||
		    (is_key && p[i] == '='))
			put_octal(out, p[i]);
		else
			putc(p[i], out);
	}
}

void quote_dump_value(FILE *out, const void *data, size_t len)
{
	const uint8_t *p = data;

	if (!is_text(p, len)) {
		put_hex(out, p, len);
		return;
	}
	putc('"', out);
	for (size_t i = 0; i < len; i++)
		put_quoted(out, p[i], is_control(p[i]));
	putc('"', out);
}

bool quote_sum_name(FILE *out, const char *name, size_t len, bool print)
{
	bool is_quoted = memchr(name, '\\', len) || memchr(name, '\n', len) ||
			 memchr(name, '\r', len);

	for (size_t i = 0; print && i < len; i++) {
		if (name[i] == '\\')
			fputs("\\\\", out);
		else if (name[i] == '\n')
			fputs("\\n", out);
		else if (name[i] == '\r')
			fputs("\\r", out);
		else
			putc(name[i], out);
	}
	return is_quoted;
}

void quote_mtree(FILE *out, const char *name, size_t len)
{
	const uint8_t *p = (const uint8_t *)name;

	for (size_t i = 0; i < len; i++) {
		if (p[i] <= ' ' || p[i] >= 0x7F || strchr("\\#=*?[\"", p[i]))
			put_octal(out, p[i]);
		else
			putc(p[i], out);
	}
}
