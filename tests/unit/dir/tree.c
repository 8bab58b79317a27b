/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dir/dir.h"

/* What was described is there afterwards, by any number of workers. */

#include "plant.h"

static const unsigned jobs_tried[] = { 0, 1, 2, 8 };

static const struct dir_sink_options all = {
	.set_owner = true,
	.set_mode = true,
	.set_times = true,
	.set_xattrs = true,
};

/* uid and gid are filled in: 1 and 2 if that can be, else our own. */
static struct item kinds[] = {
	{ .path = "", .type = ENTRY_DIR, .mode = 0751, .mtime = 5 },
	{ .path = "dev", .type = ENTRY_DIR, .mode = 0555 },
	{ .path = "dev/empty", .mode = 0444 },
	{ .path = "dev/fifo", .type = ENTRY_FIFO, .mode = 0622 },
	{ .path = "dev/sock", .type = ENTRY_SOCKET, .mode = 0600 },
	{ .path = "dir", .type = ENTRY_DIR, .mode = 02775 },
	{ .path = "dir/block", .size = BLOCK, .mode = 0600 },
	{ .path = "dir/byte", .size = 1, .mode = 04755 },
	{ .path = "dir/deeper", .type = ENTRY_DIR, .mode = 0700 },
	{ .path = "dir/deeper/none", .type = ENTRY_DIR, .mode = 0111 },
	{ .path = "dir/deeper/short", .size = 3000, .mtime = -86400 },
	{ .path = "dir/first", .type = ENTRY_HARDLINK, .link = "dir/byte" },
	{ .path = "dir/link", .type = ENTRY_SYMLINK, .link = "../../byte",
	  .mode = 0777 },
	{ .path = "dir/link2", .type = ENTRY_HARDLINK, .link = "dir/link" },
	{ .path = "dir/long", .size = 20 * BLOCK + 7, .mode = 06711 },
	{ .path = "dir/longlink", .type = ENTRY_HARDLINK,
	  .link = "dir/long" },
	{ .path = "dir/two", .size = BLOCK + 1, .mtime = 4000000000 },
	{ .path = "z", .size = 12, .mode = 0400 },
};

static struct item devices[] = {
	{ .path = "b", .type = ENTRY_BLOCK_DEVICE, .major = 8, .minor = 300,
	  .mode = 0660 },
	{ .path = "c", .type = ENTRY_CHAR_DEVICE, .major = 1, .minor = 3,
	  .mode = 0666, .uid = 3, .gid = 4 },
};

static void test_kinds(unsigned jobs)
{
	const bool root = geteuid() == 0;
	struct told told;
	struct stat st;

	for (size_t i = 0; i < COUNT(kinds); i++) {
		kinds[i].uid = root ? 1 : geteuid();
		kinds[i].gid = root ? 2 : getegid();
	}
	fresh("t");
	check(unpack_items(kinds, COUNT(kinds), "t", jobs, &all, &told) == 0);
	check_str(told.err.text, "");
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (strcmp(kinds[i].path, "dir/link2") != 0 &&
		    (root || strncmp(kinds[i].path, "dir/deeper/n", 12) != 0))
			check_item("t", &kinds[i], &all);
	check(lstat("t/dir/byte", &st) == 0 && st.st_nlink == 2);
	check(lstat("t/dir/long", &st) == 0 && st.st_nlink == 2);
	check(lstat("t/dir/link2", &st) == 0 && S_ISLNK(st.st_mode));
	check_u64(told.stats.files, 7);
	check_u64(told.stats.dirs, 5);
	check_u64(told.stats.symlinks, 1);
	check_u64(told.stats.hard_links, 3);
	check_u64(told.stats.fifos, 1);
	check_u64(told.stats.sockets, 1);
	check_u64(told.stats.failed + told.stats.kept, 0);
	check_u64(told.stats.bytes,
		  BLOCK + 1 + 3000 + 20 * BLOCK + 7 + BLOCK + 1 + 12);

	fresh("t");
	check(unpack_items(devices, COUNT(devices), "t", jobs, &all, &told) ==
	      0);
	if (told.warner.count[WARN_DEVICE]) {
		check(!exists("t/b"));
		check_u64(told.stats.devices +
				  told.warner.count[WARN_DEVICE],
			  2);
	} else {
		check_item("t", &devices[0], &all);
		check_item("t", &devices[1], &all);
		check_u64(told.stats.devices, 2);
	}
}

/* Nothing but names and content is asked for. */
static void test_plain_modes(unsigned jobs)
{
	const struct dir_sink_options none = { .block_size = BLOCK };
	const mode_t masks[] = { 022, 077, 0, 0277 };

	for (size_t i = 0; i < COUNT(masks); i++) {
		const mode_t file = 0666 & ~masks[i], dir = 0777 & ~masks[i];
		const struct item items[] = {
			{ .path = "d", .type = ENTRY_DIR, .mode = 0123 },
			{ .path = "d/big", .size = 3 * BLOCK, .mode = 0123 },
			{ .path = "d/small", .size = 3, .mode = 0123 },
			{ .path = "made/on/the/way", .size = 9 },
		};
		struct told told;
		struct stat st;

		fresh("t");
		umask(masks[i]);
		if (masks[i] == 0277 && geteuid() != 0)
			umask(022); /* "made" could not be used */
		else
			check(unpack_items(items, 4, "t", jobs, &none,
					   &told) == 0);
		umask(022);
		if (masks[i] == 0277 && geteuid() != 0)
			continue;
		check(lstat("t/d", &st) == 0);
		check_u64(st.st_mode & 07777, dir);
		check(lstat("t/d/big", &st) == 0);
		check_u64(st.st_mode & 07777, file);
		check(st.st_mtime > 1500000000);
		check(lstat("t/d/small", &st) == 0);
		check_u64(st.st_mode & 07777, file);
		check(lstat("t/made", &st) == 0);
		check_u64(st.st_mode & 07777, dir);
		check(lstat("t/made/on/the/way", &st) == 0);
		check_u64(told.stats.dirs, 1);
	}
}

/* True if a file has data at offset; SEEK_HOLE may know no better. */
static bool is_data(const char *path, off_t offset)
{
	int fd = open(path, O_RDONLY);
	off_t at = lseek(fd, offset, SEEK_DATA);

	close(fd);
	return at == offset;
}

static bool has_holes(void)
{
	int fd = open("probe", O_RDWR | O_CREAT | O_TRUNC, 0600);
	bool can = ftruncate(fd, 1 << 20) == 0 &&
		   lseek(fd, 0, SEEK_DATA) == -1 && errno == ENXIO;

	close(fd);
	unlink("probe");
	return can;
}

#define MANY (UINT64_C(1) << 30)

static const struct item sparse_items[] = {
	{ .path = "all", .size = MANY, .holes = { { 0, MANY } } },
	{ .path = "end", .size = 40000, .holes = { { 8192, 40000 } } },
	{ .path = "few", .size = 3000, .zeros = { { 0, 3000 } } },
	{ .path = "front", .size = 40000, .holes = { { 0, 30000 } } },
	{ .path = "middle", .size = 50001, .holes = { { 5000, 41000 } } },
	{ .path = "wish", .size = 50000, .flags = ENTRY_NO_SPARSE,
	  .holes = { { 8192, 40960 } } },
	{ .path = "zeros", .size = 65536,
	  .zeros = { { 8192, 16384 }, { 20480, 20481 }, { 45056, 65536 } } },
};

static void test_sparse(unsigned jobs, uint32_t block, uint32_t unit,
			bool no_sparse)
{
	const struct dir_sink_options options = { .block_size = block,
						  .sparse = unit,
						  .no_sparse = no_sparse,
						  .set_times = true };
	const size_t skip = no_sparse ? 1 : 0; /* the huge one */
	struct told told;
	struct stat st;

	fresh("t");
	check(unpack_items(sparse_items + skip, COUNT(sparse_items) - skip,
			   "t", jobs, &options, &told) == 0);
	for (size_t i = 1; i < COUNT(sparse_items); i++)
		check_item("t", &sparse_items[i], &options);
	if (!no_sparse) {
		check(lstat("t/all", &st) == 0);
		check_u64((uint64_t)st.st_size, MANY);
		check_u64((uint64_t)st.st_blocks, 0);
		check(told.stats.holes >= MANY);
	} else {
		check_u64(told.stats.holes, 0);
		check(lstat("t/end", &st) == 0);
		check(st.st_blocks * 512 >= 40000);
		check(lstat("t/middle", &st) == 0);
		check(st.st_blocks * 512 >= 50001);
	}
	if (!has_holes())
		return;
	check(is_data("t/wish", 20480));
	check_u64(is_data("t/zeros", 8192), no_sparse || unit != 4096);
	check_u64(is_data("t/zeros", 49152), no_sparse || unit == 0);
	check(is_data("t/zeros", 20480));
	if (!no_sparse)
		check(!is_data("t/middle", 20480));
}

static void test_plain(unsigned jobs)
{
	const uint64_t len = 40 * BLOCK + 77;
	const struct item items[] = {
		{ .path = "all", .size = len, .is_plain = true },
		{ .path = "front", .size = 10, .is_plain = true },
		{ .path = "part", .size = 3 * BLOCK, .is_plain = true },
		{ .path = "read", .size = len },
	};
	const struct dir_sink_options options = { .set_mode = true };
	struct plant plant = { .items = items, .count = COUNT(items) };
	struct told told;

	plant.plain_fd = plain_file(len);
	fresh("t");
	check(unpack(&plant, "t", jobs, &options, &told) == 0);
	for (size_t i = 0; i < COUNT(items); i++)
		check_item("t", &items[i], &options);

	/* A file that is shorter than was said. */
	check(ftruncate(plant.plain_fd, 100 + 20 * BLOCK) == 0);
	fresh("t");
	check(unpack(&plant, "t", jobs, &options, &told) == 0);
	check_u64(told.stats.failed, 1);
	check_str(told.failed[0], "all: the input has become shorter");
	check(!exists("t/all"));
	for (size_t i = 1; i < COUNT(items); i++)
		check_item("t", &items[i], &options);
	close(plant.plain_fd);
}

static void test_xattrs(unsigned jobs)
{
	const struct item items[] = {
		{ .path = "", .type = ENTRY_DIR, .mode = 0755,
		  .xattr_name = "user.root", .xattr_value = "r" },
		{ .path = "big", .size = 5 * BLOCK, .xattr_name = "user.b",
		  .xattr_value = "of a big one" },
		{ .path = "d", .type = ENTRY_DIR, .mode = 0555,
		  .xattr_name = "user.d", .xattr_value = "of a directory" },
		{ .path = "d/e", .type = ENTRY_DIR, .mode = 0555,
		  .xattr_name = "user.d", .xattr_value = "of a directory" },
		{ .path = "d/small", .size = 5, .mode = 0444,
		  .xattr_name = "user.s", .xattr_value = "of a small one" },
	};
	const struct item links[] = {
		{ .path = "link", .type = ENTRY_SYMLINK, .link = "nowhere",
		  .xattr_name = "trusted.l", .xattr_value = "of a symlink" },
		{ .path = "pipe", .type = ENTRY_FIFO, .mode = 0601,
		  .xattr_name = "trusted.p", .xattr_value = "of a fifo" },
	};
	struct told told;

	fresh("t");
	check(unpack_items(items, COUNT(items), "t", jobs, &all, &told) == 0);
	if (told.warner.count[WARN_SET_XATTR] == 0)
		for (size_t i = 0; i < COUNT(items); i++)
			if (geteuid() == 0)
				check_item("t", &items[i], &all);
	fresh("t");
	check(unpack_items(links, COUNT(links), "t", jobs, &all, &told) == 0);
	if (told.warner.count[WARN_SET_XATTR] == 0)
		for (size_t i = 0; i < COUNT(links); i++)
			check_item("t", &links[i], &all);
	check_u64(told.stats.symlinks, 1);
	check_u64(told.stats.fifos, 1);
}

/* The bits of the capability stay, though the owner changes. */
static void test_order(unsigned jobs)
{
	static const uint8_t cap[20] = { 1, 0, 0, 2, 0, 4 };
	const struct item item = { .path = "ping", .size = 9, .mode = 04755,
				   .uid = 7, .gid = 8,
				   .xattr_name = "security.capability",
				   .xattr_value = "x" };
	struct told told;
	uint8_t have[64];

	if (geteuid() != 0)
		return;
	/* Not a capability: the kernel says so, the rest is restored. */
	fresh("t");
	check(unpack_items(&item, 1, "t", jobs, &all, &told) == 0);
	check_u64(told.warner.count[WARN_SET_XATTR], 1);
	check_u64(told.stats.files, 1);

	struct item none = item;

	none.xattr_name = NULL;
	check_item("t", &none, &all);
	/* What it does to one that is: here by hand, in the same order. */
	check(lsetxattr("t/ping", item.xattr_name, cap, sizeof(cap), 0) == 0);
	check(lgetxattr("t/ping", item.xattr_name, have, sizeof(have)) ==
	      sizeof(cap));
}

static void test_left_out(unsigned jobs)
{
	const struct item items[] = {
		{ .path = "d", .type = ENTRY_DIR, .mode = 0755 },
		{ .path = "d/l", .type = ENTRY_SYMLINK, .link = "x" },
		{ .path = "d/p", .type = ENTRY_FIFO },
		{ .path = "d/q", .type = ENTRY_HARDLINK, .link = "d/p" },
		{ .path = "d/s", .type = ENTRY_SOCKET },
		{ .path = "e", .type = ENTRY_DIR, .mode = 0755 },
		{ .path = "e/f", .type = ENTRY_DIR, .mode = 0755 },
		{ .path = "e/g", .type = ENTRY_DIR, .mode = 0755 },
		{ .path = "e/g/file", .size = 1 },
		{ .path = "n", .type = ENTRY_CHAR_DEVICE },
	};
	const struct dir_sink_options options = {
		.no_devices = true,
		.no_sockets = true,
		.no_fifos = true,
		.no_symlinks = true,
		.no_empty_dirs = true,
		.set_mode = true,
	};
	struct told told;

	fresh("t");
	check(mkdir("t/was", 0700) == 0);
	check(unpack_items(items, COUNT(items), "t", jobs, &options, &told) ==
	      0);
	check(!exists("t/d") && !exists("t/n") && !exists("t/e/f"));
	check(exists("t/e/g/file") && exists("t/was"));
	check_u64(told.stats.dirs, 2);
	check_u64(told.stats.failed, 0);
	check_u64(told.stats.hard_links + told.stats.fifos +
			  told.stats.sockets + told.stats.symlinks,
		  0);
}

/* More than can be open at once, of each size, in many directories. */
static void test_many(unsigned jobs)
{
	enum { DIRS = 20, FILES = 30 };
	static char names[DIRS * (FILES + 1)][24];
	static struct item items[DIRS * (FILES + 1)];
	const struct dir_sink_options options = { .set_mode = true,
						  .set_times = true };
	struct plant plant = { .items = items, .count = COUNT(items) };
	const uint64_t len = 2 * BLOCK + 100;
	struct told told;
	size_t n = 0;

	for (unsigned d = 0; d < DIRS; d++) {
		snprintf(names[n], sizeof(names[n]), "d%u", d);
		items[n] = (struct item){ .path = names[n], .mode = 0500,
					  .type = ENTRY_DIR };
		n++;
		for (unsigned f = 0; f < FILES; f++, n++) {
			snprintf(names[n], sizeof(names[n]), "d%u/f%02u", d,
				 f);
			items[n] = (struct item){
				.path = names[n],
				.size = f % 3 == 0 ? len : f * 100,
				.is_plain = f % 2 == 0,
				.mode = 0400,
			};
		}
	}
	plant.plain_fd = plain_file(len);
	fresh("t");
	check(unpack(&plant, "t", jobs, &options, &told) == 0);
	for (size_t i = 0; i < n; i++)
		check_item("t", &items[i], &options);
	check_u64(told.stats.files, DIRS * FILES);
	close(plant.plain_fd);
}

int main(void)
{
	enter_scratch();
	for (size_t i = 0; i < COUNT(jobs_tried); i++) {
		const unsigned jobs = jobs_tried[i];

		test_kinds(jobs);
		test_plain_modes(jobs);
		test_sparse(jobs, BLOCK, 0, false);
		test_sparse(jobs, BLOCK, 4096, false);
		test_sparse(jobs, 16384, 4096, false);
		test_sparse(jobs, 16384, 16384, false);
		test_sparse(jobs, BLOCK, 4096, true);
		test_plain(jobs);
		test_xattrs(jobs);
		test_order(jobs);
		test_left_out(jobs);
		test_many(jobs);
	}
	return check_report();
}
