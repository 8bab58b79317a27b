/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "util/account.h"

#include <stdatomic.h>
#include <time.h>

/*
 * The counters are added to by all threads in no order, and read when they are
 * done.
 */
struct stage {
	_Atomic uint64_t count;
	_Atomic uint64_t cpu_ns;
};

bool account_is_on;
static _Atomic uint64_t counters[ACCOUNT_COUNTER_COUNT];
static struct stage stages[ACCOUNT_STAGE_COUNT];

void account_start(void)
{
	account_is_on = true;
}

void account_add(enum account_counter counter, uint64_t n)
{
	atomic_fetch_add_explicit(&counters[counter], n, memory_order_relaxed);
}

uint64_t account_thread_ns(void)
{
	struct timespec now;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) < 0)
		return 0;
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t account_add_stage(enum account_stage stage, uint64_t begun)
{
	uint64_t now = account_thread_ns();

	atomic_fetch_add_explicit(&stages[stage].count, 1,
				  memory_order_relaxed);
	atomic_fetch_add_explicit(&stages[stage].cpu_ns, now - begun,
				  memory_order_relaxed);
	return now;
}

static uint64_t load(const _Atomic uint64_t *counter)
{
	return atomic_load_explicit(counter, memory_order_relaxed);
}

void account_get(struct account *out)
{
	for (unsigned i = 0; i < ACCOUNT_COUNTER_COUNT; i++)
		out->counters[i] = load(&counters[i]);
	for (unsigned i = 0; i < ACCOUNT_STAGE_COUNT; i++) {
		out->stages[i].count = load(&stages[i].count);
		out->stages[i].cpu_ns = load(&stages[i].cpu_ns);
	}
}
