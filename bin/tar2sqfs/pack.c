/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tar2sqfs/pack.h"

#include <string.h>

#include "common/machine.h"
#include "common/message.h"
#include "common/pack_run.h"
#include "entry/filter.h"
#include "io/input.h"
#include "tar2sqfs/archives.h"
#include "tar2sqfs/input.h"
#include "tar2sqfs/options.h"
#include "util/err.h"

/* Puts the archive's name in front of a failure, if there is but one. */
static int in_archive(const struct options *options, struct err *err)
{
	if (options->archive_count > 1)
		return -1;
	return err_in(err, "%s", input_name(options->archives[0]));
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
static int open_source(const struct options *options, struct pack_run *run,
		       const struct machine *machine, bool input_closed,
		       struct archives **archives, struct err *err)
{
	struct filter_options filter = {
		.root = options->root_becomes,
		.no_symlink_retarget = options->no_symlink_retarget,
		.no_xattr = options->no_xattr,
	};
	const struct input_options input = {
		.threads = run->plan.jobs,
		.memory = input_memory(machine),
	};
	struct source *source;

	if (archives_create(options, run->message, &input, input_closed,
			    archives, &source, err) < 0)
		return -1;
	pack_run_filter(run, !options->no_keep_time, &filter);
	if (filter_create(source, &filter, &run->filter, err) < 0)
		return -1;
	return rules_sort(&options->image.rules, run->filter, &run->source,
			  err);
}

int pack_archive(const struct options *options, struct message *message,
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
	struct archives *archives = NULL;
	struct machine machine;
	bool is_output;
	int ret = -1;

	if (options->archive_count == 1)
		message->input = input_name(options->archives[0]);
	message->warner.strict = options->no_skip;
	rules_fill_warner(&options->image.rules, &message->warner);
	machine_look("", &machine);
	if (pack_run_plan(&run, &machine, err) < 0)
		goto out;
	if (open_source(options, &run, &machine, input_closed, &archives,
			err) < 0 ||
	    pack_run_open(&run, err) < 0)
		goto out;
	if (pack_run_flow(&run, &is_output, err) < 0) {
		if (!is_output)
			in_archive(options, err);
		goto out;
	}
	ret = pack_run_report(&run, err);
out:
	pack_run_cleanup(&run);
	archives_destroy(archives);
	return ret;
}
