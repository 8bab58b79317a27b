/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_UNIT_DIR_PLANT_H
#define TESTS_UNIT_DIR_PLANT_H

/* A source of made-up entries, and a scratch directory to unpack them into. */

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "check.h"
#include "dir/dir.h"
#include "entry/entry.h"
#include "entry/sink.h"
#include "entry/source.h"
#include "flow/flow.h"
#include "util/err.h"
#include "util/warn.h"

#define UNUSED __attribute__((unused))
#define BLOCK 4096u
#define PLANT_HOLES 4

struct range {
	uint64_t from, to;
};

struct item {
	const char *path;
	enum entry_type type;
	const char *link;
	uint64_t size;
	struct range holes[PLANT_HOLES]; /* no extents there; ascending */
	struct range zeros[PLANT_HOLES]; /* zeros that are stored */
	unsigned flags;
	uint16_t mode; /* 0: 0640 */
	uint32_t uid, gid;
	int64_t mtime; /* 0: 1000000000 */
	uint32_t major, minor;
	const char *xattr_name, *xattr_value;
	bool is_plain;	 /* the bytes lie in the file */
	uint64_t bad_at; /* offset in the file that cannot be read; 0: none */
};

struct plant {
	struct source source;
	const struct item *items;
	size_t count, next;
	int plain_fd; /* -1: no item is plain */
	bool fail_at_end;
};

static uint8_t plant_byte(const struct item *item, uint64_t offset)
{
	for (int i = 0; i < PLANT_HOLES; i++) {
		const struct range *h = &item->holes[i], *z = &item->zeros[i];

		if ((offset >= h->from && offset < h->to) ||
		    (offset >= z->from && offset < z->to))
			return 0;
	}
	return (uint8_t)((offset * 31 + (offset >> 12) * 7) % 251 + 1);
}

static int plant_next(struct source *src, struct entry **out, struct err *err)
{
	struct plant *p = (struct plant *)src;
	const struct item *item;
	uint64_t from = 0, base;
	struct entry *e;

	if (p->next == p->count)
		return p->fail_at_end ? err_set(err, ERR_CORRUPT, "no end")
				      : 1;
	item = &p->items[p->next];
	base = (uint64_t)p->next++ << 40;
	if (entry_create_named(item->path, strlen(item->path), item->link,
			       item->link ? strlen(item->link) : 0, &e, err) <
	    0)
		return -1;
	e->type = item->type;
	e->mode = item->mode ? item->mode : 0640;
	e->uid = item->uid;
	e->gid = item->gid;
	e->mtime = item->mtime ? item->mtime : 1000000000;
	e->major = item->major;
	e->minor = item->minor;
	e->size = item->size;
	e->flags = item->flags;
	if (item->xattr_name)
		entry_set_xattr(e, item->xattr_name, item->xattr_value,
				strlen(item->xattr_value), NULL);
	for (int i = 0; i < PLANT_HOLES && item->holes[i].to; i++) {
		if (item->holes[i].from > from)
			entry_add_extent(e, from, base + from,
					 item->holes[i].from - from, NULL);
		from = item->holes[i].to;
	}
	if (from < item->size)
		entry_add_extent(e, from, base + from, item->size - from,
				 NULL);
	*out = e;
	return 0;
}

static int plant_read_at(const struct source *src, const struct entry *entry,
			 uint64_t at, void *buf, size_t len, struct err *err)
{
	const struct plant *p = (const struct plant *)src;
	const struct item *item = &p->items[at >> 40];
	uint64_t offset = at & ((UINT64_C(1) << 40) - 1);
	uint8_t *out = buf;

	(void)entry;
	if (item->bad_at && item->bad_at >= offset &&
	    item->bad_at < offset + len)
		return err_set(err, ERR_CORRUPT, "bad block");
	for (size_t i = 0; i < len; i++)
		out[i] = plant_byte(item, offset + i);
	return 0;
}

/* The plain file holds, at its place, the bytes of one file of no holes. */
static bool plant_plain(const struct source *src, const struct entry *entry,
			uint64_t at, int *fd, uint64_t *fd_at, uint64_t *len)
{
	const struct plant *p = (const struct plant *)src;
	const struct item *item = &p->items[at >> 40];
	uint64_t offset = at & ((UINT64_C(1) << 40) - 1);

	if (!item->is_plain)
		return false;
	*fd = p->plain_fd;
	*fd_at = offset + 100;
	*len = entry->size - offset;
	return true;
}

static void plant_destroy(struct source *src)
{
	(void)src;
}

static const struct source_ops plant_ops = { .next = plant_next,
					     .read_at = plant_read_at,
					     .plain = plant_plain,
					     .destroy = plant_destroy };

/* A file of len bytes by the rule, behind 100 others. */
static UNUSED int plain_file(uint64_t len)
{
	const struct item item = { .size = len };
	char name[] = "plain.XXXXXX";
	uint8_t *bytes = malloc(len);
	int fd = mkstemp(name);

	check(fd >= 0 && unlink(name) == 0);
	for (uint64_t i = 0; i < len; i++)
		bytes[i] = plant_byte(&item, i);
	check(pwrite(fd, bytes, len, 100) == (ssize_t)len);
	free(bytes);
	return fd;
}

/* What was told in a run. */
struct told {
	char failed[4][512];
	unsigned failed_count;
	struct warner warner;
	struct dir_sink_stats stats;
	struct err err;
};

static void told_failed(void *arg, const struct err *err)
{
	struct told *told = arg;

	if (told->failed_count < 4)
		strcpy(told->failed[told->failed_count], err->text);
	told->failed_count++;
}

/* Unpacks below a directory; returns what the flow does. */
static UNUSED int unpack(struct plant *plant, const char *dir, unsigned jobs,
			 const struct dir_sink_options *options,
			 struct told *told)
{
	struct flow_options flow = { .jobs = jobs, .backlog = 2 + 4 * jobs };
	struct dir_sink_options with = *options;
	struct sink *sink;
	int root = open(dir, O_RDONLY | O_DIRECTORY), ret;

	memset(told, 0, sizeof(*told));
	if (!with.block_size)
		with.block_size = BLOCK;
	with.failed = told_failed;
	with.arg = told;
	with.warner = &told->warner;
	plant->source.ops = &plant_ops;
	plant->next = 0;
	check(root >= 0);
	if (dir_sink_create(root, &with, &sink, &told->err) < 0) {
		close(root);
		return -1;
	}
	ret = flow_run(&plant->source, sink, &flow, &told->err);
	told->stats = *dir_sink_stats(sink);
	sink_destroy(sink);
	close(root);
	return ret;
}

static UNUSED int unpack_items(const struct item *items, size_t count,
			       const char *dir, unsigned jobs,
			       const struct dir_sink_options *options,
			       struct told *told)
{
	struct plant plant = { .items = items, .count = count, .plain_fd = -1 };

	return unpack(&plant, dir, jobs, options, told);
}

#define COUNT(items) (sizeof(items) / sizeof(*(items)))

/* Bytes of a file that differ from what its item says, or are too few. */
static UNUSED unsigned long wrong_bytes(int dirfd, const struct item *item)
{
	int fd = openat(dirfd, item->path, O_RDONLY | O_NOFOLLOW);
	unsigned long wrong = 0;
	uint8_t buf[4096];
	uint64_t at = 0;
	ssize_t n;

	if (fd < 0)
		return 1;
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		for (ssize_t i = 0; i < n; i++)
			wrong += buf[i] != plant_byte(item, at++);
	close(fd);
	return wrong + (at != item->size) + (n < 0);
}

/* Compares what is below dir with what an item says. */
static UNUSED void check_item(const char *dir, const struct item *item,
			      const struct dir_sink_options *options)
{
	static const mode_t kinds[] = {
		[ENTRY_FILE] = S_IFREG,		[ENTRY_DIR] = S_IFDIR,
		[ENTRY_SYMLINK] = S_IFLNK,	[ENTRY_HARDLINK] = S_IFREG,
		[ENTRY_BLOCK_DEVICE] = S_IFBLK, [ENTRY_CHAR_DEVICE] = S_IFCHR,
		[ENTRY_FIFO] = S_IFIFO,		[ENTRY_SOCKET] = S_IFSOCK
	};
	int fd = open(dir, O_RDONLY | O_DIRECTORY);
	struct stat st;
	char buf[4096];

	memset(&st, 0, sizeof(st));
	if (fstatat(fd, *item->path ? item->path : ".", &st,
		    AT_SYMLINK_NOFOLLOW) < 0) {
		fprintf(stderr, "missing: %s\n", item->path);
		check(false);
		close(fd);
		return;
	}
	check_u64(st.st_mode & S_IFMT, kinds[item->type]);
	if (item->type == ENTRY_FILE) {
		check_u64((uint64_t)st.st_size, item->size);
		check_u64(wrong_bytes(fd, item), 0);
	}
	if (item->type == ENTRY_SYMLINK) {
		ssize_t n = readlinkat(fd, item->path, buf, sizeof(buf) - 1);

		buf[n > 0 ? n : 0] = '\0';
		check_str(buf, item->link);
	}
	if (item->type == ENTRY_BLOCK_DEVICE ||
	    item->type == ENTRY_CHAR_DEVICE)
		check_u64(st.st_rdev, makedev(item->major, item->minor));
	if (item->type != ENTRY_HARDLINK) {
		if (options->set_mode && item->type != ENTRY_SYMLINK)
			check_u64(st.st_mode & 07777,
				  item->mode ? item->mode : 0640);
		if (options->set_owner) {
			check_u64(st.st_uid, item->uid);
			check_u64(st.st_gid, item->gid);
		}
		if (options->set_times)
			check_u64((uint64_t)st.st_mtime,
				  (uint64_t)(item->mtime ? item->mtime
							 : 1000000000));
	}
	if (options->set_xattrs && item->xattr_name) {
		char path[8192];
		ssize_t n;

		snprintf(path, sizeof(path), "%s/%s", dir, item->path);
		n = lgetxattr(path, item->xattr_name, buf, sizeof(buf) - 1);
		buf[n > 0 ? n : 0] = '\0';
		check_str(buf, item->xattr_value);
	}
	close(fd);
}

static UNUSED int remove_one(const char *path, const struct stat *st, int flag,
			     struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	if (remove(path) < 0) {
		chmod(path, 0700);
		remove(path);
	}
	return 0;
}

static UNUSED int open_one(const char *path, const struct stat *st, int flag,
			   struct FTW *ftw)
{
	(void)st;
	(void)ftw;
	if (flag == FTW_D || flag == FTW_DNR)
		chmod(path, 0700);
	return 0;
}

/* Removes a tree, also where nobody may look into it. */
static UNUSED void remove_tree(const char *path)
{
	nftw(path, open_one, 16, FTW_PHYS);
	nftw(path, remove_one, 16, FTW_PHYS | FTW_DEPTH);
}

/* An empty directory of that name, below the scratch directory. */
static UNUSED void fresh(const char *name)
{
	remove_tree(name);
	check(mkdir(name, 0755) == 0);
}

static char scratch_path[4096];

static void leave_scratch(void)
{
	if (chdir("/") == 0)
		remove_tree(scratch_path);
}

/* Goes into a new directory, which is removed at the end. */
static UNUSED void enter_scratch(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(scratch_path, sizeof(scratch_path), "%s/dir.XXXXXX",
		 tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(scratch_path) || chdir(scratch_path) < 0) {
		perror(scratch_path);
		exit(99);
	}
	umask(022);
	atexit(leave_scratch);
}

/* A file with a text in it. */
static UNUSED void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	check(fd >= 0 && write(fd, text, strlen(text)) ==
				 (ssize_t)strlen(text));
	close(fd);
}

/* What a file holds, or "" if it is not there. */
static UNUSED const char *get(const char *path)
{
	static char text[256];
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

	text[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		close(fd);
	return text;
}

static UNUSED bool exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

#endif
