/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMON_STATS_H
#define COMMON_STATS_H

#include <stdio.h>

struct pack_stats;

/* Prints what was packed, in the labels that scripts know, then the savings. */
void stats_print(const struct pack_stats *stats, FILE *out);

#endif
