/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "names.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/err.h"

static int add(struct names *names, const char *name, struct err *err)
{
	if (array_reserve(&names->items, &names->cap, names->count + 1,
			  sizeof(*names->items), err) < 0)
		return -1;
	names->items[names->count] = names->text.len;
	if (buffer_append(&names->text, name, strlen(name) + 1, err) < 0)
		return -1;
	names->count++;
	return 0;
}

static int compare(const void *a, const void *b, void *text)
{
	return strcmp((const char *)text + *(const size_t *)a,
		      (const char *)text + *(const size_t *)b);
}

/* strcmp takes bytes as unsigned numbers. */
static void sort(struct names *names)
{
	if (names->count > 1)
		qsort_r(names->items, names->count, sizeof(*names->items),
			compare, names->text.data);
}

static int read_all(DIR *dir, struct names *names, struct err *err)
{
	const struct dirent *d;

	for (;;) {
		errno = 0;
		d = readdir(dir);
		if (!d)
			return errno ? err_sys(err, "reading the directory")
				     : 0;
		if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
			continue;
		if (add(names, d->d_name, err) < 0)
			return -1;
	}
}

int names_read(int dir, const char *name, struct names *out, struct err *err)
{
	int fd = openat(dir, name,
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct names names = { .count = 0 };
	DIR *stream;
	int ret;

	if (fd < 0)
		return err_sys(err, "opening the directory");
	stream = fdopendir(fd);
	if (!stream) {
		close(fd);
		return err_nomem(err);
	}
	ret = read_all(stream, &names, err);
	closedir(stream);
	if (ret < 0) {
		names_cleanup(&names);
		return -1;
	}
	sort(&names);
	*out = names;
	return 0;
}

void names_cleanup(struct names *names)
{
	buffer_cleanup(&names->text);
	free(names->items);
	*names = (struct names) { .count = 0 };
}
