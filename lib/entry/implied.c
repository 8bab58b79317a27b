/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "implied.h"

#include <stdlib.h>
#include <string.h>

#include "entry/entry.h"
#include "util/account.h"
#include "util/array.h"

/* Bytes of the directory that a path lies in; 0 for the root. */
static size_t parent_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) : 0;
}

/* The length of the directory that is one component longer than len bytes. */
static size_t longer(const char *path, size_t len)
{
	len += path[len] == '/';
	return len + strcspn(path + len, "/");
}

static int keep_dir(struct implied *implied, const char *path, size_t len,
		    struct err *err)
{
	if (array_reserve(&implied->dir, &implied->dir_cap, len + 1, 1, err) <
	    0)
		return -1;
	copy_bytes(implied->dir, path, len);
	implied->dir_len = len;
	implied->has_dir = true;
	return 0;
}

/* Makes a directory known; *is_new tells whether it was not. */
static int put(struct implied *implied, const char *path, size_t len,
	       bool *is_new, struct err *err)
{
	const size_t count = implied->known.map.count;
	uint64_t number;

	if (path_map_put(&implied->known, path, len, 0, &number, err) < 0)
		return -1;
	*is_new = implied->known.map.count > count;
	return 0;
}

/* The first directory on the way that is new becomes an entry. */
static int look(struct implied *implied, const char *path, size_t end,
		struct entry **out, struct err *err)
{
	bool is_new = false;

	for (size_t len = 0;; len = longer(path, len)) {
		if (put(implied, path, len, &is_new, err) < 0)
			return -1;
		if (is_new) {
			if (entry_create_named(path, len, NULL, 0, out, err) <
			    0)
				return -1;
			(*out)->type = ENTRY_DIR;
			(*out)->flags = ENTRY_IMPLIED;
			return 0;
		}
		if (len == end)
			return keep_dir(implied, path, end, err);
	}
}

int implied_next(struct implied *implied, const struct entry *entry,
		 struct entry **out, struct err *err)
{
	const char *path = entry->path;
	const size_t end = parent_len(path);
	bool is_new;

	*out = NULL;
	if (path[0] != '\0' &&
	    (!implied->has_dir || implied->dir_len != end ||
	     memcmp(implied->dir, path, end) != 0)) {
		if (look(implied, path, end, out, err) < 0)
			return -1;
		if (*out)
			return 0;
	}
	if (entry->type != ENTRY_DIR)
		return 0;
	return put(implied, path, strlen(path), &is_new, err);
}

void implied_cleanup(struct implied *implied)
{
	free(implied->dir);
	path_map_cleanup(&implied->known);
}
