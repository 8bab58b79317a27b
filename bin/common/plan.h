/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMON_PLAN_H
#define COMMON_PLAN_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct machine;

/* What the user asks for; -1 where nothing is said. */
struct plan_wish {
	int64_t jobs;	      /* 0: no threads */
	int64_t backlog;      /* 0: the default */
	int64_t memory_limit; /* bytes */
};

/* What is done: worker threads and blocks in flight. */
struct plan {
	unsigned jobs;
	size_t backlog; /* 2 or more */
};

#define PLAN_JOBS_MAX	 1024
#define PLAN_BACKLOG_MAX 1000000

/* For option tables: -j of a tool whose workers do not change what. */
#define PLAN_JOBS_ROW(at_jobs, what)                                           \
	{ .name = "num-jobs", .letter = 'j', .kind = OPT_NUMBER,               \
	  .arg = "COUNT", .at = (at_jobs), .max = PLAN_JOBS_MAX,               \
	  .help = "worker threads; 0: none; default: processors\n"             \
		  "that may be used. Does not change " what }

/* Bytes for buffers when the user sets no limit; jobs 0 counts as 1. */
uint64_t plan_default_limit(unsigned jobs);

/*
 * Finds the threads and buffers to use. The blocks in flight default to 16
 * per thread; they, and then the threads, are lowered until the buffers fit the
 * limit. Without a limit of the user's a number of blocks of the user's is
 * taken as it is, and what does not fit half of the control group's memory is
 * lowered as far as it goes.
 *
 * fails    ERR_USAGE: the user's limit is below what the least plan takes
 */
int plan_make(const struct plan_wish *wish, const struct machine *machine,
	      uint32_t block_size, struct plan *out, struct err *err);

#endif
