/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RDSQUASHFS_VERBOSE_H
#define RDSQUASHFS_VERBOSE_H

struct err;
struct source;

/*
 * A source that prints the path of each entry on its way.
 *
 * inner    has a progress; the new source's from then on, also on failure
 * fails    ERR_NOMEM
 */
int verbose_create(struct source *inner, struct source **out,
		   struct err *err);

#endif
