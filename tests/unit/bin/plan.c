/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/plan.h"

#include "check.h"
#include "common/machine.h"
#include "flow/flow.h"
#include "util/err.h"

/* Threads and buffers: what is wished, what fits, what is refused. */

#define MIB UINT64_C(1048576)

static const struct plan_wish nothing = { -1, -1, -1 };

static struct plan make(struct plan_wish wish, unsigned cpus,
			uint64_t memory_max, uint32_t block_size)
{
	const struct machine machine = { cpus, memory_max };
	struct plan plan = { 0 };
	struct err err;

	check(plan_make(&wish, &machine, block_size, &plan, &err) == 0);
	check(plan.backlog >= 2);
	return plan;
}

static void check_defaults(void)
{
	struct plan plan = make(nothing, 2, 0, 131072);

	check(plan.jobs == 2 && plan.backlog == 32);
	check(flow_memory(131072, plan.backlog, plan.jobs) < 64 * MIB);

	/* The default limit lowers no threads, and blocks at 1 MiB only. */
	for (unsigned jobs = 1; jobs <= PLAN_JOBS_MAX; jobs *= 2) {
		plan = make(nothing, jobs, 0, 1048576);
		check(plan.jobs == jobs && plan.backlog > 10 * jobs);
		check(flow_memory(1048576, plan.backlog, jobs) <=
		      plan_default_limit(jobs));
	}
}

static void check_wishes(void)
{
	struct plan plan = make((struct plan_wish){ 0, -1, -1 }, 8, 0, 131072);

	check(plan.jobs == 0 && plan.backlog >= 2);
	plan = make((struct plan_wish){ 3, 0, -1 }, 8, 0, 131072);
	check(plan.jobs == 3 && plan.backlog == 48);
	plan = make((struct plan_wish){ 3, 1, -1 }, 8, 0, 131072);
	check(plan.jobs == 3 && plan.backlog == 2);

	/* An explicit backlog is more than a default limit. */
	plan = make((struct plan_wish){ 2, 5000, -1 }, 8, 0, 1048576);
	check(plan.jobs == 2 && plan.backlog == 5000);

	/* An explicit limit is more than an explicit backlog. */
	plan = make((struct plan_wish){ 2, 5000, 64 * MIB }, 8, 0, 1048576);
	check(plan.jobs == 2 && plan.backlog < 64);
	check(flow_memory(1048576, plan.backlog, 2) <= 64 * MIB);
	check(flow_memory(1048576, plan.backlog + 1, 2) > 64 * MIB);
}

/* At any limit the plan fits it, and more memory never means fewer threads. */
static void check_limits(void)
{
	const struct machine machine = { 16, 0 };
	uint64_t least = flow_memory(131072, 2, 0);
	struct plan plan, before = { 0 };
	struct err err = { .code = ERR_NONE };
	struct plan_wish wish = nothing;

	for (uint64_t limit = least; limit < 64 * MIB; limit += 100000) {
		wish.memory_limit = (int64_t)limit;
		check(plan_make(&wish, &machine, 131072, &plan, &err) == 0);
		check(flow_memory(131072, plan.backlog, plan.jobs) <= limit);
		check(plan.jobs == 0 || plan.backlog > plan.jobs);
		check(plan.jobs >= before.jobs);
		before = plan;
	}
	check(plan.jobs == 16 && plan.backlog == 256);

	wish.memory_limit = (int64_t)least - 1;
	check(plan_make(&wish, &machine, 131072, &plan, &err) == -1);
	check_u64(err.code, ERR_USAGE);

	char want[32];

	snprintf(want, sizeof(want), "%" PRIu64, least);
	check(strstr(err.text, want) && strstr(err.text, "--memory-limit"));
}

static void check_control_group(void)
{
	struct plan plan = make(nothing, 16, 4 * MIB, 131072);

	check(plan.jobs > 0 && plan.jobs < 16);
	check(flow_memory(131072, plan.backlog, plan.jobs) <= 2 * MIB);

	/* Too little is no reason to fail where no limit was asked for. */
	plan = make(nothing, 16, 4096, 131072);
	check(plan.jobs == 0 && plan.backlog == 2);
}

int main(void)
{
	check_defaults();
	check_wishes();
	check_limits();
	check_control_group();
	return check_report();
}
