/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SQFS2TAR_OPTIONS_H
#define SQFS2TAR_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/open.h"
#include "common/opt.h"
#include "common/rules.h"
#include "io/writer.h"
#include "tar/sink.h"

struct err;

#define SPARSE_DEFAULT (1 << 20)
#define SPARSE_MAX     (INT64_C(1) << 40)

/* What the command line says; unchanging once it is parsed. */
struct options {
	struct rules rules; /* first: see common/rules.h */
	const char *image;  /* "-" is standard input */
	struct image_place place;

	char **subdirs; /* subdir_count cleaned paths, owned */
	size_t subdir_count, subdir_cap;
	bool keep_as_dir;
	bool dot; /* names begin with "./" */
	bool no_root, no_xattr, no_hard_links, no_skip;

	enum tar_format format;
	enum writer_codec codec;
	int32_t level;
	int64_t sparse; /* unit of holes, bytes; 0: none */

	int64_t jobs; /* -1: not given */
	bool quiet;
	int stats; /* an enum stats_format */
	bool help, version; /* nothing else holds if one of these is set */
};

/* The table; doc/sqfs2tar.1 lists the same, see
 * tests/unit/bin/sqfs2tar_options.c. */
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
