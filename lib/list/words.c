/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "words.h"

/* Format: doc/describe.md, "Words". */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/account.h"
#include "util/err.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

static int fault(const struct words *words, const char *what, struct err *err)
{
	return err_set(err, ERR_USAGE, "word %zu: %s", words->count + 1, what);
}

/*
 * Decodes what stands behind a backslash. Returns how many bytes that is; 0 if
 * it is nothing that may stand there.
 */
static size_t escape(const char *p, const char *end, uint8_t *out)
{
	if (p == end)
		return 0;
	switch (*p) {
	case '"':
	case '\\':
		*out = (uint8_t)*p;
		return 1;
	case 'n':
		*out = '\n';
		return 1;
	}
	if (end - p < 3 || *p > '3' || !is_octal(p[0]) || !is_octal(p[1]) ||
	    !is_octal(p[2]))
		return 0;
	*out = (uint8_t)((p[0] - '0') << 6 | (p[1] - '0') << 3 | (p[2] - '0'));
	return 3;
}

/* A word in quotes, *at being behind the first. text has room for it. */
static int take_quoted(const char **at, const char *end, struct words *words,
		       struct err *err)
{
	const char *p = *at;
	uint8_t *out = words->text.data + words->text.len;

	for (; p != end && *p != '"'; p++) {
		*out = (uint8_t)*p;
		if (*p == '\\') {
			size_t len = escape(p + 1, end, out);

			if (len == 0)
				return fault(words,
					     "behind a backslash in quotes can"
					     " stand \", \\, n or three octal"
					     " digits",
					     err);
			p += len;
		}
		out++;
	}
	if (p == end)
		return fault(words, "the quotes do not end", err);
	if (++p != end && !is_blank(*p))
		return fault(words, "something follows the closing quote", err);
	words->text.len = (size_t)(out - words->text.data);
	*at = p;
	return 0;
}

static void take_plain(const char **at, const char *end, struct words *words)
{
	const char *p = *at;

	while (p != end && !is_blank(*p))
		p++;
	copy_bytes(words->text.data + words->text.len, *at, (size_t)(p - *at));
	words->text.len += (size_t)(p - *at);
	*at = p;
}

static int take_word(const char **at, const char *end, struct words *words,
		     struct err *err)
{
	struct word word = { .at = words->text.len, .is_quoted = **at == '"' };

	*at += word.is_quoted;
	if (!word.is_quoted)
		take_plain(at, end, words);
	else if (take_quoted(at, end, words, err) < 0)
		return -1;
	word.len = words->text.len - word.at;
	words->text.data[words->text.len++] = '\0';
	words->items[words->count++] = word;
	return 0;
}

int words_split(const char *line, size_t len, struct words *out,
		struct err *err)
{
	const char *end = line + len;

	out->text.len = 0;
	out->count = 0;
	/* A word has a NUL more, and is followed by a blank unless it is the
	 * last. */
	if (buffer_reserve(&out->text, len + 1, err) < 0)
		return -1;
	for (;;) {
		while (line != end && is_blank(*line))
			line++;
		if (line == end || (out->count == 0 && *line == '#'))
			return 0;
		if (array_reserve(&out->items, &out->cap, out->count + 1,
				  sizeof(*out->items), err) < 0 ||
		    take_word(&line, end, out, err) < 0)
			return -1;
	}
}

int words_in(const struct words *words, size_t index, struct err *err)
{
	char name[NAME_TEXT_LEN];

	return err_in(err, "word %zu, \"%s\"", index + 1,
		      name_text(words_get(words, index),
				words->items[index].len, name));
}

void words_cleanup(struct words *words)
{
	buffer_cleanup(&words->text);
	free(words->items);
	*words = (struct words) { .count = 0 };
}
