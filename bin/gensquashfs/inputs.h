/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GENSQUASHFS_INPUTS_H
#define GENSQUASHFS_INPUTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct err;
struct inputs;
struct message;
struct options;
struct source;

/*
 * What the command line names to be packed, as one source.
 *
 * options       borrowed until inputs_destroy, as is message
 * input_closed  standard input was not open when the program began
 * out           to be destroyed after the source
 * source        the caller's
 * fails         with what is wrong, the name of the input in front
 */
int inputs_create(const struct options *options, struct message *message,
		  bool input_closed, struct inputs **out,
		  struct source **source, struct err *err);

/*
 * Leaves out a file wherever it is met: the image. Two at most.
 *
 * tell     with a warning
 */
void inputs_skip(struct inputs *inputs, dev_t dev, ino_t ino, bool tell);

/*
 * Tells that something was left out because it could not be read, where
 * --ignore-read-errors is given. 0 to go on, else -1.
 */
int inputs_fault(struct inputs *inputs, const struct err *err);

/* Tells how much was left out or changed. */
void inputs_report(struct inputs *inputs);

/* inputs may be NULL. */
void inputs_destroy(struct inputs *inputs);

#endif
