/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Descriptions: the input is a list, whose sources would lie in a folder with
 * one file. Content is not read, and only so many entries are taken, as a glob
 * line may find a whole file system.
 */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dir/files.h"
#include "entry/entry.h"
#include "entry/source.h"
#include "list/list.h"
#include "util/err.h"

#define ENTRIES_MAX 500

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void require(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

static char folder[] = "/tmp/sqfskit-fuzz.XXXXXX";
static char file[sizeof(folder) + 2];

static void remove_base(void)
{
	unlink(file);
	rmdir(folder);
}

/* The folder, made once. */
static const char *base(void)
{
	int fd;

	if (file[0])
		return folder;
	require(mkdtemp(folder) != NULL, "a folder");
	snprintf(file, sizeof(file), "%s/f", folder);
	fd = open(file, O_WRONLY | O_CREAT, 0600);
	require(fd >= 0, "a file in it");
	close(fd);
	atexit(remove_base);
	return folder;
}

static int memory_file(const uint8_t *data, size_t len)
{
	FILE *f = tmpfile();
	int fd;

	require(f && fwrite(data, 1, len, f) == len && fflush(f) == 0,
		"a file");
	fd = dup(fileno(f));
	fclose(f);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static void check_entry(const struct entry *e)
{
	require(e->path[0] != '/' && !strstr(e->path, "//"), "path is clean");
	require(e->mode <= 07777, "a mode");
	require((e->type == ENTRY_SYMLINK || e->type == ENTRY_HARDLINK) ==
			(e->link != NULL),
		"links have a target");
	for (size_t i = 1; i < e->xattr_count; i++)
		require(strcmp(e->xattrs[i - 1].name, e->xattrs[i].name) < 0,
			"attributes ascend");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const struct files_options none = { .keep_changed = false };
	struct list_options options = { .name = "list", .base = base() };
	struct err err = { .code = ERR_NONE };
	struct source *src = NULL;
	struct entry *e;
	int fd = memory_file(data, len), ret;

	require(files_create(&none, &options.files, NULL) == 0, "files");
	ret = list_source_create(fd, &options, &src, &err);
	for (int i = 0; ret == 0 && i < ENTRIES_MAX; i++) {
		ret = source_next(src, &e, &err);
		if (ret != 0)
			break;
		check_entry(e);
		entry_destroy(e);
	}
	require(ret >= 0 || err.code != ERR_NONE, "a failure says what");
	source_destroy(src);
	files_destroy(options.files);
	close(fd);
	return 0;
}
