/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

/*
 * A file of contexts, and behind a NUL byte a path to look for. It is refused
 * with its line, or gives the label that trying every line gives.
 */
#include "entry/contexts.h"

#include <stdint.h>

#include "unit/entry/file.h"
#include "util/err.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define TEXT_MAX 2048
#define PATH_MAX_LEN 40

static void require(int holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

#ifdef WITH_PCRE2
#include "unit/entry/contexts_model.h"

static void check_label(struct contexts *contexts, const char *text,
			const char *path)
{
	char want[MODEL_LABEL_LEN];
	struct err err = { 0 };
	const char *have;

	if (contexts_find(contexts, path + 1, ENTRY_DIR, &have, &err) < 0) {
		require(err.code == ERR_USAGE && strstr(err.text, "line "),
			"a failure says where");
		return;
	}
	if (model_find(text, path, 'd', want) < 0)
		return;
	require(strncmp(have ? have : "", want, MODEL_LABEL_LEN - 1) == 0,
		"the label that every line gives");
}
#else
static void check_label(struct contexts *contexts, const char *text,
			const char *path)
{
	(void)contexts;
	(void)text;
	(void)path;
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *nul = size ? memchr(data, '\0', size) : NULL;
	size_t len = nul ? (size_t)(nul - data) : size;
	char name[FILE_PATH_LEN], text[TEXT_MAX + 1];
	char path[PATH_MAX_LEN + 2] = "/usr/lib";
	struct contexts *contexts;
	struct err err = { 0 };
	int fd;

	if (len > TEXT_MAX)
		return 0;
	memcpy(text, data, len);
	text[len] = '\0';
	if (nul) {
		size_t rest = size - len - 1;

		if (rest > PATH_MAX_LEN)
			rest = PATH_MAX_LEN;
		memset(path, 0, sizeof(path));
		path[0] = '/';
		memcpy(path + 1, nul + 1, rest);
	}
	fd = file_make(text, len, name);
	if (contexts_read(name, &contexts, &err) == 0) {
		check_label(contexts, text, path);
		contexts_destroy(contexts);
	} else {
		require(err.code == ERR_UNSUPPORTED ||
				(err.code == ERR_USAGE &&
				 strstr(err.text, "line ")),
			"a failure says where");
	}
	close(fd);
	return 0;
}
