/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TAR2SQFS_INPUT_H
#define TAR2SQFS_INPUT_H

#include <stdbool.h>

struct err;

/* What the archive is called in messages: its path or "standard input". */
const char *input_name(const char *path);

/*
 * Opens the archive, or takes standard input where path is NULL. A pipe is
 * made as wide as the system lets us.
 *
 * closed   standard input was not open when the program began
 * out      the descriptor, to be closed unless it is that of standard input
 * fails    ERR_IO; ERR_USAGE: standard input is a terminal
 */
int input_open(const char *path, bool closed, int *out, struct err *err);

/*
 * Refuses an output that is the input: in place of a device it would eat what
 * is yet to be read. ERR_USAGE.
 */
int input_check_output(int fd, const char *output, struct err *err);

#endif
