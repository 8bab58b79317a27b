/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check/check.h"
#include "common/json.h"
#include "common/message.h"
#include "common/quote.h"
#include "rdsquashfs/options.h"
#include "rdsquashfs/view.h"
#include "util/err.h"

/* --check: a line for each fault, and one that says what was looked at. */

struct report {
	const struct view *view;
	struct json *json; /* or NULL */
};

static void print_fault(void *arg, enum fault_kind kind, uint64_t at,
			const char *text)
{
	struct report *report = arg;
	const char *input = report->view->message->input;

	if (report->json) {
		json_object(report->json, NULL);
		json_text(report->json, "kind", fault_kind_name(kind));
		if (at == UINT64_MAX)
			json_null(report->json, "at");
		else
			json_number(report->json, "at", at);
		json_bytes(report->json, "text", text, strlen(text));
		json_end(report->json);
		return;
	}
	quote_listed(stdout, input, strlen(input));
	printf(": %s", fault_kind_name(kind));
	if (at != UINT64_MAX)
		printf(" at %" PRIu64, at);
	printf(": %s\n", text);
}

static void print_summary(const struct report *report,
			  const struct check_stats *stats)
{
	const char *input = report->view->message->input;
	struct json *json = report->json;

	if (json) {
		json_end(json);
		json_number(json, "fault_count", stats->faults);
		json_number(json, "inodes", stats->inodes);
		json_number(json, "directories", stats->directories);
		json_number(json, "entries", stats->entries);
		json_number(json, "blocks", stats->blocks);
		json_number(json, "fragments", stats->fragments);
		json_number(json, "stored", stats->stored);
		json_number(json, "unpacked", stats->unpacked);
		json_end(json);
		return;
	}
	quote_listed(stdout, input, strlen(input));
	printf(": %" PRIu64 " inodes, %" PRIu64 " directories, %" PRIu64
	       " names, %" PRIu64 " blocks and %" PRIu64
	       " fragment blocks of %" PRIu64 " bytes: %" PRIu64
	       " faults\n",
	       stats->inodes, stats->directories, stats->entries,
	       stats->blocks, stats->fragments, stats->stored, stats->faults);
}

int view_check(struct view *view, struct err *err)
{
	struct report report = { .view = view };
	const struct check_options options = {
		.jobs = view->plan.jobs,
		.fault = print_fault,
		.arg = &report,
	};
	struct check_stats stats;
	struct json json;

	if (view->options->json) {
		json_init(&json, stdout);
		report.json = &json;
		json_object(&json, NULL);
		json_array(&json, "faults");
	}
	if (check_image(view->image, &options, &stats, err) < 0)
		return -1;
	print_summary(&report, &stats);
	return stats.faults > 0 ? VIEW_FAULTS : 0;
}
