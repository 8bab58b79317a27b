/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMON_IMAGE_H
#define COMMON_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/plan.h"
#include "common/rules.h"
#include "pack/pack.h"

struct codec_ops;
struct err;

/* The options of every tool that writes an image. -1: not given. */
struct image_options {
	struct rules rules; /* first: see common/rules.h */
	const char *codec_name; /* NULL: the best there is */
	char *codec_words;	/* what all -X say, on the heap; or NULL */
	int64_t block_size;	/* bytes; any number until image_complete */
	int64_t pad_to;		/* bytes */
	struct plan_wish plan;
	int64_t set_uid, set_gid;   /* of all inodes */
	int64_t uid, gid, mode, mtime; /* of what no entry names: -d */
	int64_t root_uid, root_gid, root_mode, root_mtime;
	struct pack_raw raw;
	int probe; /* 0, 1, or -1: as the compressor is */
	bool no_fragments, no_tail_packing, no_duplicates, no_sparse;
	bool exportable;

	/* set by image_complete */
	const struct codec_ops *codec;
	int64_t epoch; /* SOURCE_DATE_EPOCH */
	uint32_t default_mtime;
};

#define IMAGE_BLOCK_SIZE     131072
#define IMAGE_BLOCK_SIZE_MIN 4096
#define IMAGE_BLOCK_SIZE_MAX 1048576
#define IMAGE_PAD	     4096
#define IMAGE_PAD_MIN	     1024
#define IMAGE_PAD_MAX	     (1 << 30)

void image_init(struct image_options *image);

/*
 * For rows of the option table: the struct image_options is the first member
 * of what options points to. ERR_USAGE.
 */
int image_set_words(void *options, const char *text, struct err *err);
int image_set_defaults(void *options, const char *text, struct err *err);
int image_set_raw(void *options, const char *text, struct err *err);
int image_set_probe(void *options, const char *text, struct err *err);
int image_set_all_root(void *options, const char *text, struct err *err);

/* True if -X asks what it can say. Holds once image_complete is done. */
bool image_wants_codec_help(const struct image_options *image);

/*
 * Checks what only shows when all options are known, and reads the
 * environment. ERR_USAGE.
 */
int image_complete(struct image_options *image, struct err *err);

/*
 * The same as options of a pack sink; out->tree.is_excluded, arg and warner are
 * left for the caller. ERR_USAGE: what -X says.
 */
int image_pack_options(const struct image_options *image,
		       struct pack_options *out, struct err *err);

/*
 * That output names a file that an image can be written to. ERR_USAGE.
 *
 * output   as the user wrote it; NULL: not at all
 * program  whose --help tells more
 */
int image_check_output(const char *output, const char *program,
		       struct err *err);

void image_cleanup(struct image_options *image);

#endif
