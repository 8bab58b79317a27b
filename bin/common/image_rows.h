/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMON_IMAGE_ROWS_H
#define COMMON_IMAGE_ROWS_H

#include <stddef.h>

#include "common/image.h"
#include "common/opt.h"

/*
 * Rows of the option table that all tools have which write an image; at_image is the
 * offset of the struct image_options, which is the first member of the options.
 */
#define IMAGE_AT(at_image, member) ((at_image) + offsetof(struct image_options, member))

/* What owns everything; uid_letter and gid_letter, or 0. */
#define IMAGE_OWNER_ROWS(at_image, uid_letter, gid_letter)                     \
	{ .name = "all-root", .kind = OPT_CALL, .call = image_set_all_root,    \
	  .help = "same as --set-uid 0 --set-gid 0" },                         \
	{ .name = "set-uid", .letter = (uid_letter), .kind = OPT_NUMBER,       \
	  .arg = "N", .at = IMAGE_AT(at_image, set_uid), .max = UINT32_MAX,    \
	  .help = "make user N own everything" },                              \
	{ .name = "set-gid", .letter = (gid_letter), .kind = OPT_NUMBER,       \
	  .arg = "N", .at = IMAGE_AT(at_image, set_gid), .max = UINT32_MAX,    \
	  .help = "make group N own everything" }

/* The root directory. */
#define IMAGE_ROOT_ROWS(at_image)                                              \
	{ .name = "root-mode", .kind = OPT_MODE, .arg = "OCTAL",               \
	  .at = IMAGE_AT(at_image, root_mode),                                 \
	  .help = "mode of the root directory" },                              \
	{ .name = "root-uid", .kind = OPT_NUMBER, .arg = "N",                  \
	  .at = IMAGE_AT(at_image, root_uid), .max = UINT32_MAX,               \
	  .help = "user that owns the root directory" },                       \
	{ .name = "root-gid", .kind = OPT_NUMBER, .arg = "N",                  \
	  .at = IMAGE_AT(at_image, root_gid), .max = UINT32_MAX,               \
	  .help = "group that owns the root directory" },                      \
	{ .name = "root-time", .kind = OPT_NUMBER, .arg = "N",                 \
	  .at = IMAGE_AT(at_image, root_mtime), .max = UINT32_MAX,             \
	  .help = "time of the root directory: seconds from 1970" }

#define IMAGE_COMPRESSION_ROWS(at_image)                                       \
	{ .name = "compressor", .letter = 'c', .kind = OPT_TEXT,               \
	  .arg = "NAME", .at = IMAGE_AT(at_image, codec_name),                 \
	  .group = "Compression",                                              \
	  .help = "gzip, lzma, lzo, xz, lz4 or zstd" },                        \
	{ .name = "comp-extra", .letter = 'X', .kind = OPT_CALL,               \
	  .arg = "LIST", .call = image_set_words,                              \
	  .help = "options of the compressor; repeatable.\n"                   \
		  "-X help lists those of the chosen one" },                   \
	{ .name = "block-size", .letter = 'b', .kind = OPT_SIZE,               \
	  .arg = "SIZE", .at = IMAGE_AT(at_image, block_size),                 \
	  .min = IMAGE_BLOCK_SIZE_MIN, .max = IMAGE_BLOCK_SIZE_MAX,            \
	  .help = "power of two from 4K to 1M; default 128K" },                \
	{ .name = "no-compression", .kind = OPT_CALL, .arg = "LIST",           \
	  .call = image_set_raw,                                               \
	  .help = "store as they are: data, fragments, inodes,\n"              \
		  "ids, xattrs or all" },                                      \
	{ .name = "probe", .kind = OPT_CALL, .arg = "[=HOW]",                  \
	  .call = image_set_probe,                                             \
	  .help = "on or off: store raw what looks as if it did not\n"         \
		  "compress; default on, off if that is fast anyway" }

/* What lies where; the rows about order come between these two. */
#define IMAGE_LAYOUT_ROWS(at_image)                                            \
	{ .name = "no-tail-packing", .letter = 'T', .kind = OPT_FLAG,          \
	  .at = IMAGE_AT(at_image, no_tail_packing),                           \
	  .group = "Layout of the image",                                      \
	  .help = "no fragments for files longer than a block" },              \
	{ .name = "no-fragments", .kind = OPT_FLAG,                            \
	  .at = IMAGE_AT(at_image, no_fragments),                              \
	  .help = "no fragments at all" },                                     \
	{ .name = "no-duplicates", .kind = OPT_FLAG,                           \
	  .at = IMAGE_AT(at_image, no_duplicates),                             \
	  .help = "store equal content again" },                               \
	{ .name = "no-sparse", .kind = OPT_FLAG,                               \
	  .at = IMAGE_AT(at_image, no_sparse),                                 \
	  .help = "store zeros, make no holes" }

#define IMAGE_TABLE_ROWS(at_image)                                             \
	{ .name = "exportable", .letter = 'e', .kind = OPT_FLAG,               \
	  .at = IMAGE_AT(at_image, exportable),                                \
	  .help = "write the table that export by NFS needs" },                \
	{ .name = "dev-block-size", .letter = 'B', .kind = OPT_SIZE,           \
	  .arg = "SIZE", .at = IMAGE_AT(at_image, pad_to),                     \
	  .min = IMAGE_PAD_MIN,                                                \
	  .max = IMAGE_PAD_MAX,                                                \
	  .help = "pad the image to a multiple of this; 1K or\n"               \
		  "more, default 4K" }

#define IMAGE_SPEED_ROWS(at_image)                                             \
	{ .name = "num-jobs", .letter = 'j', .kind = OPT_NUMBER,               \
	  .arg = "COUNT", .at = IMAGE_AT(at_image, plan.jobs),                 \
	  .max = PLAN_JOBS_MAX, .group = "Speed and memory",                   \
	  .help = "worker threads; 0: none; at most, and by\n"                 \
		  "default, the processors that may be used.\n"                \
		  "Does not change the image" },                               \
	{ .name = "queue-backlog", .letter = 'Q', .kind = OPT_NUMBER,          \
	  .arg = "COUNT", .at = IMAGE_AT(at_image, plan.backlog),              \
	  .max = PLAN_BACKLOG_MAX,                                             \
	  .help = "blocks in flight; default: 16 per thread" },                \
	{ .name = "memory-limit", .kind = OPT_SIZE, .arg = "SIZE",             \
	  .at = IMAGE_AT(at_image, plan.memory_limit), .max = INT64_MAX,       \
	  .help = "for the buffers of these blocks; default 64M,\n"            \
		  "or 16M per thread if that is more" }

#endif
