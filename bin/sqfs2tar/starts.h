/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SQFS2TAR_STARTS_H
#define SQFS2TAR_STARTS_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct image;
struct image_start;
struct options;

/* True if what -d names keeps its path. */
bool starts_are_kept(const struct options *options);

/*
 * Finds what -d names in the image.
 *
 * out      count of them, to be freed, its texts borrowed from the options;
 *	    NULL and 0 if there is no -d
 * fails    ERR_IO: there is no such name; what image_lookup fails with
 */
int starts_find(const struct options *options, struct image *image,
		struct image_start **out, size_t *count, struct err *err);

#endif
