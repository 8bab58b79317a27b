/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "common/pack_run.h"

#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/image.h"
#include "common/message.h"
#include "common/progress.h"
#include "common/machine.h"
#include "common/standard.h"
#include "entry/filter.h"
#include "entry/sink.h"
#include "entry/source.h"
#include "flow/flow.h"
#include "io/output.h"
#include "util/err.h"

int pack_run_plan(struct pack_run *run, const struct machine *machine,
		  struct err *err)
{
	const struct image_options *image = run->image;
	struct plan_wish wish = image->plan;

	if (run->stats == STATS_JSON)
		costs_begin(&run->costs);
	/* Packing computes: more threads than that would only take turns, each
	 * with its own state of the compressor in the way of the others'. */
	if (wish.jobs > machine->cpus)
		wish.jobs = machine->cpus;
	if (plan_make(&wish, machine, (uint32_t)image->block_size,
		      &run->plan, err) < 0)
		return -1;
	run->costs.threads = run->plan.jobs;
	run->costs.backlog = run->plan.backlog;
	return image_pack_options(image, &run->pack, err);
}

void pack_run_filter(const struct pack_run *run, bool keep_time,
		     struct filter_options *out)
{
	const struct image_options *image = run->image;

	out->uid = image->set_uid;
	out->gid = image->set_gid;
	out->no_keep_time = !keep_time;
	out->default_mtime = image->default_mtime;
	out->clamp_mtime = image->epoch >= 0 && keep_time;
	out->max_mtime = image->epoch;
	out->warner = &run->message->warner;
	rules_fill_filter(&image->rules, out);
}

static int open_output(struct pack_run *run, struct err *err)
{
	const char *temporary = NULL;
	int ret, begun = -1;
	sigset_t old;

	cleanup_hold(&old);
	ret = output_open(run->output_path, run->force, &run->output, err);
	if (ret == 0) {
		temporary = output_temporary(run->output);
		if (!temporary && output_is_regular(run->output))
			begun = output_fd(run->output);
	}
	cleanup_release(&old, temporary, begun);
	return ret;
}

/* The commit, after which a signal has nothing left to remove. */
static int commit_output(struct pack_run *run, struct err *err)
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

static bool prints_stats(const struct pack_run *run)
{
	return run->stats != STATS_NONE || !run->quiet;
}

/* What the statistics would be written over must not be the image. */
static int check_stdout(const struct pack_run *run, struct err *err)
{
	struct stat image, out;

	if (!prints_stats(run) || fstat(STDOUT_FILENO, &out) < 0 ||
	    fstat(output_fd(run->output), &image) < 0 ||
	    image.st_dev != out.st_dev || image.st_ino != out.st_ino)
		return 0;
	return err_set(err, ERR_USAGE,
		       "standard output goes to the same file, and the"
		       " statistics with it; use -q");
}

int pack_run_open(struct pack_run *run, struct err *err)
{
	if (open_output(run, err) < 0 || check_stdout(run, err) < 0)
		return err_in(err, "%s", run->output_path);
	return 0;
}

static bool is_excluded(void *arg, const char *path)
{
	return filter_is_excluded(arg, path);
}

static int flow(struct pack_run *run, struct err *err)
{
	struct progress progress;
	struct flow_options options = {
		.jobs = run->plan.jobs,
		.backlog = run->plan.backlog,
	};
	int ret;

	if (!run->quiet && progress_is_possible()) {
		progress_init(&progress, run->message, run->source, run->sink);
		options.progress = progress_update;
		options.progress_arg = &progress;
	}
	ret = flow_run(run->source, run->sink, &options, err);
	message_clear_line(run->message);
	return ret;
}

int pack_run_flow(struct pack_run *run, bool *is_output, struct err *err)
{
	run->pack.tree.is_excluded = is_excluded;
	run->pack.tree.arg = run->filter;
	run->pack.tree.warner = &run->message->warner;
	*is_output = true;
	if (pack_create(output_fd(run->output), output_is_regular(run->output),
			&run->pack, &run->sink, err) < 0)
		return err_in(err, "%s", run->output_path);
	if (flow(run, err) < 0) {
		*is_output = err->code == ERR_WRITE;
		return *is_output ? err_in(err, "%s", run->output_path) : -1;
	}
	if (commit_output(run, err) < 0)
		return err_in(err, "%s", run->output_path);
	return 0;
}

int pack_run_report(struct pack_run *run, struct err *err)
{
	rules_warn_unused(&run->image->rules, run->filter, run->source,
			  run->message);
	message_warnings_end(run->message);
	if (!prints_stats(run))
		return 0;
	if (run->stats == STATS_JSON)
		stats_json(pack_stats(run->sink), &run->costs, stdout);
	else
		stats_print(pack_stats(run->sink), stdout);
	if (standard_flush(err) < 0)
		return err_in(err, "the image is complete, but not the"
				   " statistics");
	return 0;
}

void pack_run_cleanup(struct pack_run *run)
{
	sink_destroy(run->sink);
	output_abort(run->output);
	source_destroy(run->source);
}
