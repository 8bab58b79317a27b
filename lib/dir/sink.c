/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "internal.h"

/*
 * The sink: what is done when. Directories, and files that several workers will
 * write, are made by the main thread before any worker sees them; all else by
 * workers. What cannot be done before something is complete is done when its
 * entry ends: attributes of shared files, hard links; or at the end of the run:
 * attributes of directories.
 */

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "entry/entry.h"
#include "flow/block.h"

/* Descriptors: of shared files, and of levels of a walk. */
#define OPEN_MAX_FILES 128
#define LEVELS_MIN 2
#define LEVELS_MAX 16
#define LEVELS_MAX_MAIN 64 /* it goes through all directories again */

/* Bytes of a path that an unused record may hold on to. */
#define PATH_KEPT 512

static struct dir_sink *self(struct sink *sink)
{
	return (struct dir_sink *)sink;
}

bool is_fatal(const struct err *err)
{
	return err->code == ERR_WRITE || err->code == ERR_NOMEM ||
	       err->code == ERR_EXISTS || err->code == ERR_SKIPPED;
}

/* True if the next entry will not fare better. */
static bool is_end_of_all(int sys)
{
	switch (sys) {
	case ENOSPC:
	case EDQUOT:
	case EIO:
	case EROFS:
	case ENOMEM:
	case EMFILE:
	case ENFILE:
		return true;
	default:
		return false;
	}
}

int out_failed(const char *path, struct err *err, const char *fmt, ...)
{
	int sys = errno;
	char what[sizeof(err->text)], name[NAME_TEXT_LEN];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	errno = sys;
	err_sys(err, "%s", what);
	if (!is_end_of_all(sys) || !err)
		return -1;
	err->code = ERR_WRITE;
	return err_in(err, "%s", name_text(path, strlen(path), name));
}

void attrs_of(const struct dir_sink *sink, const struct entry *entry,
	      struct attrs *out)
{
	*out = (struct attrs){
		.type = entry->type,
		.has_owner = sink->options.set_owner,
		.has_mode = sink->options.set_mode,
		.has_time = sink->options.set_times,
		.mode = entry->mode & 07777,
		.uid = entry->uid,
		.gid = entry->gid,
		.mtime = entry->mtime,
	};
	if (sink->options.set_xattrs) {
		out->xattrs = entry->xattrs;
		out->xattr_count = entry->xattr_count;
	}
}

/* The umask, which cannot be asked for without setting it but in /proc. */
static mode_t read_umask(void)
{
	FILE *file = fopen("/proc/self/status", "re");
	char line[128];
	unsigned value;
	mode_t mask;

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "Umask: %o", &value) != 1)
			continue;
		fclose(file);
		return value & 0777;
	}
	if (file)
		fclose(file);
	mask = umask(0);
	umask(mask);
	return mask;
}

/* Levels of each walk and shared files that may be open at once. */
static size_t share_descriptors(struct dir_sink *sink, unsigned walks)
{
	struct rlimit limit;
	uint64_t max = 1024, levels;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
	    limit.rlim_cur != RLIM_INFINITY)
		max = limit.rlim_cur;
	sink->open_max = max / 4 < OPEN_MAX_FILES ? (unsigned)(max / 4)
						  : OPEN_MAX_FILES;
	levels = max / 2 / walks;
	if (levels < LEVELS_MIN)
		return LEVELS_MIN;
	return levels > LEVELS_MAX ? LEVELS_MAX : (size_t)levels;
}

static int dir_start(struct sink *base, struct flow *flow, unsigned workers,
		     struct err *err)
{
	struct dir_sink *sink = self(base);
	const unsigned count = workers ? workers : 1;
	const size_t levels = share_descriptors(sink, count + 2);

	sink->flow = flow;
	sink->umask = read_umask();
	sink->uid = geteuid();
	sink->gid = getegid();
	if (walk_init(&sink->walk, sink->root,
		      levels == LEVELS_MAX ? LEVELS_MAX_MAIN : levels,
		      err) < 0 ||
	    walk_init(&sink->targets, sink->root, levels, err) < 0)
		return -1;
	sink->workers = calloc(count, sizeof(*sink->workers));
	if (!sink->workers)
		return err_nomem(err);
	for (unsigned i = 0; i < count; i++) {
		if (walk_init(&sink->workers[i].walk, sink->root, levels,
			      err) < 0)
			return -1;
		sink->worker_count++;
	}
	return 0;
}

/* An unused record, which is in use from now on. */
static struct made *made_get(struct dir_sink *sink, struct err *err)
{
	struct made *made = sink->spare;

	if (made) {
		sink->spare = made->next;
	} else {
		made = calloc(1, sizeof(*made));
		if (!made) {
			err_nomem(err);
			return NULL;
		}
	}
	made->fd = -1;
	made->is_shared = false;
	made->outcome = OUTCOME_OPEN;
	made->losses = (struct losses){ 0 };
	made->prev = NULL;
	made->next = sink->made;
	if (made->next)
		made->next->prev = made;
	sink->made = made;
	return made;
}

static void made_put(struct dir_sink *sink, struct made *made)
{
	shared_close(sink, made);
	free(made->fault);
	made->fault = NULL;
	if (made->path_cap > PATH_KEPT) {
		free(made->path);
		made->path = NULL;
		made->path_cap = 0;
	}
	if (made->prev)
		made->prev->next = made->next;
	else
		sink->made = made->next;
	if (made->next)
		made->next->prev = made->prev;
	made->next = sink->spare;
	sink->spare = made;
}

static bool is_left_out(const struct dir_sink *sink, enum entry_type type)
{
	switch (type) {
	case ENTRY_SYMLINK:
		return sink->options.no_symlinks;
	case ENTRY_BLOCK_DEVICE:
	case ENTRY_CHAR_DEVICE:
		return sink->options.no_devices;
	case ENTRY_FIFO:
		return sink->options.no_fifos;
	case ENTRY_SOCKET:
		return sink->options.no_sockets;
	default:
		return false;
	}
}

static bool is_early(const struct dir_sink *sink, const struct entry *entry)
{
	return entry->type == ENTRY_DIR ||
	       (entry->type == ENTRY_FILE &&
		entry->size > sink->sink.cut.block_size);
}

static int dir_announce(struct sink *base, struct entry *entry,
			struct err *err)
{
	struct dir_sink *sink = self(base);
	struct made *made;
	struct err why;

	if (entry->flags & (ENTRY_CONTENT_LATER | ENTRY_IS_CONTENT))
		return err_set(err, ERR_UNSUPPORTED,
			       "content that comes apart from its file");
	made = made_get(sink, err);
	if (!made)
		return -1;
	entry->of_sink = made;
	if (is_left_out(sink, entry->type))
		made->outcome = OUTCOME_LEFT_OUT;
	if (!is_early(sink, entry) ||
	    make_early(sink, entry, made, &why) == 0)
		return 0;
	if (is_fatal(&why)) {
		*err = why;
		return -1;
	}
	made->outcome = OUTCOME_FAILED;
	made->fault = malloc(sizeof(*made->fault));
	if (!made->fault)
		return err_nomem(err);
	*made->fault = why;
	return 0;
}

/* A piece of a file that announce has made. */
static int work_shared(struct dir_sink *sink, unsigned index,
		       const struct block *b, const struct piece *piece,
		       const struct made *made, struct err *err)
{
	struct worker *worker = &sink->workers[index];
	int fd = made->fd;
	int ret;

	if (fd >= 0)
		return write_piece(sink, worker, index, fd, b, piece, err);
	if (shared_open(&worker->walk, made, &fd, err) < 0)
		return -1;
	ret = write_piece(sink, worker, index, fd, b, piece, err);
	if (close(fd) < 0 && ret == 0)
		ret = out_failed(piece->entry->path, err, "close");
	return ret;
}

static void dir_work(struct sink *base, struct block *b, unsigned index)
{
	struct dir_sink *sink = self(base);

	for (uint32_t i = 0; i < b->piece_count; i++) {
		struct piece *piece = &b->pieces[i];
		struct made *made = piece->entry->of_sink;
		struct err err;
		int ret;

		if (piece->fault || made->outcome != OUTCOME_OPEN ||
		    piece->entry->type == ENTRY_HARDLINK)
			continue;
		if (made->is_shared)
			ret = work_shared(sink, index, b, piece, made, &err);
		else
			ret = make_alone(sink, &sink->workers[index], index, b,
					 piece, made, &err);
		if (ret == 0)
			continue;
		if (is_fatal(&err)) {
			b->err = err;
			b->err_piece = i;
		} else {
			piece_fail(b, piece, &err);
		}
		if (b->err.code != ERR_NONE)
			return;
	}
}

static int dir_begin(struct sink *base, const struct entry *entry,
		     struct err *err)
{
	(void)entry;
	(void)err;
	self(base)->has_failed = false;
	return 0;
}

static int dir_take(struct sink *base, struct block *b, struct piece *piece,
		    bool *keep, struct err *err)
{
	(void)base;
	(void)b;
	(void)piece;
	(void)keep;
	(void)err;
	return 0; /* a worker wrote it */
}

static int dir_fault(struct sink *base, const struct entry *entry,
		     struct err *err)
{
	(void)entry;
	return leave_out(self(base), err);
}

static int dir_end(struct sink *base, const struct entry *entry,
		   struct err *err)
{
	struct dir_sink *sink = self(base);
	struct made *made = entry->of_sink;

	if (end_entry(sink, entry, made, err) < 0)
		return -1;
	made_put(sink, made);
	return 0;
}

static int dir_finish(struct sink *base, struct err *err)
{
	return dir_list_finish(self(base), err);
}

static void free_spares(struct dir_sink *sink)
{
	while (sink->spare) {
		struct made *made = sink->spare;

		sink->spare = made->next;
		free(made->path);
		free(made);
	}
}

static void dir_stop(struct sink *base)
{
	struct dir_sink *sink = self(base);

	while (sink->made) {
		struct made *made = sink->made;

		if (made->is_shared && made->outcome != OUTCOME_MADE)
			shared_remove(sink, made);
		made_put(sink, made);
	}
	free_spares(sink);
	for (unsigned i = 0; i < sink->worker_count; i++) {
		sink->stats.holes += sink->workers[i].holes;
		walk_cleanup(&sink->workers[i].walk);
	}
	free(sink->workers);
	sink->workers = NULL;
	sink->worker_count = 0;
	walk_cleanup(&sink->walk);
	walk_cleanup(&sink->targets);
	dir_list_cleanup(&sink->dirs);
	digest_map_cleanup(&sink->missing);
	sink->flow = NULL;
}

static void dir_destroy(struct sink *base)
{
	free(self(base));
}

static const struct sink_ops dir_ops = {
	.start = dir_start,
	.announce = dir_announce,
	.work = dir_work,
	.begin = dir_begin,
	.take = dir_take,
	.fault = dir_fault,
	.end = dir_end,
	.finish = dir_finish,
	.stop = dir_stop,
	.destroy = dir_destroy,
};

static bool is_power_of_two(uint32_t value)
{
	return value && !(value & (value - 1));
}

int dir_sink_create(int root, const struct dir_sink_options *options,
		    struct sink **out, struct err *err)
{
	struct dir_sink *sink;

	if (options->block_size < 4096)
		return err_set(err, ERR_USAGE, "the block size is below 4096");
	if (options->sparse && (options->sparse < 4096 ||
				!is_power_of_two(options->sparse)))
		return err_set(err, ERR_USAGE,
			       "holes: the size is no power of two from 4096 "
			       "on");
	sink = calloc(1, sizeof(*sink));
	if (!sink)
		return err_nomem(err);
	if (hash_key_draw(&sink->key, err) < 0) {
		free(sink);
		return -1;
	}
	sink->sink.ops = &dir_ops;
	sink->sink.cut = (struct sink_cut){
		.block_size = options->block_size,
		.tail_ends = true,
		.long_tail_ends = true,
		.holes = true,
		.plain = true,
	};
	sink->options = *options;
	sink->root = root;
	*out = &sink->sink;
	return 0;
}

const struct dir_sink_stats *dir_sink_stats(const struct sink *sink)
{
	return &((const struct dir_sink *)sink)->stats;
}
