/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SQFS2TAR_WRITE_H
#define SQFS2TAR_WRITE_H

#include <stdbool.h>

struct err;
struct message;
struct options;

/*
 * Writes the archive to standard output. After a failure it has no end mark, so
 * that nobody takes it for a whole one.
 *
 * input_closed  standard input was not open when the program began
 * fails	 with what went wrong, the file's name in front
 */
int write_archive(const struct options *options, struct message *message,
		  bool input_closed, struct err *err);

#endif
