/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/plan.h"

#include <inttypes.h>
#include <stdbool.h>

#include "common/machine.h"
#include "flow/flow.h"
#include "util/err.h"

#define MIB ((uint64_t)1 << 20)

#define DEFAULT_LIMIT	      (64 * MIB)
#define DEFAULT_LIMIT_PER_JOB (16 * MIB)

#define BACKLOG_MIN	4 /* of the default; two are enough to get on */
#define BACKLOG_PER_JOB 16

uint64_t plan_default_limit(unsigned jobs)
{
	uint64_t limit = jobs * DEFAULT_LIMIT_PER_JOB;

	return limit > DEFAULT_LIMIT ? limit : DEFAULT_LIMIT;
}

static size_t default_backlog(unsigned jobs)
{
	size_t backlog = (size_t)jobs * BACKLOG_PER_JOB;

	return backlog > BACKLOG_MIN ? backlog : BACKLOG_MIN;
}

/* The least that keeps all threads busy while one block is collected. */
static size_t least_backlog(unsigned jobs)
{
	return jobs > 0 ? jobs + 1 : 2;
}

/* The most blocks in flight, at most want, that fit limit; 0 if none do. */
static size_t fit_backlog(uint32_t block_size, size_t want, unsigned jobs,
			  uint64_t limit)
{
	size_t low = 0, high = want;

	while (low < high) {
		size_t middle = low + (high - low + 1) / 2;

		if (flow_memory(block_size, middle, jobs) <= limit)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/* Lowers blocks, then threads; false if not even the least plan fits. */
static bool fit(uint32_t block_size, uint64_t limit, struct plan *plan)
{
	for (unsigned jobs = plan->jobs;; jobs--) {
		size_t least = least_backlog(jobs);
		size_t want = plan->backlog;
		size_t backlog;

		if (least > want)
			least = want;
		backlog = fit_backlog(block_size, want, jobs, limit);
		if (backlog >= least) {
			plan->jobs = jobs;
			plan->backlog = backlog;
			return true;
		}
		if (jobs == 0)
			return false;
	}
}

int plan_make(const struct plan_wish *wish, const struct machine *machine,
	      uint32_t block_size, struct plan *out, struct err *err)
{
	struct plan plan = { .jobs = machine->cpus };
	bool own_backlog = wish->backlog > 0;
	bool own_limit = wish->memory_limit >= 0;

	if (wish->jobs >= 0)
		plan.jobs = (unsigned)wish->jobs;
	plan.backlog = own_backlog ? (size_t)wish->backlog
				   : default_backlog(plan.jobs);
	if (plan.backlog < 2)
		plan.backlog = 2;

	uint64_t limit = own_limit ? (uint64_t)wish->memory_limit
				   : plan_default_limit(plan.jobs);

	if (!own_limit && machine->memory_max > 0 &&
	    limit > machine->memory_max / 2)
		limit = machine->memory_max / 2;
	if ((own_limit || !own_backlog) && !fit(block_size, limit, &plan)) {
		if (own_limit)
			return err_set(err, ERR_USAGE,
				       "--memory-limit: %" PRIu64
				       " bytes are too few: blocks of %" PRIu32
				       " bytes need %" PRIu64,
				       limit, block_size,
				       flow_memory(block_size, 2, 0));
		plan = (struct plan){ .jobs = 0, .backlog = 2 };
	}
	*out = plan;
	return 0;
}
