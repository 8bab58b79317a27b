/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tar2sqfs/options.h"

#include <stdlib.h>
#include <string.h>

#include "common/image_rows.h"
#include "common/stats.h"
#include "entry/path.h"
#include "util/array.h"
#include "util/err.h"

/* "/" and "." name the root itself, which then is what it is anyway. */
static int set_root_becomes(void *arg, const char *text, struct err *err)
{
	struct options *options = arg;
	char *path = strdup(text), name[NAME_TEXT_LEN];

	if (!path)
		return err_nomem(err);
	if (!*text || path_clean(path, NULL, err) < 0) {
		free(path);
		return err_set(err, ERR_USAGE,
			       "\"%s\" does not name a directory in the"
			       " archive",
			       name_text(text, strlen(text), name));
	}
	free(path);
	options->root_becomes = text;
	return 0;
}

#define AT(member) offsetof(struct options, member)

const struct opt option_rows[] = {
	{ .name = "root-becomes", .letter = 'r', .kind = OPT_CALL,
	  .arg = "DIR", .call = set_root_becomes,
	  .group = "What is packed",
	  .help = "pack only what lies below DIR, which becomes\n"
		  "the root" },
	{ .name = "no-symlink-retarget", .letter = 'S', .kind = OPT_FLAG,
	  .at = AT(no_symlink_retarget),
	  .help = "with -r: leave targets of symlinks as they are" },
	RULES_SELECT_ROWS(AT(image.rules)),
	{ .name = "no-xattr", .letter = 'x', .kind = OPT_FLAG,
	  .at = AT(no_xattr), .help = "leave out extended attributes" },
	{ .name = "no-skip", .letter = 's', .kind = OPT_FLAG,
	  .at = AT(no_skip),
	  .help = "fail where something would be left out with\n"
		  "a warning" },
	{ .name = "ignore-zeros", .letter = 'i', .kind = OPT_FLAG,
	  .at = AT(ignore_zeros),
	  .help = "read on after the end mark: for archives that\n"
		  "were glued together" },
	{ .name = "ignore-missing-eof", .kind = OPT_FLAG,
	  .at = AT(ignore_missing_eof),
	  .help = "do not warn where the end mark is missing" },

	{ .name = "defaults", .letter = 'd', .kind = OPT_CALL,
	  .arg = "LIST", .call = image_set_defaults,
	  .group = "Owners, modes and times",
	  .help = "of directories that no entry names and of the\n"
		  "root: uid=N,gid=N,mode=OCTAL,mtime=N; without\n"
		  "it 0, 0, 0755 and SOURCE_DATE_EPOCH or 0" },
	{ .name = "no-keep-time", .letter = 'k', .kind = OPT_FLAG,
	  .at = AT(no_keep_time),
	  .help = "give all entries the default time" },
	IMAGE_OWNER_ROWS(AT(image), 0, 0),
	RULES_CHANGE_ROWS,
	RULES_LABEL_ROWS(0, 0),
	IMAGE_ROOT_ROWS(AT(image)),

	IMAGE_COMPRESSION_ROWS(AT(image)),

	IMAGE_LAYOUT_ROWS(AT(image)),
	RULES_ORDER_ROWS(AT(image.rules)),
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

/* path is NULL for standard input. */
static int add_archive(struct options *options, const char *path,
		       struct err *err)
{
	for (size_t i = 0; !path && i < options->archive_count; i++)
		if (!options->archives[i])
			return err_set(err, ERR_USAGE,
				       "-: standard input can be read once"
				       " only");
	if (array_reserve(&options->archives, &options->archive_cap,
			  options->archive_count + 1, sizeof(char *), err) < 0)
		return -1;
	options->archives[options->archive_count++] = path;
	return 0;
}

static int add_word(void *arg, const char *text, struct err *err)
{
	struct options *options = arg;

	if (!options->output) {
		options->output = text;
		return 0;
	}
	return add_archive(options, strcmp(text, "-") == 0 ? NULL : text, err);
}

static int check_words(struct options *options, struct err *err)
{
	if (image_check_output(options->output, "tar2sqfs", err) < 0)
		return -1;
	return options->archive_count > 0 ? 0 : add_archive(options, NULL, err);
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
	return image_wants_codec_help(&out->image) ? 0 : check_words(out, err);
}

void options_cleanup(struct options *options)
{
	image_cleanup(&options->image);
	free(options->archives);
}
