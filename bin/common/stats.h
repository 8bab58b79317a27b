/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMON_STATS_H
#define COMMON_STATS_H

#include <stdio.h>

struct costs;
struct err;
struct pack_stats;

/* How statistics are printed: the choices of --stats, in their order. */
enum stats_format { STATS_NONE, STATS_TEXT, STATS_JSON };

extern const char *const stats_formats[];

/* The row of the option; at is that of an int, an enum stats_format. */
#define STATS_ROW(at_stats, what)                                              \
	{ .name = "stats", .kind = OPT_CHOICE, .arg = "FORMAT",                \
	  .at = (at_stats), .choices = stats_formats, .help = what }
#define STATS_COSTS_ROW(at_stats)                                              \
	STATS_ROW(at_stats,                                                    \
		  "print what the run cost to standard error, as\n"            \
		  "text or json; also with -q")

/* Prints what was packed, in the labels that scripts know, then the savings. */
void stats_print(const struct pack_stats *stats, FILE *out);

/* The same, and what it cost, as one JSON object. */
void stats_json(const struct pack_stats *stats, const struct costs *costs,
		FILE *out);

/*
 * What a tool that only reads cost, on standard error: its output may be data.
 * STATS_NONE prints nothing. ERR_IO if it could not be written.
 */
int stats_costs(enum stats_format format, const struct costs *costs,
		struct err *err);

#endif
