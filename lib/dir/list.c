/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "entry/entry.h"
#include "internal.h"
#include "util/account.h"
#include "util/array.h"
#include "util/err.h"

#define NO_ITEM UINT32_MAX

struct listed {
	const char *name; /* the last one of its path; all of the path if
			   * above is NO_ITEM */
	size_t path_len;
	uint32_t above; /* index of the directory it lies in, or NO_ITEM */
	uint32_t uid, gid;
	uint16_t mode;
	bool is_new;
	int64_t mtime;
	const struct xattr *xattrs;
	size_t xattr_count;
};

/*
 * The directory that a new path lies in, whose own has len bytes: the last one
 * that was added or one that it lies in, if they come in the order of a tree.
 */
static uint32_t find_above(const struct dir_list *list, const char *path,
			   size_t len)
{
	uint32_t i = list->count ? (uint32_t)(list->count - 1) : NO_ITEM;

	if (len == 0)
		return NO_ITEM;
	while (i != NO_ITEM && list->items[i].path_len > len)
		i = list->items[i].above;
	if (i != NO_ITEM && list->items[i].path_len == len &&
	    memcmp(list->path, path, len) == 0)
		return i;
	return NO_ITEM;
}

static bool same_xattrs(const struct listed *item, const struct entry *entry)
{
	if (item->xattr_count != entry->xattr_count)
		return false;
	for (size_t i = 0; i < entry->xattr_count; i++) {
		const struct xattr *a = &item->xattrs[i];
		const struct xattr *b = &entry->xattrs[i];

		if (a->len != b->len || strcmp(a->name, b->name) != 0 ||
		    memcmp(a->value, b->value, a->len) != 0)
			return false;
	}
	return true;
}

/* Copies attributes, or borrows those of the directory before. */
static int add_xattrs(struct dir_list *list, const struct entry *entry,
		      struct listed *item, struct err *err)
{
	const size_t count = entry->xattr_count;
	struct xattr *copy;

	item->xattr_count = count;
	item->xattrs = NULL;
	if (count == 0)
		return 0;
	if (list->count > 0 &&
	    same_xattrs(&list->items[list->count - 1], entry)) {
		item->xattrs = list->items[list->count - 1].xattrs;
		return 0;
	}
	copy = arena_alloc(&list->arena, count * sizeof(*copy), err);
	if (!copy)
		return -1;
	for (size_t i = 0; i < count; i++) {
		const struct xattr *from = &entry->xattrs[i];

		copy[i].len = from->len;
		copy[i].name = arena_text(&list->arena, from->name,
					  strlen(from->name), err);
		copy[i].value = (uint8_t *)arena_text(
			&list->arena, (const char *)from->value, from->len,
			err);
		if (!copy[i].name || !copy[i].value)
			return -1;
	}
	item->xattrs = copy;
	return 0;
}

/* Remembers the path of the last directory. */
static int keep_path(struct dir_list *list, const char *path, size_t len,
		     struct err *err)
{
	if (array_reserve(&list->path, &list->path_cap, len + 1, 1, err) < 0)
		return -1;
	copy_bytes(list->path, path, len + 1);
	return 0;
}

int dir_list_add(struct dir_sink *sink, const struct entry *entry, bool is_new,
		 struct err *err)
{
	struct dir_list *list = &sink->dirs;
	const char *path = entry->path;
	const char *slash = strrchr(path, '/');
	const size_t len = strlen(path);
	struct listed item = {
		.path_len = len,
		.above = find_above(list, path,
				    slash ? (size_t)(slash - path) : 0),
		.uid = entry->uid,
		.gid = entry->gid,
		.mode = entry->mode,
		.is_new = is_new,
		.mtime = entry->mtime,
	};
	size_t skip = 0;

	if (list->count >= NO_ITEM - 1)
		return err_set(err, ERR_LIMIT, "too many directories");
	if (item.above != NO_ITEM)
		skip = (size_t)(slash + 1 - path);
	item.name = arena_text(&list->arena, path + skip, len - skip, err);
	if (!item.name)
		return -1;
	if (sink->options.set_xattrs &&
	    add_xattrs(list, entry, &item, err) < 0)
		return -1;
	if (array_reserve(&list->items, &list->cap, list->count + 1,
			  sizeof(item), err) < 0 ||
	    keep_path(list, path, len, err) < 0)
		return -1;
	list->items[list->count++] = item;
	return 0;
}

/* Puts the path together, from its end, in memory of path_len + 1 bytes. */
static void join_path(const struct dir_list *list, const struct listed *item,
		      char *path)
{
	path[item->path_len] = '\0';
	for (;;) {
		const struct listed *above;
		size_t from;

		if (item->above == NO_ITEM) {
			copy_bytes(path, item->name, item->path_len);
			return;
		}
		above = &list->items[item->above];
		from = above->path_len + 1;
		copy_bytes(path + from, item->name, item->path_len - from);
		path[from - 1] = '/';
		item = above;
	}
}

/*
 * Opens one for its attributes; or with no more than O_PATH if it was there
 * before and cannot be read.
 */
static int open_item(int parent, const char *name, bool *is_path)
{
	const int flags = O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(parent, name, O_RDONLY | flags);

	*is_path = false;
	if (fd < 0 && errno == EACCES) {
		fd = openat(parent, name, O_PATH | flags);
		*is_path = true;
	}
	return fd;
}

static int finish_root(struct dir_sink *sink, struct attrs *attrs,
		       struct err *err)
{
	struct losses losses = { 0 };
	int flags = fcntl(sink->root, F_GETFL);
	bool is_path = false;

#ifdef AT_EMPTY_PATH
	is_path = flags >= 0 && flags & O_PATH;
#else
	(void)flags;
#endif
	attrs_set(sink->root, is_path, attrs, &losses);
	return losses_report(sink->options.warner, "root directory", attrs,
			     &losses, err);
}

static int finish_item(struct dir_sink *sink, const struct listed *item,
		       const char *path, struct err *err)
{
	struct attrs attrs = {
		.type = ENTRY_DIR,
		.has_owner = sink->options.set_owner,
		.has_mode = sink->options.set_mode || item->is_new,
		.has_time = sink->options.set_times,
		.mode = item->mode,
		.uid = item->uid,
		.gid = item->gid,
		.mtime = item->mtime,
		.xattrs = item->xattrs,
		.xattr_count = item->xattr_count,
	};
	struct losses losses = { 0 };
	struct err why;
	const char *name;
	bool is_path;
	int parent, fd;

	if (!sink->options.set_mode)
		attrs.mode = 0777 & ~sink->umask;
	if (item->path_len == 0)
		return finish_root(sink, &attrs, err);
	if (walk_parent(&sink->walk, path, false, &parent, &name, &why) < 0) {
		if (is_fatal(&why)) {
			*err = why;
			return -1;
		}
		attrs_lose(&attrs, why.sys, &losses);
		return losses_report(sink->options.warner, path, &attrs,
				     &losses, err);
	}
	if (sink->options.no_empty_dirs && item->is_new &&
	    unlinkat(parent, name, AT_REMOVEDIR) == 0) {
		sink->stats.dirs--;
		return 0;
	}
	fd = open_item(parent, name, &is_path);
	if (fd >= 0) {
		attrs_set(fd, is_path, &attrs, &losses);
		close(fd);
	} else {
		attrs_lose(&attrs, errno, &losses);
	}
	return losses_report(sink->options.warner, path, &attrs, &losses, err);
}

int dir_list_finish(struct dir_sink *sink, struct err *err)
{
	struct dir_list *list = &sink->dirs;

	for (size_t i = list->count; i-- > 0;) {
		const struct listed *item = &list->items[i];

		if (array_reserve(&list->path, &list->path_cap,
				  item->path_len + 1, 1, err) < 0)
			return -1;
		join_path(list, item, list->path);
		if (finish_item(sink, item, list->path, err) < 0)
			return -1;
	}
	return 0;
}

void dir_list_cleanup(struct dir_list *list)
{
	free(list->items);
	free(list->path);
	arena_cleanup(&list->arena);
	*list = (struct dir_list){ .count = 0 };
}
