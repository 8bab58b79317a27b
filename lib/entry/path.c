/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "entry/path.h"

#include <stdint.h>
#include <string.h>

#include "util/account.h"
#include "util/err.h"

/* Refuses what no component of a path may be. len is not 0. */
static int check_component(const char *name, size_t len, struct err *err)
{
	char text[NAME_TEXT_LEN];

	if (len > PATH_NAME_MAX)
		return err_set(err, ERR_LIMIT,
			       "component \"%s\" is longer than %d bytes, %zu",
			       name_text(name, len, text), PATH_NAME_MAX, len);
	if (len == 2 && name[0] == '.' && name[1] == '.')
		return err_set(err, ERR_CORRUPT, "path contains '..'");
	return 0;
}

int path_clean(char *path, bool *absolute, struct err *err)
{
	const char *in = path;
	char *out = path;

	if (absolute)
		*absolute = path[0] == '/';
	for (;;) {
		while (*in == '/')
			in++;
		if (*in == '\0')
			break;

		const char *name = in;

		while (*in != '\0' && *in != '/')
			in++;

		size_t len = (size_t)(in - name);

		if (len == 1 && name[0] == '.')
			continue;
		if ((len > PATH_NAME_MAX || name[0] == '.') &&
		    check_component(name, len, err) < 0)
			return -1;
		if (out != path)
			*out++ = '/';
		if (out != name)
			move_bytes(out, name, len);
		out += len;
	}
	*out = '\0';
	return 0;
}

const char *path_below(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	if (len == 0)
		return path;
	if (strncmp(path, dir, len) != 0)
		return NULL;
	if (path[len] == '\0')
		return path + len;
	return path[len] == '/' ? path + len + 1 : NULL;
}

int path_compare(const char *a, const char *b)
{
	const uint8_t *x = (const uint8_t *)a, *y = (const uint8_t *)b;

	while (*x && *x == *y) {
		x++;
		y++;
	}
	if (*x == *y)
		return 0;
	if (!*x || !*y)
		return *x ? 1 : -1;
	if (*x == '/' || *y == '/')
		return *x == '/' ? -1 : 1;
	return *x < *y ? -1 : 1;
}
