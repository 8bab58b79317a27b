/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "sqfsdiff/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "diff/diff.h"

const char *report_time(int64_t seconds, char out[REPORT_TIME_LEN])
{
	time_t t = (time_t)seconds;
	struct tm tm;

	if (t != seconds || !gmtime_r(&t, &tm) ||
	    strftime(out, REPORT_TIME_LEN, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
		snprintf(out, REPORT_TIME_LEN, "%" PRId64, seconds);
	return out;
}

static bool same_value(const struct xattr *a, const struct xattr *b)
{
	return a->len == b->len && memcmp(a->value, b->value, a->len) == 0;
}

void report_xattrs(const struct diff_change *change,
		   void (*each)(void *arg, const struct xattr *old,
				const struct xattr *new),
		   void *arg)
{
	const struct diff_node *old = change->old, *new = change->new;
	size_t i = 0, k = 0;

	while (i < old->xattr_count || k < new->xattr_count) {
		const struct xattr *a =
			i < old->xattr_count ? &old->xattrs[i] : NULL;
		const struct xattr *b =
			k < new->xattr_count ? &new->xattrs[k] : NULL;
		int order = !a ? 1 : !b ? -1 : strcmp(a->name, b->name);

		if (order <= 0)
			i++;
		if (order >= 0)
			k++;
		if (order != 0 || !same_value(a, b))
			each(arg, order <= 0 ? a : NULL,
			     order >= 0 ? b : NULL);
	}
}

void report_begin(struct report *report, bool is_json, bool is_quiet)
{
	*report = (struct report){ .is_json = is_json, .is_quiet = is_quiet };
	if (is_quiet || !is_json)
		return;
	json_init(&report->json, stdout);
	json_object(&report->json, NULL);
	json_array(&report->json, "changes");
}

void report_change(struct report *report, const struct diff_change *change)
{
	if (report->is_quiet)
		return;
	if (report->is_json)
		report_json(&report->json, change);
	else
		report_text(change);
}

void report_changes_end(struct report *report)
{
	if (report->is_json && !report->is_quiet)
		json_end(&report->json);
}

static void end_json(struct report *report, const struct diff_counts *counts,
		     bool whole)
{
	struct json *json = &report->json;

	if (whole) {
		json_object(json, "summary");
		json_number(json, "compared", counts->paths);
		json_number(json, "removed", counts->removed);
		json_number(json, "added", counts->added);
		json_number(json, "changed", counts->changed);
		json_number(json, "super", report->super_count);
		json_end(json);
	}
	json_bool(json, "complete", whole);
	json_end(json);
}

static void end_text(const struct report *report,
		     const struct diff_counts *counts)
{
	uint64_t all = counts->removed + counts->added + counts->changed;

	if (all + report->super_count == 0) {
		printf("no differences in %" PRIu64 " paths\n", counts->paths);
		return;
	}
	printf("%" PRIu64 " of %" PRIu64 " paths differ: %" PRIu64
	       " only in old, %" PRIu64 " only in new, %" PRIu64 " changed",
	       all, counts->paths, counts->removed, counts->added,
	       counts->changed);
	if (report->super_count > 0)
		printf("; the super blocks differ");
	putchar('\n');
}

void report_end(struct report *report, const struct diff_counts *counts,
		bool whole)
{
	if (report->is_quiet)
		return;
	if (report->is_json)
		end_json(report, counts, whole);
	else if (whole)
		end_text(report, counts);
}
