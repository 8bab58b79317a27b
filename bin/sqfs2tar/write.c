/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "sqfs2tar/write.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/costs.h"
#include "common/machine.h"
#include "common/message.h"
#include "common/open.h"
#include "common/picks.h"
#include "common/plan.h"
#include "common/progress.h"
#include "common/stats.h"
#include "entry/filter.h"
#include "entry/sink.h"
#include "entry/source.h"
#include "flow/flow.h"
#include "io/writer.h"
#include "sqfs/image.h"
#include "sqfs/super.h"
#include "sqfs2tar/options.h"
#include "sqfs2tar/starts.h"
#include "tar/sink.h"
#include "unpack/unpack.h"
#include "util/err.h"

#define MIB ((uint64_t)1 << 20)

/* For the buffers of blocks, per thread; at least for two of them. With the
 * cache of fragment blocks that keeps the program below 64M at -j 2. */
#define MEMORY_PER_JOB (12 * MIB)

/* One source wired to one sink. */
struct run {
	const struct options *options;
	struct message *message;
	struct plan plan;
	struct image_file file;
	struct image_start *starts; /* start_count of them */
	size_t start_count;
	struct picks picks;
	struct image_source_options unpack;
	struct source *source;
	struct writer *writer;
	struct sink *sink;
	struct costs costs; /* with --stats */
};

static int in_image(const struct run *run, struct err *err)
{
	const char *name = image_file_name(run->options->image);
	char text[NAME_TEXT_LEN];

	return err_in(err, "%s", name_text(name, strlen(name), text));
}

/* Looks at standard output before anything is read. */
static int check_terminal(struct err *err)
{
	if (!isatty(STDOUT_FILENO))
		return 0;
	return err_set(err, ERR_USAGE,
		       "standard output is a terminal: send the archive to a"
		       " file or a program; see sqfs2tar --help");
}

/* Refuses to write behind the image that is being read. */
static int check_output(const struct run *run, struct err *err)
{
	struct stat in, out;

	if (fstat(run->file.fd, &in) < 0 || fstat(STDOUT_FILENO, &out) < 0)
		return 0;
	if (S_ISBLK(in.st_mode) ? !S_ISBLK(out.st_mode) ||
				  in.st_rdev != out.st_rdev
				: in.st_dev != out.st_dev ||
				  in.st_ino != out.st_ino)
		return 0;
	return err_set(err, ERR_USAGE,
		       "standard output is the image that is to be read");
}

static int make_plan(struct run *run, struct err *err)
{
	uint32_t block_size = image_super(run->file.image)->block_size;
	struct plan_wish wish = { .jobs = run->options->jobs, .backlog = -1 };
	struct machine machine;
	uint64_t jobs, limit, least = flow_memory(block_size, 2, 0);

	machine_look("", &machine);
	jobs = wish.jobs >= 0 ? (uint64_t)wish.jobs : machine.cpus;
	limit = (jobs > 2 ? jobs : 2) * MEMORY_PER_JOB;
	if (machine.memory_max > 0 && limit > machine.memory_max / 4)
		limit = machine.memory_max / 4;
	wish.memory_limit = (int64_t)(limit > least ? limit : least);
	return plan_make(&wish, &machine, block_size, &run->plan, err);
}

/* Moves everything below a directory that becomes what the root was. */
static int add_prefix(struct run *run, struct err *err)
{
	const struct filter_options filter = {
		.prefix = run->options->rules.prefix,
		.no_symlink_retarget = true,
		.uid = -1,
		.gid = -1,
		.warner = &run->message->warner,
	};
	struct source *inner = run->source;

	run->source = NULL;
	return filter_create(inner, &filter, &run->source, err);
}

static int open_source(struct run *run, struct err *err)
{
	const struct options *options = run->options;

	if (starts_find(options, run->file.image, &run->starts,
			&run->start_count, err) < 0 ||
	    picks_init(&run->picks, &options->rules, err) < 0)
		return -1;
	run->unpack = (struct image_source_options){
		.starts = run->starts,
		.start_count = run->start_count,
		.parents = starts_are_kept(options),
		.no_xattrs = options->no_xattr,
		.no_hard_links = options->no_hard_links,
		.warner = &run->message->warner,
	};
	if (picks_are_any(&run->picks)) {
		run->unpack.is_excluded = picks_exclude;
		run->unpack.arg = &run->picks;
	}
	if (image_source_create(run->file.image, &run->unpack, &run->source,
				err) < 0)
		return -1;
	return options->rules.prefix ? add_prefix(run, err) : 0;
}

/* The least unit that is both what the user wants and whole blocks. */
static uint64_t sparse_unit(const struct run *run)
{
	uint64_t block_size = image_super(run->file.image)->block_size;
	uint64_t wish = (uint64_t)run->options->sparse;

	return (wish + block_size - 1) / block_size * block_size;
}

static int open_sink(struct run *run, struct err *err)
{
	const struct options *options = run->options;
	const struct writer_options writer = {
		.codec = options->codec,
		.level = options->level,
		.threads = run->plan.jobs,
	};
	const struct tar_sink_options sink = {
		.format = options->format,
		.block_size = image_super(run->file.image)->block_size,
		.sparse = sparse_unit(run),
		.no_root = options->no_root,
		.dot = options->dot,
		.warner = &run->message->warner,
	};

	if (writer_create(STDOUT_FILENO, &writer, &run->writer, err) < 0)
		return -1;
	return tar_sink_create(run->writer, &sink, &run->sink, err);
}

static int run_flow(struct run *run, struct err *err)
{
	struct progress progress;
	struct flow_options flow = {
		.jobs = run->plan.jobs,
		.backlog = run->plan.backlog,
	};
	int ret;

	if (!run->options->quiet && progress_is_possible()) {
		progress_init(&progress, run->message, run->source, NULL);
		flow.progress = progress_update;
		flow.progress_arg = &progress;
	}
	ret = flow_run(run->source, run->sink, &flow, err);
	message_clear_line(run->message);
	if (ret < 0 && err->code == ERR_WRITE)
		return err_in(err, "standard output");
	return ret < 0 ? in_image(run, err) : 0;
}

/* Some file systems tell only here that there was no room. */
static int end_output(struct run *run, struct err *err)
{
	if (writer_finish(run->writer, err) < 0)
		return err_in(err, "standard output");
	if (close(STDOUT_FILENO) < 0)
		return err_sys(err, "standard output");
	return 0;
}

static void run_cleanup(struct run *run)
{
	sink_destroy(run->sink);
	writer_destroy(run->writer);
	source_destroy(run->source);
	picks_cleanup(&run->picks);
	free(run->starts);
	image_file_close(&run->file);
}

int write_archive(const struct options *options, struct message *message,
		  bool input_closed, struct err *err)
{
	struct run run = { .options = options, .message = message };
	int ret = -1;

	message->input = image_file_name(options->image);
	message->warner.strict = options->no_skip;
	if (check_terminal(err) < 0)
		return -1;
	if (options->stats)
		costs_begin(&run.costs);
	if (image_file_open(options->image, &options->place, input_closed,
			    &run.file, err) < 0)
		goto out;
	if (check_output(&run, err) < 0 || make_plan(&run, err) < 0)
		goto out;
	if (open_source(&run, err) < 0) {
		in_image(&run, err);
		goto out;
	}
	if (open_sink(&run, err) < 0 || run_flow(&run, err) < 0)
		goto out;
	if (picks_end(&run.picks, message, err) < 0) {
		in_image(&run, err);
		goto out;
	}
	if (end_output(&run, err) < 0)
		goto out;
	message_warnings_end(message);
	run.costs.threads = run.plan.jobs;
	run.costs.backlog = run.plan.backlog;
	ret = stats_costs((enum stats_format)options->stats, &run.costs, err);
out:
	run_cleanup(&run);
	return ret;
}
