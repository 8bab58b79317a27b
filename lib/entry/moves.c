/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "moves.h"

/* Paths that change. Format: doc/select.md, "Paths". */
#include <stdlib.h>
#include <string.h>

#include "entry/entry.h"
#include "entry/filter.h"
#include "entry/path.h"
#include "util/account.h"
#include "util/err.h"

/* A copy of a path of the user's, cleaned. what is it called in messages. */
static int copy_path(const char *path, const char *what, char **out,
		     struct err *err)
{
	char name[NAME_TEXT_LEN];
	char *copy = strdup(path ? path : "");

	if (!copy)
		return err_nomem(err);
	*out = copy;
	if (path && path[0] == '\0')
		return err_set(err, ERR_USAGE, "the %s has no name", what);
	if (path_clean(copy, NULL, NULL) < 0)
		return err_set(err, ERR_USAGE, "the %s, \"%s\", is no path",
			       what, name_text(path, strlen(path), name));
	return 0;
}

int moves_init(struct moves *moves, const struct filter_options *options,
	       struct err *err)
{
	size_t len;

	*moves = (struct moves) { .strip = options->strip };
	if (copy_path(options->root, "directory that becomes the root",
		      &moves->root, err) < 0 ||
	    copy_path(options->prefix, "prefix", &moves->prefix, err) < 0)
		return -1;
	len = strlen(moves->root);
	moves->target = malloc(len + 3);
	if (!moves->target)
		return err_nomem(err);
	moves->target[0] = '/';
	copy_bytes(moves->target + 1, moves->root, len);
	copy_bytes(moves->target + 1 + len, "/", 2);
	return 0;
}

void moves_cleanup(struct moves *moves)
{
	free(moves->root);
	free(moves->target);
	free(moves->prefix);
}

enum moved moves_up(const struct moves *moves, const char *path,
		    const char **tail)
{
	path = path_below(path, moves->root);
	if (!path)
		return MOVED_OUTSIDE;
	for (uint64_t i = 0; i < moves->strip; i++) {
		path = strchr(path, '/');
		if (!path)
			return MOVED_AWAY;
		path++;
	}
	*tail = path;
	return MOVED;
}

void keep_tail(char *text, const char *tail)
{
	if (tail != text)
		move_bytes(text, tail, strlen(tail) + 1);
}

void moves_retarget(const struct moves *moves, struct entry *entry)
{
	size_t len = strlen(moves->target) - 1;

	if (moves->root[0] == '\0' || entry->type != ENTRY_SYMLINK ||
	    strncmp(entry->link, moves->target, len) != 0)
		return;
	if (entry->link[len] == '/')
		keep_tail(entry->link, entry->link + len);
	else if (entry->link[len] == '\0')
		entry->link[1] = '\0';
}

int moves_below(const struct moves *moves, struct entry *entry, char **text,
		struct err *err)
{
	size_t prefix_len = strlen(moves->prefix), len = strlen(*text);
	char *joined, *p;

	if (prefix_len == 0)
		return 0;
	joined = malloc(prefix_len + len + 2);
	if (!joined)
		return err_nomem(err);
	copy_bytes(joined, moves->prefix, prefix_len);
	p = joined + prefix_len;
	if (len > 0)
		*p++ = '/';
	copy_bytes(p, *text, len + 1);
	entry_free_part(entry, *text);
	*text = joined;
	return 0;
}
