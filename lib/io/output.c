/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/err.h"
#include "util/hash.h"

#define TEMPORARY_TRIES 100
#define FOLLOW_MAX	40

/* Bytes of the final name that the temporary one repeats: the rest of what a
 * file system allows is for the dots and the random letters. */
#define NAME_KEPT 200

struct output {
	int fd;
	bool force;
	bool regular;
	char *path;	 /* what will be written, symlinks followed */
	char *temporary; /* NULL if path itself is written */
};

/* Length of the folder's part of a path, with the slash; 0 if there is none. */
static size_t folder_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

/* dir_len bytes of path, then name: a new string, or NULL. */
static char *join(const char *path, size_t dir_len, const char *name)
{
	size_t name_len = strlen(name);
	char *out = malloc(dir_len + name_len + 1);

	if (!out)
		return NULL;
	memcpy(out, path, dir_len);
	memcpy(out + dir_len, name, name_len + 1);
	return out;
}

/*
 * The kernel's rule for symlinks, which following them by hand would evade: in
 * a folder like /tmp only those are followed that the user or the folder's
 * owner made. True if path, which was a symlink just now, is one of those.
 */
static bool may_follow(const char *path)
{
	struct stat link, dir;
	size_t len = folder_len(path);
	char *folder = len > 0 ? strndup(path, len) : strdup(".");
	bool ok = folder && stat(folder, &dir) == 0 && lstat(path, &link) == 0;

	free(folder);
	if (!ok || !S_ISLNK(link.st_mode))
		return false;
	return (dir.st_mode & (S_ISVTX | S_IWOTH)) != (S_ISVTX | S_IWOTH) ||
	       link.st_uid == geteuid() || link.st_uid == dir.st_uid;
}

/*
 * Replaces *path by what it points to as long as it is a symlink, whether or
 * not there is anything at the end: realpath would ask for that.
 */
static int follow_symlinks(char **path, struct err *err)
{
	char target[PATH_MAX];

	for (int i = 0; i < FOLLOW_MAX; i++) {
		ssize_t len = readlink(*path, target, sizeof(target) - 1);

		if (len < 0 && (errno == EINVAL || errno == ENOENT))
			return 0;
		if (len < 0)
			return err_sys(err, "opening for writing");
		target[len] = '\0';
		if (!may_follow(*path)) {
			errno = EACCES;
			return err_sys(err, "following a symlink");
		}

		size_t dir_len = target[0] == '/' ? 0 : folder_len(*path);
		char *next = join(*path, dir_len, target);

		if (!next)
			return err_nomem(err);
		free(*path);
		*path = next;
	}
	errno = ELOOP;
	return err_sys(err, "opening for writing");
}

/* ".name.XXXXXX" beside path, the letters drawn afresh. */
static char *temporary_name(const char *path, struct err *err)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
	char name[NAME_KEPT + 16], random[7] = "";
	size_t dir_len = folder_len(path);
	struct hash_key key;
	char *out;

	if (hash_key_draw(&key, err) < 0)
		return NULL;
	for (int i = 0; i < 6; i++)
		random[i] = letters[key.k0 >> (5 * i) & 31];
	snprintf(name, sizeof(name), ".%.*s.%s", NAME_KEPT, path + dir_len,
		 random);
	out = join(path, dir_len, name);
	if (!out)
		err_nomem(err);
	return out;
}

/* Makes the temporary file; old is the file to be replaced, or NULL. */
static int open_temporary(struct output *out, const struct stat *old,
			  struct err *err)
{
	mode_t mode = old ? 0600 : 0666;

	for (int i = 0; i < TEMPORARY_TRIES; i++) {
		char *name = temporary_name(out->path, err);

		if (!name)
			return -1;
		out->fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			       mode);
		if (out->fd >= 0) {
			out->temporary = name;
			break;
		}
		free(name);
		if (errno != EEXIST)
			return err_sys(err, "making a file beside it");
	}
	if (out->fd < 0)
		return err_sys(err, "making a file beside it");
	if (!old)
		return 0;

	/* Only root can give a file away; then it is left as it is. */
	if ((old->st_uid != geteuid() || old->st_gid != getegid()) &&
	    fchown(out->fd, old->st_uid, old->st_gid) < 0)
		errno = 0;
	if (fchmod(out->fd, old->st_mode & 0777) < 0)
		return err_sys(err, "setting permissions");
	return 0;
}

/* Opens what is there to write into it. */
static int open_in_place(struct output *out, const struct stat *old,
			 struct err *err)
{
	int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY;

	/* Without O_CREAT this means: not if it is mounted or in other use. */
	if (S_ISBLK(old->st_mode))
		flags |= O_EXCL;
	out->fd = open(out->path, flags);
	if (out->fd < 0)
		return err_sys(err, "opening for writing");
	if (lseek(out->fd, 0, SEEK_CUR) < 0)
		return err_set(err, ERR_UNSUPPORTED,
			       "the output must be a file or a device that"
			       " can seek");
	return 0;
}

static int open_as_needed(struct output *out, struct err *err)
{
	struct stat st;

	if (stat(out->path, &st) < 0) {
		/* "" and "folder/" name no file that could be made. */
		if (errno != ENOENT || !out->path[folder_len(out->path)])
			return err_sys(err, "opening for writing");
		out->regular = true;
		return open_temporary(out, NULL, err);
	}
	out->regular = S_ISREG(st.st_mode);
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return err_sys(err, "opening for writing");
	}
	if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode))
		return err_set(err, ERR_UNSUPPORTED,
			       "the output must be able to seek, which a pipe"
			       " is not");
	if (!out->force)
		return err_set(err, ERR_EXISTS,
			       "is there already and was not overwritten");
	if (S_ISREG(st.st_mode) && st.st_size > 0)
		return open_temporary(out, &st, err);
	return open_in_place(out, &st, err);
}

int output_open(const char *path, bool force, struct output **result,
		struct err *err)
{
	struct output *out = calloc(1, sizeof(*out));

	if (!out)
		return err_nomem(err);
	out->fd = -1;
	out->force = force;
	out->path = strdup(path);
	if (!out->path) {
		err_nomem(err);
		goto failed;
	}
	if (follow_symlinks(&out->path, err) < 0 ||
	    open_as_needed(out, err) < 0)
		goto failed;
	*result = out;
	return 0;
failed:
	output_abort(out);
	return -1;
}

int output_fd(const struct output *out)
{
	return out->fd;
}

bool output_is_regular(const struct output *out)
{
	return out->regular;
}

const char *output_temporary(const struct output *out)
{
	return out->temporary;
}

/* Some file systems and devices have nothing to sync and say so. */
static int sync_fd(int fd)
{
	while (fsync(fd) < 0) {
		if (errno == EINVAL || errno == ENOTSUP || errno == ENOSYS)
			return 0;
		if (errno != EINTR)
			return -1;
	}
	return 0;
}

/* Makes a new name last; a folder that may not be read is left alone. */
static int sync_folder(const char *path, struct err *err)
{
	size_t len = folder_len(path);
	char *folder = len > 0 ? strndup(path, len) : strdup(".");
	int fd, ret = 0;

	if (!folder)
		return err_nomem(err);
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(folder);
	if (fd < 0)
		return 0;
	if (sync_fd(fd) < 0)
		ret = err_sys(err, "writing its folder to the disk");
	close(fd);
	return ret;
}

/*
 * Without force nothing may be overwritten, also not what appeared since
 * output_open looked: link refuses that, rename would not. File systems without
 * hard links are left with looking again.
 */
static int put_new(const char *from, const char *to, struct err *err)
{
	struct stat st;

	if (link(from, to) == 0) {
		unlink(from);
		return 0;
	}
	if (errno == EEXIST || lstat(to, &st) == 0)
		return err_set(err, ERR_EXISTS,
			       "appeared in the meantime and was not"
			       " overwritten");
	if (rename(from, to) < 0)
		return err_sys(err, "renaming the new file");
	return 0;
}

static int put_in_place(struct output *out, struct err *err)
{
	if (!out->force)
		return put_new(out->temporary, out->path, err);
	if (rename(out->temporary, out->path) < 0)
		return err_sys(err, "renaming the new file");
	return 0;
}

int output_commit(struct output *out, struct err *err)
{
	int ret = -1, fd = out->fd;

	if (sync_fd(fd) < 0) {
		err_sys(err, "writing to the disk");
		goto out;
	}
	if (out->temporary) {
		/* Network file systems may report a full disk here. */
		out->fd = -1;
		if (close(fd) < 0 && errno != EINTR) {
			err_sys(err, "closing");
			goto out;
		}
		if (put_in_place(out, err) < 0)
			goto out;
		free(out->temporary);
		out->temporary = NULL;
		ret = sync_folder(out->path, err);
		goto out;
	}
	out->fd = -1;
	if (close(fd) < 0 && errno != EINTR) {
		err_sys(err, "closing");
		goto out;
	}
	ret = 0;
out:
	output_abort(out);
	return ret;
}

void output_abort(struct output *out)
{
	if (!out)
		return;
	if (out->temporary)
		unlink(out->temporary);
	else if (out->fd >= 0 && out->regular && ftruncate(out->fd, 0) < 0)
		errno = 0; /* nothing else can be done about it */
	if (out->fd >= 0)
		close(out->fd);
	free(out->temporary);
	free(out->path);
	free(out);
}
