/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/json.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

void json_init(struct json *json, FILE *out)
{
	*json = (struct json){ .out = out };
}

size_t utf8_len(const uint8_t *p, size_t len)
{
	size_t n = p[0] < 0x80 ? 1 : p[0] < 0xC2 ? 0 : p[0] < 0xE0 ? 2
		   : p[0] < 0xF0 ? 3 : p[0] < 0xF5 ? 4 : 0;

	if (n > len)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xC0) != 0x80)
			return 0;

	/* Longer than needed, a surrogate, or past the last character. */
	if ((p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] > 0x9F) ||
	    (p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] > 0x8F))
		return 0;
	return n;
}

/* A string; returns whether all of it was UTF-8. */
static bool put_string(FILE *out, const uint8_t *p, size_t len)
{
	bool is_whole = true;

	putc('"', out);
	for (size_t i = 0; i < len;) {
		size_t n = utf8_len(p + i, len - i);

		if (n == 0) {
			fputs("\\ufffd", out);
			is_whole = false;
			n = 1;
		} else if (p[i] == '"' || p[i] == '\\') {
			fprintf(out, "\\%c", p[i]);
		} else if (p[i] < 0x20 || p[i] == 0x7F) {
			fprintf(out, "\\u%04x", p[i]);
		} else {
			fwrite(p + i, 1, n, out);
		}
		i += n;
	}
	putc('"', out);
	return is_whole;
}

static void put_base64(FILE *out, const uint8_t *p, size_t len)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";

	putc('"', out);
	for (size_t i = 0; i < len; i += 3) {
		size_t left = len - i;
		uint32_t v = (uint32_t)p[i] << 16;

		if (left > 1)
			v |= (uint32_t)p[i + 1] << 8;
		if (left > 2)
			v |= p[i + 2];
		putc(digits[v >> 18], out);
		putc(digits[v >> 12 & 63], out);
		putc(left > 1 ? digits[v >> 6 & 63] : '=', out);
		putc(left > 2 ? digits[v & 63] : '=', out);
	}
	putc('"', out);
}

/* What stands in front of a value: comma, line, key. */
static void begin_value(struct json *json, const char *key)
{
	if (json->depth > 0) {
		bool *has_items = &json->has_items[json->depth - 1];

		if (*has_items)
			putc(',', json->out);
		if (!key)
			putc('\n', json->out);
		else if (*has_items)
			putc(' ', json->out);
		*has_items = true;
	}
	if (key) {
		put_string(json->out, (const uint8_t *)key, strlen(key));
		fputs(": ", json->out);
	}
}

static void open_level(struct json *json, const char *key, char begin,
		       char end)
{
	begin_value(json, key);
	assert(json->depth < JSON_DEPTH_MAX);
	json->has_items[json->depth] = false;
	json->ends[json->depth++] = end;
	putc(begin, json->out);
}

void json_object(struct json *json, const char *key)
{
	open_level(json, key, '{', '}');
}

void json_array(struct json *json, const char *key)
{
	open_level(json, key, '[', ']');
}

void json_end(struct json *json)
{
	assert(json->depth > 0);
	putc(json->ends[--json->depth], json->out);
	if (json->depth == 0)
		putc('\n', json->out);
}

void json_number(struct json *json, const char *key, uint64_t value)
{
	begin_value(json, key);
	fprintf(json->out, "%" PRIu64, value);
}

void json_bool(struct json *json, const char *key, bool value)
{
	begin_value(json, key);
	fputs(value ? "true" : "false", json->out);
}

void json_null(struct json *json, const char *key)
{
	begin_value(json, key);
	fputs("null", json->out);
}

void json_text(struct json *json, const char *key, const char *text)
{
	begin_value(json, key);
	put_string(json->out, (const uint8_t *)text, strlen(text));
}

void json_bytes(struct json *json, const char *key, const void *data,
		size_t len)
{
	begin_value(json, key);
	if (put_string(json->out, data, len))
		return;
	fprintf(json->out, ", \"%s_base64\": ", key);
	put_base64(json->out, data, len);
}
