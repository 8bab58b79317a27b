/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "internal.h"

/*
 * How names come to be. Each is made in the directory whose descriptor was
 * found by a walk, and only if it is not there: nothing that exists is ever
 * opened, followed or written, but for directories.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "entry/entry.h"
#include "flow/block.h"
#include "util/account.h"
#include "util/array.h"

/* Times that a name in the way is removed; then somebody keeps making it. */
#define TRIES 8

/* A name to be made. */
struct making {
	const struct entry *entry;
	int parent;
	const char *name;
	int target_parent; /* of a hard link */
	const char *target_name;
	mode_t file_mode;
	int fd; /* out: a file's */
};

static mode_t kind_of(enum entry_type type)
{
	switch (type) {
	case ENTRY_BLOCK_DEVICE:
		return S_IFBLK;
	case ENTRY_CHAR_DEVICE:
		return S_IFCHR;
	case ENTRY_FIFO:
		return S_IFIFO;
	case ENTRY_SOCKET:
		return S_IFSOCK;
	case ENTRY_SYMLINK:
		return S_IFLNK;
	default:
		return S_IFREG;
	}
}

static int make_once(struct making *m)
{
	const struct entry *entry = m->entry;
	dev_t dev = 0;

	switch (entry->type) {
	case ENTRY_FILE:
		m->fd = openat(m->parent, m->name,
			       O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW |
				       O_CLOEXEC,
			       m->file_mode);
		return m->fd < 0 ? -1 : 0;
	case ENTRY_DIR:
		return mkdirat(m->parent, m->name, 0700);
	case ENTRY_SYMLINK:
		return symlinkat(entry->link, m->parent, m->name);
	case ENTRY_HARDLINK:
		return linkat(m->target_parent, m->target_name, m->parent,
			      m->name, 0);
	case ENTRY_BLOCK_DEVICE:
	case ENTRY_CHAR_DEVICE:
		dev = makedev(entry->major, entry->minor);
		break;
	default:
		break;
	}
	return mknodat(m->parent, m->name, kind_of(entry->type) | m->file_mode,
		       dev);
}

/* Removes what is in the way of a name. */
static int clear_name(const struct making *m, struct err *err)
{
	int sys;

	if (unlinkat(m->parent, m->name, 0) == 0 || errno == ENOENT)
		return 0;
	sys = errno;
	if (sys == EISDIR || sys == EPERM) {
		if (unlinkat(m->parent, m->name, AT_REMOVEDIR) == 0 ||
		    errno == ENOENT)
			return 0;
		if (errno == ENOTEMPTY || errno == EEXIST) {
			err_set(err, ERR_IO, "a directory is in the way, and "
					     "not empty");
			return -1;
		}
		if (errno == ENOTDIR)
			errno = sys;
	}
	return out_failed(m->entry->path, err, "remove");
}

static bool is_real_dir(const struct making *m)
{
	struct stat st;

	return fstatat(m->parent, m->name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISDIR(st.st_mode);
}

/*
 * Makes a name, or finds out what is to be done about the one that is there.
 *
 * is_new   false for a directory that is used as it is
 * returns  0 with OUTCOME_MADE or OUTCOME_KEPT; -1
 */
static int make_name(const struct dir_sink *sink, struct making *m,
		     enum outcome *outcome, bool *is_new, struct err *err)
{
	const enum dir_existing existing = sink->options.existing;

	*is_new = true;
	*outcome = OUTCOME_MADE;
	for (int i = 0; i < TRIES; i++) {
		if (make_once(m) == 0)
			return 0;
		if (errno != EEXIST)
			return out_failed(m->entry->path, err, "make the %s",
					  entry_type_name(m->entry->type));
		if (m->entry->type == ENTRY_DIR &&
		    existing != DIR_EXISTING_KEEP && is_real_dir(m)) {
			*is_new = false;
			return 0;
		}
		if (existing == DIR_EXISTING_FAIL)
			return err_set(err, ERR_EXISTS, "it exists already");
		if (existing == DIR_EXISTING_KEEP) {
			*outcome = OUTCOME_KEPT;
			return 0;
		}
		if (clear_name(m, err) < 0)
			return -1;
	}
	return err_set(err, ERR_IO, "it comes back each time it is removed");
}

/* mkdir gave 0700 less what the umask takes: it must be usable until the end. */
static int open_up(const struct dir_sink *sink, const struct making *m,
		   struct err *err)
{
	if (!(sink->umask & 0700))
		return 0;
	if (fchmodat(m->parent, m->name, 0700, 0) < 0)
		return out_failed(m->entry->path, err, "make the directory");
	return 0;
}

static int make_dir(struct dir_sink *sink, struct making *m, struct made *made,
		    struct err *err)
{
	bool is_new;

	if (make_name(sink, m, &made->outcome, &is_new, err) < 0)
		return -1;
	if (made->outcome == OUTCOME_KEPT)
		return 0;
	if (is_new && open_up(sink, m, err) < 0)
		return -1;
	return dir_list_add(sink, m->entry, is_new, err);
}

/* Keeps the descriptor, if there are not too many, and the path. */
static int share_file(struct dir_sink *sink, struct making *m,
		      struct made *made, struct err *err)
{
	struct stat st;

	made->fd = m->fd;
	made->is_shared = true;
	sink->open_count++;
	made->dev = 0;
	made->ino = 0;
	if (fstat(m->fd, &st) < 0)
		return out_failed(m->entry->path, err, "stat");
	made->dev = st.st_dev;
	made->ino = st.st_ino;
	if (sink->open_count > sink->open_max) {
		close(made->fd);
		made->fd = -1;
		sink->open_count--;
	}
	return 0;
}

static int make_shared(struct dir_sink *sink, struct making *m,
		       struct made *made, struct err *err)
{
	const size_t len = strlen(m->entry->path) + 1;
	enum outcome outcome;
	bool is_new;

	if (array_reserve(&made->path, &made->path_cap, len, 1, err) < 0)
		return -1;
	copy_bytes(made->path, m->entry->path, len);
	m->file_mode = 0600;
	if (make_name(sink, m, &outcome, &is_new, err) < 0)
		return -1;
	if (outcome == OUTCOME_KEPT) {
		made->outcome = outcome;
		return 0;
	}
	return share_file(sink, m, made, err);
}

int make_early(struct dir_sink *sink, const struct entry *entry,
	       struct made *made, struct err *err)
{
	struct making m = { .entry = entry, .fd = -1 };

	if (entry->type == ENTRY_DIR && !*entry->path) {
		/* It is no name that anyone would count as kept. */
		if (sink->options.existing == DIR_EXISTING_KEEP &&
		    sink->options.keep_root) {
			made->outcome = OUTCOME_LEFT_OUT;
			return 0;
		}
		made->outcome = OUTCOME_MADE;
		return dir_list_add(sink, entry, false, err);
	}
	if (walk_parent(&sink->walk, entry->path, true, &m.parent, &m.name,
			err) < 0)
		return -1;
	if (entry->type == ENTRY_DIR)
		return make_dir(sink, &m, made, err);
	return make_shared(sink, &m, made, err);
}

/* Writes and closes a file; one that is not complete is removed. */
static int fill_file(struct dir_sink *sink, struct worker *worker,
		     unsigned index, const struct making *m,
		     const struct block *b, const struct piece *piece,
		     struct losses *losses, struct err *err)
{
	struct attrs attrs;
	int ret = write_piece(sink, worker, index, m->fd, b, piece, err);

	if (ret == 0) {
		attrs_of(sink, m->entry, &attrs);
		attrs_set(m->fd, false, &attrs, losses);
	}
	if (close(m->fd) < 0 && ret == 0)
		ret = out_failed(m->entry->path, err, "close");
	if (ret < 0)
		unlinkat(m->parent, m->name, 0);
	return ret;
}

/* True if a descriptor stands for what was just made, and has no other name. */
static bool is_ours(int fd, const struct entry *entry)
{
	struct stat st;

	if (fstat(fd, &st) < 0 || st.st_nlink != 1 ||
	    (st.st_mode & S_IFMT) != kind_of(entry->type))
		return false;
	if (entry->type != ENTRY_BLOCK_DEVICE &&
	    entry->type != ENTRY_CHAR_DEVICE)
		return true;
	return st.st_rdev == makedev(entry->major, entry->minor);
}

/*
 * Restores the attributes of what is no file. Somebody else may have put
 * another name in its place, in a directory that was there before; so it is
 * opened, and looked at, first.
 */
static void set_special(const struct dir_sink *sink, const struct making *m,
			struct losses *losses)
{
	struct attrs attrs;
	int fd;

	attrs_of(sink, m->entry, &attrs);
	if (!attrs.has_owner && !attrs.has_mode && !attrs.has_time &&
	    attrs.xattr_count == 0)
		return;
	fd = openat(m->parent, m->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && is_ours(fd, m->entry))
		attrs_set(fd, true, &attrs, losses);
	else
		attrs_lose(&attrs, fd < 0 ? errno : ESTALE, losses);
	if (fd >= 0)
		close(fd);
}

/* True if the file system or the user may not have such a thing. */
static bool is_refused(const struct entry *entry, int sys)
{
	return entry->type != ENTRY_FILE &&
	       (sys == EPERM || sys == EOPNOTSUPP || sys == ENOSYS);
}

/*
 * The mode to make something with: at once the one it is to have, unless that
 * would open it to others before it has its owner, or close it to the owner
 * before it has its attributes.
 */
static mode_t first_mode(const struct dir_sink *sink,
			 const struct entry *entry)
{
	if (!sink->options.set_mode)
		return 0666;
	if (sink->options.set_owner &&
	    (entry->uid != sink->uid || entry->gid != sink->gid))
		return 0600;
	if (sink->options.set_xattrs && entry->xattr_count > 0)
		return 0600;
	return entry->mode & 0777;
}

int make_alone(struct dir_sink *sink, struct worker *worker, unsigned index,
	       const struct block *b, const struct piece *piece,
	       struct made *made, struct err *err)
{
	struct making m = {
		.entry = piece->entry,
		.fd = -1,
		.file_mode = first_mode(sink, piece->entry),
	};
	bool is_new;

	if (walk_parent(&worker->walk, m.entry->path, true, &m.parent, &m.name,
			err) < 0)
		return -1;
	if (make_name(sink, &m, &made->outcome, &is_new, err) < 0) {
		made->outcome = OUTCOME_OPEN;
		if (!is_refused(m.entry, err->sys))
			return -1;
		made->outcome = OUTCOME_LOST;
		made->losses.device = err->sys;
		return 0;
	}
	if (made->outcome == OUTCOME_KEPT)
		return 0;
	if (m.entry->type == ENTRY_FILE)
		return fill_file(sink, worker, index, &m, b, piece,
				 &made->losses, err);
	set_special(sink, &m, &made->losses);
	return 0;
}

int make_link(struct dir_sink *sink, const struct entry *entry,
	      enum outcome *outcome, struct err *err)
{
	struct making m = { .entry = entry, .fd = -1 };
	struct walk *targets = &sink->targets;
	char text[NAME_TEXT_LEN];
	struct stat st;
	bool is_new;

	name_text(entry->link, strlen(entry->link), text);
	if (strcmp(entry->path, entry->link) == 0)
		return err_set(err, ERR_CORRUPT, "a hard link to itself");
	if (walk_parent(targets, entry->link, false, &m.target_parent,
			&m.target_name, err) < 0)
		return err_in(err, "hard link to %s", text);
	if (fstatat(m.target_parent, m.target_name, &st, AT_SYMLINK_NOFOLLOW) <
	    0)
		return out_failed(entry->path, err, "hard link to %s", text);
	if (walk_parent(&sink->walk, entry->path, true, &m.parent, &m.name,
			err) < 0)
		return -1;
	return make_name(sink, &m, outcome, &is_new, err);
}

static bool is_made(int fd, const struct made *made, struct stat *st)
{
	return fstat(fd, st) == 0 && S_ISREG(st->st_mode) &&
	       st->st_dev == made->dev && st->st_ino == made->ino;
}

int shared_open(struct walk *walk, const struct made *made, int *fd,
		struct err *err)
{
	const char *name;
	struct stat st;
	int parent, file;

	if (walk_parent(walk, made->path, false, &parent, &name, err) < 0)
		return -1;
	/* Whatever has come in its place: opening it must not wait. */
	file = openat(parent, name,
		      O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (file < 0)
		return out_failed(made->path, err, "open");
	if (!is_made(file, made, &st)) {
		close(file);
		return err_set(err, ERR_IO, "it was replaced meanwhile");
	}
	*fd = file;
	return 0;
}

void shared_close(struct dir_sink *sink, struct made *made)
{
	if (made->fd < 0)
		return;
	close(made->fd);
	made->fd = -1;
	sink->open_count--;
}

void shared_remove(struct dir_sink *sink, struct made *made)
{
	const char *name;
	struct stat st;
	int parent;

	if (walk_parent(&sink->walk, made->path, false, &parent, &name, NULL) <
	    0)
		return;
	if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    st.st_dev == made->dev && st.st_ino == made->ino)
		unlinkat(parent, name, 0);
}
