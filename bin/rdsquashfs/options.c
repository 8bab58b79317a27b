/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rdsquashfs/options.h"

#include <stdlib.h>
#include <string.h>

#include "common/stats.h"
#include "util/array.h"
#include "util/err.h"
#include "util/parse.h"

/* Units that holes are looked for in: pages and more. */
#define SPARSE_MIN 4096
#define SPARSE_MAX (1024 * 1024)

/* Names the operation; what was named for another one before is dropped. */
static void set_operation(struct options *options, enum operation operation)
{
	if (options->operation != operation)
		options->path_count = 0;
	options->operation = operation;
}

/* The same, with one more path to do it to. */
static int add_path(struct options *options, enum operation operation,
		    const char *text, struct err *err)
{
	set_operation(options, operation);
	if (!*text)
		return err_set(err, ERR_USAGE,
			       "the path is empty; / is the root");
	if (array_reserve(&options->paths, &options->path_cap,
			  options->path_count + 1, sizeof(char *), err) < 0)
		return -1;
	options->paths[options->path_count++] = text;
	return 0;
}

static int add_list(void *arg, const char *text, struct err *err)
{
	return add_path(arg, OPERATION_LIST, text, err);
}

static int add_cat(void *arg, const char *text, struct err *err)
{
	return add_path(arg, OPERATION_CAT, text, err);
}

static int add_xattr(void *arg, const char *text, struct err *err)
{
	return add_path(arg, OPERATION_XATTR, text, err);
}

static int add_stat(void *arg, const char *text, struct err *err)
{
	return add_path(arg, OPERATION_STAT, text, err);
}

static int add_unpack(void *arg, const char *text, struct err *err)
{
	return add_path(arg, OPERATION_UNPACK, text, err);
}

static int set_describe(void *arg, const char *text, struct err *err)
{
	(void)text;
	(void)err;
	set_operation(arg, OPERATION_DESCRIBE);
	return 0;
}

static int set_check(void *arg, const char *text, struct err *err)
{
	(void)text;
	(void)err;
	set_operation(arg, OPERATION_CHECK);
	return 0;
}

static int set_manifest(void *arg, const char *text, struct err *err)
{
	struct options *options = arg;
	char name[NAME_TEXT_LEN];

	if (strcmp(text, "sha256") == 0)
		options->manifest = MANIFEST_SHA256;
	else if (strcmp(text, "mtree") == 0)
		options->manifest = MANIFEST_MTREE;
	else
		return err_set(err, ERR_USAGE,
			       "\"%s\" is not sha256 or mtree",
			       name_text(text, strlen(text), name));
	set_operation(options, OPERATION_MANIFEST);
	return 0;
}

static int set_du(void *arg, const char *text, struct err *err)
{
	struct options *options = arg;
	uint64_t depth = DU_DEPTH;

	if (text && parse_u64(text, 0, UINT16_MAX, &depth, err) < 0)
		return -1;
	options->du_depth = (uint32_t)depth;
	set_operation(options, OPERATION_DU);
	return 0;
}

static int set_all(void *arg, const char *text, struct err *err)
{
	struct options *options = arg;

	(void)text;
	(void)err;
	options->set_xattr = options->set_times = true;
	options->chmod = options->chown = true;
	return 0;
}

static int set_no_clobber(void *arg, const char *text, struct err *err)
{
	(void)text;
	(void)err;
	((struct options *)arg)->existing = DIR_EXISTING_KEEP;
	return 0;
}

static int set_overwrite(void *arg, const char *text, struct err *err)
{
	(void)text;
	(void)err;
	((struct options *)arg)->existing = DIR_EXISTING_OVERWRITE;
	return 0;
}

static int set_sparse(void *arg, const char *text, struct err *err)
{
	struct options *options = arg;
	uint64_t size;

	if (parse_size(text, 0, SPARSE_MAX, &size, err) < 0)
		return -1;
	if ((size & (size - 1)) || (size > 0 && size < SPARSE_MIN))
		return err_set(err, ERR_USAGE,
			       "must be a power of two from 4K on, or 0");
	options->sparse = (int64_t)size;
	options->no_sparse = false;
	return 0;
}

static int set_offset(void *arg, const char *text, struct err *err)
{
	return image_place_parse(text, &((struct options *)arg)->place, err);
}

#define AT(member) offsetof(struct options, member)

const struct opt option_rows[] = {
	{ .name = "list", .letter = 'l', .kind = OPT_CALL, .arg = "PATH",
	  .call = add_list,
	  .group = "What to do: the last of these counts, one is needed",
	  .help = "list a directory, or one file; repeatable" },
	{ .name = "cat", .letter = 'c', .kind = OPT_CALL, .arg = "PATH",
	  .call = add_cat,
	  .help = "print the content of a file; repeatable" },
	{ .name = "xattr", .letter = 'x', .kind = OPT_CALL, .arg = "PATH",
	  .call = add_xattr,
	  .help = "print extended attributes; repeatable" },
	{ .name = "stat", .letter = 's', .kind = OPT_CALL, .arg = "PATH",
	  .call = add_stat,
	  .help = "print all that an inode says, and where the\n"
		  "content is stored; repeatable" },
	{ .name = "describe", .letter = 'd', .kind = OPT_CALL,
	  .call = set_describe,
	  .help = "print a description of all entries that a\n"
		  "packer can read" },
	{ .name = "unpack-path", .letter = 'u', .kind = OPT_CALL,
	  .arg = "PATH", .call = add_unpack,
	  .help = "unpack what lies below PATH, or one file; /\n"
		  "for all; repeatable" },
	{ .name = "manifest", .kind = OPT_CALL, .arg = "KIND",
	  .call = set_manifest,
	  .help = "print hashes of all files, for sha256sum -c:\n"
		  "sha256, or with all metadata: mtree" },
	{ .name = "du", .kind = OPT_CALL, .arg = "[=DEPTH]", .call = set_du,
	  .help = "print where the bytes of the image go, of\n"
		  "directories to this depth; default 1" },
	{ .name = "check", .kind = OPT_CALL, .call = set_check,
	  .help = "read and check all of the image" },

	{ .name = "recursive", .letter = 'R', .kind = OPT_FLAG,
	  .at = AT(recursive), .group = "Listings",
	  .help = "with -l, -s, -x: and all that lies below, by\n"
		  "full paths" },
	{ .name = "long", .kind = OPT_FLAG, .at = AT(is_long),
	  .help = "with -l: link counts, bytes and times, too" },
	{ .name = "json", .kind = OPT_FLAG, .at = AT(json),
	  .help = "with -l, -s, -x, --du, --check: print JSON" },

	{ .name = "unpack-root", .letter = 'p', .kind = OPT_TEXT,
	  .arg = "DIR", .at = AT(root), .group = "Unpacking",
	  .help = "where -u unpacks to, made where missing;\n"
		  "default: the current directory. With -d: what\n"
		  "stands in front of the sources of files" },
	{ .name = "no-dev", .letter = 'D', .kind = OPT_FLAG,
	  .at = AT(no_dev), .help = "leave out devices" },
	{ .name = "no-sock", .letter = 'S', .kind = OPT_FLAG,
	  .at = AT(no_sock), .help = "leave out sockets" },
	{ .name = "no-fifo", .letter = 'F', .kind = OPT_FLAG,
	  .at = AT(no_fifo), .help = "leave out named pipes" },
	{ .name = "no-slink", .letter = 'L', .kind = OPT_FLAG,
	  .at = AT(no_slink), .help = "leave out symlinks" },
	{ .name = "no-empty-dir", .letter = 'E', .kind = OPT_FLAG,
	  .at = AT(no_empty_dir),
	  .help = "leave out directories that are empty then" },
	{ .name = "no-sparse", .letter = 'Z', .kind = OPT_FLAG,
	  .at = AT(no_sparse), .help = "write zeros, make no holes" },
	{ .name = "sparse", .kind = OPT_CALL, .arg = "SIZE",
	  .call = set_sparse,
	  .help = "also make holes of zeros that fill units of\n"
		  "SIZE, a power of two from 4K to 1M; default 4K;\n"
		  "0: only of what the image calls a hole" },
	{ .name = "set-xattr", .letter = 'X', .kind = OPT_FLAG,
	  .at = AT(set_xattr), .help = "restore extended attributes" },
	{ .name = "set-times", .letter = 'T', .kind = OPT_FLAG,
	  .at = AT(set_times), .help = "restore times" },
	{ .name = "chmod", .letter = 'C', .kind = OPT_FLAG, .at = AT(chmod),
	  .help = "restore modes" },
	{ .name = "chown", .letter = 'O', .kind = OPT_FLAG, .at = AT(chown),
	  .help = "restore owners and groups" },
	{ .name = "all", .kind = OPT_CALL, .call = set_all,
	  .help = "same as -X -T -C -O" },
	{ .name = "no-clobber", .kind = OPT_CALL, .call = set_no_clobber,
	  .help = "leave files that are there as they are" },
	{ .name = "overwrite", .kind = OPT_CALL, .call = set_overwrite,
	  .help = "replace files that are there; without one of\n"
		  "these two they are an error" },

	{ .name = "offset", .kind = OPT_CALL, .arg = "BYTES",
	  .call = set_offset, .group = "The image",
	  .help = "where it begins in the file; auto: look for it" },
	PLAN_JOBS_ROW(AT(plan.jobs), "what is done"),

	{ .name = "verbose", .letter = 'v', .kind = OPT_FLAG,
	  .at = AT(verbose), .group = "Messages",
	  .help = "with -u: print each path" },
	{ .name = "quiet", .letter = 'q', .kind = OPT_FLAG, .at = AT(quiet),
	  .help = "no progress" },
	STATS_COSTS_ROW(AT(stats)),
	OPT_LAST_ROWS(AT(help), AT(version)),
};

static int add_word(void *arg, const char *text, struct err *err)
{
	struct options *options = arg;
	char name[NAME_TEXT_LEN];

	if (options->image)
		return err_set(err, ERR_USAGE,
			       "%s: one image can be named; paths in it stand"
			       " behind -l, -c, -x, -s or -u",
			       name_text(text, strlen(text), name));
	options->image = text;
	return 0;
}

/* What an option goes with, so that none is without effect unnoticed. */
static int check_json(const struct options *options, struct err *err)
{
	if (!options->json)
		return 0;
	switch (options->operation) {
	case OPERATION_LIST:
	case OPERATION_XATTR:
	case OPERATION_STAT:
	case OPERATION_DU:
	case OPERATION_CHECK:
		return 0;
	default:
		return err_set(err, ERR_USAGE,
			       "--json: goes with -l, -s, -x, --du and"
			       " --check");
	}
}

static int check_words(const struct options *options, struct err *err)
{
	if (options->operation == OPERATION_NONE)
		return err_set(err, ERR_USAGE,
			       "nothing is asked for; see rdsquashfs --help");
	if (!options->image)
		return err_set(err, ERR_USAGE,
			       "no image is named; see rdsquashfs --help");
	if (!*options->image)
		return err_set(err, ERR_USAGE,
			       "the name of the image is empty");
	if (options->root && !*options->root)
		return err_set(err, ERR_USAGE,
			       "-p: the name of the directory is empty");
	return check_json(options, err);
}

int options_parse(int argc, char **argv, struct options *out, struct err *err)
{
	int ret;

	*out = (struct options){
		.plan = { .jobs = -1, .backlog = -1, .memory_limit = -1 },
		.sparse = DIR_SPARSE_DEFAULT,
	};
	ret = opt_parse(option_rows, argc, argv, out, add_word, err);
	if (ret != 0)
		return ret < 0 ? -1 : 0;
	return check_words(out, err);
}

void options_cleanup(struct options *options)
{
	free(options->paths);
}
