/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dir/dir.h"

/*
 * What is there already, or comes in between: nothing is followed, nothing
 * outside of the root is touched.
 */

#include <signal.h>
#include <sys/wait.h>

#include "plant.h"

static const unsigned jobs_tried[] = { 0, 2, 8 };

static const enum dir_existing ways[] = { DIR_EXISTING_FAIL,
					  DIR_EXISTING_KEEP,
					  DIR_EXISTING_OVERWRITE };

/* A scratch world: t to unpack into, out outside of it. */
static void new_world(void)
{
	fresh("t");
	fresh("out");
	put("out/secret", "secret");
	check(chmod("out/secret", 0604) == 0);
}

static void check_outside(void)
{
	struct stat st;

	check_str(get("out/secret"), "secret");
	check(lstat("out/secret", &st) == 0);
	check_u64(st.st_mode & 07777, 0604);
	check_u64(st.st_nlink, 1);
	check(lstat("out", &st) == 0);
	check_u64(st.st_mode & 07777, 0755);
	check(!exists("out/new") && !exists("out/d") && !exists("new"));
}

static struct told run(const struct item *items, size_t count, unsigned jobs,
		       enum dir_existing existing, int want)
{
	const struct dir_sink_options options = { .existing = existing,
						  .set_mode = true,
						  .set_times = true };
	struct told told;

	check_u64((uint64_t)unpack_items(items, count, "t", jobs, &options,
					 &told),
		  (uint64_t)want);
	check_outside();
	return told;
}

static void test_symlink_for_dir(unsigned jobs)
{
	const struct item items[] = {
		{ .path = "a", .type = ENTRY_DIR, .mode = 0711 },
		{ .path = "a/new", .size = 3 },
		{ .path = "a/d", .type = ENTRY_DIR, .mode = 0711 },
		{ .path = "a/secret", .size = 3 * BLOCK },
		{ .path = "b", .size = 1 },
	};
	struct told told;

	new_world();
	check(symlink("../out", "t/a") == 0);
	told = run(items, 5, jobs, DIR_EXISTING_FAIL, -1);
	check_u64(told.err.code, ERR_EXISTS);
	check_str(told.err.text, "a: it exists already");

	new_world();
	check(symlink("../out", "t/a") == 0);
	told = run(items, 5, jobs, DIR_EXISTING_KEEP, 0);
	check_u64(told.stats.kept, 1);
	check_u64(told.stats.failed, 3);
	check_str(told.failed[0], "a/new: directory a: Not a directory");
	check_u64(told.stats.files, 1);
	check(exists("t/b"));

	new_world();
	check(symlink("../out", "t/a") == 0);
	told = run(items, 5, jobs, DIR_EXISTING_OVERWRITE, 0);
	check_u64(told.stats.failed, 0);
	check(exists("t/a/d") && exists("t/a/new"));
}

/* The same without an entry for the directory: nobody made it. */
static void test_symlink_on_the_way(unsigned jobs)
{
	const struct item items[] = {
		{ .path = "a/d/e", .type = ENTRY_DIR },
		{ .path = "a/new", .size = 3 },
		{ .path = "a/secret", .size = 3 * BLOCK },
		{ .path = "a/x", .type = ENTRY_SYMLINK, .link = "y" },
		{ .path = "b/new", .type = ENTRY_HARDLINK, .link = "a/secret" },
		{ .path = "c", .size = 1 },
	};

	for (size_t i = 0; i < COUNT(ways); i++) {
		struct told told;

		new_world();
		check(symlink("../out", "t/a") == 0);
		told = run(items, COUNT(items), jobs, ways[i], 0);
		check_u64(told.stats.failed, 5);
		check_u64(told.stats.files, 1);
		check(exists("t/c"));
	}
}

/* A name is a symlink to a file, or another name of a file outside. */
static void test_file_in_the_way(unsigned jobs)
{
	const uint64_t sizes[] = { 0, 5, BLOCK, 3 * BLOCK };

	for (size_t i = 0; i < 2 * COUNT(sizes); i++) {
		const struct item items[] = {
			{ .path = "before", .size = 1 },
			{ .path = "f", .size = sizes[i / 2], .mode = 0777 },
		};
		struct told told;

		for (size_t w = 0; w < COUNT(ways); w++) {
			const bool fails = ways[w] == DIR_EXISTING_FAIL;

			new_world();
			put("t/other", "other");
			check(i % 2 ? symlink("../out/secret", "t/f") == 0
				    : link("t/other", "t/f") == 0);
			told = run(items, 2, jobs, ways[w], fails ? -1 : 0);
			check_str(get("t/other"), "other");
			check(exists("t/before"));
			check_u64(told.stats.kept,
				  ways[w] == DIR_EXISTING_KEEP);
			if (ways[w] == DIR_EXISTING_OVERWRITE)
				check_item("t", &items[1],
					   &(struct dir_sink_options){
						   .set_mode = true });
			else
				check_str(get("t/f"),
					  i % 2 ? "secret" : "other");
			if (fails) {
				check_u64(told.err.code, ERR_EXISTS);
				check_str(told.err.text,
					  "f: it exists already");
			}
		}
	}
}

static void test_kinds_in_the_way(unsigned jobs)
{
	const struct item kinds[] = {
		{ .path = "x", .type = ENTRY_FILE, .size = 3 },
		{ .path = "x", .type = ENTRY_FILE, .size = 3 * BLOCK },
		{ .path = "x", .type = ENTRY_SYMLINK, .link = "new" },
		{ .path = "x", .type = ENTRY_FIFO },
		{ .path = "x", .type = ENTRY_SOCKET },
		{ .path = "x", .type = ENTRY_HARDLINK, .link = "there" },
	};

	for (size_t i = 0; i < COUNT(kinds); i++) {
		struct told told;
		struct stat st;

		/* an empty directory goes, one that is not stays */
		new_world();
		put("t/there", "there");
		check(mkdir("t/x", 0700) == 0);
		told = run(&kinds[i], 1, jobs, DIR_EXISTING_OVERWRITE, 0);
		check_u64(told.stats.failed, 0);
		check(lstat("t/x", &st) == 0 && !S_ISDIR(st.st_mode));

		new_world();
		put("t/there", "there");
		check(mkdir("t/x", 0700) == 0);
		put("t/x/y", "y");
		told = run(&kinds[i], 1, jobs, DIR_EXISTING_OVERWRITE, 0);
		check_u64(told.stats.failed, 1);
		check_str(told.failed[0],
			  "x: a directory is in the way, and not empty");
		check_str(get("t/x/y"), "y");

		/* keep and fail */
		told = run(&kinds[i], 1, jobs, DIR_EXISTING_KEEP, 0);
		check_u64(told.stats.kept, 1);
		check_u64(told.stats.failed, 0);
		told = run(&kinds[i], 1, jobs, DIR_EXISTING_FAIL,
			   -1);
		check_str(told.err.text, "x: it exists already");
		check_str(get("t/x/y"), "y");
	}
}

static void test_existing_dirs(unsigned jobs)
{
	const struct item items[] = {
		{ .path = "d", .type = ENTRY_DIR, .mode = 0711 },
		{ .path = "d/f", .size = 5 },
	};

	for (size_t w = 0; w < COUNT(ways); w++) {
		const bool keep = ways[w] == DIR_EXISTING_KEEP;
		struct told told;
		struct stat st;

		new_world();
		check(mkdir("t/d", 0750) == 0);
		put("t/d/there", "there");
		told = run(items, 2, jobs, ways[w], 0);
		check_str(get("t/d/there"), "there");
		check(exists("t/d/f"));
		check_u64(told.stats.kept, keep);
		check_u64(told.stats.dirs, !keep);
		check(lstat("t/d", &st) == 0);
		check_u64(st.st_mode & 07777, keep ? 0750 : 0711);
	}
	/* What no entry is for is not touched, nor removed for being empty. */
	const struct dir_sink_options options = { .no_empty_dirs = true };
	struct told told;

	new_world();
	check(mkdir("t/d", 0750) == 0);
	check(unpack_items(items, 1, "t", jobs, &options, &told) == 0);
	check(exists("t/d"));
}

/* Paths that no source should give. */
static void test_bad_paths(unsigned jobs)
{
	static const char *const bad[] = {
		"../new", "..", ".",	   "/new",  "a/../../new", "a//new",
		"a/./b",  "a/", "a/../..", "./new", "../out/new",  "a/..",
	};
	static const enum entry_type types[] = { ENTRY_FILE, ENTRY_DIR,
						 ENTRY_SYMLINK, ENTRY_FIFO,
						 ENTRY_HARDLINK };

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct item items[2 * COUNT(types) + 2] = {
			{ .path = "a", .type = ENTRY_DIR, .mode = 0700 },
			{ .path = "a/f", .size = 1 },
		};
		size_t n = 2;
		struct told told;

		for (size_t k = 0; k < COUNT(types); k++) {
			items[n++] = (struct item){ .path = bad[i],
						    .type = types[k],
						    .link = "a/f" };
			if (types[k] == ENTRY_FILE)
				items[n++] = (struct item){
					.path = bad[i], .size = 3 * BLOCK
				};
			if (types[k] == ENTRY_HARDLINK)
				items[n++] = (struct item){ .path = "l",
							    .type = types[k],
							    .link = bad[i] };
		}
		new_world();
		told = run(items, n, jobs, DIR_EXISTING_OVERWRITE, 0);
		check_u64(told.stats.failed, n - 2);
		check(strstr(told.failed[0],
			     "the path is not one below the root") != NULL);
		check_u64(told.stats.files, 1);
		check(!exists("t/l"));
	}
}

static void test_links(unsigned jobs)
{
	const struct item items[] = {
		{ .path = "d", .type = ENTRY_DIR, .mode = 0700 },
		{ .path = "f", .size = 5 },
		{ .path = "l1", .type = ENTRY_HARDLINK, .link = "none" },
		{ .path = "l2", .type = ENTRY_HARDLINK, .link = "no/ne" },
		{ .path = "l3", .type = ENTRY_HARDLINK, .link = "l3" },
		{ .path = "l4", .type = ENTRY_HARDLINK, .link = "d" },
		{ .path = "l5", .type = ENTRY_HARDLINK, .link = "f" },
		{ .path = "l6", .type = ENTRY_HARDLINK, .link = "f",
		  .size = 2 * BLOCK + 1 },
	};
	struct told told;
	struct stat st;

	new_world();
	put("t/l3", "l3");
	told = run(items, COUNT(items), jobs, DIR_EXISTING_OVERWRITE, 0);
	check_u64(told.stats.failed, 4);
	check_str(told.failed[0],
		  "l1: hard link to none: No such file or directory");
	check_str(told.failed[1], "l2: hard link to no/ne: directory no: No "
				  "such file or directory");
	check_str(told.failed[2], "l3: a hard link to itself");
	check_str(get("t/l3"), "l3");
	check(!exists("t/no") && !exists("t/l1") && !exists("t/l4"));
	check_u64(told.stats.hard_links, 2);
	check(lstat("t/f", &st) == 0);
	check_u64(st.st_nlink, 3);
}

/* A link to a symlink is one more name of it. */
static void test_link_to_symlink(unsigned jobs)
{
	const struct item items[] = {
		{ .path = "a", .type = ENTRY_SYMLINK, .link = "../out/secret" },
		{ .path = "b", .type = ENTRY_HARDLINK, .link = "a" },
		{ .path = "c", .type = ENTRY_SYMLINK, .link = "../out" },
		{ .path = "d", .type = ENTRY_HARDLINK, .link = "c/secret" },
	};
	struct told told;
	struct stat st;

	new_world();
	told = run(items, COUNT(items), jobs, DIR_EXISTING_FAIL, 0);
	check_u64(told.stats.failed, 1);
	check(lstat("t/b", &st) == 0 && S_ISLNK(st.st_mode));
	check(!exists("t/d"));
}

/* The source itself puts a symlink where it then goes. */
static void test_twice(unsigned jobs)
{
	const struct item items[] = {
		{ .path = "a", .type = ENTRY_SYMLINK, .link = "../out" },
		{ .path = "a", .type = ENTRY_DIR, .mode = 0700 },
		{ .path = "a/new", .size = 5 },
		{ .path = "a/secret", .size = 2 * BLOCK },
	};
	const struct item same[] = {
		{ .path = "f", .size = 3 },
		{ .path = "f", .size = 4 },
	};
	struct told told;

	new_world();
	told = run(same, 2, jobs, DIR_EXISTING_FAIL, -1);
	check_str(told.err.text, "f: it exists already");
	new_world();
	told = run(same, 2, jobs, DIR_EXISTING_OVERWRITE, 0);
	check_u64(told.stats.files, 2);
	for (size_t w = 0; w < COUNT(ways); w++) {
		const struct dir_sink_options options = { .existing =
								  ways[w] };

		new_world();
		unpack_items(items, COUNT(items), "t", jobs, &options, &told);
		check_outside();
	}
}

/* Paths far longer than the system takes at once. */
#define NAME "directory"
#define NAME_LEN sizeof(NAME) /* with a slash behind it */

static void test_deep(unsigned jobs, unsigned depth)
{
	struct item *items = calloc(2 * depth + 1, sizeof(*items));
	char *path = malloc(NAME_LEN * depth + 8);
	const struct dir_sink_options options = { .set_mode = true,
						  .set_times = true };
	struct told told;
	size_t n = 0;

	for (unsigned i = 0; i < depth; i++) {
		memcpy(path + NAME_LEN * i, NAME, NAME_LEN);
		items[n++] = (struct item){ .path = strdup(path),
					    .type = ENTRY_DIR,
					    .mode = 0500 + i % 8 };
		path[NAME_LEN * (i + 1) - 1] = '/';
	}
	for (unsigned i = depth; i > 0; i -= i < 40 ? i : 40) {
		strcpy(path + NAME_LEN * i, "f");
		items[n++] = (struct item){ .path = strdup(path),
					    .size = i };
	}
	new_world();
	check(unpack_items(items, n, "t", jobs, &options, &told) == 0);
	check_u64(told.stats.dirs, depth);
	check_u64(told.stats.dirs + told.stats.files, n);
	check_u64(told.stats.failed, 0);

	/* Look at it from the top down, and take it away bottom up. */
	int fd = open("t", O_RDONLY | O_DIRECTORY);
	struct stat st;

	for (unsigned i = 0; i < depth; i++) {
		int next = openat(fd, NAME, O_RDONLY | O_DIRECTORY);

		close(fd);
		fd = next;
		if (i % 100 != 0 && i != depth - 1)
			continue;
		check(fstat(fd, &st) == 0);
		check_u64(st.st_mode & 07777, 0500 + i % 8);
		check_u64((uint64_t)st.st_mtime, 1000000000);
	}
	check(fstatat(fd, "f", &st, 0) == 0);
	fchmod(fd, 0700);
	for (unsigned i = depth; i > 0; i--) {
		int up = openat(fd, "..", O_RDONLY | O_DIRECTORY);

		unlinkat(fd, "f", 0);
		close(fd);
		fd = up;
		fchmod(fd, 0700);
		check(unlinkat(fd, NAME, AT_REMOVEDIR) == 0);
	}
	close(fd);
	for (size_t i = 0; i < n; i++)
		free((char *)(uintptr_t)items[i].path);
	free(items);
	free(path);
}

/* Directories in no order, and below some that no entry is for. */
static void test_any_order(unsigned jobs)
{
	const struct item items[] = {
		{ .path = "x/y/z", .type = ENTRY_DIR, .mode = 0511 },
		{ .path = "b", .type = ENTRY_DIR, .mode = 0500 },
		{ .path = "bc/d", .type = ENTRY_DIR, .mode = 0512 },
		{ .path = "b/c", .type = ENTRY_DIR, .mode = 0513 },
		{ .path = "x", .type = ENTRY_DIR, .mode = 0700 },
		{ .path = "", .type = ENTRY_DIR, .mode = 0755 },
		{ .path = "b/c/d", .type = ENTRY_DIR, .mode = 0715 },
		{ .path = "x/y/z/f", .size = 3 },
	};
	const struct dir_sink_options options = { .set_mode = true,
						  .set_times = true };
	struct told told;

	new_world();
	check(unpack_items(items, COUNT(items), "t", jobs, &options, &told) ==
	      0);
	for (size_t i = 0; i < COUNT(items); i++)
		check_item("t", &items[i], &options);
}

/* Swaps a directory for a symlink that leads out, and back, until stopped. */
static void swap_forever(void)
{
	for (;;) {
		if (rename("t/d", "t/away") == 0 &&
		    symlink("../out", "t/d") == 0)
			unlink("t/d");
		rename("t/away", "t/d");
	}
}

/* Somebody who may write to the directory as well does their worst. */
static void test_attacked(unsigned jobs)
{
	enum { FILES = 300 };
	static char names[FILES][16];
	struct item items[FILES + 1] = {
		{ .path = "d", .type = ENTRY_DIR, .mode = 0777 }
	};
	const struct dir_sink_options options = {
		.existing = DIR_EXISTING_OVERWRITE,
		.set_mode = true,
		.set_times = true,
		.set_owner = true,
	};
	struct plant plant = { .items = items, .count = FILES + 1,
			       .plain_fd = -1 };
	struct told told;
	pid_t pid;

	for (unsigned i = 0; i < FILES; i++) {
		snprintf(names[i], sizeof(names[i]), "d/%s%u",
			 i % 50 == 7 ? "s/" : "f", i);
		items[i + 1] = (struct item){
			.path = names[i],
			.type = i % 4 == 3 ? ENTRY_SYMLINK : ENTRY_FILE,
			.link = "secret",
			.size = i % 4 == 0 ? 2 * BLOCK : 10,
			.uid = geteuid(),
			.gid = getegid(),
			.mode = 0777,
		};
		if (i % 5 == 4)
			items[i + 1].path = "d/secret";
	}
	new_world();
	check(mkdir("t/d", 0777) == 0);
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		swap_forever();
	check(pid > 0);
	for (int i = 0; i < 3; i++)
		unpack(&plant, "t", jobs, &options, &told);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	check_outside();
	/* Nothing at all has come to be there. */
	check(unlink("out/secret") == 0 && rmdir("out") == 0);
}

static void test_usage(void)
{
	const struct dir_sink_options bad[] = {
		{ .block_size = 512 },
		{ .block_size = BLOCK, .sparse = 512 },
		{ .block_size = BLOCK, .sparse = 5000 },
	};
	struct sink *sink;
	struct err err;

	for (size_t i = 0; i < COUNT(bad); i++) {
		check(dir_sink_create(0, &bad[i], &sink, &err) == -1);
		check_u64(err.code, ERR_USAGE);
	}
}

int main(void)
{
	enter_scratch();
	test_usage();
	for (size_t i = 0; i < COUNT(jobs_tried); i++) {
		const unsigned jobs = jobs_tried[i];

		test_symlink_for_dir(jobs);
		test_symlink_on_the_way(jobs);
		test_file_in_the_way(jobs);
		test_kinds_in_the_way(jobs);
		test_existing_dirs(jobs);
		test_bad_paths(jobs);
		test_links(jobs);
		test_link_to_symlink(jobs);
		test_twice(jobs);
		test_any_order(jobs);
		test_attacked(jobs);
		test_deep(jobs, 40);
	}
	test_deep(2, 600);
	return check_report();
}
