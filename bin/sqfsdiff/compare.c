/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sqfsdiff/compare.h"

#include <string.h>

#include "common/costs.h"
#include "common/machine.h"
#include "common/picks.h"
#include "common/plan.h"
#include "common/stats.h"
#include "diff/diff.h"
#include "sqfs/image.h"
#include "sqfs/super.h"
#include "sqfsdiff/extract.h"
#include "sqfsdiff/input.h"
#include "sqfsdiff/options.h"
#include "sqfsdiff/report.h"
#include "util/err.h"

struct run {
	const struct options *options;
	struct message *message;
	struct plan plan;
	struct input old, new;
	struct picks picks;
	struct diff_counts counts;
	struct report report;
	struct extract extract;
};

static int take_change(void *arg, struct diff_change *change, struct err *err)
{
	struct run *run = arg;

	(void)err;
	report_change(&run->report, change);
	if (run->options->extract)
		extract_add(&run->extract, change);
	/* With nothing to be shown one difference is enough. */
	return run->options->quiet && !run->options->extract;
}

static uint32_t block_size_of(const struct input *input)
{
	return input->file.image ? image_super(input->file.image)->block_size
				 : BLOCK_SIZE_DEFAULT;
}

static int make_plan(struct run *run, struct err *err)
{
	struct plan_wish wish = {
		.jobs = run->options->jobs,
		.backlog = -1,
		.memory_limit = -1,
	};
	struct machine machine;

	machine_look("", &machine);
	return plan_make(&wish, &machine, BLOCK_SIZE_MAX, &run->plan, err);
}

static int open_inputs(struct run *run, bool input_closed, struct err *err)
{
	const struct options *options = run->options;
	const struct input_wish wish = {
		.input_closed = input_closed,
		.again = options->extract,
		.jobs = run->plan.jobs,
	};

	if (input_open(options->old, options, &wish, &run->old, err) < 0 ||
	    input_open(options->new, options, &wish, &run->new, err) < 0)
		return -1;
	if ((options->super || options->inode_num) &&
	    (!run->old.file.image || !run->new.file.image))
		return err_set(err, ERR_USAGE, "%s: both have to be images",
			       options->super ? "--super" : "--inode-num");
	return 0;
}

static enum diff_pick pick_path(void *arg, const char *path, bool is_dir)
{
	struct picks *picks = arg;
	enum selected selected;

	if (selection_judge(&picks->selection, path, is_dir, &selected, NULL) <
	    0) {
		picks->is_failed = true;
		return DIFF_LEAVE_BELOW;
	}
	if (selected == SELECT_TAKE)
		return DIFF_TAKE;
	return selected == SELECT_LEAVE ? DIFF_LEAVE_BELOW : DIFF_LEAVE;
}

static int compare_paths(struct run *run, struct err *err)
{
	const struct options *options = run->options;
	struct diff_options diff = {
		.no_contents = options->no_contents,
		.no_mode = options->no_permissions,
		.no_owner = options->no_owner,
		.no_links = options->no_hard_links,
		.no_xattrs = options->no_xattrs,
		.times = options->timestamps,
		.numbers = options->inode_num,
		.entries = options->extract,
		.jobs = run->plan.jobs,
		.change = take_change,
		.arg = run,
	};

	input_fill(&run->old, &diff.old);
	input_fill(&run->new, &diff.new);
	if (picks_init(&run->picks, &options->rules, err) < 0)
		return -1;
	if (picks_are_any(&run->picks)) {
		diff.pick = pick_path;
		diff.pick_arg = &run->picks;
	}
	return diff_run(&diff, &run->counts, err);
}

static int extract_files(struct run *run, struct err *err)
{
	uint32_t a = block_size_of(&run->old), b = block_size_of(&run->new);
	const struct extract_options options = {
		.dir = run->options->extract,
		.message = run->message,
		.block_size = a > b ? a : b,
		.jobs = run->plan.jobs,
		.backlog = run->plan.backlog,
	};

	if (!run->options->extract)
		return 0;
	if (input_renew(&run->old, &run->extract.old, err) < 0 ||
	    input_renew(&run->new, &run->extract.new, err) < 0)
		return -1;
	return extract_run(&run->extract, &options, err);
}

static int compare_inputs(struct run *run, struct err *err)
{
	const struct options *options = run->options;
	const struct diff_counts *counts = &run->counts;
	int ret;

	report_begin(&run->report, options->json, options->quiet);
	ret = compare_paths(run, err);
	report_changes_end(&run->report);
	if (ret == 0 && options->super)
		report_super(&run->report, run->old.file.image,
			     run->new.file.image);
	if (ret == 0)
		ret = picks_end(&run->picks, run->message, err);
	if (ret == 0)
		ret = extract_files(run, err);
	report_end(&run->report, counts, ret == 0);
	message_warnings_end(&run->old.message);
	message_warnings_end(&run->new.message);
	if (ret < 0)
		return -1;
	return counts->removed + counts->added + counts->changed > 0 ||
	       run->report.super_count > 0;
}

int compare(const struct options *options, struct message *message,
	    bool input_closed, struct err *err)
{
	struct run run = {
		.options = options,
		.message = message,
		.old = INPUT_NONE,
		.new = INPUT_NONE,
	};
	struct costs costs = { 0 };
	int ret = -1;

	if (options->stats)
		costs_begin(&costs);
	if (make_plan(&run, err) == 0 &&
	    open_inputs(&run, input_closed, err) == 0)
		ret = compare_inputs(&run, err);
	if (ret >= 0) {
		costs.threads = run.plan.jobs;
		if (stats_costs((enum stats_format)options->stats, &costs,
				err) < 0)
			ret = -1;
	}
	extract_cleanup(&run.extract);
	picks_cleanup(&run.picks);
	input_close(&run.old);
	input_close(&run.new);
	return ret;
}
