/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "holes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include "entry/entry.h"
#include "util/err.h"

/*
 * True if there may be holes that are worth a look. The blocks that stat counts
 * have 512 bytes. The smallest holes have one page; a shorter file is as quick
 * to read.
 */
static bool may_have_holes(const struct stat *st)
{
	return st->st_size > 4096 &&
	       (uint64_t)st->st_blocks * 512 < (uint64_t)st->st_size;
}

#ifdef SEEK_DATA

/*
 * Adds an extent for each run of data. A file system that compresses has fewer
 * blocks, too, and one that cannot tell says that all is data.
 *
 * returns  0, 1 if that could not be told, -1 with ERR_NOMEM
 */
static int find_data(int fd, uint64_t size, struct entry *entry,
		     struct err *err)
{
	uint64_t at = 0;

	while (at < size) {
		off_t begin = lseek(fd, (off_t)at, SEEK_DATA), end;

		if (begin < 0)
			return errno == ENXIO ? 0 : 1; /* no data any more */
		if ((uint64_t)begin >= size)
			return 0;
		end = lseek(fd, begin, SEEK_HOLE);
		if (end <= begin)
			return 1;
		if ((uint64_t)end > size)
			end = (off_t)size;
		if (entry_add_extent(entry, (uint64_t)begin, (uint64_t)begin,
				     (uint64_t)(end - begin), err) < 0)
			return -1;
		at = (uint64_t)end;
	}
	return 0;
}

static int look(int dir, const char *name, bool follow, struct entry *entry,
		struct err *err)
{
	int fd = openat(dir, name,
			O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK |
				(follow ? 0 : O_NOFOLLOW));
	int ret;

	if (fd < 0)
		return 1;
	ret = find_data(fd, entry->size, entry, err);
	close(fd);
	return ret;
}

#else

static int look(int dir, const char *name, bool follow, struct entry *entry,
		struct err *err)
{
	(void)dir;
	(void)name;
	(void)follow;
	(void)entry;
	(void)err;
	return 1;
}

#endif

int holes_find(int dir, const char *name, bool follow, const struct stat *st,
	       struct entry *entry, struct err *err)
{
	int ret = may_have_holes(st) ? look(dir, name, follow, entry, err) : 1;

	if (ret < 1)
		return ret;
	entry->extent_count = 0;
	return entry_add_extent(entry, 0, 0, entry->size, err);
}
