/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"
#include "util/account.h"
#include "util/array.h"
#include "util/err.h"

int walk_init(struct walk *walk, int root, size_t max, struct err *err)
{
	*walk = (struct walk){ .root = root, .max = max };
	walk->levels = malloc(max * sizeof(*walk->levels));
	return walk->levels ? 0 : err_nomem(err);
}

/*
 * Paths of entries are clean already. Nothing here relies on it: a path that
 * could lead out of the root goes no further than this.
 */
static int check_path(const char *path, struct err *err)
{
	const char *name = path;

	for (;;) {
		size_t len = strcspn(name, "/");

		if (len == 0 || (len == 1 && name[0] == '.') ||
		    (len == 2 && name[0] == '.' && name[1] == '.'))
			return err_set(err, ERR_CORRUPT,
				       "the path is not one below the root");
		if (!name[len])
			return 0;
		name += len + 1;
	}
}

/* Closes the levels that are not above path, whose first len bytes count. */
static void go_up(struct walk *walk, const char *path, size_t len)
{
	size_t same = 0, max;

	if (walk->count == 0)
		return;
	max = walk->levels[walk->count - 1].len;
	if (max > len)
		max = len;
	while (same < max && walk->path[same] == path[same])
		same++;
	while (walk->count > 0) {
		const struct walk_level *level =
			&walk->levels[walk->count - 1];

		if (level->len <= same &&
		    (level->len == len || path[level->len] == '/'))
			return;
		close(level->fd);
		walk->count--;
	}
}

/*
 * A directory made here has no entry of its own: it is one that the source
 * left out, and gets what any new directory gets.
 */
static int open_dir(int parent, const char *name, bool make)
{
	const int flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(parent, name, flags);

	if (fd >= 0 || errno != ENOENT || !make)
		return fd;
	if (mkdirat(parent, name, 0777) < 0 && errno != EEXIST)
		return -1;
	return openat(parent, name, flags);
}

static void push(struct walk *walk, int fd, size_t len)
{
	if (walk->count == walk->max) {
		close(walk->levels[0].fd);
		walk->count--;
		move_bytes(walk->levels, walk->levels + 1,
			   walk->count * sizeof(*walk->levels));
	}
	walk->levels[walk->count].fd = fd;
	walk->levels[walk->count].len = len;
	walk->count++;
}

/* Opens what is missing on the way to the first len bytes of path. */
static int go_down(struct walk *walk, const char *path, size_t len, bool make,
		   int *fd, struct err *err)
{
	size_t at = 0;

	*fd = walk->root;
	if (walk->count > 0) {
		*fd = walk->levels[walk->count - 1].fd;
		at = walk->levels[walk->count - 1].len;
	}
	if (at == len)
		return 0;
	if (array_reserve(&walk->path, &walk->path_cap, len + 1, 1, err) < 0)
		return -1;
	copy_bytes(walk->path + at, path + at, len - at);
	while (at < len) {
		char *name = walk->path + (at ? at + 1 : 0);
		char text[NAME_TEXT_LEN];

		at = (size_t)(name - walk->path);
		while (at < len && walk->path[at] != '/')
			at++;
		walk->path[at] = '\0';
		*fd = open_dir(*fd, name, make);
		if (*fd < 0)
			return out_failed(walk->path, err, "directory %s",
					  name_text(walk->path, at, text));
		if (at < len)
			walk->path[at] = '/';
		push(walk, *fd, at);
	}
	return 0;
}

int walk_parent(struct walk *walk, const char *path, bool make, int *fd,
		const char **name, struct err *err)
{
	const char *slash = strrchr(path, '/');
	size_t len = slash ? (size_t)(slash - path) : 0;

	if (check_path(path, err) < 0)
		return -1;
	go_up(walk, path, len);
	if (go_down(walk, path, len, make, fd, err) < 0)
		return -1;
	*name = slash ? slash + 1 : path;
	return 0;
}

void walk_cleanup(struct walk *walk)
{
	for (size_t i = 0; i < walk->count; i++)
		close(walk->levels[i].fd);
	free(walk->levels);
	free(walk->path);
	*walk = (struct walk){ .root = -1 };
}
