/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SQFSDIFF_COMPARE_H
#define SQFSDIFF_COMPARE_H

#include <stdbool.h>

struct err;
struct message;
struct options;

/*
 * Compares what the options name and prints what differs.
 *
 * input_closed  standard input was not open when the program began
 * returns	 0 no difference, 1 differences, -1 with what went wrong, the
 *		 file's name in front
 */
int compare(const struct options *options, struct message *message,
	    bool input_closed, struct err *err);

#endif
