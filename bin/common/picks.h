/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMON_PICKS_H
#define COMMON_PICKS_H

#include <stdbool.h>

#include "entry/select.h"

struct err;
struct message;
struct rules;

/* What --exclude and --include take of an image. All zero takes all. */
struct picks {
	struct selection selection;
	bool is_failed; /* memory ran out in picks_exclude */
};

/* rules are not needed afterwards. ERR_USAGE, ERR_NOMEM. */
int picks_init(struct picks *picks, const struct rules *rules,
	       struct err *err);

/* True if anything can be left out. */
bool picks_are_any(const struct picks *picks);

/* For image_source_options, with the struct picks as arg. */
bool picks_exclude(void *arg, const char *path, bool is_dir);

/*
 * To be called when all paths have come by: warns of exclusions that matched
 * nothing.
 *
 * fails    ERR_NOMEM: it failed before; ERR_USAGE: an inclusion matched nothing
 */
int picks_end(const struct picks *picks, struct message *message,
	      struct err *err);

void picks_cleanup(struct picks *picks);

#endif
