/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file of attributes for paths. It is refused with its line, or can be
 * applied, with the same result each time.
 */
#include "entry/xattr_file.h"

#include <stdint.h>

#include "entry/entry.h"
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

static void apply(struct xattr_file *file, const char *path)
{
	struct entry *entry;
	size_t count, bytes = 0, again = 0;

	if (entry_create_named(path, strlen(path), NULL, 0, &entry, NULL) < 0 ||
	    xattr_file_apply(file, entry, NULL) < 0)
		abort();
	count = entry->xattr_count;
	for (size_t i = 0; i < count; i++) {
		const struct xattr *x = &entry->xattrs[i];

		require(x->name[0] && strlen(x->name) <= XATTR_FILE_NAME_MAX &&
				x->len <= XATTR_FILE_VALUE_MAX,
			"names and values are within their limits");
		require(i == 0 || strcmp(x[-1].name, x->name) < 0,
			"names ascend");
		bytes += x->len + x->value[x->len];
	}
	if (xattr_file_apply(file, entry, NULL) < 0)
		abort();
	for (size_t i = 0; i < entry->xattr_count; i++)
		again += entry->xattrs[i].len;
	require(entry->xattr_count == count && again == bytes,
		"the same once more");
	entry_destroy(entry);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const paths[] = { "", "a", "b/c", "d" };
	char name[FILE_PATH_LEN];
	struct xattr_file *file;
	struct err err = { 0 };
	int fd = file_make(data, size, name);

	if (xattr_file_read(name, &file, &err) == 0) {
		size_t line = 0, unused = xattr_file_unused(file, &line);

		require(unused == 0 || line > 0, "what is unused has a line");
		for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
			apply(file, paths[i]);
		require(xattr_file_unused(file, &line) <= unused,
			"no more is unused than before");
		xattr_file_destroy(file);
	} else {
		require((err.code == ERR_USAGE || err.code == ERR_LIMIT) &&
				strstr(err.text, "line "),
			"a failure says where");
	}
	close(fd);
	return 0;
}
