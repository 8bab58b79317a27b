/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/message.h"
#include "common/progress.h"
#include "dir/dir.h"
#include "entry/entry.h"
#include "entry/path.h"
#include "entry/sink.h"
#include "entry/source.h"
#include "flow/flow.h"
#include "rdsquashfs/options.h"
#include "rdsquashfs/paths.h"
#include "rdsquashfs/verbose.h"
#include "rdsquashfs/view.h"
#include "sqfs/image.h"
#include "sqfs/super.h"
#include "unpack/unpack.h"
#include "util/err.h"

/* -u: the image as a source, a directory as a sink. */

struct unpacking {
	struct view *view;
	struct matches matches;
	struct image_start *starts; /* start_count, of matches */
	size_t start_count;
	bool has_paths; /* what is named keeps its path */
	int root; /* descriptor, or -1 */
	bool had_root; /* it was there before */
	struct image_source_options options;
	struct source *source;
	struct sink *sink;
	struct progress progress;
};

/*
 * Makes the directory and what lies above it. Those that are made can be
 * entered by all, as directories are where modes are not restored.
 */
static int make_root(const char *path, bool *had_root, struct err *err)
{
	char *copy = strdup(path);

	if (!copy)
		return err_nomem(err);
	for (char *p = copy; *p; p++) {
		if (p == copy || *p != '/' || p[-1] == '/')
			continue;
		*p = '\0';
		mkdir(copy, 0777); /* what fails here fails below */
		*p = '/';
	}
	free(copy);
	*had_root = mkdir(path, 0777) < 0;
	if (*had_root && errno != EEXIST) {
		err_sys(err, "making the directory");
		err->code = ERR_WRITE;
		return -1;
	}
	return 0;
}

static int open_root(struct unpacking *run, struct err *err)
{
	const char *path = run->view->options->root;
	char name[NAME_TEXT_LEN];

	if (!path)
		path = ".";
	if (make_root(path, &run->had_root, err) == 0) {
		run->root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (run->root >= 0)
			return 0;
		err_sys(err, "opening the directory");
		err->code = ERR_WRITE;
	}
	return err_in(err, "%s", name_text(path, strlen(path), name));
}

static int compare_matches(const void *a, const void *b)
{
	return path_compare(((const struct match *)a)->path,
			    ((const struct match *)b)->path);
}

/*
 * What is named alone becomes the root, or lies in it if it is no directory;
 * several things keep their paths. None is unpacked twice.
 */
static int find_starts(struct unpacking *run, struct err *err)
{
	struct matches *matches = &run->matches;
	const char *path, *last = NULL;

	if (paths_find(run->view, PATHS_TOP, matches, err) < 0)
		return -1;
	run->starts = calloc(matches->count, sizeof(*run->starts));
	if (!run->starts)
		return err_nomem(err);
	if (matches->count == 1 && !matches->items[0].is_of_glob) {
		path = matches->items[0].path;
		run->starts[0].path = path;
		run->starts[0].as = "";
		if (matches->items[0].type != INODE_DIR)
			run->starts[0].as = strrchr(path, '/')
						    ? strrchr(path, '/') + 1
						    : path;
		run->start_count = 1;
		return 0;
	}
	run->has_paths = true;
	qsort(matches->items, matches->count, sizeof(struct match),
	      compare_matches);
	for (size_t i = 0; i < matches->count; i++) {
		path = matches->items[i].path;
		if (last && path_below(path, last))
			continue;
		run->starts[run->start_count].path = path;
		run->starts[run->start_count].ref = &matches->items[i].ref;
		run->starts[run->start_count++].as = path;
		last = path;
	}
	return 0;
}

static int open_source(struct unpacking *run, struct err *err)
{
	const struct options *options = run->view->options;

	run->options = (struct image_source_options){
		.starts = run->starts,
		.start_count = run->start_count,
		.parents = run->has_paths,
		.no_xattrs = !options->set_xattr,
		.warner = &run->view->message->warner,
	};

	if (image_source_create(run->view->image, &run->options, &run->source,
				err) < 0)
		return -1;
	if (!options->verbose)
		return 0;

	struct source *inner = run->source;

	run->source = NULL;
	return verbose_create(inner, &run->source, err);
}

static void print_failed(void *arg, const struct err *err)
{
	view_tell(arg, err);
}

static int open_sink(struct unpacking *run, struct err *err)
{
	const struct options *options = run->view->options;
	struct dir_sink_options sink = {
		.block_size = image_super(run->view->image)->block_size,
		.set_owner = options->chown,
		.set_mode = options->chmod,
		.set_times = options->set_times,
		.set_xattrs = options->set_xattr,
		.no_devices = options->no_dev,
		.no_sockets = options->no_sock,
		.no_fifos = options->no_fifo,
		.no_symlinks = options->no_slink,
		.no_empty_dirs = options->no_empty_dir,
		.existing = options->existing,
		.keep_root = run->had_root,
		.no_sparse = options->no_sparse,
		.sparse = (uint32_t)options->sparse,
		.failed = print_failed,
		.arg = run->view,
		.warner = &run->view->message->warner,
	};

	return dir_sink_create(run->root, &sink, &run->sink, err);
}

static int run_flow(struct unpacking *run, struct err *err)
{
	struct flow_options flow = {
		.jobs = run->view->plan.jobs,
		.backlog = run->view->plan.backlog,
	};
	int ret;

	if (!run->view->options->quiet && progress_is_possible()) {
		progress_init(&run->progress, run->view->message, run->source,
			      NULL);
		flow.progress = progress_update;
		flow.progress_arg = &run->progress;
	}
	ret = flow_run(run->source, run->sink, &flow, err);
	message_clear_line(run->view->message);
	return ret;
}

/* True if something was to be restored, or made, and could not be. */
static bool is_incomplete(const struct warner *warner)
{
	return warner->count[WARN_OWNER] || warner->count[WARN_MODE] ||
	       warner->count[WARN_SET_TIME] ||
	       warner->count[WARN_SET_XATTR] || warner->count[WARN_DEVICE];
}

static int finish(struct unpacking *run)
{
	const struct dir_sink_stats *stats = dir_sink_stats(run->sink);
	struct message *message = run->view->message;

	message_warnings_end(message);
	if (stats->kept > 0 && !run->view->options->quiet)
		message_warn(message,
			     "%" PRIu64 " names were there already and were"
			     " left as they were", stats->kept);
	if (stats->failed > 0) {
		message_warn(message, "%" PRIu64 " files could not be unpacked",
			     stats->failed);
		return VIEW_FAULTS;
	}
	return is_incomplete(&message->warner) ? VIEW_INCOMPLETE : 0;
}

int view_unpack(struct view *view, struct err *err)
{
	struct unpacking run = { .view = view, .root = -1 };
	int ret = -1;

	if (find_starts(&run, err) < 0 || open_source(&run, err) < 0 ||
	    open_root(&run, err) < 0 || open_sink(&run, err) < 0 ||
	    run_flow(&run, err) < 0)
		goto out;
	ret = finish(&run);
out:
	sink_destroy(run.sink);
	source_destroy(run.source);
	if (run.root >= 0)
		close(run.root);
	free(run.starts);
	matches_cleanup(&run.matches);
	return ret;
}
