/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMON_PACK_RUN_H
#define COMMON_PACK_RUN_H

#include <stdbool.h>

#include "common/costs.h"
#include "common/plan.h"
#include "common/stats.h"
#include "pack/pack.h"

struct err;
struct filter_options;
struct image_options;
struct machine;
struct message;
struct output;
struct sink;
struct source;

/*
 * One source wired to an image: what all tools do that write one. All zero but
 * for what the tool sets is one that has not begun.
 */
struct pack_run {
	/* set by the tool, borrowed */
	const struct image_options *image;
	const char *output_path;
	bool force, quiet;
	enum stats_format stats; /* STATS_NONE: text, unless quiet */
	struct message *message;

	/* set by the tool, owned from then on: what is packed. The filter is
	 * the source, or inside of it, and borrowed. */
	struct source *source, *filter;

	/* set by pack_run_plan */
	struct plan plan;
	struct pack_options pack;
	struct costs costs; /* with STATS_JSON */

	struct output *output;
	struct sink *sink;
};

/*
 * Finds threads and buffers, and what the options ask of the image; counts
 * costs from here on, if they are asked for. ERR_USAGE.
 */
int pack_run_plan(struct pack_run *run, const struct machine *machine,
		  struct err *err);

/*
 * What every filter of such a tool does, from the image's options.
 *
 * keep_time  the times of the input are kept, clamped to SOURCE_DATE_EPOCH
 */
void pack_run_filter(const struct pack_run *run, bool keep_time,
		     struct filter_options *out);

/*
 * Opens the output so that no signal leaves it half made. Fails with its name
 * in front.
 */
int pack_run_open(struct pack_run *run, struct err *err);

/*
 * Packs the source and completes the output, which is open.
 *
 * fails    with the output's name in front if that is at fault; then
 *	    is_output is set. Else the tool adds the input's name.
 */
int pack_run_flow(struct pack_run *run, bool *is_output, struct err *err);

/*
 * Warns of rules that matched nothing, ends the warnings and prints the
 * statistics. ERR_IO.
 */
int pack_run_report(struct pack_run *run, struct err *err);

/* Destroys the source, and removes an output that is not complete. */
void pack_run_cleanup(struct pack_run *run);

#endif
