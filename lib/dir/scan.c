/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "dir/scan.h"

/*
 * A walk in the order of an image's directories. Of each directory on the way
 * only the sorted names are kept; its descriptor is that of a walk, which opens
 * again what it had to close. So the time between looking at a directory and
 * listing it is short, and its depth costs no descriptors.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dir/files.h"
#include "entry/entry.h"
#include "look.h"
#include "names.h"
#include "util/account.h"
#include "util/array.h"
#include "util/err.h"
#include "walk.h"

#define LEVELS 16

/* A directory that is being walked. */
struct level {
	struct names names;
	size_t at;	 /* the next name */
	size_t path_len; /* of the directory */
};

struct scan {
	struct files *files; /* borrowed */
	struct scan_options options;
	int root;
	dev_t dev; /* of the root */
	struct walk walk;
	struct level *levels; /* count of them, the deepest last */
	size_t count, cap;
	char *path; /* in the image: prefix, then what is below the root */
	size_t path_cap, prefix_len;
	bool is_begun;
	bool is_dir; /* the last entry can be entered */
};

int scan_create(struct files *files, int root,
		const struct scan_options *options, struct scan **out,
		struct err *err)
{
	struct scan *scan = calloc(1, sizeof(*scan));
	size_t len = strlen(options->prefix ? options->prefix : "");
	struct stat st;

	if (!scan)
		return err_nomem(err);
	scan->files = files;
	scan->options = *options;
	scan->root = root;
	if (walk_init(&scan->walk, files_root_fd(files, root), LEVELS, err) < 0)
		goto failed;
	if (array_reserve(&scan->path, &scan->path_cap, len + 2, 1, err) < 0)
		goto failed;
	if (fstat(scan->walk.root, &st) < 0) {
		err_sys(err, "looking at the directory");
		goto failed;
	}
	scan->dev = st.st_dev;
	copy_bytes(scan->path, options->prefix ? options->prefix : "", len + 1);
	scan->prefix_len = len;
	*out = scan;
	return 0;
failed:
	scan_destroy(scan);
	return -1;
}

void scan_destroy(struct scan *scan)
{
	if (!scan)
		return;
	for (size_t i = 0; i < scan->count; i++)
		names_cleanup(&scan->levels[i].names);
	free(scan->levels);
	free(scan->path);
	walk_cleanup(&scan->walk);
	free(scan);
}

/* The part of the path that lies below the root. */
static const char *below_root(const struct scan *scan)
{
	const char *path = scan->path + scan->prefix_len;

	return path + (scan->prefix_len > 0 && *path == '/');
}

/* Puts the path in front of a failure. */
static int in_path(const struct scan *scan, struct err *err)
{
	const char *path = below_root(scan);
	char name[NAME_TEXT_LEN];

	if (*path)
		err_in(err, "%s", name_text(path, strlen(path), name));
	return -1;
}

/* Asks whether to go on without the path. 1 if so, else -1. */
static int tell_fault(const struct scan *scan, struct err *err)
{
	in_path(scan, err);
	if (err->code == ERR_NOMEM || !scan->options.fault)
		return -1;
	return scan->options.fault(scan->options.arg, err) < 0 ? -1 : 1;
}

/* The descriptor of the directory that the path lies in, and its name there. */
static int find(struct scan *scan, int *dir, const char **name, struct err *err)
{
	const char *path = below_root(scan);

	if (!*path) {
		*dir = scan->walk.root;
		*name = ".";
		return 0;
	}
	if (walk_parent(&scan->walk, path, false, dir, name, err) == 0)
		return 0;
	/* Made for unpacking, the walk may blame the output. */
	if (err->code == ERR_WRITE)
		err->code = ERR_IO;
	return -1;
}

/* True if what is at the path, below the root at below, is to be left out. */
static bool is_skipped(const struct scan *scan, const char *below,
		       const struct stat *st)
{
	for (size_t i = 0; i < scan->options.skip_count; i++) {
		const struct scan_skip *skip = &scan->options.skip[i];

		if (skip->dev != (uint64_t)st->st_dev ||
		    skip->ino != (uint64_t)st->st_ino)
			continue;
		if (!skip->is_silent && scan->options.skipped)
			scan->options.skipped(scan->options.arg, below);
		return true;
	}
	return false;
}

/*
 * Makes an entry of what is at the path. Returns 0, 1 if it is left out, -1
 * without the path in front.
 */
static int look(struct scan *scan, struct entry **out, struct err *err)
{
	struct look at = {
		.files = scan->files,
		.options = &scan->options,
		.root = scan->root,
		.path = below_root(scan),
		.to = scan->path,
	};
	struct stat st;

	if (find(scan, &at.dir, &at.name, err) < 0)
		return -1;
	if (fstatat(at.dir, at.name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return err_sys(err, "looking at it");
	if (is_skipped(scan, at.path, &st))
		return 1;
	if (look_at(&at, &st, out, err) < 0)
		return -1;
	scan->is_dir = S_ISDIR(st.st_mode) && !(scan->options.one_file_system &&
						st.st_dev != scan->dev);
	return 0;
}

/* Lists the directory at the path, as the deepest level. */
static int enter(struct scan *scan, struct err *err)
{
	struct level *level;
	const char *name;
	int dir;

	if (array_reserve(&scan->levels, &scan->cap, scan->count + 1,
			  sizeof(*scan->levels), err) < 0)
		return -1;
	level = &scan->levels[scan->count];
	*level = (struct level) { .path_len = strlen(scan->path) };
	if (find(scan, &dir, &name, err) < 0 ||
	    names_read(dir, name, &level->names, err) < 0)
		return -1;
	scan->count++;
	return 0;
}

/* Sets the path to a name in the deepest level. */
static int set_path(struct scan *scan, const char *name, struct err *err)
{
	size_t at = scan->levels[scan->count - 1].path_len;
	size_t len = strlen(name);

	if (array_reserve(&scan->path, &scan->path_cap, at + len + 2, 1, err) <
	    0)
		return -1;
	if (at > 0)
		scan->path[at++] = '/';
	copy_bytes(scan->path + at, name, len + 1);
	return 0;
}

/* Leaves levels that are done. False if nothing is left. */
static bool has_more(struct scan *scan)
{
	while (scan->count > 0) {
		struct level *level = &scan->levels[scan->count - 1];

		if (level->at < level->names.count)
			return true;
		names_cleanup(&level->names);
		scan->count--;
	}
	return false;
}

/* Goes on to the next path. Returns 0, 1 at the end, -1. */
static int step(struct scan *scan, struct err *err)
{
	struct level *level;

	if (!scan->is_begun) {
		scan->is_begun = true;
		return 0;
	}
	if (scan->is_dir) {
		scan->is_dir = false;
		if (enter(scan, err) < 0 && tell_fault(scan, err) < 0)
			return -1;
	}
	if (!has_more(scan))
		return 1;
	level = &scan->levels[scan->count - 1];
	return set_path(scan, names_get(&level->names, level->at++), err);
}

int scan_next(struct scan *scan, struct entry **out, struct err *err)
{
	struct entry *entry;
	int ret;

	for (;;) {
		ret = step(scan, err);
		if (ret != 0)
			return ret;

		bool is_root = scan->count == 0;

		ret = look(scan, &entry, err);
		if (ret < 0 && tell_fault(scan, err) < 0)
			return -1;
		if (ret != 0)
			continue;
		if (!is_root && scan->options.no_recursion)
			scan->is_dir = false;
		if (!(is_root && scan->options.no_root) &&
		    (!scan->options.take ||
		     scan->options.take(scan->options.arg, entry))) {
			*out = entry;
			return 0;
		}
		entry_destroy(entry);
	}
}

void scan_prune(struct scan *scan)
{
	scan->is_dir = false;
}

int scan_one(struct scan *scan, const char *path, struct entry **out,
	     struct err *err)
{
	size_t at = scan->prefix_len, len = strlen(path);
	int ret;

	if (array_reserve(&scan->path, &scan->path_cap, at + len + 2, 1, err) <
	    0)
		return -1;
	if (at > 0 && len > 0)
		scan->path[at++] = '/';
	copy_bytes(scan->path + at, path, len + 1);
	ret = look(scan, out, err);
	return ret < 0 ? in_path(scan, err) : ret;
}
