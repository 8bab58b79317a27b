/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tar2sqfs/pack.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/machine.h"
#include "common/message.h"
#include "common/plan.h"
#include "common/progress.h"
#include "common/standard.h"
#include "common/stats.h"
#include "entry/filter.h"
#include "entry/sink.h"
#include "entry/source.h"
#include "flow/flow.h"
#include "io/input.h"
#include "io/output.h"
#include "pack/pack.h"
#include "tar2sqfs/archives.h"
#include "tar2sqfs/input.h"
#include "tar2sqfs/options.h"
#include "util/err.h"

/* One source wired to one sink. */
struct run {
	const struct options *options;
	struct message *message;
	struct plan plan;
	struct pack_options pack;
	struct archives *archives;
	struct source *source; /* sorts what the filter gives, or is it */
	struct source *filter; /* borrowed from the source */
	struct output *output;
	struct sink *sink;
};

/* Puts the archive's name in front of a failure, if there is but one. */
static int in_archive(const struct run *run, struct err *err)
{
	if (run->options->archive_count > 1)
		return -1;
	return err_in(err, "%s", input_name(run->options->archives[0]));
}

/*
 * Bytes for decompressing in parallel: the default, but at most a quarter of
 * what the control group may use.
 */
static uint64_t input_memory(const struct machine *machine)
{
	uint64_t part = machine->memory_max / 4;

	return part > 0 && part < INPUT_MEMORY ? part : INPUT_MEMORY;
}

/* Archives, filter, order. */
static int open_source(struct run *run, const struct machine *machine,
		       bool input_closed, struct err *err)
{
	const struct options *options = run->options;
	const struct image_options *image = &options->image;
	struct filter_options filter = {
		.exclude_dir = { options->excludes, options->exclude_count },
		.root = options->root_becomes,
		.no_symlink_retarget = options->no_symlink_retarget,
		.uid = image->set_uid,
		.gid = image->set_gid,
		.no_xattr = options->no_xattr,
		.no_keep_time = options->no_keep_time,
		.default_mtime = image->default_mtime,
		.clamp_mtime = image->epoch >= 0 && !options->no_keep_time,
		.max_mtime = image->epoch,
		.warner = &run->message->warner,
	};
	const struct input_options input = {
		.threads = run->plan.jobs,
		.memory = input_memory(machine),
	};
	struct source *source;

	if (archives_create(options, run->message, &input, input_closed,
			    &run->archives, &source, err) < 0)
		return -1;
	rules_fill_filter(&image->rules, &filter);
	if (filter_create(source, &filter, &run->filter, err) < 0)
		return -1;
	return rules_sort(&image->rules, run->filter, &run->source, err);
}

static bool is_excluded(void *arg, const char *path)
{
	return filter_is_excluded(arg, path);
}

/* A pattern that matched nothing is a typing error more often than not. */
static void warn_of_unused(const struct run *run)
{
	char name[NAME_TEXT_LEN];

	for (size_t i = 0; i < run->options->exclude_count; i++) {
		const char *text = filter_unused_exclude_dir(run->filter, i);

		if (text)
			message_warn(run->message, "-E: \"%s\" matches nothing",
				     name_text(text, strlen(text), name));
	}
	rules_warn_unused(&run->options->image.rules, run->filter, run->source,
			  run->message);
}

/* Opens the output so that no signal leaves it half made. */
static int open_output(struct run *run, struct err *err)
{
	const struct options *options = run->options;
	const char *temporary = NULL;
	int ret, begun = -1;
	sigset_t old;

	cleanup_hold(&old);
	ret = output_open(options->output, options->force, &run->output, err);
	if (ret == 0) {
		temporary = output_temporary(run->output);
		if (!temporary && output_is_regular(run->output))
			begun = output_fd(run->output);
	}
	cleanup_release(&old, temporary, begun);
	return ret;
}

/* The commit, after which a signal has nothing left to remove. */
static int commit_output(struct run *run, struct err *err)
{
	struct output *output = run->output;
	sigset_t old;
	int ret;

	/* Held back: a signal now would empty what has just been completed. */
	run->output = NULL;
	cleanup_hold(&old);
	ret = output_commit(output, err);
	cleanup_release(&old, NULL, -1);
	return ret;
}

/* What the statistics would be written over must not be the image. */
static int check_stdout(const struct run *run, struct err *err)
{
	struct stat image, out;

	if (run->options->quiet || fstat(STDOUT_FILENO, &out) < 0 ||
	    fstat(output_fd(run->output), &image) < 0 ||
	    image.st_dev != out.st_dev || image.st_ino != out.st_ino)
		return 0;
	return err_set(err, ERR_USAGE,
		       "standard output goes to the same file, and the"
		       " statistics with it; use -q");
}

static int open_sink(struct run *run, struct err *err)
{
	if (open_output(run, err) < 0 || check_stdout(run, err) < 0)
		return err_in(err, "%s", run->options->output);
	if (pack_create(output_fd(run->output),
			output_is_regular(run->output), &run->pack, &run->sink,
			err) < 0)
		return err_in(err, "%s", run->options->output);
	return 0;
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
		progress_init(&progress, run->message, run->source, run->sink);
		flow.progress = progress_update;
		flow.progress_arg = &progress;
	}
	ret = flow_run(run->source, run->sink, &flow, err);
	message_clear_line(run->message);
	if (ret < 0 && err->code == ERR_WRITE)
		return err_in(err, "%s", run->options->output);
	return ret < 0 ? in_archive(run, err) : 0;
}

static int print_stats(const struct run *run, struct err *err)
{
	if (run->options->quiet)
		return 0;
	stats_print(pack_stats(run->sink), stdout);
	if (standard_flush(err) < 0)
		return err_in(err, "the image is complete, but not the"
				   " statistics");
	return 0;
}

static void run_cleanup(struct run *run)
{
	sink_destroy(run->sink);
	output_abort(run->output);
	source_destroy(run->source);
	archives_destroy(run->archives);
}

int pack_archive(const struct options *options, struct message *message,
		 bool input_closed, struct err *err)
{
	struct run run = { .options = options, .message = message };
	struct machine machine;
	int ret = -1;

	if (options->archive_count == 1)
		message->input = input_name(options->archives[0]);
	message->warner.strict = options->no_skip;
	rules_fill_warner(&options->image.rules, &message->warner);
	machine_look("", &machine);
	if (plan_make(&options->image.plan, &machine,
		      (uint32_t)options->image.block_size, &run.plan, err) < 0)
		goto out;
	if (image_pack_options(&options->image, &run.pack, err) < 0)
		goto out;
	if (open_source(&run, &machine, input_closed, err) < 0)
		goto out;
	run.pack.tree.is_excluded = is_excluded;
	run.pack.tree.arg = run.filter;
	run.pack.tree.warner = &message->warner;
	if (open_sink(&run, err) < 0 || run_flow(&run, err) < 0)
		goto out;
	if (commit_output(&run, err) < 0) {
		err_in(err, "%s", options->output);
		goto out;
	}
	warn_of_unused(&run);
	message_warnings_end(message);
	ret = print_stats(&run, err);
out:
	run_cleanup(&run);
	return ret;
}
