/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TAR2SQFS_OPTIONS_H
#define TAR2SQFS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/image.h"
#include "common/opt.h"

struct err;

/* What the command line says; unchanging once it is parsed. */
struct options {
	struct image_options image; /* first: see common/image.h */
	const char *output;
	const char **archives; /* archive_count, 1 or more; NULL: standard
				* input, once at most */
	size_t archive_count, archive_cap;

	const char *root_becomes; /* not cleaned; or NULL */
	bool no_symlink_retarget;
	bool no_skip, no_xattr, no_keep_time;
	bool ignore_zeros, ignore_missing_eof;

	bool force, quiet;
	int stats; /* an enum stats_format */
	bool help, version; /* nothing else holds if one of these is set */
};

/* The table; doc/tar2sqfs.1 lists the same, see tests/unit/bin/options.c. */
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
