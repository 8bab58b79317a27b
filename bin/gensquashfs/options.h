/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GENSQUASHFS_OPTIONS_H
#define GENSQUASHFS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/image.h"
#include "common/opt.h"

struct err;

/* What the command line says; unchanging once it is parsed. */
struct options {
	struct image_options image; /* first: see common/image.h */
	const char *output;
	const char **dirs; /* dir_count of -D; 1 or more unless pack_file */
	size_t dir_count, dir_cap;
	const char *pack_file;	/* -F, or NULL; "-" is standard input */
	const char *files_from; /* likewise; not both */
	bool is_null;		/* its paths end at NUL bytes */

	bool one_file_system, no_hard_links, ignore_read_errors;
	bool keep_time, keep_xattrs;
	bool no_skip;

	bool force, quiet;
	int stats; /* an enum stats_format */
	bool help, version; /* nothing else holds if one of these is set */
};

/* The table; doc/gensquashfs.1 lists the same. */
extern const struct opt option_rows[];

/*
 * Parses the command line and the environment.
 *
 * out      to be given to options_cleanup in any case
 * fails    ERR_USAGE, ERR_NOMEM
 */
int options_parse(int argc, char **argv, struct options *out, struct err *err);

void options_cleanup(struct options *options);

#endif
