/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMON_COSTS_H
#define COMMON_COSTS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json;

/* What a run costs, from begin to print: see util/account.h. */
struct costs {
	uint64_t begun;	 /* nanoseconds of a steady clock */
	unsigned threads; /* worker threads that were asked for */
	size_t backlog;	  /* blocks in flight; 0: that is not told */
};

/*
 * Begins to count. threads and backlog are the caller's to set, before
 * anything is printed. Thread: main, before any other is started.
 */
void costs_begin(struct costs *costs);

/* As the object "costs" of an open object. Thread: main. */
void costs_json(const struct costs *costs, struct json *json);

/* As lines of text. Thread: main. */
void costs_text(const struct costs *costs, FILE *out);

#endif
