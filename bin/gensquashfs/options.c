/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gensquashfs/options.h"

#include <stdlib.h>
#include <string.h>

#include "common/image_rows.h"
#include "common/stats.h"
#include "util/array.h"
#include "util/err.h"

static int add_dir(void *arg, const char *text, struct err *err)
{
	struct options *options = arg;

	if (!*text)
		return err_set(err, ERR_USAGE, "the name is empty");
	if (array_reserve(&options->dirs, &options->dir_cap,
			  options->dir_count + 1, sizeof(char *), err) < 0)
		return -1;
	options->dirs[options->dir_count++] = text;
	return 0;
}

/* What comes first here does not come from a tar. */
static int set_order(void *options, const char *text, struct err *err)
{
	if (rules_set_order(options, strcmp(text, "input") ? text : "tar",
			    NULL) == 0)
		return 0;
	return err_set(err, ERR_USAGE, "it has to be input, path or size");
}

#define AT(member) offsetof(struct options, member)

const struct opt option_rows[] = {
	{ .name = "pack-dir", .letter = 'D', .kind = OPT_CALL,
	  .arg = "DIR", .call = add_dir, .group = "What is packed",
	  .help = "pack what is in DIR; repeatable: the last holds\n"
		  "where several have a path. With -F: the directory\n"
		  "that sources of files lie in" },
	{ .name = "pack-file", .letter = 'F', .kind = OPT_TEXT, .arg = "FILE",
	  .at = AT(pack_file),
	  .help = "pack what the lines of FILE describe; - is\n"
		  "standard input" },
	{ .name = "files-from", .kind = OPT_TEXT, .arg = "FILE",
	  .at = AT(files_from),
	  .help = "pack the paths that FILE lists, relative to the\n"
		  "one -D, and what leads there; - is standard input" },
	{ .name = "null", .kind = OPT_FLAG, .at = AT(is_null),
	  .help = "paths of --files-from end at NUL bytes" },
	{ .name = "one-file-system", .letter = 'o', .kind = OPT_FLAG,
	  .at = AT(one_file_system),
	  .help = "where another file system is mounted: pack an\n"
		  "empty directory" },
	{ .name = "no-hard-links", .letter = 'H', .kind = OPT_FLAG,
	  .at = AT(no_hard_links),
	  .help = "make a file of each name of a file" },
	{ .name = "ignore-read-errors", .kind = OPT_FLAG,
	  .at = AT(ignore_read_errors),
	  .help = "leave out, with a warning, what cannot be read" },
	RULES_SELECT_ROWS(AT(image.rules)),
	{ .name = "no-skip", .kind = OPT_FLAG, .at = AT(no_skip),
	  .help = "fail where something would be left out with\n"
		  "a warning" },

	{ .name = "defaults", .letter = 'd', .kind = OPT_CALL,
	  .arg = "LIST", .call = image_set_defaults,
	  .group = "Owners, modes, times and attributes",
	  .help = "of directories that nothing names, and times of\n"
		  "all: uid=N,gid=N,mode=OCTAL,mtime=N; without\n"
		  "it 0, 0, 0755 and SOURCE_DATE_EPOCH or 0" },
	{ .name = "keep-time", .letter = 'k', .kind = OPT_FLAG,
	  .at = AT(keep_time), .help = "keep the times of what is found" },
	{ .name = "keep-xattr", .letter = 'x', .kind = OPT_FLAG,
	  .at = AT(keep_xattrs),
	  .help = "keep the extended attributes of what is found" },
	IMAGE_OWNER_ROWS(AT(image), 'u', 'g'),
	RULES_CHANGE_ROWS,
	RULES_LABEL_ROWS('s', 'A'),
	IMAGE_ROOT_ROWS(AT(image)),

	IMAGE_COMPRESSION_ROWS(AT(image)),

	IMAGE_LAYOUT_ROWS(AT(image)),
	{ .name = "sort-file", .letter = 'S', .kind = OPT_TEXT, .arg = "FILE",
	  .at = AT(image.rules.sort_file),
	  .help = "priorities and flags of files, a line for each:\n"
		  "PRIORITY [FLAGS] PATH; lower ones come first" },
	{ .name = "order", .kind = OPT_CALL, .arg = "KEY", .call = set_order,
	  .help = "order of content: input (as it is found), path\n"
		  "or size" },
	IMAGE_TABLE_ROWS(AT(image)),

	IMAGE_SPEED_ROWS(AT(image)),

	{ .name = "force", .letter = 'f', .kind = OPT_FLAG, .at = AT(force),
	  .group = "Output and messages",
	  .help = "replace OUT if it is there" },
	{ .name = "quiet", .letter = 'q', .kind = OPT_FLAG, .at = AT(quiet),
	  .help = "no progress, no statistics" },
	STATS_ROW(AT(stats),
		  "statistics as text or json, also with -q; json\n"
		  "has what the run cost, too; default text"),
	OPT_LAST_ROWS(AT(help), AT(version)),
};

static int add_word(void *arg, const char *text, struct err *err)
{
	struct options *options = arg;
	char name[NAME_TEXT_LEN];

	if (options->output)
		return err_set(err, ERR_USAGE,
			       "%s: there is one output only; directories are"
			       " named by -D",
			       name_text(text, strlen(text), name));
	options->output = text;
	return 0;
}

static int check_inputs(struct options *options, struct err *err)
{
	if (options->pack_file && options->files_from)
		return err_set(err, ERR_USAGE,
			       "-F and --files-from exclude each other");
	if (options->dir_count > 1 &&
	    (options->pack_file || options->files_from))
		return err_set(err, ERR_USAGE, "%s: goes with one -D only",
			       options->pack_file ? "-F" : "--files-from");
	if (options->is_null && !options->files_from)
		return err_set(err, ERR_USAGE,
			       "--null: goes with --files-from only");
	if (options->dir_count > 0 || options->pack_file)
		return 0;
	if (options->files_from)
		return add_dir(options, ".", err);
	return err_set(err, ERR_USAGE,
		       "nothing to be packed is named: -D DIR or -F FILE; see"
		       " gensquashfs --help");
}

int options_parse(int argc, char **argv, struct options *out, struct err *err)
{
	int ret;

	*out = (struct options){ .output = NULL };
	image_init(&out->image);
	ret = opt_parse(option_rows, argc, argv, out, add_word, err);
	if (ret != 0)
		return ret < 0 ? -1 : 0;
	if (image_complete(&out->image, err) < 0)
		return -1;
	if (image_wants_codec_help(&out->image))
		return 0;
	if (image_check_output(out->output, "gensquashfs", err) < 0)
		return -1;
	return check_inputs(out, err);
}

void options_cleanup(struct options *options)
{
	image_cleanup(&options->image);
	free(options->dirs);
}
