/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "util/account.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "util/arena.h"
#include "util/array.h"

/* The linker may only count what the compiler has left in. */
static void *volatile kept;

/* Copies, allocations and stages of one of each kind. */
static void spend(void)
{
	uint64_t begun = account_begin();
	struct buffer buffer = { 0 };
	struct arena arena = { 0 };
	char text[32] = "abcdefgh";

	move_bytes(text + 1, text, 8);
	copy_bytes(text + 16, text, 9);
	check_str(text + 16, "aabcdefgh");
	check(buffer_append(&buffer, text, 9, NULL) == 0);
	check(arena_text(&arena, text, 4, NULL) != NULL);
	buffer_cleanup(&buffer);
	arena_cleanup(&arena);

	kept = calloc(3, 5);
	kept = realloc(kept, 100);
	free(kept);
	kept = strdup(text);
	free(kept);
	kept = strndup(text, 3);
	free(kept);

	begun = account_end(ACCOUNT_READ, begun);
	account_end(ACCOUNT_WORK, begun);
	account_end(ACCOUNT_WORK, begun);
	account_count(ACCOUNT_ENTRIES, 5);
}

static void check_off(void)
{
	struct account account;

	spend();
	account_get(&account);
	for (unsigned i = 0; i < ACCOUNT_COUNTER_COUNT; i++)
		check_u64(account.counters[i], 0);
	for (unsigned i = 0; i < ACCOUNT_STAGE_COUNT; i++) {
		check_u64(account.stages[i].count, 0);
		check_u64(account.stages[i].cpu_ns, 0);
	}
}

static void check_on(void)
{
	struct account account;

	spend();
	account_get(&account);
	check_u64(account.counters[ACCOUNT_COPIED], 8 + 9 + 9 + 4);
	check_u64(account.counters[ACCOUNT_ENTRIES], 5);
	check_u64(account.stages[ACCOUNT_READ].count, 1);
	check_u64(account.stages[ACCOUNT_WORK].count, 2);
	check_u64(account.stages[ACCOUNT_WRITE].count, 0);
#ifdef WITH_WRAP
	/* A buffer, a chunk of the arena, and four of their own. */
	check_u64(account.counters[ACCOUNT_ALLOCATIONS], 6);
	check(account.counters[ACCOUNT_ALLOCATED] >
	      9 + 4 + 15 + 100 + 10 + 4);
#else
	check_u64(account.counters[ACCOUNT_ALLOCATIONS], 0);
#endif
}

/* What a thread worked is told in its own time, whatever others do. */
static void check_time(void)
{
	struct account before, after;
	unsigned sum = 1;
	uint64_t begun = account_begin();

	for (unsigned i = 0; i < 3000000; i++)
		sum = sum * 31 + i;
	check(sum != 0);
	account_get(&before);

	uint64_t end = account_end(ACCOUNT_WRITE, begun);

	account_get(&after);
	check(end > begun);
	check_u64(after.stages[ACCOUNT_WRITE].cpu_ns -
			  before.stages[ACCOUNT_WRITE].cpu_ns,
		  end - begun);
}

int main(void)
{
	check_off();
	account_start();
	check_on();
	check_time();
	return check_report();
}
