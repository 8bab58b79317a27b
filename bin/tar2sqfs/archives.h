/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TAR2SQFS_ARCHIVES_H
#define TAR2SQFS_ARCHIVES_H

#include <stdbool.h>

struct archives;
struct err;
struct input_options;
struct message;
struct options;
struct source;

/*
 * The archives of the command line as one source, each opened in its turn. All
 * are looked at first, so that one that is missing is told at once.
 *
 * options       borrowed until archives_destroy, as is message, whose warnings
 *	         name the archive that they come from
 * input         threads and memory for decompressing; copied
 * input_closed  standard input was not open when the program began
 * out           to be destroyed after the source
 * source        the caller's
 * fails         with what is wrong, the archive's name in front
 */
int archives_create(const struct options *options, struct message *message,
		    const struct input_options *input, bool input_closed,
		    struct archives **out, struct source **source,
		    struct err *err);

/* archives may be NULL. */
void archives_destroy(struct archives *archives);

#endif
