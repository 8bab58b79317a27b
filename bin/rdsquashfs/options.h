/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RDSQUASHFS_OPTIONS_H
#define RDSQUASHFS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/open.h"
#include "common/opt.h"
#include "common/plan.h"
#include "dir/dir.h"

struct err;

/* What is done with the image. */
enum operation {
	OPERATION_NONE,
	OPERATION_LIST,
	OPERATION_CAT,
	OPERATION_XATTR,
	OPERATION_STAT,
	OPERATION_DESCRIBE,
	OPERATION_UNPACK,
	OPERATION_MANIFEST,
	OPERATION_DU,
	OPERATION_CHECK
};

enum manifest_kind { MANIFEST_SHA256, MANIFEST_MTREE };

/* Levels of directories that --du shows without an argument. */
#define DU_DEPTH 1

/* What the command line says; unchanging once it is parsed. */
struct options {
	enum operation operation; /* the last one that was named */
	const char *image; /* "-": standard input */
	struct image_place place;
	struct plan_wish plan;

	const char **paths; /* path_count, as they were given to the operation;
			     * 1 or more where it takes any */
	size_t path_count, path_cap;
	enum manifest_kind manifest;
	uint32_t du_depth;
	bool recursive, is_long, json;

	const char *root; /* -p, or NULL */
	bool no_dev, no_sock, no_fifo, no_slink, no_empty_dir;
	bool no_sparse;
	int64_t sparse; /* bytes, 0: only what is a hole in the image */
	bool set_xattr, set_times, chmod, chown;
	enum dir_existing existing;

	bool quiet, verbose;
	int stats; /* an enum stats_format */
	bool help, version; /* nothing else holds if one of these is set */
};

/* The table; doc/rdsquashfs.1 lists the same, see
 * tests/unit/bin/rdsquashfs_options.c. */
extern const struct opt option_rows[];

/*
 * Parses the command line.
 *
 * out      to be given to options_cleanup in any case
 * fails    ERR_USAGE, ERR_NOMEM
 */
int options_parse(int argc, char **argv, struct options *out, struct err *err);

void options_cleanup(struct options *options);

#endif
