/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Extended headers, written. Format: doc/tar.md, "Extended headers". */
#include "sink_pax.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "entry/entry.h"
#include "util/account.h"
#include "util/array.h"
#include "util/err.h"

#define XATTR_PREFIX	 "SCHILY.xattr."
#define XATTR_PREFIX_LEN (sizeof(XATTR_PREFIX) - 1)

static size_t digit_count(size_t number)
{
	size_t count = 1;

	while (number >= 10) {
		number /= 10;
		count++;
	}
	return count;
}

/* The length of a record, its own digits included. */
static size_t record_len(size_t rest)
{
	size_t digits = digit_count(rest);

	while (digit_count(rest + digits) > digits)
		digits++;
	return rest + digits;
}

static int put_record(struct buffer *body, const char *keyword,
		      size_t keyword_len, const void *value, size_t len,
		      struct err *err)
{
	/* A blank, the equals sign and a line feed. */
	size_t total = record_len(keyword_len + len + 3);
	uint8_t *p;

	/* One more for snprintf's NUL. */
	if (buffer_reserve(body, total + 1, err) < 0)
		return -1;
	p = body->data + body->len;
	p += snprintf((char *)p, total + 1, "%zu ", total);
	copy_bytes(p, keyword, keyword_len);
	p += keyword_len;
	*p++ = '=';
	if (len > 0)
		copy_bytes(p, value, len);
	p[len] = '\n';
	body->len += total;
	return 0;
}

int pax_put(struct buffer *body, const char *keyword, const void *value,
	    size_t len, struct err *err)
{
	return put_record(body, keyword, strlen(keyword), value, len, err);
}

int pax_put_number(struct buffer *body, const char *keyword, int64_t value,
		   struct err *err)
{
	char text[24];
	int len = snprintf(text, sizeof(text), "%" PRId64, value);

	return pax_put(body, keyword, text, (size_t)len, err);
}

int pax_put_xattr(struct buffer *body, const struct xattr *xattr,
		  struct err *err)
{
	struct buffer keyword = { 0 };
	int ret = -1;

	/* Every byte may become three. */
	if (buffer_reserve(&keyword, XATTR_PREFIX_LEN + 3 * strlen(xattr->name),
			   err) < 0)
		return -1;
	memcpy(keyword.data, XATTR_PREFIX, XATTR_PREFIX_LEN);
	keyword.len = XATTR_PREFIX_LEN;
	for (const char *p = xattr->name; *p; p++) {
		uint8_t *to = keyword.data + keyword.len;

		if (*p == '=' || *p == '%') {
			memcpy(to, *p == '=' ? "%3D" : "%25", 3);
			keyword.len += 3;
		} else {
			*to = (uint8_t)*p;
			keyword.len++;
		}
	}
	ret = put_record(body, (const char *)keyword.data, keyword.len,
			 xattr->value, xattr->len, err);
	buffer_cleanup(&keyword);
	return ret;
}

/* Bytes of the character that begins here; 0 if none does. */
static size_t character_len(const uint8_t *p, size_t left)
{
	size_t len = *p < 0x80	 ? 1
		     : *p < 0xc2 ? 0
		     : *p < 0xe0 ? 2
		     : *p < 0xf0 ? 3
		     : *p < 0xf5 ? 4
				 : 0;

	if (len == 0 || len > left)
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	/* Too long for what it is, half of a pair, or past the last. */
	if ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f) ||
	    (*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] > 0x8f))
		return 0;
	return len;
}

static bool is_utf8(const char *text, size_t len)
{
	const uint8_t *p = (const uint8_t *)text;

	while (len > 0) {
		size_t n = character_len(p, len);

		if (n == 0)
			return false;
		p += n;
		len -= n;
	}
	return true;
}

int pax_put_name(struct buffer *body, const char *keyword, const char *name,
		 size_t len, struct err *err)
{
	static const char charset[] = "21 hdrcharset=BINARY\n";
	const size_t charset_len = sizeof(charset) - 1;
	bool is_said = body->len >= charset_len &&
		       memcmp(body->data, charset, charset_len) == 0;

	/* It holds for records of both names, and comes first of all. */
	if (!is_said && !is_utf8(name, len)) {
		if (buffer_reserve(body, charset_len, err) < 0)
			return -1;
		move_bytes(body->data + charset_len, body->data, body->len);
		memcpy(body->data, charset, charset_len);
		body->len += charset_len;
	}
	return pax_put(body, keyword, name, len, err);
}
