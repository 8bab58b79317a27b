/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

/*
 * Checks for unit tests: each says what it saw and goes on; check_report ends
 * main and gives the exit status.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static unsigned long check_count, check_failed;

static inline void check_note(int ok, const char *file, int line,
			      const char *what)
{
	check_count++;
	if (ok)
		return;
	check_failed++;
	if (check_failed > 20)
		return; /* the first ones tell enough */
	fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
}

#define check(expr) check_note(!!(expr), __FILE__, __LINE__, #expr)

#define check_u64(have, want)                                                 \
	do {                                                                  \
		uint64_t have_ = (have), want_ = (want);                      \
		check_note(have_ == want_, __FILE__, __LINE__, #have);        \
		if (have_ != want_)                                           \
			fprintf(stderr, "  have %" PRIu64 ", want %" PRIu64   \
				"\n", have_, want_);                          \
	} while (0)

#define check_str(have, want)                                                 \
	do {                                                                  \
		const char *have_ = (have), *want_ = (want);                  \
		int same_ = strcmp(have_, want_) == 0;                        \
		check_note(same_, __FILE__, __LINE__, #have);                 \
		if (!same_)                                                   \
			fprintf(stderr, "  have \"%s\"\n  want \"%s\"\n",     \
				have_, want_);                                \
	} while (0)

#define check_mem(have, want, len)                                            \
	check_note(memcmp((have), (want), (len)) == 0, __FILE__, __LINE__,    \
		   #have)

static inline int check_report(void)
{
	printf("%lu checks, %lu failed\n", check_count, check_failed);
	return check_failed || !check_count;
}

#endif
