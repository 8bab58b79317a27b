/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "gensquashfs/pack.h"

#include <string.h>
#include <sys/stat.h>

#include "common/machine.h"
#include "common/message.h"
#include "common/pack_run.h"
#include "dir/source.h"
#include "entry/filter.h"
#include "gensquashfs/inputs.h"
#include "gensquashfs/options.h"
#include "io/output.h"
#include "util/err.h"

/* Inputs, filter, hard links, order. */
static int open_source(const struct options *options, struct pack_run *run,
		       bool input_closed, struct inputs **inputs,
		       struct err *err)
{
	struct filter_options filter = {
		.no_symlink_retarget = true,
	};
	struct source *source, *linked;

	if (inputs_create(options, run->message, input_closed, inputs, &source,
			  err) < 0)
		return -1;
	pack_run_filter(run, options->keep_time || options->pack_file, &filter);
	if (filter_create(source, &filter, &run->filter, err) < 0 ||
	    links_source_create(run->filter, &linked, err) < 0)
		return -1;
	return rules_sort(&options->image.rules, linked, &run->source, err);
}

/* The image is no part of what is packed, nor is the one it replaces. */
static void skip_output(const struct pack_run *run, struct inputs *inputs)
{
	struct stat st;

	if (fstat(output_fd(run->output), &st) == 0 && S_ISREG(st.st_mode))
		inputs_skip(inputs, st.st_dev, st.st_ino, false);
	if (stat(run->output_path, &st) == 0 && S_ISREG(st.st_mode))
		inputs_skip(inputs, st.st_dev, st.st_ino, true);
}

static int leave_out(void *arg, const struct entry *entry,
		     const struct err *err)
{
	(void)entry;
	return inputs_fault(arg, err);
}

int pack_inputs(const struct options *options, struct message *message,
		bool input_closed, struct err *err)
{
	struct pack_run run = {
		.image = &options->image,
		.output_path = options->output,
		.force = options->force,
		.quiet = options->quiet,
		.stats = (enum stats_format)options->stats,
		.message = message,
	};
	struct inputs *inputs = NULL;
	struct machine machine;
	bool is_output;
	int ret = -1;

	message->warner.strict = options->no_skip;
	rules_fill_warner(&options->image.rules, &message->warner);
	machine_look("", &machine);
	if (pack_run_plan(&run, &machine, err) < 0 ||
	    open_source(options, &run, input_closed, &inputs, err) < 0 ||
	    pack_run_open(&run, err) < 0)
		goto out;
	skip_output(&run, inputs);
	run.pack.fault = options->ignore_read_errors ? leave_out : NULL;
	run.pack.fault_arg = inputs;
	if (pack_run_flow(&run, &is_output, err) < 0)
		goto out;
	inputs_report(inputs);
	ret = pack_run_report(&run, err);
out:
	pack_run_cleanup(&run);
	inputs_destroy(inputs);
	return ret;
}
