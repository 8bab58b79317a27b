/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "dir/source.h"

/*
 * What a directory gives as entries: all of it in its order, whatever the file
 * system thinks of names, holes or depth; and nothing that changed meanwhile.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "dir/files.h"
#include "entry/entry.h"
#include "entry/source.h"
#include "util/err.h"

/* Makes a folder and enters it. */
static void enter_scratch(char path[64])
{
	strcpy(path, "/tmp/sqfskit-unit.XXXXXX");
	if (!mkdtemp(path) || chdir(path) < 0)
		abort();
}

/* Paths in it may be longer than the system takes; rm knows how. */
static void leave_scratch(const char *path)
{
	char command[80];

	snprintf(command, sizeof(command), "rm -rf %s", path);
	if (chdir("/") < 0 || system(command) != 0)
		abort();
}

static void put_file(const char *path, const char *text, off_t at)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0644);
	ssize_t len = (ssize_t)strlen(text);

	if (fd < 0 || pwrite(fd, text, (size_t)len, at) != len)
		abort();
	close(fd);
}

static void put_dir(const char *path)
{
	if (mkdir(path, 0755) < 0)
		abort();
}

/* Names what comes, with a "/" behind directories and "=" before a link. */
static int names(struct source *src, char *out, struct err *err)
{
	struct entry *entry;
	int ret;

	*out = '\0';
	while ((ret = source_next(src, &entry, err)) == 0) {
		strcat(out, entry->path);
		if (entry->type == ENTRY_DIR)
			strcat(out, "/");
		if (entry->link) {
			strcat(out, "=");
			strcat(out, entry->link);
		}
		strcat(out, " ");
		entry_destroy(entry);
	}
	return ret;
}

static struct files *make_files(bool keep_changed)
{
	const struct files_options options = { .keep_changed = keep_changed };
	struct files *files;

	if (files_create(&options, &files, NULL) < 0)
		abort();
	return files;
}

/* A source of the current folder, or of several, with links found. */
static struct source *open_dirs(struct files *files, const char *const *dirs,
				size_t count,
				const struct scan_options *options)
{
	const struct scan_options none = { .prefix = NULL };
	struct source *src, *linked;

	if (dir_source_create(files, dirs, count, options ? options : &none,
			      &src, NULL) < 0 ||
	    links_source_create(src, &linked, NULL) < 0)
		abort();
	return linked;
}

static const char *const here[] = { "." };

static void check_order(void)
{
	struct files *files = make_files(false);
	struct source *src = open_dirs(files, here, 1, NULL);
	struct err err;
	char text[4096], path[64];

	source_destroy(src);
	files_destroy(files);
	enter_scratch(path);
	put_dir("b");
	put_dir("a");
	put_file("a-", "", 0);
	put_file("a/\xff", "", 0);
	put_file("a/z", "x", 0);
	put_file("a.", "", 0);
	put_file("B", "", 0);
	if (symlink("/etc", "b/s") < 0 || link("a/z", "b/l") < 0 ||
	    link("b/s", "b/t") < 0)
		abort();
	files = make_files(false);
	src = open_dirs(files, here, 1, NULL);
	check(names(src, text, &err) == 1);
	check_str(text, "/ B a/ a/z a/\xff a- a. b/ b/l=a/z b/s=/etc b/t=b/s ");
	source_destroy(src);

	const struct scan_options flat = { .no_recursion = true,
					   .no_hard_links = true,
					   .no_root = true,
					   .prefix = "p/q" };

	src = open_dirs(files, here, 1, &flat);
	check(names(src, text, &err) == 1);
	check_str(text, "p/q/B p/q/a/ p/q/a- p/q/a. p/q/b/ ");
	source_destroy(src);
	files_destroy(files);
	leave_scratch(path);
}

/* A tree deeper than a path can be long. */
static void check_depth(void)
{
	enum { DEPTH = 60, NAME = 200 };
	struct files *files;
	struct source *src;
	struct entry *entry;
	struct err err;
	char path[64], name[NAME + 1], byte;
	size_t count = 0, longest = 0;

	enter_scratch(path);
	memset(name, 'd', NAME);
	name[NAME] = '\0';
	for (int i = 0; i < DEPTH; i++) {
		put_dir(name);
		if (chdir(name) < 0)
			abort();
	}
	put_file("f", "x", 0);
	files = make_files(false);
	if (chdir(path) < 0)
		abort();
	src = open_dirs(files, here, 1, NULL);
	while (source_next(src, &entry, &err) == 0) {
		count++;
		if (strlen(entry->path) > longest)
			longest = strlen(entry->path);
		if (entry->type == ENTRY_FILE) {
			check(source_read_at(src, entry, 0, &byte, 1, &err) ==
			      0);
			check(byte == 'x');
		}
		entry_destroy(entry);
	}
	check_u64(count, DEPTH + 2);
	check_u64(longest, DEPTH * (NAME + 1) + 1);
	source_destroy(src);
	files_destroy(files);
	leave_scratch(path);
}

/* The entry of that path; the others are dropped. */
static struct entry *find(struct source *src, const char *path)
{
	struct entry *entry, *found = NULL;

	while (source_next(src, &entry, NULL) == 0) {
		if (strcmp(entry->path, path) == 0)
			found = entry;
		else
			entry_destroy(entry);
	}
	if (!found)
		abort();
	return found;
}

static void check_holes(void)
{
	struct files *files = make_files(false);
	struct source *src;
	struct entry *entry;
	struct err err;
	char path[64], buf[16];
	struct stat st;

	enter_scratch(path);
	put_file("hole", "begin", 1 << 20);
	if (truncate("hole", 3 << 20) < 0 || stat("hole", &st) < 0)
		abort();
	put_file("all", "", 0);
	if (truncate("all", 1 << 20) < 0)
		abort();
	put_file("dense", "0123456789abcdef", 0);
	src = open_dirs(files, here, 1, NULL);
	entry = find(src, "hole");
	check_u64(entry->size, 3 << 20);
	for (size_t i = 0; i < entry->extent_count; i++)
		check(entry->extents[i].offset == entry->extents[i].at &&
		      entry->extents[i].offset + entry->extents[i].len <=
			      entry->size);
	if (st.st_blocks * 512 < 1 << 20) {
		/* The file system makes holes, and so must we. */
		check_u64(entry->extent_count, 1);
		check(entry->extents[0].len < 1 << 20);
		check(source_read_at(src, entry, 1 << 20, buf, 5, &err) == 0);
		check(memcmp(buf, "begin", 5) == 0);
	}
	entry_destroy(entry);
	source_destroy(src);

	src = open_dirs(files, here, 1, NULL);
	entry = find(src, "all");
	check_u64(entry->size, 1 << 20);
	if (st.st_blocks * 512 < 1 << 20)
		check_u64(entry->extent_count, 0);
	entry_destroy(entry);
	source_destroy(src);

	src = open_dirs(files, here, 1, NULL);
	entry = find(src, "dense");
	check(entry->extent_count == 1 && entry->extents[0].len == 16);

	/* In parts, in any order. */
	check(source_read_at(src, entry, 10, buf + 10, 6, &err) == 0);
	check(source_read_at(src, entry, 0, buf, 10, &err) == 0);
	check(memcmp(buf, "0123456789abcdef", 16) == 0);
	entry_destroy(entry);
	source_destroy(src);
	files_destroy(files);
	leave_scratch(path);
}

/* Takes an entry, lets the file change, and reads it. */
static int read_changed(bool keep, const char *change, struct err *err)
{
	struct files *files = make_files(keep);
	struct source *src = open_dirs(files, here, 1, NULL);
	struct entry *entry;
	char *const *changed, buf[8];
	int ret;

	unlink("f");
	put_file("f", "content", 0);
	entry = find(src, "f");
	if (system(change) != 0)
		abort();
	ret = source_read_at(src, entry, 0, buf, 7, err);
	check_u64(files_changed(files, &changed),
		  keep && ret == 0 && strcmp(change, ":") != 0);
	if (files_changed(files, &changed) == 1)
		check_str(changed[0], "f");
	entry_destroy(entry);
	source_destroy(src);
	files_destroy(files);
	return ret;
}

static void check_changes(void)
{
	struct err err;
	char path[64];

	enter_scratch(path);
	for (int keep = 0; keep < 2; keep++) {
		check(read_changed(keep, ":", &err) == 0);
		check(read_changed(keep, "rm f", &err) < 0);
		check(err.code == ERR_IO && err.sys == ENOENT);
		check(read_changed(keep, "printf cut > f", &err) < 0);
		check(err.code == ERR_CORRUPT && strstr(err.text, "shorter"));
		check(read_changed(keep, "cp f g; mv g f", &err) < 0);
		check(err.code == ERR_CORRUPT && strstr(err.text, "another"));
		check(read_changed(keep, "rm f; mkfifo f", &err) < 0);
		check(read_changed(keep, "rm f; ln -s /etc/passwd f", &err) <
		      0);
		check(err.code == ERR_IO && err.sys == ELOOP);
	}
	check(read_changed(false, "printf more >> f", &err) < 0);
	check(err.code == ERR_CORRUPT && strstr(err.text, "changed"));
	check(read_changed(true, "printf more >> f", &err) == 0);
	check(read_changed(false, "touch -d @5 f", &err) < 0);
	check(read_changed(true, "touch -d @5 f", &err) == 0);
	leave_scratch(path);
}

/* More files at once than are kept open, all read in parts. */
static void check_many(void)
{
	enum { COUNT = 100 };
	struct files *files = make_files(false);
	struct source *src;
	struct entry *entries[COUNT], *entry;
	size_t count = 0;
	struct err err;
	char path[64], name[16], buf[2];

	enter_scratch(path);
	for (int i = 0; i < COUNT; i++) {
		snprintf(name, sizeof(name), "f%03d", i);
		put_file(name, "xyz", 0);
	}
	src = open_dirs(files, here, 1, NULL);
	while (source_next(src, &entry, &err) == 0) {
		if (entry->type == ENTRY_FILE)
			entries[count++] = entry;
		else
			entry_destroy(entry);
	}
	check_u64(count, COUNT);
	for (size_t i = 0; i < count; i++)
		check(source_read_at(src, entries[i], 0, buf, 1, &err) == 0 &&
		      buf[0] == 'x');
	for (size_t i = 0; i < count; i++) {
		check(source_read_at(src, entries[i], 1, buf, 2, &err) == 0 &&
		      buf[1] == 'z');
		entry_destroy(entries[i]);
	}
	source_destroy(src);
	files_destroy(files);
	leave_scratch(path);
}

struct told {
	char faults[1024], skipped[64];
};

static int note_fault(void *arg, const struct err *err)
{
	struct told *told = arg;

	size_t len = strlen(told->faults);

	snprintf(told->faults + len, sizeof(told->faults) - len, "%s|",
		 err->text);
	return 0;
}

static void note_skipped(void *arg, const char *path)
{
	struct told *told = arg;

	size_t len = strlen(told->skipped);

	snprintf(told->skipped + len, sizeof(told->skipped) - len, "%s", path);
}

static bool take_short(void *arg, const struct entry *entry)
{
	(void)arg;
	return strlen(entry->path) < 4;
}

/* Leaving out: pruned, skipped, not taken, gone. */
static void check_left_out(void)
{
	struct told told = { "", "" };
	struct scan_skip skip[2] = { { 0, 0, false }, { 0, 0, true } };
	struct scan_options options = { .fault = note_fault,
					.arg = &told,
					.skip = skip,
					.skip_count = 2,
					.skipped = note_skipped,
					.take = take_short };
	struct files *files = make_files(false);
	struct source *src;
	struct entry *entry;
	struct err err;
	struct stat st;
	char path[64], text[4096] = "";

	enter_scratch(path);
	put_dir("a");
	put_file("a/in", "", 0);
	put_dir("b");
	put_file("b/1", "", 0);
	put_file("b/long", "", 0);
	put_file("c", "", 0);
	put_file("d", "", 0);
	put_file("e", "", 0);
	if (stat("c", &st) < 0)
		abort();
	skip[0].dev = st.st_dev;
	skip[0].ino = st.st_ino;
	if (stat("d", &st) < 0)
		abort();
	skip[1].dev = st.st_dev;
	skip[1].ino = st.st_ino;
	if (dir_source_create(files, here, 1, &options, &src, &err) < 0)
		abort();
	while (source_next(src, &entry, &err) == 0) {
		strcat(text, entry->path);
		strcat(text, " ");
		if (strcmp(entry->path, "a") == 0)
			src->ops->prune(src);
		if (strcmp(entry->path, "b") == 0)
			unlink("e");
		entry_destroy(entry);
	}
	check_str(text, " a b b/1 ");
	check_str(told.skipped, "c");
	check_str(told.faults,
		  ".: e: looking at it: No such file or directory|");
	source_destroy(src);
	files_destroy(files);
	leave_scratch(path);
}

/* Names of one inode in several trees, where another file takes a place. */
static void check_replaced_links(void)
{
	static const char *const dirs[] = { "t", "u" };
	struct files *files = make_files(false);
	struct source *src;
	struct err err;
	char path[64], text[4096];

	enter_scratch(path);
	put_dir("t");
	put_dir("u");
	put_file("t/a", "1", 0);
	put_file("u/a", "2", 0);
	if (link("t/a", "t/b") < 0 || link("t/a", "u/c") < 0 ||
	    link("t/a", "u/d") < 0)
		abort();
	src = open_dirs(files, dirs, 2, NULL);
	check(names(src, text, &err) == 1);
	check_str(text, "/ a b=a / a c d=c ");
	source_destroy(src);
	files_destroy(files);
	leave_scratch(path);
}

struct list {
	const char *const *paths;
	size_t at;
};

static int next_path(void *arg, const char **path, char *place, struct err *err)
{
	struct list *list = arg;

	(void)err;
	if (!list->paths[list->at])
		return 1;
	*path = list->paths[list->at++];
	snprintf(place, NAME_TEXT_LEN, "path %zu", list->at);
	return 0;
}

static int list_names(const char *const *list, char *text, struct err *err)
{
	const struct scan_options options = { .prefix = NULL };
	struct list at = { .paths = list };
	const struct dir_paths paths = { .next = next_path, .arg = &at };
	struct files *files = make_files(false);
	struct source *src;
	int ret;

	if (dir_paths_source_create(files, ".", &paths, &options, &src, err) <
	    0)
		abort();
	ret = names(src, text, err);
	source_destroy(src);
	files_destroy(files);
	return ret;
}

static void check_paths(void)
{
	static const char *const good[] = { "b/c/f", "/b//c/./f", "a",
					    "b",     "./",	  NULL };
	static const char *const dots[] = { "a", "b/../a", NULL };
	static const char *const none[] = { "a", "b/none/f", NULL };
	static const char *const through[] = { "s/c", NULL };
	static const char *const nothing[] = { NULL };
	struct err err;
	char path[64], text[4096];

	enter_scratch(path);
	put_dir("b");
	put_dir("b/c");
	put_file("b/c/f", "", 0);
	put_file("a", "", 0);
	if (symlink("b", "s") < 0)
		abort();
	check(list_names(good, text, &err) == 1);
	check_str(text, "/ b/ b/c/ b/c/f a ");
	check(list_names(nothing, text, &err) == 1);
	check_str(text, "");
	check(list_names(dots, text, &err) < 0);
	check(err.code == ERR_USAGE && strstr(err.text, "path 2: "));
	check(list_names(none, text, &err) < 0);
	check(err.code == ERR_IO && strstr(err.text, "path 2: b/none: "));
	check(list_names(through, text, &err) < 0);
	leave_scratch(path);
}

int main(void)
{
	check_order();
	check_depth();
	check_holes();
	check_changes();
	check_many();
	check_left_out();
	check_replaced_links();
	check_paths();
	return check_report();
}
