/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dir/dir.h"

/* What cannot be had, written or set: what is left, and what is said. */

#include <grp.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "plant.h"

static const unsigned jobs_tried[] = { 0, 1, 2, 8 };

static const struct dir_sink_options all = {
	.set_owner = true,
	.set_mode = true,
	.set_times = true,
	.set_xattrs = true,
};

/* A file with a bad first, middle or last block is left out, alone. */
static void test_bad_block(unsigned jobs)
{
	const struct {
		uint64_t size, bad_at;
	} cases[] = {
		{ 10, 5 },
		{ BLOCK, 1 },
		{ 5 * BLOCK + 9, 1 },
		{ 5 * BLOCK + 9, 2 * BLOCK + 1 },
		{ 5 * BLOCK + 9, 5 * BLOCK + 1 },
		{ 5 * BLOCK, 4 * BLOCK },
	};
	const struct dir_sink_options options = { .set_mode = true };

	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct item items[] = {
			{ .path = "d", .type = ENTRY_DIR, .mode = 0700 },
			{ .path = "d/a", .size = 2 * BLOCK + 1 },
			{ .path = "d/b", .size = 20 },
			{ .path = "d/bad", .size = cases[i].size,
			  .bad_at = cases[i].bad_at },
			{ .path = "d/c", .size = 30 },
			{ .path = "d/l", .type = ENTRY_HARDLINK,
			  .link = "d/bad" },
			{ .path = "d/m", .type = ENTRY_HARDLINK,
			  .link = "d/b" },
			{ .path = "d/z", .size = 3 * BLOCK },
		};
		struct told told;

		fresh("t");
		check(unpack_items(items, COUNT(items), "t", jobs, &options,
				   &told) == 0);
		check_u64(told.failed_count, 2);
		check_u64(told.stats.failed, 2);
		check_str(told.failed[0], "d/bad: bad block");
		check_str(told.failed[1], "d/l: hard link to d/bad, which was "
					  "left out");
		check(!exists("t/d/bad") && !exists("t/d/l"));
		for (size_t k = 0; k < COUNT(items); k++)
			if (k != 3 && k != 5)
				check_item("t", &items[k], &options);
		check_u64(told.stats.files, 4);
	}
}

/* Several bad blocks of one file are one failure. */
static void test_all_bad(unsigned jobs)
{
	const struct item items[] = {
		{ .path = "bad", .size = 10 * BLOCK, .holes = { { 0, 4096 } },
		  .bad_at = BLOCK + 1 },
		{ .path = "bad2", .size = 10 * BLOCK, .bad_at = 3 * BLOCK + 1 },
	};
	struct told told;

	fresh("t");
	check(unpack_items(items, 2, "t", jobs, &all, &told) == 0);
	check_u64(told.stats.failed, 2);
	check_u64(told.stats.files, 0);
	check(!exists("t/bad") && !exists("t/bad2"));
}

/* The source fails: what is complete stays, half files do not. */
static void test_source_fails(unsigned jobs)
{
	const struct item items[] = {
		{ .path = "d", .type = ENTRY_DIR, .mode = 0777 },
		{ .path = "d/a", .size = 9 * BLOCK, .mode = 0604 },
		{ .path = "d/b", .size = 9, .mode = 0604 },
	};
	struct plant plant = { .items = items, .count = 3, .plain_fd = -1,
			       .fail_at_end = true };
	struct told told;
	struct stat st;

	fresh("t");
	check(unpack(&plant, "t", jobs, &all, &told) == -1);
	check_str(told.err.text, "no end");
	check_u64(told.stats.files, 2);
	check(lstat("t/d/a", &st) == 0 && st.st_size == 9 * BLOCK);
	check(lstat("t/d", &st) == 0);
	check_u64(st.st_mode & 07777, 0700);
}

/* A failure that stops the run, with files half written by many. */
static void test_stopped(unsigned jobs)
{
	struct item items[30];
	char names[30][8];
	struct told told;

	for (unsigned i = 0; i < 30; i++) {
		snprintf(names[i], sizeof(names[i]), "f%02u", i);
		items[i] = (struct item){ .path = names[i],
					  .size = 10 * BLOCK + i };
	}
	items[15].flags = ENTRY_CONTENT_LATER;
	fresh("t");
	check(unpack_items(items, 30, "t", jobs, &all, &told) == -1);
	check_u64(told.err.code, ERR_UNSUPPORTED);
	for (unsigned i = 0; i < 30; i++) {
		if (i < 15)
			check_item("t", &items[i],
				   &(struct dir_sink_options){
					   .set_mode = true });
		else
			check(!exists("t") || access(names[i], F_OK) < 0);
	}
	/* In the middle: a name that is there already. */
	items[15].flags = 0;
	fresh("t");
	put("t/f15", "there");
	check(unpack_items(items, 30, "t", jobs, &all, &told) == -1);
	check_u64(told.err.code, ERR_EXISTS);
	check_str(get("t/f15"), "there");
	for (unsigned i = 0; i < 30; i++) {
		char path[16];

		snprintf(path, sizeof(path), "t/%s", names[i]);
		if (i != 15 && exists(path))
			check_item("t", &items[i],
				   &(struct dir_sink_options){
					   .set_mode = true });
	}
}

/* A file that may not be that large is left out; others are not. */
static void test_too_large(unsigned jobs)
{
	const struct item items[] = {
		{ .path = "a", .size = 10 },
		{ .path = "large", .size = 300 * BLOCK },
		{ .path = "hole", .size = UINT64_C(1) << 62,
		  .holes = { { 0, UINT64_C(1) << 62 } } },
		{ .path = "max", .size = UINT64_MAX - 4096,
		  .holes = { { 0, UINT64_MAX - 4096 } } },
		{ .path = "z", .size = 3 * BLOCK },
	};
	struct rlimit before, limit;
	struct told told;

	check(getrlimit(RLIMIT_FSIZE, &before) == 0);
	limit = before;
	limit.rlim_cur = 100 * BLOCK;
	fresh("t");
	check(setrlimit(RLIMIT_FSIZE, &limit) == 0);
	check(unpack_items(items, COUNT(items), "t", jobs, &all, &told) == 0);
	check(setrlimit(RLIMIT_FSIZE, &before) == 0);
	check_u64(told.stats.failed, 3);
	check_str(told.failed[0], "large: write: File too large");
	check(!exists("t/large") && !exists("t/hole") && !exists("t/max"));
	check_u64(told.stats.files, 2);
}

/* No room is left: the run ends, and says where. */
static void test_full(unsigned jobs)
{
	const struct item items[] = {
		{ .path = "a", .size = 10 },
		{ .path = "large", .size = 300 * BLOCK },
		{ .path = "z", .size = 3 * BLOCK },
	};
	const struct item small[] = {
		{ .path = "1", .size = 4 * BLOCK },
		{ .path = "2", .size = BLOCK },
		{ .path = "3", .size = 100 * BLOCK },
	};
	struct told told;

	fresh("full");
	if (geteuid() != 0 ||
	    mount("none", "full", "tmpfs", 0, "size=256k") < 0) {
		rmdir("full");
		return;
	}
	check(unpack_items(items, 3, "full", jobs, &all, &told) == -1);
	check_u64(told.err.code, ERR_WRITE);
	check_u64((uint64_t)told.err.sys, ENOSPC);
	check_str(told.err.text, "large: write: No space left on device");
	check(!exists("full/large"));
	check(exists("full/a"));

	check(unpack_items(small, 3, "full", jobs,
			   &(struct dir_sink_options){
				   .no_sparse = true,
				   .existing = DIR_EXISTING_OVERWRITE },
			   &told) == -1);
	check_str(told.err.text, "3: write: No space left on device");
	check(!exists("full/3") && exists("full/2"));
	umount("full");
	rmdir("full");
}

/* As somebody who may do next to nothing. */
static int run_as_nobody(unsigned jobs)
{
	const struct item items[] = {
		{ .path = "c", .type = ENTRY_CHAR_DEVICE, .major = 1,
		  .minor = 3 },
		{ .path = "c2", .type = ENTRY_HARDLINK, .link = "c" },
		{ .path = "d", .type = ENTRY_DIR, .mode = 0555, .uid = 5 },
		{ .path = "d/big", .size = 3 * BLOCK, .uid = 5, .gid = 6,
		  .mode = 06755, .xattr_name = "trusted.x",
		  .xattr_value = "x" },
		{ .path = "d/l", .type = ENTRY_SYMLINK, .link = "x", .uid = 5 },
		{ .path = "d/own", .size = 3, .uid = geteuid(),
		  .gid = getegid(), .mode = 06711 },
		{ .path = "d/small", .size = 3, .uid = 5, .mode = 04755,
		  .xattr_name = "trusted.x", .xattr_value = "x" },
		{ .path = "d/user", .size = 3, .uid = geteuid(),
		  .gid = getegid(), .mode = 0444 },
	};
	struct told told;
	struct stat st;

	fresh("t");
	check(unpack_items(items, COUNT(items), "t", jobs, &all, &told) == 0);
	check_u64(told.stats.failed, 0);
	check_u64(told.stats.files, 4);
	check_u64(told.warner.count[WARN_DEVICE], 2);
	check_u64(told.warner.count[WARN_OWNER], 4);
	check_u64(told.warner.count[WARN_SET_XATTR], 2);
	check_u64(told.warner.count[WARN_MODE], 2);
	check_u64(told.warner.count[WARN_SET_TIME], 0);
	check(!exists("t/c") && !exists("t/c2"));
	check(lstat("t/d/big", &st) == 0);
	check_u64(st.st_mode & 07777, 0755);
	check_u64((uint64_t)st.st_mtime, 1000000000);
	check(lstat("t/d/small", &st) == 0);
	check_u64(st.st_mode & 07777, 0755);
	check_item("t", &items[5], &all);
	check_item("t", &items[7], &all);
	check(lstat("t/d", &st) == 0);
	check_u64(st.st_mode & 07777, 0555);
	check_u64((uint64_t)st.st_mtime, 1000000000);

	/* A directory that may not be written. */
	const struct item more[] = {
		{ .path = "d/more", .size = 3, .uid = geteuid(),
		  .gid = getegid() },
		{ .path = "d/more2", .size = 3 * BLOCK, .uid = geteuid(),
		  .gid = getegid() },
		{ .path = "d/sub", .type = ENTRY_DIR, .uid = geteuid(),
		  .gid = getegid() },
		{ .path = "more", .size = 3, .uid = geteuid(),
		  .gid = getegid() },
	};

	check(unpack_items(more, COUNT(more), "t", jobs, &all, &told) == 0);
	check_u64(told.stats.failed, 3);
	check_str(told.failed[0], "d/more: make the file: Permission denied");
	check_str(told.failed[1], "d/more2: make the file: Permission denied");
	check_str(told.failed[2],
		  "d/sub: make the directory: Permission denied");
	check(exists("t/more"));

	/* Where a loss is an error, the run ends. */
	struct plant plant = { .items = items + 2, .count = 4,
			       .plain_fd = -1 };
	struct dir_sink_options options = all;
	struct sink *sink;
	struct warner warner = { .strict = true };
	struct err err;
	int root;

	fresh("t");
	root = open("t", O_RDONLY | O_DIRECTORY);
	options.block_size = BLOCK;
	options.warner = &warner;
	plant.source.ops = &plant_ops;
	check(dir_sink_create(root, &options, &sink, &err) == 0);
	check(flow_run(&plant.source, sink,
		       &(struct flow_options){ .jobs = jobs, .backlog = 8 },
		       &err) == -1);
	check_u64(err.code, ERR_SKIPPED);
	sink_destroy(sink);
	close(root);
	return check_failed != 0;
}

static void test_as_nobody(unsigned jobs)
{
	int status = -1;
	pid_t pid;

	if (geteuid() != 0) {
		check(run_as_nobody(jobs) == 0);
		return;
	}
	fresh("n");
	check(chown("n", 12345, 12345) == 0 && chmod(scratch_path, 0711) == 0);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		if (chdir("n") < 0 || setgroups(0, NULL) < 0 ||
		    setresgid(12345, 12345, 12345) < 0 ||
		    setresuid(12345, 12345, 12345) < 0)
			_exit(99);
		_exit(run_as_nobody(jobs));
	}
	check(pid > 0 && waitpid(pid, &status, 0) == pid);
	check_u64((uint64_t)status, 0);
}

/* With very few descriptors all of it goes on, only slower. */
static void test_few_descriptors(unsigned jobs)
{
	static struct item items[200];
	static char names[200][40];
	struct rlimit before, limit;
	struct told told;

	for (unsigned i = 0; i < 200; i++) {
		snprintf(names[i], sizeof(names[i]), "a%u/b/c%u/d/e/f%u",
			 i / 50, i / 10, i);
		items[i] = (struct item){ .path = names[i],
					  .size = 2 * BLOCK + i };
	}
	check(getrlimit(RLIMIT_NOFILE, &before) == 0);
	limit = before;
	limit.rlim_cur = 64;
	fresh("t");
	check(setrlimit(RLIMIT_NOFILE, &limit) == 0);
	check(unpack_items(items, 200, "t", jobs, &all, &told) == 0);
	check(setrlimit(RLIMIT_NOFILE, &before) == 0);
	check_str(told.err.text, "");
	check_u64(told.stats.files, 200);
	for (unsigned i = 0; i < 200; i++)
		check_item("t", &items[i],
			   &(struct dir_sink_options){ .set_mode = true });
}

/* The number that chown takes for none is no owner. */
static void test_no_owner(unsigned jobs)
{
	const struct item items[] = {
		{ .path = "a", .size = 1, .uid = UINT32_MAX,
		  .gid = getegid(), .mode = 06755 },
		{ .path = "b", .size = 2 * BLOCK, .uid = geteuid(),
		  .gid = UINT32_MAX },
	};
	struct told told;
	struct stat st;

	fresh("t");
	check(unpack_items(items, 2, "t", jobs, &all, &told) == 0);
	check_u64(told.stats.files, 2);
	check_u64(told.warner.count[WARN_OWNER], 2);
	check_u64(told.warner.count[WARN_MODE], 1);
	check(lstat("t/a", &st) == 0);
	check_u64(st.st_mode & 07777, 0755);
}

static unsigned open_descriptors(void)
{
	unsigned count = 0;

	for (int fd = 0; fd < 512; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

int main(void)
{
	unsigned before;

	enter_scratch();
	signal(SIGXFSZ, SIG_IGN);
	before = open_descriptors();
	for (size_t i = 0; i < COUNT(jobs_tried); i++) {
		const unsigned jobs = jobs_tried[i];

		test_bad_block(jobs);
		test_all_bad(jobs);
		test_source_fails(jobs);
		test_stopped(jobs);
		test_too_large(jobs);
		test_full(jobs);
		test_as_nobody(jobs);
		test_few_descriptors(jobs);
		test_no_owner(jobs);
		check_u64(open_descriptors(), before);
	}
	return check_report();
}
