/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "io/output.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "io/fd.h"
#include "util/err.h"

/* Outputs: nothing under the name before the commit, nothing left behind. */

static char dir[] = "/tmp/sqfskit-output-XXXXXX";

static const char *in_dir(const char *name)
{
	static char path[2][512];
	static int turn;

	turn = !turn;
	snprintf(path[turn], sizeof(path[turn]), "%s/%s", dir, name);
	return path[turn];
}

static void put(const char *name, const char *text)
{
	FILE *file = fopen(in_dir(name), "w");

	check(file != NULL);
	if (!file)
		return;
	fputs(text, file);
	fclose(file);
}

static void check_content(const char *name, const char *want)
{
	char text[64] = "";
	FILE *file = fopen(in_dir(name), "r");

	check(file != NULL);
	if (!file)
		return;
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	check_str(text, want);
}

static unsigned mode_of(const char *name)
{
	struct stat st;

	return stat(in_dir(name), &st) == 0 ? st.st_mode & 07777 : 0;
}

static bool is_there(const char *name)
{
	struct stat st;

	return lstat(in_dir(name), &st) == 0;
}

static unsigned name_count(void)
{
	DIR *d = opendir(dir);
	unsigned count = 0;

	check(d != NULL);
	for (struct dirent *e; d && (e = readdir(d));)
		count += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
	if (d)
		closedir(d);
	return count;
}

static void clear(void)
{
	DIR *d = opendir(dir);

	for (struct dirent *e; d && (e = readdir(d));)
		unlink(in_dir(e->d_name));
	if (d)
		closedir(d);
	check_u64(name_count(), 0);
}

/* Opens name and writes text to it; NULL if that failed. */
static struct output *begin(const char *name, bool force, const char *text)
{
	struct output *out = NULL;
	struct err err;

	check(output_open(in_dir(name), force, &out, &err) == 0);
	if (out)
		check(fd_write_at(output_fd(out), 0, text, strlen(text),
				  &err) == 0);
	return out;
}

static void commit(struct output *out)
{
	struct err err;

	check(output_commit(out, &err) == 0);
}

static void check_new(void)
{
	struct output *out = begin("a", false, "new");

	check(output_is_regular(out) && output_temporary(out));
	check(!is_there("a") && name_count() == 1);
	check_u64(mode_of(strrchr(output_temporary(out), '/')), 0640);
	output_abort(out);
	check_u64(name_count(), 0);

	commit(begin("a", true, "new"));
	check_content("a", "new");
	check_u64(name_count(), 1);
	commit(begin("b", false, "other"));
	check_content("b", "other");
	check_u64(name_count(), 2);
	check_u64(mode_of("b"), 0640);
	clear();
}

static void check_existing(void)
{
	struct output *out = NULL;
	struct err err = { .code = ERR_NONE };

	put("a", "old");
	chmod(in_dir("a"), 0604);
	check(output_open(in_dir("a"), false, &out, &err) == -1);
	check_u64(err.code, ERR_EXISTS);
	check_u64(name_count(), 1);

	out = begin("a", true, "newer");
	check_content("a", "old");
	output_abort(out);
	check_content("a", "old");
	check_u64(name_count(), 1);

	commit(begin("a", true, "newer"));
	check_content("a", "newer");
	check_u64(mode_of("a"), 0604);
	check_u64(name_count(), 1);
	clear();
}

/* Without force, what came in the meantime stays. */
static void check_race(void)
{
	struct output *out = begin("a", false, "new");
	struct err err;

	put("a", "quicker");
	check(output_commit(out, &err) == -1);
	check_u64(err.code, ERR_EXISTS);
	check_content("a", "quicker");
	check_u64(name_count(), 1);
	clear();
}

/* Whoever made an empty file reads the output from the same descriptor. */
static void check_empty(void)
{
	struct output *out;
	char text[8] = "";
	struct err err;
	FILE *file;

	put("a", "");
	file = fopen(in_dir("a"), "r");
	check(file != NULL);
	out = begin("a", true, "half");
	check(!output_temporary(out) && output_is_regular(out));
	output_abort(out);
	check_content("a", "");
	commit(begin("a", true, "new"));
	check(file && fread(text, 1, sizeof(text), file) == 3);
	check_str(text, "new");
	if (file)
		fclose(file);
	clear();

	put("a", "");
	check(output_open(in_dir("a"), false, &out, &err) == -1);
	clear();
}

static void check_symlinks(void)
{
	struct output *out = NULL;
	struct err err;

	put("a", "old");
	check(symlink("a", in_dir("l1")) == 0);
	check(symlink(in_dir("l1"), in_dir("l2")) == 0);
	check(output_open(in_dir("l2"), false, &out, &err) == -1);
	commit(begin("l2", true, "new"));
	check_content("a", "new");
	check_u64(name_count(), 3);

	/* What it points to need not be there. */
	check(symlink("b", in_dir("l3")) == 0);
	commit(begin("l3", false, "made"));
	check_content("b", "made");
	check_u64(name_count(), 5);

	check(symlink("loop", in_dir("loop")) == 0);
	check(output_open(in_dir("loop"), true, &out, &err) == -1);
	check_u64(err.code, ERR_IO);
	clear();
}

static void check_refused(const char *path, enum err_code code)
{
	struct output *out = NULL;
	struct err err = { .code = ERR_NONE };

	check(output_open(path, true, &out, &err) == -1);
	check_u64(err.code, code);
	check(!out);
}

static void check_others(void)
{
	struct output *out = NULL;
	struct err err;
	char name[300];

	check_refused(in_dir("none/a"), ERR_IO);
	check_refused(dir, ERR_IO);
	check_refused("", ERR_IO);
	check_refused(in_dir("none/"), ERR_IO);
	check(mkfifo(in_dir("fifo"), 0600) == 0);
	check_refused(in_dir("fifo"), ERR_UNSUPPORTED);
	check(is_there("fifo"));

	/* A device is written as it is and stays. */
	check(output_open("/dev/null", false, &out, &err) == -1);
	check(output_open("/dev/null", true, &out, &err) == 0);
	check(!output_is_regular(out) && !output_temporary(out));
	commit(out);
	clear();

	/* The longest name there can be, and one byte more. */
	memset(name, 'n', sizeof(name));
	name[255] = '\0';
	commit(begin(name, false, "x"));
	check_content(name, "x");
	clear();
	name[255] = 'n';
	name[256] = '\0';
	check_refused(in_dir(name), ERR_IO);
	check_u64(name_count(), 0);
}

int main(void)
{
	umask(027);
	check(mkdtemp(dir) != NULL);
	check_new();
	check_existing();
	check_race();
	check_empty();
	check_symlinks();
	check_others();
	output_abort(NULL);
	check(rmdir(dir) == 0);
	return check_report();
}
