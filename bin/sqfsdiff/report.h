/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SQFSDIFF_REPORT_H
#define SQFSDIFF_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/json.h"

struct diff_change;
struct diff_counts;
struct image;

/* What is printed to standard output: text, JSON or nothing. */
struct report {
	bool is_quiet, is_json;
	struct json json;
	uint64_t super_count; /* fields of the super blocks that differ */
};

/* With nothing to be printed all others do nothing. */
void report_begin(struct report *report, bool is_json, bool is_quiet);

void report_change(struct report *report, const struct diff_change *change);

/* After the last change. */
void report_changes_end(struct report *report);

/* Compares super blocks, and tells of each field that differs. */
void report_super(struct report *report, const struct image *old,
		  const struct image *new);

/*
 * counts   of the paths
 * whole    all was compared; else nothing is summed up
 */
void report_end(struct report *report, const struct diff_counts *counts,
		bool whole);

/* report_text.c and report_json.c: how a change looks. */
void report_text(const struct diff_change *change);
void report_json(struct json *json, const struct diff_change *change);

/*
 * Walks the attributes of both: for each name that one has alone, or that has
 * another value, calls each, with NULL for the one that is not there.
 */
struct xattr;
void report_xattrs(const struct diff_change *change,
		   void (*each)(void *arg, const struct xattr *old,
				const struct xattr *new),
		   void *arg);

#define REPORT_TIME_LEN 32

/* A time in UTC; returns out. */
const char *report_time(int64_t seconds, char out[REPORT_TIME_LEN]);

#endif
