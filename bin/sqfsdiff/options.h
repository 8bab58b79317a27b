/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SQFSDIFF_OPTIONS_H
#define SQFSDIFF_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/open.h"
#include "common/opt.h"
#include "common/rules.h"

struct err;

/* What the command line says; unchanging once it is parsed. */
struct options {
	struct rules rules; /* first: see common/rules.h */
	const char *old, *new; /* "-" is standard input; not both */
	const char *words[2];  /* without an option; word_count of them */
	unsigned word_count;
	struct image_place place; /* of images */

	bool no_contents, no_owner, no_permissions, no_xattrs, no_hard_links;
	bool timestamps, inode_num, super;

	const char *extract; /* a directory, or NULL */
	bool json, quiet;
	int64_t jobs; /* -1: not given */
	int stats;    /* an enum stats_format */
	bool help, version; /* nothing else holds if one of these is set */
};

/* The table; doc/sqfsdiff.1 lists the same, see
 * tests/unit/bin/sqfsdiff_options.c. */
extern const struct opt option_rows[];

/*
 * Parses the command line.
 *
 * out      to be given to options_cleanup in any case
 * fails    ERR_USAGE, ERR_NOMEM, ERR_IO
 */
int options_parse(int argc, char **argv, struct options *out, struct err *err);

void options_cleanup(struct options *options);

#endif
