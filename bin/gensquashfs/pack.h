/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GENSQUASHFS_PACK_H
#define GENSQUASHFS_PACK_H

#include <stdbool.h>

struct err;
struct message;
struct options;

/*
 * Packs what the options name into the image, and prints the statistics.
 *
 * input_closed  standard input was not open when the program began
 * fails	 with what went wrong, the file's name in front
 */
int pack_inputs(const struct options *options, struct message *message,
		bool input_closed, struct err *err);

#endif
