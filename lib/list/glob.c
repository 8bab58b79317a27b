/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "glob.h"

/* Format: doc/scan.md, "Glob lines". */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/err.h"

static int add_type(struct glob *glob, const char *text, struct err *err)
{
	static const char letters[] = "fdslbcp";
	static const enum entry_type types[] = {
		ENTRY_FILE,    ENTRY_DIR,	   ENTRY_SOCKET,
		ENTRY_SYMLINK, ENTRY_BLOCK_DEVICE, ENTRY_CHAR_DEVICE,
		ENTRY_FIFO,
	};
	char letter = text[0];
	const char *found;

	if (letter >= 'A' && letter <= 'Z')
		letter = (char)(letter - 'A' + 'a');
	found = letter && !text[1] ? strchr(letters, letter) : NULL;
	if (!found)
		return err_set(err, ERR_USAGE,
			       "is none of the types b, c, d, p, f, l and s");
	glob->types |= 1U << types[found - letters];
	return 0;
}

static int add_pattern(struct glob *glob, const char *text, bool is_path,
		       struct err *err)
{
	if (array_reserve(&glob->patterns, &glob->cap, glob->count + 1,
			  sizeof(*glob->patterns), err) < 0)
		return -1;
	if (is_path)
		text += strspn(text, "/");
	glob->patterns[glob->count].text = strdup(text);
	glob->patterns[glob->count].is_path = is_path;
	if (!glob->patterns[glob->count].text)
		return err_nomem(err);
	glob->count++;
	return 0;
}

/* An option without an argument; false if it is none. */
static bool set_flag(struct glob *glob, const char *word)
{
	if (strcmp(word, "-xdev") == 0 || strcmp(word, "-mount") == 0)
		glob->one_file_system = true;
	else if (strcmp(word, "-keeptime") == 0)
		glob->keep_time = true;
	else if (strcmp(word, "-nonrecursive") == 0)
		glob->no_recursion = true;
	else if (strcmp(word, "-nohardlinks") == 0)
		glob->no_hard_links = true;
	else
		return false;
	return true;
}

/* An option with an argument. Returns 0, 1 if it is none, -1. */
static int set_argument(const struct words *words, size_t i, struct glob *glob,
			struct err *err)
{
	const char *word = words_get(words, i);
	const bool is_type = strcmp(word, "-type") == 0;
	const bool is_path = strcmp(word, "-path") == 0;
	const char *text;
	int ret;

	if (!is_type && !is_path && strcmp(word, "-name") != 0)
		return 1;
	if (i + 1 == words->count) {
		err_set(err, ERR_USAGE, "needs an argument");
		return words_in(words, i, err);
	}
	text = words_get(words, i + 1);
	ret = is_type ? add_type(glob, text, err)
		      : add_pattern(glob, text, is_path, err);
	return ret < 0 ? words_in(words, i + 1, err) : 0;
}

static int set_location(const struct words *words, size_t i, struct glob *glob,
			struct err *err)
{
	if (i + 1 < words->count) {
		err_set(err, ERR_USAGE, "follows the location");
		return words_in(words, i + 1, err);
	}
	glob->location = strdup(i < words->count ? words_get(words, i) : ".");
	if (!glob->location)
		return err_nomem(err);
	if (i < words->count &&
	    (!*glob->location ||
	     strlen(glob->location) != words->items[i].len)) {
		err_set(err, ERR_USAGE, "is no path");
		return words_in(words, i, err);
	}
	return 0;
}

int glob_parse(const struct words *words, const struct line *line,
	       struct glob *out, struct err *err)
{
	size_t i = line->rest;

	*out = (struct glob) { .types = 0 };
	for (; i < words->count; i++) {
		const char *word = words_get(words, i);
		int ret;

		if (word[0] != '-' || words->items[i].is_quoted)
			break;
		if (strcmp(word, "--") == 0) {
			i++;
			break;
		}
		if (set_flag(out, word))
			continue;
		ret = set_argument(words, i, out, err);
		if (ret < 0)
			return -1;
		if (ret > 0) {
			err_set(err, ERR_USAGE, "is no option of glob");
			return words_in(words, i, err);
		}
		i++;
	}
	return set_location(words, i, out, err);
}

bool glob_takes(const struct glob *glob, const struct entry *entry)
{
	const char *slash = strrchr(entry->path, '/');
	const char *name = slash ? slash + 1 : entry->path;

	if (glob->types && !(glob->types & 1U << entry->type))
		return false;
	for (size_t i = 0; i < glob->count; i++) {
		const struct glob_pattern *p = &glob->patterns[i];

		if (p->is_path
			    ? fnmatch(p->text, entry->path, FNM_PATHNAME) == 0
			    : fnmatch(p->text, name, 0) == 0)
			return true;
	}
	return glob->count == 0;
}

void glob_cleanup(struct glob *glob)
{
	for (size_t i = 0; i < glob->count; i++)
		free(glob->patterns[i].text);
	free(glob->patterns);
	free(glob->location);
	*glob = (struct glob) { .types = 0 };
}
