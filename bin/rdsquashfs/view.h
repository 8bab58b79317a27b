/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RDSQUASHFS_VIEW_H
#define RDSQUASHFS_VIEW_H

#include <stdbool.h>

#include "common/plan.h"

struct err;
struct image;
struct message;
struct options;

/* What an operation works with; all of it is borrowed. */
struct view {
	const struct options *options;
	struct message *message;
	struct image *image;
	struct plan plan;
	struct json *json; /* where paths_walk has it printed to, or NULL */
};

/* What operations return besides 0 and -1, and the exit status for it. */
#define VIEW_FAULTS	1 /* something failed and was told; the rest is done */
#define VIEW_INCOMPLETE 3 /* something could not be restored */

/*
 * Opens the image and does what is asked for.
 *
 * input_closed  standard input was not open when the program began
 * returns       0, VIEW_FAULTS, VIEW_INCOMPLETE, -1
 * fails         the image's name is in front of the text
 */
int view_image(const struct options *options, struct message *message,
	       bool input_closed, struct err *err);

/* ERR_WRITE if something printed to standard output could not be written. */
int view_output(struct err *err);

/* Prints a failure that does not end the run, as message_fail does. */
void view_tell(const struct view *view, const struct err *err);

/*
 * The operations. What they fail with lacks the image's name.
 * returns  0, VIEW_FAULTS, VIEW_INCOMPLETE, -1
 */
int view_list(struct view *view, struct err *err);
int view_cat(struct view *view, struct err *err);
int view_xattrs(struct view *view, struct err *err);
int view_stat(struct view *view, struct err *err);
int view_describe(struct view *view, struct err *err);
int view_unpack(struct view *view, struct err *err);
int view_manifest(struct view *view, struct err *err);
int view_du(struct view *view, struct err *err);
int view_check(struct view *view, struct err *err);

#endif
