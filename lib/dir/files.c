/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "dir/files.h"

/*
 * A file that is read in one go is opened, read and closed by one worker. One
 * of several blocks is opened by the worker that comes first; the others use
 * its descriptor, and whoever has read what was left closes it. A worker finds
 * the directory by a walk of its own, taken from those that nobody uses:
 * neighbours mostly lie in the directory that is open already.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#ifdef WITH_PTHREAD
#include <pthread.h>
#endif

#include "entry/entry.h"
#include "holes.h"
#include "io/fd.h"
#include "util/account.h"
#include "util/array.h"
#include "util/err.h"
#include "walk.h"

/* Levels that a walk keeps open, walks that are kept for another use, and files
 * that are shared at a time. */
#define LEVELS	   8
#define IDLE_MAX   32
#define SHARED_MAX 64

/* Files that are announced after a read that had to wait for the disk. */
#define ANNOUNCE 4096

#ifndef O_NOATIME
#define O_NOATIME 0
#endif

/* A file that several workers read. */
struct shared {
	int fd;
	struct shared *next, *prev; /* of files->shared */
};

/* entry->stored: what was looked at. */
struct file {
	/* read-only once the entry is given away */
	int root;
	bool follow;
	bool has_names; /* other names of the inode count */
	bool is_whole;	/* all content is one extent that begins at 0 */
	uint64_t size;
	dev_t dev;
	ino_t ino;
	struct timespec mtime;

	/* guarded by the mutex */
	uint64_t left; /* bytes not read yet */
	struct shared *shared;

	char path[]; /* from the root */
};

struct root_walk {
	struct walk walk;
	int root;
	struct root_walk *next;
};

struct root {
	int fd;
	dev_t dev;
	ino_t ino;
};

struct files {
	struct files_options options;
	struct root *roots; /* root_count; do not move while workers read */
	size_t root_count, root_cap;
	bool no_time_flag; /* O_NOATIME was refused; guarded by the mutex */

	/* guarded by the mutex */
	struct root_walk *idle; /* that nobody uses, the last used first */
	size_t idle_count;
	struct shared *shared;
	size_t shared_count;
	char **changed; /* paths */
	size_t changed_count, changed_cap;
	bool no_wait_flag; /* RWF_NOWAIT was refused */
	unsigned announce; /* how many more files to announce */
#ifdef WITH_PTHREAD
	pthread_mutex_t mutex;
#endif
};

static void lock(struct files *files)
{
#ifdef WITH_PTHREAD
	pthread_mutex_lock(&files->mutex);
#else
	(void)files;
#endif
}

static void unlock(struct files *files)
{
#ifdef WITH_PTHREAD
	pthread_mutex_unlock(&files->mutex);
#else
	(void)files;
#endif
}

int files_create(const struct files_options *options, struct files **out,
		 struct err *err)
{
	struct files *files = calloc(1, sizeof(*files));

	if (!files)
		return err_nomem(err);
	files->options = *options;
#ifdef WITH_PTHREAD
	pthread_mutex_init(&files->mutex, NULL);
#endif
	*out = files;
	return 0;
}

/* The array may move: workers look at it, too. */
static int make_room(struct files *files, struct err *err)
{
	int ret;

	lock(files);
	ret = array_reserve(&files->roots, &files->root_cap,
			    files->root_count + 1, sizeof(*files->roots), err);
	unlock(files);
	return ret;
}

int files_add_root(struct files *files, int from, const char *path, int *root,
		   struct err *err)
{
	struct root new = { .fd = -1 };
	struct stat st;
	char name[NAME_TEXT_LEN];

	if (make_room(files, err) < 0)
		return -1;
	name_text(path, strlen(path), name);
	new.fd = openat(from == FILES_CWD ? AT_FDCWD : files->roots[from].fd,
			path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (new.fd < 0)
		return err_sys(err, "%s", name);
	if (fstat(new.fd, &st) < 0) {
		err_sys(err, "%s", name);
		close(new.fd);
		return -1;
	}
	new.dev = st.st_dev;
	new.ino = st.st_ino;
	for (size_t i = 0; i < files->root_count; i++) {
		if (files->roots[i].dev != new.dev ||
		    files->roots[i].ino != new.ino)
			continue;
		close(new.fd);
		*root = (int)i;
		return 0;
	}
	lock(files);
	*root = (int)files->root_count;
	files->roots[files->root_count++] = new;
	unlock(files);
	return 0;
}

int files_root_fd(const struct files *files, int root)
{
	return files->roots[root].fd;
}

/*
 * Tells the system that a file will be read soon. Workers read one file at a
 * time each, which leaves a disk idle; what was announced is on its way by
 * then. Where files are in memory already that would cost more than it brings,
 * so it is done only while reads have to wait.
 */
static void announce(struct files *files, int dir, const char *name,
		     bool follow)
{
	bool wanted;
	int fd;

	lock(files);
	wanted = files->announce > 0;
	files->announce -= wanted;
	unlock(files);
	if (!wanted)
		return;
	fd = openat(dir, name,
		    O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK |
			    (follow ? 0 : O_NOFOLLOW));
	if (fd < 0)
		return; /* which is told when it is to be read */
	posix_fadvise(fd, 0, 0, POSIX_FADV_WILLNEED);
	close(fd);
}

int files_attach(struct files *files, const struct files_place *place, int dir,
		 const char *name, struct entry *entry, struct err *err)
{
	const struct stat *st = place->stat;
	const bool has_names = st->st_nlink > 1 && !place->is_named_once &&
			       entry->type != ENTRY_DIR;
	size_t len = strlen(place->path) + 1;
	struct file *file;

	if (entry->type != ENTRY_FILE && !has_names)
		return 0;
	file = malloc(sizeof(*file) + len);
	if (!file)
		return err_nomem(err);
	*file = (struct file) {
		.root = place->root,
		.follow = place->follow,
		.has_names = has_names,
		.dev = st->st_dev,
		.ino = st->st_ino,
		.mtime = st->st_mtim,
	};
	copy_bytes(file->path, place->path, len);
	entry->stored = file;
	if (entry->type != ENTRY_FILE || !S_ISREG(st->st_mode))
		return 0;
	file->size = st->st_size > 0 ? (uint64_t)st->st_size : 0;
	entry->size = file->size;
	if (holes_find(dir, name, place->follow, st, entry, err) < 0)
		return -1;
	for (size_t i = 0; i < entry->extent_count; i++)
		file->left += entry->extents[i].len;
	file->is_whole = file->left == file->size;
	if (file->left > 0)
		announce(files, dir, name, place->follow);
	return 0;
}

bool files_has_names(const struct entry *entry, uint64_t id[2])
{
	const struct file *file = entry->stored;

	if (!file || !file->has_names)
		return false;
	id[0] = (uint64_t)file->dev;
	id[1] = (uint64_t)file->ino;
	return true;
}

static void end_walk(struct root_walk *w)
{
	if (w) {
		walk_cleanup(&w->walk);
		free(w);
	}
}

/* A walk of a root that nobody else uses. NULL with ERR_NOMEM. */
static struct root_walk *take_walk(struct files *files, int root,
				   struct err *err)
{
	struct root_walk **at = &files->idle, *w;
	int fd;

	lock(files);
	while (*at && (*at)->root != root)
		at = &(*at)->next;
	w = *at;
	if (w) {
		*at = w->next;
		files->idle_count--;
	}
	fd = files->roots[root].fd;
	unlock(files);
	if (w)
		return w;
	w = calloc(1, sizeof(*w));
	if (!w) {
		err_nomem(err);
		return NULL;
	}
	w->root = root;
	if (walk_init(&w->walk, fd, LEVELS, err) < 0) {
		free(w);
		return NULL;
	}
	return w;
}

/* Keeps a walk for others, in place of the one that was used longest ago. */
static void give_walk(struct files *files, struct root_walk *w)
{
	struct root_walk **at = &files->idle, *old = NULL;

	lock(files);
	w->next = files->idle;
	files->idle = w;
	if (files->idle_count == IDLE_MAX) {
		while ((*at)->next)
			at = &(*at)->next;
		old = *at;
		*at = NULL;
	} else {
		files->idle_count++;
	}
	unlock(files);
	end_walk(old);
}

/* Opens without touching the time of access, if the system lets us. */
static int open_untouched(struct files *files, int dir, const char *name,
			  int flags)
{
	bool refused;
	int fd;

	flags |= O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
	lock(files);
	refused = files->no_time_flag;
	unlock(files);
	if (refused)
		return openat(dir, name, flags);
	fd = openat(dir, name, flags | O_NOATIME);
	if (fd >= 0 || errno != EPERM)
		return fd;
	fd = openat(dir, name, flags);
	if (fd < 0)
		return -1;
	lock(files);
	files->no_time_flag = true;
	unlock(files);
	return fd;
}

static int open_file(struct files *files, const struct file *file, int *fd,
		     struct err *err)
{
	struct root_walk *w;
	const char *name;
	int dir, ret = -1;

	w = take_walk(files, file->root, err);
	if (!w)
		return -1;
	if (file->follow) {
		*fd = open_untouched(files, w->walk.root, file->path, 0);
		ret = *fd < 0 ? err_sys(err, "opening it") : 0;
	} else if (walk_parent(&w->walk, file->path, false, &dir, &name, err) <
		   0) {
		/* Made for unpacking, the walk may blame the output. */
		if (err->code == ERR_WRITE)
			err->code = ERR_IO;
	} else {
		*fd = open_untouched(files, dir, name, O_NOFOLLOW);
		ret = *fd < 0 ? err_sys(err, "opening it") : 0;
	}
	give_walk(files, w);
	return ret;
}

/* Reads what is in memory, and notes if that is not all. */
static size_t read_cached(struct files *files, int fd, uint64_t at, void *buf,
			  size_t len)
{
#ifdef RWF_NOWAIT
	struct iovec iov = { .iov_base = buf, .iov_len = len };
	bool refused;
	ssize_t got;

	lock(files);
	refused = files->no_wait_flag;
	unlock(files);
	if (refused)
		return 0;
	got = preadv2(fd, &iov, 1, (off_t)at, RWF_NOWAIT);
	if (got > 0 && (size_t)got == len)
		return len;
	lock(files);
	if (got < 0 && errno != EAGAIN && errno != EINTR)
		files->no_wait_flag = true;
	else
		files->announce = ANNOUNCE;
	unlock(files);
	return got > 0 ? (size_t)got : 0;
#else
	(void)files;
	(void)fd;
	(void)at;
	(void)buf;
	(void)len;
	return 0;
#endif
}

static int read_whole(struct files *files, int fd, uint64_t at, uint8_t *buf,
		      size_t len, struct err *err)
{
	size_t cached = read_cached(files, fd, at, buf, len), got;

	if (cached == len)
		return 0;
	at += cached;
	len -= cached;
	if (fd_read_at(fd, at, buf + cached, len, &got, err) < 0)
		return -1;
	if (got < len)
		return err_set(err, ERR_CORRUPT,
			       "became shorter while it was packed");
	return 0;
}

/* Notes a file that changed. ERR_NOMEM. */
static int note_changed(struct files *files, const char *path, struct err *err)
{
	char *copy = strdup(path);
	int ret;

	if (!copy)
		return err_nomem(err);
	lock(files);
	ret = array_reserve(&files->changed, &files->changed_cap,
			    files->changed_count + 1, sizeof(copy), err);
	if (ret == 0)
		files->changed[files->changed_count++] = copy;
	unlock(files);
	if (ret < 0)
		free(copy);
	return ret;
}

/* Whether what was read is what was looked at. */
static int check_unchanged(struct files *files, const struct file *file, int fd,
			   struct err *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_sys(err, "looking at it");
	if (st.st_dev != file->dev || st.st_ino != file->ino)
		return err_set(err, ERR_CORRUPT,
			       "another file took its place while it was "
			       "packed");
	if ((uint64_t)st.st_size == file->size &&
	    st.st_mtim.tv_sec == file->mtime.tv_sec &&
	    st.st_mtim.tv_nsec == file->mtime.tv_nsec)
		return 0;
	if ((uint64_t)st.st_size < file->size)
		return err_set(err, ERR_CORRUPT,
			       "became shorter while it was packed");
	if (files->options.keep_changed)
		return note_changed(files, file->path, err);
	return err_set(err, ERR_CORRUPT, "changed while it was packed");
}

/*
 * The descriptor that all use, opened if need be. -1 in *fd, and *own set, if
 * there are too many: then the caller opens one for itself.
 */
static int get_shared(struct files *files, struct file *file, int *fd,
		      struct err *err)
{
	struct shared *shared;
	bool is_full;

	lock(files);
	shared = file->shared;
	is_full = files->shared_count >= SHARED_MAX;
	unlock(files);
	if (shared) {
		*fd = shared->fd;
		return 0;
	}
	if (open_file(files, file, fd, err) < 0)
		return -1;
	if (is_full)
		return 1;
	shared = calloc(1, sizeof(*shared));
	if (!shared) {
		close(*fd);
		return err_nomem(err);
	}
	shared->fd = *fd;
	lock(files);
	if (!file->shared) {
		shared->next = files->shared;
		if (shared->next)
			shared->next->prev = shared;
		files->shared = shared;
		files->shared_count++;
		file->shared = shared;
		shared = NULL;
	}
	*fd = file->shared->fd;
	unlock(files);
	if (shared) { /* another worker was faster */
		close(shared->fd);
		free(shared);
	}
	return 0;
}

/* Takes a shared file out of the list. Locked. */
static void unlink_shared(struct files *files, struct shared *shared)
{
	if (shared->prev)
		shared->prev->next = shared->next;
	else
		files->shared = shared->next;
	if (shared->next)
		shared->next->prev = shared->prev;
	files->shared_count--;
}

static void close_shared(struct shared *shared)
{
	if (shared) {
		close(shared->fd);
		free(shared);
	}
}

/* A part of a file that others read, too. */
static int read_part(struct files *files, struct file *file, uint64_t at,
		     void *buf, size_t len, struct err *err)
{
	struct shared *done = NULL;
	bool is_last;
	int fd, ret, own;

	own = get_shared(files, file, &fd, err);
	if (own < 0)
		return -1;
	ret = read_whole(files, fd, at, buf, len, err);
	lock(files);
	file->left -= len <= file->left ? len : file->left;
	is_last = file->left == 0;
	if (is_last && file->shared) {
		done = file->shared;
		file->shared = NULL;
		unlink_shared(files, done);
	}
	unlock(files);
	if (is_last && ret == 0)
		ret = check_unchanged(files, file, fd, err);
	if (own)
		close(fd);
	close_shared(done);
	return ret;
}

int files_read_at(struct files *files, const struct entry *entry, uint64_t at,
		  void *buf, size_t len, struct err *err)
{
	struct file *file = entry->stored;
	int fd, ret;

	if (!file->is_whole || len != file->size)
		return read_part(files, file, at, buf, len, err);
	if (open_file(files, file, &fd, err) < 0)
		return -1;
	ret = read_whole(files, fd, at, buf, len, err);
	if (ret == 0)
		ret = check_unchanged(files, file, fd, err);
	close(fd);
	return ret;
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

size_t files_changed(struct files *files, char *const **paths)
{
	if (files->changed_count > 0)
		qsort(files->changed, files->changed_count,
		      sizeof(*files->changed), compare_paths);
	*paths = files->changed;
	return files->changed_count;
}

void files_destroy(struct files *files)
{
	if (!files)
		return;
	while (files->shared) {
		struct shared *shared = files->shared;

		files->shared = shared->next;
		close_shared(shared);
	}
	while (files->idle) {
		struct root_walk *w = files->idle;

		files->idle = w->next;
		end_walk(w);
	}
	for (size_t i = 0; i < files->root_count; i++)
		close(files->roots[i].fd);
	for (size_t i = 0; i < files->changed_count; i++)
		free(files->changed[i]);
	free(files->changed);
	free(files->roots);
#ifdef WITH_PTHREAD
	pthread_mutex_destroy(&files->mutex);
#endif
	free(files);
}
