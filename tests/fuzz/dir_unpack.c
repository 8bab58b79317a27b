/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

/*
 * An image, unpacked into a folder. The first byte says how, and whether the
 * folder holds symlinks that lead out of it, or what was unpacked before. What
 * lies beside the folder must stay as it is.
 */
#include "image.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "dir/dir.h"
#include "entry/entry.h"
#include "entry/sink.h"
#include "entry/source.h"
#include "flow/flow.h"
#include "sqfs/super.h"
#include "unpack/unpack.h"

#define CONTENT_MAX (UINT64_C(4) << 20) /* enough of a bomb */
#define FILE_MAX    (UINT64_C(16) << 20)
#define ENTRIES_MAX 200u

enum {
	SET_ATTRIBUTES = 1 << 0,
	OVERWRITE = 1 << 1, /* else, with KEEP */
	KEEP = 1 << 2,
	TWICE = 1 << 3,
	TRAPS = 1 << 4, /* symlinks out of the folder are there */
	NO_SPARSE = 1 << 5,
	NO_EMPTY_DIRS = 1 << 6,
	NO_HARD_LINKS = 1 << 7
};

/* Where it is done: the folder in, the file canary, and the empty folder out.
 * The working directory stays, as the fuzzer needs it. */
static char scratch[128], in[160], beside[160], canary[160];
static const char canary_text[] = "nobody writes here";

static int remove_one(const char *path, const struct stat *st, int flag,
		      struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

/* A folder without permissions is given some, to be emptied. */
static int permit_one(const char *path, const struct stat *st, int flag,
		      struct FTW *ftw)
{
	(void)st;
	(void)ftw;
	if (flag == FTW_D || flag == FTW_DNR)
		chmod(path, 0700);
	return 0;
}

static void remove_tree(const char *path)
{
	nftw(path, permit_one, 16, FTW_PHYS);
	nftw(path, remove_one, 16, FTW_PHYS | FTW_DEPTH);
}

static void remove_scratch(void)
{
	remove_tree(scratch);
}

static void write_canary(const char *path)
{
	const struct timespec times[2] = { { .tv_sec = 1000 },
					   { .tv_sec = 1000 } };
	FILE *f = fopen(path, "w");

	if (!f || fputs(canary_text, f) < 0 || fclose(f) != 0 ||
	    chmod(path, 0600) < 0 || utimensat(AT_FDCWD, path, times, 0) < 0)
		abort();
}

static void check_times(const char *path, mode_t mode, nlink_t links)
{
	struct stat st;

	require(lstat(path, &st) == 0, "what is outside stays there");
	require(st.st_mode == mode, "its kind and mode stay");
	require(st.st_nlink == links, "nothing links to it");
	require(st.st_mtime == 1000, "its time stays");
	require(st.st_uid == getuid(), "its owner stays");
}

static void make_scratch(void)
{
	const struct timespec times[2] = { { .tv_sec = 1000 },
					   { .tv_sec = 1000 } };
	const struct rlimit limit = { FILE_MAX, FILE_MAX };
	const char *tmp = getenv("TMPDIR");

	if (!tmp)
		tmp = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	snprintf(scratch, sizeof(scratch), "%s/dir_unpack.XXXXXX", tmp);
	if (!mkdtemp(scratch))
		abort();
	snprintf(in, sizeof(in), "%s/in", scratch);
	snprintf(beside, sizeof(beside), "%s/out", scratch);
	snprintf(canary, sizeof(canary), "%s/canary", scratch);
	if (mkdir(beside, 0755) < 0 ||
	    utimensat(AT_FDCWD, beside, times, 0) < 0)
		abort();
	write_canary(canary);
	atexit(remove_scratch);
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
}

/* Nothing was made, changed or removed beside the folder. */
static void check_outside(void)
{
	char text[sizeof(canary_text) + 1] = "";
	FILE *f = fopen(canary, "r");
	DIR *dir = opendir(scratch);
	struct dirent *e;

	require(f && fread(text, 1, sizeof(text), f) == strlen(canary_text) &&
			strcmp(text, canary_text) == 0,
		"the canary stays");
	fclose(f);
	check_times(canary, S_IFREG | 0600, 1);
	check_times(beside, S_IFDIR | 0755, 2);
	while (dir && (e = readdir(dir)))
		require(e->d_name[0] == '.' || strcmp(e->d_name, "in") == 0 ||
				strcmp(e->d_name, "out") == 0 ||
				strcmp(e->d_name, "canary") == 0,
			"nothing is made outside");
	closedir(dir);
}

/* Names of the seeds, as ways out. */
static void make_traps(void)
{
	static const char *const traps[][2] = { { "d", "../out" },
						{ "a", "../canary" },
						{ "link", "../canary" },
						{ "many", "../out" },
						{ "fifo", "../new" } };
	int dir = open(in, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	for (size_t i = 0; i < sizeof(traps) / sizeof(*traps); i++)
		if (symlinkat(traps[i][1], dir, traps[i][0]) < 0)
			abort();
	close(dir);
}

/* A source that ends an image that has no end. */
struct limited {
	struct source source;
	struct source *from;
	uint64_t content, entries;
};

static int limited_next(struct source *src, struct entry **out,
			struct err *err)
{
	struct limited *l = (struct limited *)src;
	struct entry *entry;
	int ret = source_next(l->from, &entry, err);

	if (ret != 0)
		return ret;
	for (size_t i = 0; i < entry->extent_count; i++)
		l->content += entry->extents[i].len;
	if (++l->entries > ENTRIES_MAX || l->content > CONTENT_MAX) {
		entry_destroy(entry);
		return err_set(err, ERR_LIMIT, "enough");
	}
	*out = entry;
	return 0;
}

static int limited_read_at(const struct source *src,
			   const struct entry *entry, uint64_t at, void *buf,
			   size_t len, struct err *err)
{
	return source_read_at(((const struct limited *)src)->from, entry, at,
			      buf, len, err);
}

static bool limited_plain(const struct source *src, const struct entry *entry,
			  uint64_t at, int *fd, uint64_t *fd_at, uint64_t *len)
{
	const struct source *from = ((const struct limited *)src)->from;

	return from->ops->plain &&
	       from->ops->plain(from, entry, at, fd, fd_at, len);
}

static const struct source_ops limited_ops = { .next = limited_next,
					       .read_at = limited_read_at,
					       .plain = limited_plain };

static void note_failed(void *arg, const struct err *err)
{
	(void)arg;
	require_told(err);
}

static void unpack(struct image *image, uint8_t how)
{
	const struct image_source_options from = {
		.no_hard_links = how & NO_HARD_LINKS
	};
	const struct dir_sink_options options = {
		.block_size = image_super(image)->block_size,
		.set_owner = how & SET_ATTRIBUTES,
		.set_mode = how & SET_ATTRIBUTES,
		.set_times = how & SET_ATTRIBUTES,
		.set_xattrs = how & SET_ATTRIBUTES,
		.no_devices = true,
		.no_empty_dirs = how & NO_EMPTY_DIRS,
		.existing = how & OVERWRITE ? DIR_EXISTING_OVERWRITE
			    : how & KEEP    ? DIR_EXISTING_KEEP
					    : DIR_EXISTING_FAIL,
		.sparse = how & NO_SPARSE ? 0 : DIR_SPARSE_DEFAULT,
		.no_sparse = how & NO_SPARSE,
		.failed = note_failed,
	};
	const struct flow_options flow = { .jobs = 0, .backlog = 2 };
	struct limited source = { .source.ops = &limited_ops };
	int root = open(in, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct sink *sink = NULL;
	struct err err = { 0 };

	if (root < 0)
		abort();
	if (image_source_create(image, &from, &source.from, &err) < 0 ||
	    dir_sink_create(root, &options, &sink, &err) < 0 ||
	    flow_run(&source.source, sink, &flow, &err) < 0)
		require_told(&err);
	sink_destroy(sink);
	source_destroy(source.from);
	close(root);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct image *image;

	if (size == 0)
		return 0;
	image = open_image(image_file(data + 1, size - 1));
	if (!image)
		return 0;
	if (!*scratch)
		make_scratch();
	if (mkdir(in, 0755) < 0)
		abort();
	if (data[0] & TRAPS)
		make_traps();
	unpack(image, data[0]);
	check_outside();
	if (data[0] & TWICE) {
		chmod(in, 0755);
		unpack(image, data[0]);
		check_outside();
	}
	image_close(image);
	remove_tree(in);
	return 0;
}
