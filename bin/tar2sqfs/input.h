/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TAR2SQFS_INPUT_H
#define TAR2SQFS_INPUT_H

#include <stdbool.h>
#include <stdint.h>

struct err;

/* What the archive is called in messages: its path or "standard input". */
const char *input_name(const char *path);

/*
 * Looks whether an archive can be opened, and that it is not the output, which
 * in place of a device would eat what is yet to be read.
 *
 * size     bytes of it; 0 if that is not known
 * fails    ERR_IO; ERR_USAGE: standard input is a terminal, or it is the output
 */
int input_check(const char *path, bool closed, const char *output,
		uint64_t *size, struct err *err);

/*
 * Opens the archive, or takes standard input where path is NULL. A pipe is
 * made as wide as the system lets us.
 *
 * closed   standard input was not open when the program began
 * out      the descriptor, to be closed unless it is that of standard input
 * fails    ERR_IO; ERR_USAGE: standard input is a terminal. The text does not
 *	    name the archive.
 */
int input_open(const char *path, bool closed, int *out, struct err *err);

#endif
