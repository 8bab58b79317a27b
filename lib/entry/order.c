/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "entry/order.h"

/*
 * Content in another order than its files. What an entry does to the tree
 * depends on those before it: the last of several for a path holds, hard links
 * bind to what is there, symlinks are followed. So entries are never moved:
 * each file comes in its turn, without content, and what it holds comes later.
 */
#include <stdlib.h>
#include <string.h>

#include "entry/entry.h"
#include "entry/source.h"
#include "sort_file.h"
#include "util/array.h"
#include "util/err.h"

struct content {
	struct entry *entry; /* owned */
	int64_t priority;
};

struct order {
	struct source source; /* first */
	struct source *inner; /* owned */
	enum order_by by;
	struct sort_file sort_file;
	bool is_moving; /* content is put aside */
	bool is_sorted; /* the inner source has ended */

	struct content *contents; /* index: content_index until sorted */
	size_t count, cap;
	size_t next;	      /* of what is sorted */
	uint64_t done, total; /* bytes of content */
};

static int compare_keys(const struct entry *a, const struct entry *b,
			enum order_by by)
{
	switch (by) {
	case ORDER_PATH:
		return strcmp(a->path, b->path);
	case ORDER_SIZE:
		return a->size < b->size ? -1 : a->size > b->size;
	default:
		return 0;
	}
}

/* What is equal keeps the order of the input. */
static int compare(const struct content *a, const struct content *b,
		   enum order_by by)
{
	int ret = a->priority < b->priority ? -1 : a->priority > b->priority;

	if (ret == 0)
		ret = compare_keys(a->entry, b->entry, by);
	if (ret == 0)
		ret = a->entry->content_index < b->entry->content_index ? -1
									: 1;
	return ret;
}

static int compare_input(const void *a, const void *b)
{
	return compare(a, b, ORDER_INPUT);
}

static int compare_path(const void *a, const void *b)
{
	return compare(a, b, ORDER_PATH);
}

static int compare_size(const void *a, const void *b)
{
	return compare(a, b, ORDER_SIZE);
}

static void sort(struct order *order)
{
	static int (*const by[])(const void *, const void *) = {
		[ORDER_INPUT] = compare_input,
		[ORDER_PATH] = compare_path,
		[ORDER_SIZE] = compare_size,
	};

	if (order->count > 0)
		qsort(order->contents, order->count, sizeof(*order->contents),
		      by[order->by]);
	order->is_sorted = true;
}

/* Content that can only be read as it comes cannot be moved. */
static int check_origin(const struct order *order, const struct entry *entry,
			struct err *err)
{
	const struct source *origin = entry->origin;

	if (origin->ops->read_at)
		return 0;
	err_set(err, ERR_USAGE,
		"%s needs input that can be read at any place: a plain file, "
		"no pipe and not compressed; decompress it into a file first",
		order->by != ORDER_INPUT ? "--order"
					 : "a priority in the sort file");
	return origin->name ? err_in(err, "%s", origin->name) : -1;
}

/* The content of a file as an entry of its own. */
static int split(const struct entry *file, struct entry **out, struct err *err)
{
	struct entry *content;

	if (entry_create_named(file->path, strlen(file->path), NULL, 0,
			       &content, err) < 0)
		return -1;
	content->size = file->size;
	content->mode = file->mode;
	content->input_offset = file->input_offset;
	content->flags = file->flags | ENTRY_IS_CONTENT;
	if (file->extents == &file->first) {
		content->first = file->first;
		content->extents = &content->first;
	} else {
		content->extents = file->extents;
	}
	content->extent_count = file->extent_count;
	entry_set_origin(content, file->origin);
	*out = content;
	return 0;
}

/* Puts the content of a file aside. */
static int put_aside(struct order *order, struct entry *file, int64_t priority,
		     struct err *err)
{
	struct entry *content;

	if (order->count == UINT32_MAX)
		return err_set(err, ERR_LIMIT, "more than 2^32 - 1 files");
	if (array_reserve(&order->contents, &order->cap, order->count + 1,
			  sizeof(*order->contents), err) < 0 ||
	    split(file, &content, err) < 0)
		return -1;
	content->stored = file->stored;
	file->stored = NULL;
	content->content_index = (uint32_t)order->count;
	file->content_index = (uint32_t)order->count;
	file->flags |= ENTRY_CONTENT_LATER;
	file->extents = NULL;
	file->extent_count = 0;
	file->size = 0;
	order->total += content->size;
	order->contents[order->count++] =
		(struct content) { content, priority };
	return 0;
}

/* Looks up what is said of an entry. */
static int treat(struct order *order, struct entry *entry, struct err *err)
{
	const struct sort_line *line = NULL;

	entry_set_origin(entry, order->inner);
	if (order->is_moving && check_origin(order, entry, err) < 0)
		return -1;
	if (entry->type != ENTRY_FILE)
		return 0;
	if (order->sort_file.count > 0)
		line = sort_file_find(&order->sort_file, entry->path);
	if (line)
		entry->flags |= line->flags;
	if (!order->is_moving || entry->size == 0)
		return 0;
	return put_aside(order, entry, line ? line->priority : 0, err);
}

static int order_next(struct source *src, struct entry **out, struct err *err)
{
	struct order *order = (struct order *)src;
	struct entry *entry;

	if (!order->is_sorted) {
		int ret = source_next(order->inner, &entry, err);

		if (ret < 0)
			return -1;
		if (ret == 0) {
			if (treat(order, entry, err) < 0) {
				entry_destroy(entry);
				return -1;
			}
			*out = entry;
			return 0;
		}
		sort(order);
	}
	if (order->next == order->count)
		return 1;
	*out = order->contents[order->next++].entry;
	order->done += (*out)->size;
	return 0;
}

static void order_progress(const struct source *src, uint64_t *done,
			   uint64_t *total)
{
	const struct order *order = (const struct order *)src;
	const struct source *inner = order->inner;

	*done = 0;
	*total = 0;
	if (!order->is_moving && inner->ops->progress)
		inner->ops->progress(inner, done, total);
	if (!order->is_sorted || !order->is_moving)
		return;
	*done = order->done;
	*total = order->total;
}

static void order_destroy(struct source *src)
{
	struct order *order = (struct order *)src;

	/* Entries point to the sources behind. */
	for (size_t i = order->next; i < order->count; i++)
		entry_destroy(order->contents[i].entry);
	free(order->contents);
	sort_file_cleanup(&order->sort_file);
	source_destroy(order->inner);
	free(order);
}

static const struct source_ops order_ops = {
	.next = order_next,
	.progress = order_progress,
	.destroy = order_destroy,
};

int order_create(struct source *inner, enum order_by by, const char *sort_file,
		 struct source **out, struct err *err)
{
	struct order *order = calloc(1, sizeof(*order));

	if (!order) {
		source_destroy(inner);
		return err_nomem(err);
	}
	order->source.ops = &order_ops;
	order->inner = inner;
	order->by = by;
	if (sort_file &&
	    sort_file_read(sort_file, &order->sort_file, err) < 0) {
		order_destroy(&order->source);
		return -1;
	}
	order->is_moving = by != ORDER_INPUT || order->sort_file.has_priority;
	*out = &order->source;
	return 0;
}

size_t order_unused(const struct source *source, size_t *line)
{
	const struct sort_file *file =
		&((const struct order *)source)->sort_file;
	size_t count = 0;

	for (size_t i = file->count; i-- > 0;)
		if (!file->lines[i].is_used) {
			count++;
			*line = file->lines[i].number;
		}
	return count;
}
