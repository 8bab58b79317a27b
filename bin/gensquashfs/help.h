/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GENSQUASHFS_HELP_H
#define GENSQUASHFS_HELP_H

#include <stdbool.h>

struct options;

/* Prints to standard output what is asked for; false if nothing is. */
bool help_print(const struct options *options);

#endif
