/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* Files that the user wrote, a line for each item. */
#include "entry/lines.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/fd.h"
#include "util/array.h"
#include "util/err.h"

#define STEP (64 * 1024)

/* All of a file, and a newline behind it. */
static int read_all(int fd, struct buffer *out, struct err *err)
{
	size_t got = STEP;

	while (got == STEP) {
		if (buffer_reserve(out, STEP + 1, err) < 0 ||
		    fd_read(fd, out->data + out->len, STEP, &got, err) < 0)
			return -1;
		out->len += got;
		if (out->len > LINES_FILE_MAX)
			return err_set(err, ERR_LIMIT,
				       "it is longer than %d bytes",
				       LINES_FILE_MAX);
	}
	out->data[out->len] = '\n';
	return 0;
}

static int add_line(struct lines *lines, char *line, size_t len, bool comments,
		    struct err *err)
{
	if (memchr(line, '\0', len))
		return err_set(err, ERR_USAGE, "line %zu has a NUL byte",
			       lines->count + 1);
	if (array_reserve(&lines->items, &lines->cap, lines->count + 1,
			  sizeof(*lines->items), err) < 0)
		return -1;
	line[line[0] == '#' && !comments ? 0 : len] = '\0';
	lines->items[lines->count++] = line;
	return 0;
}

static int split(struct lines *lines, size_t len, bool comments,
		 struct err *err)
{
	char *line = lines->text, *end = line + len;

	while (line < end) {
		char *newline = memchr(line, '\n', (size_t)(end - line) + 1);

		if (add_line(lines, line, (size_t)(newline - line), comments,
			     err) < 0)
			return -1;
		line = newline + 1;
	}
	return 0;
}

static int read_lines(const char *path, bool comments, struct lines *out,
		      struct err *err)
{
	struct buffer buffer = { 0 };
	char name[NAME_TEXT_LEN];
	int fd, ret;

	*out = (struct lines) { 0 };
	name_text(path, strlen(path), name);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return err_sys(err, "%s", name);
	ret = read_all(fd, &buffer, err);
	close(fd);
	out->text = (char *)buffer.data;
	if (ret == 0)
		ret = split(out, buffer.len, comments, err);
	if (ret == 0)
		return 0;
	lines_cleanup(out);
	return err_in(err, "%s", name);
}

int lines_read(const char *path, struct lines *out, struct err *err)
{
	return read_lines(path, false, out, err);
}

int lines_read_all(const char *path, struct lines *out, struct err *err)
{
	return read_lines(path, true, out, err);
}

void lines_cleanup(struct lines *lines)
{
	free(lines->text);
	free(lines->items);
	*lines = (struct lines) { 0 };
}
