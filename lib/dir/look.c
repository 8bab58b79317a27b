/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "look.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#endif

#include "dir/files.h"
#include "dir/scan.h"
#include "entry/entry.h"
#include "util/err.h"

/* The longest list of names, and the longest value, that Linux gives out. */
#define XATTR_MAX 65536

static int type_of(mode_t mode, enum entry_type *out, struct err *err)
{
	switch (mode & S_IFMT) {
	case S_IFREG:
		*out = ENTRY_FILE;
		return 0;
	case S_IFDIR:
		*out = ENTRY_DIR;
		return 0;
	case S_IFLNK:
		*out = ENTRY_SYMLINK;
		return 0;
	case S_IFBLK:
		*out = ENTRY_BLOCK_DEVICE;
		return 0;
	case S_IFCHR:
		*out = ENTRY_CHAR_DEVICE;
		return 0;
	case S_IFIFO:
		*out = ENTRY_FIFO;
		return 0;
	case S_IFSOCK:
		*out = ENTRY_SOCKET;
		return 0;
	}
	return err_set(err, ERR_UNSUPPORTED, "is of an unknown type, %o",
		       (unsigned)(mode & S_IFMT));
}

/* ERR_IO also where it is no symlink any more. */
static int read_target(const struct look *look, char target[PATH_MAX],
		       size_t *len, struct err *err)
{
	ssize_t got = readlinkat(look->dir, look->name, target, PATH_MAX);

	if (got < 0)
		return err_sys(err, "reading the symlink");
	if (got == PATH_MAX)
		return err_set(err, ERR_LIMIT, "the target is too long");
	*len = (size_t)got;
	return 0;
}

#ifdef __linux__

/*
 * No call takes the name of a symlink or device below a descriptor; what /proc
 * shows of the descriptor leads there.
 */
static void xattr_path(const struct look *look, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "/proc/self/fd/%d/%s", look->dir, look->name);
}

/* An attribute that goes away meanwhile has not been there. */
static int add_xattr(const char *path, const char *name, uint8_t *value,
		     struct entry *entry, struct err *err)
{
	ssize_t len = lgetxattr(path, name, value, XATTR_MAX);
	char text[NAME_TEXT_LEN];

	if (len < 0 && errno == ENODATA)
		return 0;
	if (len < 0)
		return err_sys(err, "reading the attribute %s",
			       name_text(name, strlen(name), text));
	return entry_set_xattr(entry, name, value, (size_t)len, err) < 0 ? -1
									 : 0;
}

static int add_xattrs(const struct look *look, struct entry *entry,
		      struct err *err)
{
	char path[PATH_MAX], *names = NULL;
	uint8_t *value = NULL;
	ssize_t len;
	int ret = -1;

	xattr_path(look, path);
	len = llistxattr(path, NULL, 0);
	if (len < 0 && (errno == ENOTSUP || errno == ENOSYS))
		return 0;
	if (len < 0)
		return err_sys(err, "listing the attributes through /proc");
	if (len == 0)
		return 0;
	names = malloc(XATTR_MAX + 1);
	value = malloc(XATTR_MAX);
	if (!names || !value) {
		err_nomem(err);
		goto out;
	}
	len = llistxattr(path, names, XATTR_MAX);
	if (len < 0) {
		err_sys(err, "listing the attributes");
		goto out;
	}
	names[len] = '\0';
	for (ssize_t at = 0; at < len; at += (ssize_t)strlen(names + at) + 1)
		if (add_xattr(path, names + at, value, entry, err) < 0)
			goto out;
	ret = 0;
out:
	free(names);
	free(value);
	return ret;
}

#else

static int add_xattrs(const struct look *look, struct entry *entry,
		      struct err *err)
{
	(void)look;
	(void)entry;
	return err_set(err, ERR_UNSUPPORTED,
		       "attributes are read on Linux only");
}

#endif

static int complete(const struct look *look, const struct stat *st,
		    struct entry *entry, struct err *err)
{
	const struct scan_options *options = look->options;
	const struct files_place place = {
		.root = look->root,
		.path = look->path,
		.is_named_once = options->no_hard_links,
		.stat = st,
	};

	entry->mode = st->st_mode & 07777;
	entry->uid = (uint32_t)st->st_uid;
	entry->gid = (uint32_t)st->st_gid;
	entry->mtime = options->keep_time ? (int64_t)st->st_mtim.tv_sec
					  : options->default_mtime;
	if (S_ISBLK(st->st_mode) || S_ISCHR(st->st_mode)) {
		entry->major = major(st->st_rdev);
		entry->minor = minor(st->st_rdev);
	}
	if (options->keep_xattrs && add_xattrs(look, entry, err) < 0)
		return -1;
	return files_attach(look->files, &place, look->dir, look->name, entry,
			    err);
}

int look_at(const struct look *look, const struct stat *st, struct entry **out,
	    struct err *err)
{
	char target[PATH_MAX];
	size_t target_len = 0;
	struct entry *entry;
	enum entry_type type;

	if (type_of(st->st_mode, &type, err) < 0)
		return -1;
	if (type == ENTRY_SYMLINK &&
	    read_target(look, target, &target_len, err) < 0)
		return -1;
	if (entry_create_named(look->to, strlen(look->to),
			       type == ENTRY_SYMLINK ? target : NULL,
			       target_len, &entry, err) < 0)
		return -1;
	entry->type = type;
	if (complete(look, st, entry, err) < 0) {
		entry_destroy(entry);
		return -1;
	}
	*out = entry;
	return 0;
}
