/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMON_MESSAGE_H
#define COMMON_MESSAGE_H

#include <stdbool.h>

#include "util/err.h"
#include "util/warn.h"

/* What a tool says on standard error, one line each. */
struct message {
	const char *program;
	const char *input; /* in front of warnings; NULL: nothing */
	bool line_open; /* a progress line stands on the terminal */
	struct warner warner; /* counts; prints the first of each kind */
};

/* program is borrowed. */
void message_init(struct message *m, const char *program);

/* Takes away a progress line that stands there. */
void message_clear_line(struct message *m);

/*
 * Prints why the run failed.
 *
 * returns  the exit status: 2 for ERR_USAGE, else 1
 */
int message_fail(struct message *m, const struct err *err);

/* Prints a warning that is none of the input's. */
void message_warn(struct message *m, const char *fmt, ...) ERR_PRINTF(2, 3);

/* Tells how many more there were of each kind of warning. */
void message_warnings_end(struct message *m);

#endif
