/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * There is an entry for every member of an archive, so one allocation holds
 * the struct, its path and link, and the extent that most files have.
 */
#include "entry/entry.h"

#include <stdlib.h>
#include <string.h>

#include "entry/source.h"
#include "util/account.h"
#include "util/err.h"
#include "util/num.h"

const char *entry_type_name(enum entry_type type)
{
	switch (type) {
	case ENTRY_FILE:
		return "file";
	case ENTRY_DIR:
		return "directory";
	case ENTRY_SYMLINK:
		return "symlink";
	case ENTRY_HARDLINK:
		return "hard link";
	case ENTRY_BLOCK_DEVICE:
		return "block device";
	case ENTRY_CHAR_DEVICE:
		return "character device";
	case ENTRY_FIFO:
		return "fifo";
	case ENTRY_SOCKET:
		return "socket";
	}
	return "entry of an unknown type";
}

int entry_create_named(const char *path, size_t path_len, const char *link,
		       size_t link_len, struct entry **out, struct err *err)
{
	size_t len = sizeof(struct entry);

	/* Two NULs besides; no text of half the address space exists. */
	if (!add_size(len, path_len, &len) || !add_size(len, 2, &len) ||
	    !add_size(len, link ? link_len : 0, &len))
		return err_nomem(err);

	struct entry *entry = malloc(len);

	if (!entry)
		return err_nomem(err);
	memset(entry, 0, sizeof(*entry));
	entry->own_len = len;
	entry->path = (char *)(entry + 1);
	copy_bytes(entry->path, path, path_len);
	entry->path[path_len] = '\0';
	if (link) {
		entry->link = entry->path + path_len + 1;
		copy_bytes(entry->link, link, link_len);
		entry->link[link_len] = '\0';
	}
	*out = entry;
	return 0;
}

int entry_create(struct entry **out, struct err *err)
{
	struct entry *entry = calloc(1, sizeof(*entry));

	if (!entry)
		return err_nomem(err);
	entry->own_len = sizeof(*entry);
	*out = entry;
	return 0;
}

void entry_free_part(const struct entry *entry, void *part)
{
	uintptr_t at = (uintptr_t)part, begin = (uintptr_t)entry;

	if (at < begin || at - begin >= entry->own_len)
		free(part);
}

void entry_clear_xattrs(struct entry *entry)
{
	for (size_t i = 0; i < entry->xattr_count; i++) {
		free(entry->xattrs[i].name);
		free(entry->xattrs[i].value);
	}
	free(entry->xattrs);
	entry->xattrs = NULL;
	entry->xattr_count = 0;
}

void entry_set_origin(struct entry *entry, struct source *origin)
{
	if (entry->origin)
		return;
	entry->origin = origin;
	origin->entry_count++;
}

void entry_destroy(struct entry *entry)
{
	if (!entry)
		return;
	if (entry->origin)
		entry->origin->entry_count--;
	entry_clear_xattrs(entry);
	entry_free_part(entry, entry->path);
	entry_free_part(entry, entry->link);
	entry_free_part(entry, entry->extents);
	free(entry->stored);
	free(entry);
}

/* Makes room for one more extent. The array doubles at each power of two. */
static int grow_extents(struct entry *entry, struct err *err)
{
	size_t count = entry->extent_count, bytes;
	struct extent *more;

	if (count == 0) {
		entry_free_part(entry, entry->extents);
		entry->extents = &entry->first;
		return 0;
	}
	if ((count & (count - 1)) != 0)
		return 0;
	if (!mul_size(count, 2 * sizeof(*more), &bytes))
		return err_nomem(err);
	more = malloc(bytes);
	if (!more)
		return err_nomem(err);
	copy_bytes(more, entry->extents, count * sizeof(*more));
	entry_free_part(entry, entry->extents);
	entry->extents = more;
	return 0;
}

int entry_add_extent(struct entry *entry, uint64_t offset, uint64_t at,
		     uint64_t len, struct err *err)
{
	if (len == 0)
		return 0;
	if (entry->extent_count > 0) {
		struct extent *last = &entry->extents[entry->extent_count - 1];

		if (last->offset + last->len == offset &&
		    last->at + last->len == at) {
			last->len += len;
			return 0;
		}
	}
	if (grow_extents(entry, err) < 0)
		return -1;
	entry->extents[entry->extent_count++] =
		(struct extent) { .offset = offset, .at = at, .len = len };
	return 0;
}

/* The index where name is (*found) or belongs. */
static size_t find_xattr(const struct entry *entry, const char *name,
			 bool *found)
{
	size_t low = 0, high = entry->xattr_count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		int order = strcmp(entry->xattrs[mid].name, name);

		if (order == 0) {
			*found = true;
			return mid;
		}
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	*found = false;
	return low;
}

int entry_set_xattr(struct entry *entry, const char *name, const void *value,
		    size_t len, struct err *err)
{
	bool found;
	size_t i = find_xattr(entry, name, &found);
	size_t count = entry->xattr_count, bytes;
	struct xattr attr = { .len = len };
	struct xattr *more;

	if (!add_size(len, 1, &bytes))
		return err_nomem(err);
	attr.value = malloc(bytes);
	if (!attr.value)
		return err_nomem(err);
	if (len > 0)
		copy_bytes(attr.value, value, len);
	attr.value[len] = '\0';
	if (found) {
		free(entry->xattrs[i].value);
		entry->xattrs[i].value = attr.value;
		entry->xattrs[i].len = len;
		return 1;
	}

	bytes = strlen(name) + 1;
	attr.name = malloc(bytes);
	more = attr.name ? realloc(entry->xattrs, (count + 1) * sizeof(*more))
			 : NULL;
	if (!more) {
		free(attr.name);
		free(attr.value);
		return err_nomem(err);
	}
	copy_bytes(attr.name, name, bytes);
	move_bytes(more + i + 1, more + i, (count - i) * sizeof(*more));
	more[i] = attr;
	entry->xattrs = more;
	entry->xattr_count = count + 1;
	return 0;
}
