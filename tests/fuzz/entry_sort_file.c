/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sort file, and a few files to sort by it. It is refused with its line, or
 * every file comes once, and its content once, with the flags of both equal.
 */
#include "entry/order.h"

#include <stdint.h>

#include "entry/entry.h"
#include "entry/source.h"
#include "unit/entry/file.h"
#include "util/err.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

static const char *const paths[] = { "a", "b/c", "usr/lib/x.so", "d e", "z" };
#define PATH_COUNT (sizeof(paths) / sizeof(paths[0]))

struct made {
	struct source source; /* first */
	size_t next;
};

static int made_next(struct source *src, struct entry **out, struct err *err)
{
	struct made *made = (struct made *)src;
	const char *path;

	if (made->next == PATH_COUNT)
		return 1;
	path = paths[made->next++];
	if (entry_create_named(path, strlen(path), NULL, 0, out, err) < 0)
		abort();
	(*out)->size = made->next;
	if (entry_add_extent(*out, 0, made->next * 10, made->next, err) < 0)
		abort();
	return 0;
}

static int made_read_at(const struct source *src, const struct entry *entry,
			uint64_t at, void *buf, size_t len, struct err *err)
{
	(void)src;
	(void)entry;
	(void)at;
	(void)err;
	memset(buf, 0, len);
	return 0;
}

static void made_destroy(struct source *src)
{
	(void)src;
}

static const struct source_ops made_ops = { .next = made_next,
					    .read_at = made_read_at,
					    .destroy = made_destroy };

static void drain(struct source *order)
{
	size_t named = 0, contents = 0, line, unused;
	struct entry *entry;
	int ret;

	while ((ret = source_next(order, &entry, NULL)) == 0) {
		if (entry->flags & ENTRY_IS_CONTENT) {
			contents++;
			require(entry->size > 0, "content has bytes");
		} else {
			require(strcmp(entry->path, paths[named]) == 0,
				"files come in their order");
			named++;
			if (!(entry->flags & ENTRY_CONTENT_LATER))
				contents++;
		}
		entry_destroy(entry);
	}
	require(ret == 1 && named == PATH_COUNT && contents == PATH_COUNT,
		"all files come, and all content");
	line = 0;
	unused = order_unused(order, &line);
	require(unused == 0 || line > 0, "what is unused has a line");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct made made = { .source = { .ops = &made_ops } };
	char name[FILE_PATH_LEN];
	struct source *order;
	struct err err = { 0 };
	int fd = file_make(data, size, name);

	if (order_create(&made.source, ORDER_INPUT, name, &order, &err) == 0) {
		drain(order);
		source_destroy(order);
	} else {
		require(err.code == ERR_USAGE && strstr(err.text, "line "),
			"a failure says where");
	}
	close(fd);
	return 0;
}
