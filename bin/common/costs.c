/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "common/costs.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

#include "common/json.h"
#include "common/size_text.h"
#include "util/account.h"

#define SECOND UINT64_C(1000000000)

#ifdef WITH_WRAP
static const bool counts_allocations = true;
#else
static const bool counts_allocations = false;
#endif

/* What the stages are called. */
static const char *const stage_names[ACCOUNT_STAGE_COUNT] = {
	[ACCOUNT_READ] = "read",	   [ACCOUNT_WORK] = "work",
	[ACCOUNT_TAIL_ENDS] = "tail_ends", [ACCOUNT_FRAGMENT] = "fragment",
	[ACCOUNT_WRITE] = "write",	   [ACCOUNT_INPUT] = "input",
	[ACCOUNT_OUTPUT] = "output",	   [ACCOUNT_TABLES] = "tables",
};

/* All that is told. */
struct totals {
	struct account account;
	uint64_t wall_ns, user_ns, system_ns, main_ns;
	uint64_t peak_rss; /* bytes */
	uint64_t peak_virtual; /* likewise; 0: not known */
};

static uint64_t steady_ns(void)
{
	struct timespec now;

	if (clock_gettime(CLOCK_MONOTONIC, &now) < 0)
		return 0;
	return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

static uint64_t time_ns(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * SECOND +
	       (uint64_t)time->tv_usec * 1000;
}

/* Where the system tells it as Linux does. */
static uint64_t peak_virtual(void)
{
	FILE *status = fopen("/proc/self/status", "re");
	uint64_t kib = 0;
	char line[128];

	if (!status)
		return 0;
	while (fgets(line, sizeof(line), status))
		if (sscanf(line, "VmPeak: %" SCNu64 " kB", &kib) == 1)
			break;
	fclose(status);
	return kib * 1024;
}

static void sum_up(const struct costs *costs, struct totals *out)
{
	struct rusage usage = { 0 };

	memset(out, 0, sizeof(*out));
	account_get(&out->account);
	out->main_ns = account_thread_ns();
	out->wall_ns = steady_ns() - costs->begun;
	if (getrusage(RUSAGE_SELF, &usage) == 0) {
		out->user_ns = time_ns(&usage.ru_utime);
		out->system_ns = time_ns(&usage.ru_stime);
		out->peak_rss = (uint64_t)usage.ru_maxrss * 1024;
	}
	out->peak_virtual = peak_virtual();
}

void costs_begin(struct costs *costs)
{
	*costs = (struct costs){ .begun = steady_ns() };
	account_start();
}

static void json_known(struct json *json, const char *key, uint64_t value,
		       bool is_known)
{
	if (is_known)
		json_number(json, key, value);
	else
		json_null(json, key);
}

static void json_stage(struct json *json, const char *name, uint64_t count,
		       uint64_t cpu_ns)
{
	json_object(json, name);
	json_number(json, "count", count);
	json_number(json, "cpu_ns", cpu_ns);
	json_end(json);
}

void costs_json(const struct costs *costs, struct json *json)
{
	struct totals totals;
	const uint64_t *counters = totals.account.counters;

	sum_up(costs, &totals);
	json_object(json, "costs");
	json_number(json, "wall_ns", totals.wall_ns);
	json_number(json, "cpu_user_ns", totals.user_ns);
	json_number(json, "cpu_system_ns", totals.system_ns);
	json_number(json, "peak_rss", totals.peak_rss);
	json_known(json, "peak_virtual", totals.peak_virtual,
		   totals.peak_virtual > 0);
	json_number(json, "copied_bytes", counters[ACCOUNT_COPIED]);
	json_known(json, "allocations", counters[ACCOUNT_ALLOCATIONS],
		   counts_allocations);
	json_known(json, "allocated_bytes", counters[ACCOUNT_ALLOCATED],
		   counts_allocations);
	json_number(json, "entries", counters[ACCOUNT_ENTRIES]);
	json_number(json, "threads", costs->threads);
	json_known(json, "backlog", costs->backlog, costs->backlog > 0);
	json_object(json, "stages");
	for (unsigned i = 0; i < ACCOUNT_STAGE_COUNT; i++)
		json_stage(json, stage_names[i],
			   totals.account.stages[i].count,
			   totals.account.stages[i].cpu_ns);
	json_stage(json, "main", 1, totals.main_ns);
	json_end(json);
	json_end(json);
}

static void print_time(FILE *out, const char *label, uint64_t ns)
{
	fprintf(out, "%s: %" PRIu64 ".%03" PRIu64 " s\n", label, ns / SECOND,
		ns % SECOND / 1000000);
}

static void print_size(FILE *out, const char *label, uint64_t bytes)
{
	char text[SIZE_TEXT_LEN];

	fprintf(out, "%s: %s\n", label, size_text(bytes, text));
}

void costs_text(const struct costs *costs, FILE *out)
{
	struct totals totals;
	const uint64_t *counters = totals.account.counters;

	sum_up(costs, &totals);
	print_time(out, "Time", totals.wall_ns);
	print_time(out, "Processor time", totals.user_ns + totals.system_ns);
	print_time(out, "Out of which was the main thread", totals.main_ns);
	print_size(out, "Memory at most", totals.peak_rss);
	print_size(out, "Bytes copied", counters[ACCOUNT_COPIED]);
	if (!counts_allocations)
		return;
	fprintf(out, "Allocations: %" PRIu64 "\n",
		counters[ACCOUNT_ALLOCATIONS]);
	print_size(out, "Bytes allocated", counters[ACCOUNT_ALLOCATED]);
}
