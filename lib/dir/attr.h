/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef DIR_ATTR_H
#define DIR_ATTR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "entry/entry.h"

struct err;
struct warner;

/* What is to be restored besides the content. */
struct attrs {
	enum entry_type type;
	bool has_owner, has_mode, has_time;
	uint16_t mode;
	uint32_t uid, gid;
	int64_t mtime;
	const struct xattr *xattrs; /* borrowed */
	size_t xattr_count;
};

/* Why something could not be restored: numbers of errno, or 0. */
struct losses {
	int owner, mode, time, xattr, device;
	size_t xattr_index; /* the first attribute of which that is true */
};

/*
 * Restores all it can. The order is that of what undoes what: a new owner takes
 * away the set-id bits and capabilities, and everything changes the time.
 *
 * fd       of what is restored
 * is_path  fd was opened with O_PATH
 * thread   any
 */
void attrs_set(int fd, bool is_path, const struct attrs *attrs,
	       struct losses *losses);

/* Notes that nothing of it could be restored, for a reason of errno. */
void attrs_lose(const struct attrs *attrs, int sys, struct losses *losses);

/*
 * Tells of what could not be restored.
 *
 * path   of the entry
 * fails  ERR_SKIPPED, with the path in front
 */
int losses_report(struct warner *warner, const char *path,
		  const struct attrs *attrs, const struct losses *losses,
		  struct err *err);

#endif
