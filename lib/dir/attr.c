/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "attr.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif

#include "util/err.h"
#include "util/warn.h"

/*
 * Symlinks, devices and directories that cannot be read have descriptors that
 * were opened with O_PATH. They take no f...() calls; what the kernel shows
 * below /proc/self/fd leads to exactly what the descriptor stands for, also
 * where that is a symlink, which is not followed further.
 */
#define FD_PATH_LEN 32

/* What chown takes for "as it is". */
#define NOBODY UINT32_MAX

static const char *fd_path(int fd, char path[FD_PATH_LEN])
{
	snprintf(path, FD_PATH_LEN, "/proc/self/fd/%d", fd);
	return path;
}

static int set_owner(int fd, bool is_path, uint32_t uid, uint32_t gid)
{
	if (!is_path)
		return fchown(fd, uid, gid);
#ifdef AT_EMPTY_PATH
	return fchownat(fd, "", uid, gid, AT_EMPTY_PATH);
#else
	errno = ENOSYS;
	return -1;
#endif
}

static int set_mode(int fd, bool is_path, mode_t mode)
{
	char path[FD_PATH_LEN];

	return is_path ? chmod(fd_path(fd, path), mode) : fchmod(fd, mode);
}

static int set_time(int fd, bool is_path, int64_t mtime)
{
	const struct timespec both[2] = { { .tv_sec = (time_t)mtime },
					  { .tv_sec = (time_t)mtime } };
	char path[FD_PATH_LEN];

	if (!is_path)
		return futimens(fd, both);
#ifdef AT_EMPTY_PATH
	if (utimensat(fd, "", both, AT_EMPTY_PATH) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOENT)
		return -1; /* else the kernel is older than that */
#endif
	return utimensat(AT_FDCWD, fd_path(fd, path), both, 0);
}

static int set_xattr(int fd, bool is_path, const struct xattr *xattr)
{
#ifdef __linux__
	char path[FD_PATH_LEN];

	if (is_path)
		return setxattr(fd_path(fd, path), xattr->name, xattr->value,
				xattr->len, 0);
	return fsetxattr(fd, xattr->name, xattr->value, xattr->len, 0);
#else
	(void)fd;
	(void)is_path;
	(void)xattr;
	errno = ENOTSUP;
	return -1;
#endif
}

/*
 * The owner, or at least the group. Returns the set-id bits that may not be
 * set because they would speak for somebody else.
 */
static mode_t restore_owner(int fd, bool is_path, const struct attrs *attrs,
			    struct losses *losses)
{
	if (attrs->uid == NOBODY || attrs->gid == NOBODY) {
		losses->owner = EINVAL;
		return S_ISUID | S_ISGID;
	}
	if (set_owner(fd, is_path, attrs->uid, attrs->gid) == 0)
		return 0;
	losses->owner = errno;
	if (set_owner(fd, is_path, NOBODY, attrs->gid) == 0)
		return S_ISUID;
	return S_ISUID | S_ISGID;
}

/* The kernel drops set-id bits that one may not set, without a word. */
static bool mode_is(int fd, mode_t mode)
{
	struct stat st;

	return fstat(fd, &st) < 0 || (st.st_mode & 07777) == mode;
}

static void restore_mode(int fd, bool is_path, mode_t mode,
			 struct losses *losses)
{
	if (set_mode(fd, is_path, mode) < 0)
		losses->mode = errno;
	else if (mode & 07000 && !mode_is(fd, mode))
		losses->mode = EPERM;
}

void attrs_set(int fd, bool is_path, const struct attrs *attrs,
	       struct losses *losses)
{
	bool has_owner = attrs->has_owner, has_mode = attrs->has_mode;
	mode_t banned = 0;
	struct stat st;

	/* Looking costs less than setting what is so already. */
	if ((has_owner || has_mode) && fstat(fd, &st) == 0) {
		if (st.st_uid == attrs->uid && st.st_gid == attrs->gid)
			has_owner = false;
		if (!has_owner && (st.st_mode & 07777) == attrs->mode)
			has_mode = false;
	}
	if (has_owner)
		banned = restore_owner(fd, is_path, attrs, losses);
	if (attrs->type == ENTRY_DIR)
		banned = 0; /* nobody runs a directory */
	for (size_t i = 0; i < attrs->xattr_count; i++) {
		if (set_xattr(fd, is_path, &attrs->xattrs[i]) == 0 ||
		    losses->xattr)
			continue;
		losses->xattr = errno;
		losses->xattr_index = i;
	}
	if (has_mode && attrs->type != ENTRY_SYMLINK) {
		restore_mode(fd, is_path, attrs->mode & ~banned, losses);
		if (attrs->mode & banned && !losses->mode)
			losses->mode = EPERM;
	}
	if (attrs->has_time && set_time(fd, is_path, attrs->mtime) < 0)
		losses->time = errno;
}

void attrs_lose(const struct attrs *attrs, int sys, struct losses *losses)
{
	losses->owner = attrs->has_owner ? sys : 0;
	losses->mode = attrs->has_mode ? sys : 0;
	losses->time = attrs->has_time ? sys : 0;
	losses->xattr = attrs->xattr_count ? sys : 0;
	losses->xattr_index = 0;
}

int losses_report(struct warner *warner, const char *path,
		  const struct attrs *attrs, const struct losses *losses,
		  struct err *err)
{
	char name[NAME_TEXT_LEN], xattr[NAME_TEXT_LEN];

	name_text(path, strlen(path), name);
	if (losses->device &&
	    warn(warner, WARN_DEVICE, err, "%s: the %s cannot be made: %s",
		 name, entry_type_name(attrs->type),
		 strerror(losses->device)) < 0)
		return -1;
	if (losses->owner &&
	    warn(warner, WARN_OWNER, err,
		 "%s: the owner %u:%u cannot be set: %s", name, attrs->uid,
		 attrs->gid, strerror(losses->owner)) < 0)
		return -1;
	if (losses->mode &&
	    warn(warner, WARN_MODE, err, "%s: the mode %04o cannot be set: %s",
		 name, attrs->mode, strerror(losses->mode)) < 0)
		return -1;
	if (losses->time &&
	    warn(warner, WARN_SET_TIME, err, "%s: the time cannot be set: %s",
		 name, strerror(losses->time)) < 0)
		return -1;
	if (losses->xattr) {
		const char *text = attrs->xattrs[losses->xattr_index].name;

		name_text(text, strlen(text), xattr);
		if (warn(warner, WARN_SET_XATTR, err,
			 "%s: the attribute %s cannot be set: %s", name, xattr,
			 strerror(losses->xattr)) < 0)
			return -1;
	}
	return 0;
}
