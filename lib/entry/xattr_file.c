/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "entry/xattr_file.h"

/*
 * Attributes in the form of getfattr --dump. The text stays as it was read, and
 * names and values are decoded in place: neither grows by it.
 * Format: doc/select.md, "Attributes from a file".
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "entry/entry.h"
#include "entry/lines.h"
#include "entry/path.h"
#include "path_map.h"
#include "util/array.h"
#include "util/err.h"
#include "entry/xattr_value.h"

#define SECTION_WORD "# file: "
#define NONE	     SIZE_MAX

/* Borrowed from the text. */
struct item {
	const char *name;
	const uint8_t *value;
	size_t len;
	size_t next; /* of the same path, or NONE */
};

/* All that is said of one path. */
struct section {
	size_t line; /* where it begins first */
	size_t first, last; /* items, or NONE */
	bool is_used;
};

struct xattr_file {
	struct lines lines;
	struct section *sections;
	size_t section_count, section_cap;
	struct item *items;
	size_t item_count, item_cap;
	struct path_map paths; /* to sections */
	size_t current;	       /* the section that lines belong to, or NONE */
};

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

/*
 * The byte that a backslash and up to three octal digits stand for; *p goes to
 * the last of them.
 */
static char take_octal(const char **p)
{
	unsigned byte = 0;

	for (int i = 0; i < 3 && is_octal((*p)[1]); i++, ++*p)
		byte = byte * 8 + (unsigned)((*p)[1] - '0');
	return (char)byte;
}

/* Takes \ooo from a name, in place; other backslashes are what they are. */
static int decode_name(char *text, struct err *err)
{
	char name[NAME_TEXT_LEN], *out = text;

	for (const char *p = text; *p; p++) {
		if (*p != '\\' || !is_octal(p[1]) || !is_octal(p[2]) ||
		    !is_octal(p[3])) {
			*out++ = *p;
			continue;
		}
		*out = take_octal(&p);
		if (*out++ == '\0')
			return err_set(err, ERR_USAGE,
				       "\"%s\" has a NUL byte",
				       name_text(text, strlen(text), name));
	}
	*out = '\0';
	return 0;
}

/* Text between quotes: \\ and \", and bytes as octal numbers. */
static int decode_text(const char *text, uint8_t *value, size_t *len,
		       struct err *err)
{
	char name[NAME_TEXT_LEN];
	const char *p = text + 1;
	size_t n = 0;

	for (; *p && *p != '"'; p++) {
		if (*p != '\\')
			value[n++] = (uint8_t)*p;
		else if (is_octal(p[1]))
			value[n++] = (uint8_t)take_octal(&p);
		else if (p[1] == '\\' || p[1] == '"')
			value[n++] = (uint8_t)*++p;
		else
			return err_set(err, ERR_USAGE,
				       "\"%s\" is no escape: \\\\, \\\" or an "
				       "octal number",
				       name_text(p, p[1] ? 2 : 1, name));
	}
	if (*p != '"' || p[1])
		return err_set(err, ERR_USAGE,
			       "a quoted value does not end with its quote");
	*len = n;
	return 0;
}

/* Decodes a value in place: it is never longer than its text. */
static int decode_value(char *text, size_t *len, struct err *err)
{
	uint8_t *value = (uint8_t *)text;

	if (*text == '"')
		return decode_text(text, value, len, err);
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		return xattr_decode_hex(text + 2, value, len, err);
	if (text[0] == '0' && (text[1] == 's' || text[1] == 'S'))
		return xattr_decode_base64(text + 2, value, len, err);
	*len = strlen(text);
	return 0;
}

static int begin_section(struct xattr_file *file, char *path, size_t line,
			 struct err *err)
{
	uint64_t index;

	if (*path == '\0')
		return err_set(err, ERR_USAGE, "no path behind \"%s\"",
			       SECTION_WORD);
	if (decode_name(path, err) < 0)
		return -1;
	if (path_clean(path, NULL, err) < 0) {
		err->code = ERR_USAGE;
		return -1;
	}
	if (array_reserve(&file->sections, &file->section_cap,
			  file->section_count + 1, sizeof(*file->sections),
			  err) < 0 ||
	    path_map_put(&file->paths, path, strlen(path), file->section_count,
			 &index, err) < 0)
		return -1;
	file->current = (size_t)index;
	if (file->current == file->section_count)
		file->sections[file->section_count++] = (struct section){
			.line = line, .first = NONE, .last = NONE,
		};
	return 0;
}

static int add_item(struct xattr_file *file, char *text, struct err *err)
{
	struct item item = { .name = text, .next = NONE };
	char *equals = strchr(text, '='), name[NAME_TEXT_LEN];
	struct section *section;

	if (file->current == NONE)
		return err_set(err, ERR_USAGE, "\"%s\" stands before any \"%s\"",
			       name_text(text, strlen(text), name),
			       SECTION_WORD);
	if (equals)
		*equals = '\0';
	if (*text == '\0')
		return err_set(err, ERR_USAGE, "a value without a name");
	if (decode_name(text, err) < 0)
		return -1;
	item.value = (const uint8_t *)(equals ? equals + 1 : "");
	if (equals && decode_value(equals + 1, &item.len, err) < 0)
		return err_in(err, "%s", name_text(text, strlen(text), name));
	if (strlen(text) > XATTR_FILE_NAME_MAX ||
	    item.len > XATTR_FILE_VALUE_MAX)
		return err_set(err, ERR_LIMIT,
			       "%s: the name may have %d bytes and the value "
			       "%d",
			       name_text(text, strlen(text), name),
			       XATTR_FILE_NAME_MAX, XATTR_FILE_VALUE_MAX);
	if (array_reserve(&file->items, &file->item_cap, file->item_count + 1,
			  sizeof(item), err) < 0)
		return -1;
	section = &file->sections[file->current];
	if (section->last == NONE)
		section->first = file->item_count;
	else
		file->items[section->last].next = file->item_count;
	section->last = file->item_count;
	file->items[file->item_count++] = item;
	return 0;
}

static int parse_line(struct xattr_file *file, char *text, size_t line,
		      struct err *err)
{
	const size_t len = sizeof(SECTION_WORD) - 1;

	if (strncmp(text, SECTION_WORD, len) == 0)
		return begin_section(file, text + len, line, err);
	if (*text == '#' || *text == '\0')
		return 0;
	return add_item(file, text, err);
}

static int read_all(struct xattr_file *file, const char *path, struct err *err)
{
	char name[NAME_TEXT_LEN];

	if (path_map_init(&file->paths, err) < 0 ||
	    lines_read_all(path, &file->lines, err) < 0)
		return -1;
	for (size_t i = 0; i < file->lines.count; i++)
		if (parse_line(file, file->lines.items[i], i + 1, err) < 0)
			return err_in(err, "%s: line %zu",
				      name_text(path, strlen(path), name),
				      i + 1);
	return 0;
}

int xattr_file_read(const char *path, struct xattr_file **out, struct err *err)
{
	struct xattr_file *file = calloc(1, sizeof(*file));
	struct err own;

	err = err ? err : &own; /* its code is changed */
	if (!file)
		return err_nomem(err);
	file->current = NONE;
	if (read_all(file, path, err) < 0) {
		xattr_file_destroy(file);
		return -1;
	}
	*out = file;
	return 0;
}

static struct section *find_section(struct xattr_file *file, const char *path)
{
	const uint64_t *index = path_map_find(&file->paths, path, strlen(path));

	return index ? &file->sections[*index] : NULL;
}

int xattr_file_apply(struct xattr_file *file, struct entry *entry,
		     struct err *err)
{
	struct section *section = find_section(file, entry->path);

	if (!section)
		return 0;
	if (entry->type == ENTRY_HARDLINK && entry->size == 0) {
		if (entry->link && find_section(file, entry->link))
			section->is_used = true;
		return 0;
	}
	section->is_used = true;
	for (size_t i = section->first; i != NONE; i = file->items[i].next) {
		const struct item *item = &file->items[i];

		if (entry_set_xattr(entry, item->name, item->value, item->len,
				    err) < 0)
			return -1;
	}
	return 0;
}

size_t xattr_file_unused(const struct xattr_file *file, size_t *line)
{
	size_t count = 0;

	for (size_t i = file->section_count; i-- > 0;) {
		if (file->sections[i].is_used)
			continue;
		*line = file->sections[i].line;
		count++;
	}
	return count;
}

void xattr_file_destroy(struct xattr_file *file)
{
	if (!file)
		return;
	lines_cleanup(&file->lines);
	free(file->sections);
	free(file->items);
	path_map_cleanup(&file->paths);
	free(file);
}
