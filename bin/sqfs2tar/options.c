/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sqfs2tar/options.h"

#include <stdlib.h>
#include <string.h>

#include "common/plan.h"
#include "common/stats.h"
#include "entry/path.h"
#include "util/array.h"
#include "util/err.h"
#include "util/parse.h"

static int set_codec(void *arg, const char *text, struct err *err)
{
	char name[NAME_TEXT_LEN];

	if (writer_codec_by_name(text, &((struct options *)arg)->codec) == 0)
		return 0;
	return err_set(err, ERR_USAGE,
		       "\"%s\" is not gzip, xz, zstd, bzip2 or lz4",
		       name_text(text, strlen(text), name));
}

/* Which levels a compressor has is for the writer to know. */
static int set_level(void *arg, const char *text, struct err *err)
{
	int64_t level;

	if (parse_i64(text, INT32_MIN + 1, INT32_MAX, &level, err) < 0)
		return -1;
	((struct options *)arg)->level = (int32_t)level;
	return 0;
}

static int set_format(void *arg, const char *text, struct err *err)
{
	static const char *const words[] = {
		[TAR_FORMAT_PAX] = "pax",
		[TAR_FORMAT_GNU] = "gnu",
		[TAR_FORMAT_USTAR] = "ustar",
	};
	char name[NAME_TEXT_LEN];

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(text, words[i]) == 0) {
			((struct options *)arg)->format = (enum tar_format)i;
			return 0;
		}
	return err_set(err, ERR_USAGE, "\"%s\" is not pax, gnu or ustar",
		       name_text(text, strlen(text), name));
}

static int set_offset(void *arg, const char *text, struct err *err)
{
	return image_place_parse(text, &((struct options *)arg)->place, err);
}

/* A cleaned copy of a path in the image; NULL and ERR_USAGE if it is none. */
static char *clean_copy(const char *text, struct err *err)
{
	char *path = strdup(text), name[NAME_TEXT_LEN];

	if (!path) {
		err_nomem(err);
		return NULL;
	}
	if (*text && path_clean(path, NULL, NULL) == 0)
		return path;
	free(path);
	err_set(err, ERR_USAGE, "\"%s\" does not name a directory",
		name_text(text, strlen(text), name));
	return NULL;
}

static int add_subdir(void *arg, const char *text, struct err *err)
{
	struct options *options = arg;
	char *path;

	if (array_reserve(&options->subdirs, &options->subdir_cap,
			  options->subdir_count + 1, sizeof(char *), err) < 0)
		return -1;
	path = clean_copy(text, err);
	if (!path)
		return -1;
	options->subdirs[options->subdir_count++] = path;
	return 0;
}

/* "." is a way to write names; any other directory is one more above all. */
static int set_root_becomes(void *arg, const char *text, struct err *err)
{
	struct options *options = arg;
	char *path = clean_copy(text, err);
	bool is_root;

	if (!path)
		return -1;
	is_root = path[0] == '\0';
	free(path);
	if (is_root && text[0] == '/')
		return err_set(err, ERR_USAGE,
			       "names in an archive do not begin with \"/\"");
	options->dot = is_root;
	options->rules.prefix = is_root ? NULL : text;
	return 0;
}

#define AT(member) offsetof(struct options, member)

const struct opt option_rows[] = {
	{ .name = "subdir", .letter = 'd', .kind = OPT_CALL, .arg = "DIR",
	  .call = add_subdir, .group = "What is written",
	  .help = "only what lies below DIR, which becomes the\n"
		  "root; repeatable: two or more keep their paths" },
	{ .name = "keep-as-dir", .letter = 'k', .kind = OPT_FLAG,
	  .at = AT(keep_as_dir),
	  .help = "with a single -d: keep its path, too" },
	{ .name = "root-becomes", .letter = 'r', .kind = OPT_CALL,
	  .arg = "DIR", .call = set_root_becomes,
	  .help = "put everything below DIR, which is what the\n"
		  "root was; \".\": names begin with \"./\"" },
	RULES_PATTERN_ROWS,
	{ .name = "no-root", .kind = OPT_FLAG, .at = AT(no_root),
	  .help = "leave out the entry of the root" },
	{ .name = "no-xattr", .letter = 'X', .kind = OPT_FLAG,
	  .at = AT(no_xattr), .help = "leave out extended attributes" },
	{ .name = "no-hard-links", .letter = 'L', .kind = OPT_FLAG,
	  .at = AT(no_hard_links),
	  .help = "write content again instead of hard links" },
	{ .name = "no-skip", .letter = 's', .kind = OPT_FLAG,
	  .at = AT(no_skip),
	  .help = "fail where something would be left out with\n"
		  "a warning, as a socket" },

	{ .name = "format", .kind = OPT_CALL, .arg = "NAME",
	  .call = set_format, .group = "How it is written",
	  .help = "pax, gnu or ustar; default pax" },
	{ .name = "sparse", .kind = OPT_SIZE, .arg = "SIZE",
	  .at = AT(sparse), .max = SPARSE_MAX,
	  .help = "holes of so many bytes are left out of the\n"
		  "archive, 0: none are; default 1M" },
	{ .name = "compressor", .letter = 'c', .kind = OPT_CALL,
	  .arg = "NAME", .call = set_codec,
	  .help = "compress the archive: gzip, xz, zstd, bzip2\n"
		  "or lz4" },
	{ .name = "level", .kind = OPT_CALL, .arg = "N", .call = set_level,
	  .help = "of the compressor; a higher one is smaller and\n"
		  "slower" },

	{ .name = "offset", .kind = OPT_CALL, .arg = "N", .call = set_offset,
	  .group = "Input, speed and messages",
	  .help = "the image begins at byte N of its file; auto:\n"
		  "where one is found" },
	PLAN_JOBS_ROW(AT(jobs), "the archive"),
	{ .name = "quiet", .letter = 'q', .kind = OPT_FLAG, .at = AT(quiet),
	  .help = "no progress on the terminal" },
	STATS_COSTS_ROW(AT(stats)),
	OPT_LAST_ROWS(AT(help), AT(version)),
};

static int add_word(void *arg, const char *text, struct err *err)
{
	struct options *options = arg;
	char name[NAME_TEXT_LEN];

	if (options->image)
		return err_set(err, ERR_USAGE,
			       "\"%s\": one image can be given, and the archive"
			       " goes to standard output",
			       name_text(text, strlen(text), name));
	if (!*text)
		return err_set(err, ERR_USAGE, "the name of the image is"
					       " empty");
	options->image = text;
	return 0;
}

int options_parse(int argc, char **argv, struct options *out, struct err *err)
{
	int ret;

	*out = (struct options){
		.level = WRITER_LEVEL_DEFAULT,
		.sparse = SPARSE_DEFAULT,
		.jobs = -1,
	};
	ret = opt_parse(option_rows, argc, argv, out, add_word, err);
	if (ret != 0)
		return ret < 0 ? -1 : 0;
	if (!out->image)
		return err_set(err, ERR_USAGE,
			       "no image is named; see sqfs2tar --help");
	if (out->level != WRITER_LEVEL_DEFAULT && out->codec == WRITER_PLAIN)
		return err_set(err, ERR_USAGE, "--level: goes with -c");
	return 0;
}

void options_cleanup(struct options *options)
{
	for (size_t i = 0; i < options->subdir_count; i++)
		free(options->subdirs[i]);
	free(options->subdirs);
	rules_cleanup(&options->rules);
}
