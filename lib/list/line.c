/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "line.h"

/* Format: doc/describe.md, "Lines". */
#include <stdlib.h>
#include <string.h>

#include "entry/path.h"
#include "util/err.h"
#include "util/parse.h"

/* Words that a line of some kind has, the keyword and path among them. */
struct form {
	const char *keyword;
	enum line_kind kind;
	enum entry_type type;
	size_t min, max;
	const char *fields; /* for messages */
};

#define ATTRIBUTES "PATH MODE UID GID"

static const struct form forms[] = {
	{ "dir", LINE_ENTRY, ENTRY_DIR, 5, 5, ATTRIBUTES },
	{ "file", LINE_ENTRY, ENTRY_FILE, 5, 6, ATTRIBUTES " [SOURCE]" },
	{ "slink", LINE_ENTRY, ENTRY_SYMLINK, 6, 6, ATTRIBUTES " TARGET" },
	{ "link", LINE_ENTRY, ENTRY_HARDLINK, 6, 6, "PATH - - - TARGET" },
	{ "nod", LINE_ENTRY, ENTRY_CHAR_DEVICE, 8, 8,
	  ATTRIBUTES " TYPE MAJOR MINOR" },
	{ "pipe", LINE_ENTRY, ENTRY_FIFO, 5, 5, ATTRIBUTES },
	{ "sock", LINE_ENTRY, ENTRY_SOCKET, 5, 5, ATTRIBUTES },
	{ "glob", LINE_GLOB, ENTRY_DIR, 5, SIZE_MAX,
	  ATTRIBUTES " [OPTION...] [LOCATION]" },
	{ "time", LINE_TIME, ENTRY_FILE, 3, 3, "PATH SECONDS" },
	{ "xattr", LINE_XATTR, ENTRY_FILE, 4, 4, "PATH NAME VALUE" },
};

static const struct form *find_form(const char *keyword)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (strcmp(forms[i].keyword, keyword) == 0)
			return &forms[i];
	return NULL;
}

static char *get(struct words *words, size_t index)
{
	return (char *)words->text.data + words->items[index].at;
}

/* A word that is not to have a NUL in it. */
static int get_text(struct words *words, size_t index, const char **out,
		    struct err *err)
{
	const char *text = get(words, index);

	if (strlen(text) != words->items[index].len) {
		err_set(err, ERR_USAGE, "has a NUL byte");
		return words_in(words, index, err);
	}
	*out = text;
	return 0;
}

static int get_path(struct words *words, size_t index, char **out,
		    struct err *err)
{
	const char *unused;
	char *path = get(words, index);

	if (get_text(words, index, &unused, err) < 0)
		return -1;

	/* Cleaned in place, the word would be told as it is not written. */
	char *copy = strdup(path);
	int ret;

	if (!copy)
		return err_nomem(err);
	ret = words->items[index].len == 0 ? err_set(err, ERR_USAGE, "is empty")
					   : path_clean(copy, NULL, err);
	if (ret < 0) {
		err->code = ERR_USAGE;
		words_in(words, index, err);
	} else {
		strcpy(path, copy);
		words->items[index].len = strlen(path);
		*out = path;
	}
	free(copy);
	return ret;
}

static int get_number(struct words *words, size_t index, int64_t max,
		      int64_t *out, struct err *err)
{
	if (parse_i64(words_get(words, index), 0, max, out, err) < 0)
		return words_in(words, index, err);
	return 0;
}

static int get_u32(struct words *words, size_t index, uint32_t *out,
		   struct err *err)
{
	int64_t value;

	if (get_number(words, index, UINT32_MAX, &value, err) < 0)
		return -1;
	*out = (uint32_t)value;
	return 0;
}

/* MODE UID GID, of which a glob line may leave each to what it finds. */
static int get_attributes(struct words *words, struct line *line,
			  struct err *err)
{
	const bool may_leave = line->kind == LINE_GLOB;
	uint16_t mode;

	line->mode = line->uid = line->gid = -1;
	if (!may_leave || strcmp(words_get(words, 2), "*") != 0) {
		if (parse_mode(words_get(words, 2), &mode, err) < 0)
			return words_in(words, 2, err);
		line->mode = mode;
	}
	if ((!may_leave || strcmp(words_get(words, 3), "*") != 0) &&
	    get_number(words, 3, UINT32_MAX, &line->uid, err) < 0)
		return -1;
	if (may_leave && strcmp(words_get(words, 4), "*") == 0)
		return 0;
	return get_number(words, 4, UINT32_MAX, &line->gid, err);
}

static int get_device(struct words *words, struct line *line, struct err *err)
{
	const char *type = words_get(words, 5);

	if (strcmp(type, "b") == 0 || strcmp(type, "B") == 0) {
		line->type = ENTRY_BLOCK_DEVICE;
	} else if (strcmp(type, "c") != 0 && strcmp(type, "C") != 0) {
		err_set(err, ERR_USAGE, "is neither c nor b");
		return words_in(words, 5, err);
	}
	if (get_u32(words, 6, &line->major, err) < 0)
		return -1;
	return get_u32(words, 7, &line->minor, err);
}

static int get_entry(struct words *words, struct line *line, struct err *err)
{
	char *target;

	if (line->type == ENTRY_HARDLINK) {
		if (get_path(words, 5, &target, err) < 0)
			return -1;
		line->target = target;
		return 0;
	}
	if (get_attributes(words, line, err) < 0)
		return -1;
	switch (line->type) {
	case ENTRY_SYMLINK:
		return get_text(words, 5, &line->target, err);
	case ENTRY_CHAR_DEVICE:
		return get_device(words, line, err);
	case ENTRY_FILE:
		return words->count > 5 ? get_text(words, 5, &line->source, err)
					: 0;
	default:
		return 0;
	}
}

static int check_count(const struct words *words, const struct form *form,
		       struct err *err)
{
	if (words->count < form->min)
		return err_set(err, ERR_USAGE, "%zu words are too few: %s %s",
			       words->count, form->keyword, form->fields);
	if (words->count <= form->max)
		return 0;
	err_set(err, ERR_USAGE, "is one too many: %s %s", form->keyword,
		form->fields);
	return words_in(words, form->max, err);
}

int line_parse(struct words *words, struct line *out, struct err *err)
{
	const struct form *form = find_form(words_get(words, 0));
	struct line line = { .rest = 5, .value = 3 };

	if (!form || words->items[0].is_quoted) {
		err_set(err, ERR_USAGE,
			"is none of dir, file, slink, link, nod, pipe, sock,"
			" glob, time and xattr");
		return words_in(words, 0, err);
	}
	if (check_count(words, form, err) < 0 ||
	    get_path(words, 1, &line.path, err) < 0)
		return -1;
	line.kind = form->kind;
	line.type = form->type;
	if (!*line.path && line.kind == LINE_ENTRY && line.type != ENTRY_DIR)
		return err_set(err, ERR_USAGE,
			       "word 2: names the root, which is a directory");
	*out = line;
	switch (line.kind) {
	case LINE_ENTRY:
		return get_entry(words, out, err);
	case LINE_GLOB:
		return get_attributes(words, out, err);
	case LINE_TIME:
		return get_number(words, 2, UINT32_MAX, &out->time, err);
	case LINE_XATTR:
		return get_text(words, 2, &out->name, err);
	}
	return 0;
}
