/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "util/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/*
 * Line breaks would make two lines of one message. Names are escaped before
 * they get here; this catches what a library's text may bring.
 */
static void keep_one_line(char *text)
{
	for (; *text; text++)
		if (*text == '\n' || *text == '\r')
			*text = ' ';
}

int err_set(struct err *err, enum err_code code, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -1;
	err->code = code;
	err->sys = 0;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	keep_one_line(err->text);
	return -1;
}

int err_sys(struct err *err, const char *fmt, ...)
{
	int sys = errno;
	char what[sizeof(err->text)];
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	err_set(err, ERR_IO, "%.300s: %s", what, strerror(sys));
	err->sys = sys;
	return -1;
}

int err_nomem(struct err *err)
{
	return err_set(err, ERR_NOMEM, "memory ran out");
}

int err_in(struct err *err, const char *fmt, ...)
{
	char place[sizeof(err->text)], fault[sizeof(err->text)];
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	vsnprintf(place, sizeof(place), fmt, ap);
	va_end(ap);
	memcpy(fault, err->text, sizeof(fault));
	keep_one_line(place);

	/* The fault matters more than a long place. */
	size_t fault_len = strlen(fault);
	size_t room = sizeof(err->text) - 1;
	size_t place_len = strlen(place);

	if (fault_len > room - 2)
		fault_len = room - 2;
	if (place_len > room - 2 - fault_len)
		place_len = room - 2 - fault_len;
	memcpy(err->text, place, place_len);
	memcpy(err->text + place_len, ": ", 2);
	memcpy(err->text + place_len + 2, fault, fault_len);
	err->text[place_len + 2 + fault_len] = '\0';
	return -1;
}

/* Writes c as it is or as \ooo; returns the bytes written, 1 or 4. */
static size_t put_escaped(char *out, unsigned char c)
{
	if (c >= 32 && c != 127 && c != '\\') {
		out[0] = (char)c;
		return 1;
	}
	out[0] = '\\';
	out[1] = (char)('0' + (c >> 6));
	out[2] = (char)('0' + (c >> 3 & 7));
	out[3] = (char)('0' + (c & 7));
	return 4;
}

const char *name_text(const char *name, unsigned long len,
		      char out[NAME_TEXT_LEN])
{
	/* A third of the room for the front of a long name, the rest for its
	 * end, which tells more. */
	const size_t room = NAME_TEXT_LEN - 1;
	size_t need = 0, used = 0;
	char one[4];

	for (unsigned long i = 0; i < len && need <= room; i++)
		need += put_escaped(one, (unsigned char)name[i]);
	if (need <= room) {
		for (unsigned long i = 0; i < len; i++)
			used += put_escaped(out + used, (unsigned char)name[i]);
		out[used] = '\0';
		return out;
	}

	for (unsigned long i = 0; used + 4 <= room / 3; i++)
		used += put_escaped(out + used, (unsigned char)name[i]);
	memcpy(out + used, "...", 3);
	used += 3;

	unsigned long from = len;
	size_t tail = 0;

	while (from > 0) {
		size_t more = put_escaped(one, (unsigned char)name[from - 1]);

		if (used + tail + more > room)
			break;
		tail += more;
		from--;
	}
	for (; from < len; from++)
		used += put_escaped(out + used, (unsigned char)name[from]);
	out[used] = '\0';
	return out;
}
