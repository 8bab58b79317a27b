/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sqfsdiff/options.h"

#include <stddef.h>
#include <string.h>

#include "common/plan.h"
#include "common/stats.h"
#include "util/err.h"

static int set_offset(void *arg, const char *text, struct err *err)
{
	return image_place_parse(text, &((struct options *)arg)->place, err);
}

#define AT(member) offsetof(struct options, member)

const struct opt option_rows[] = {
	{ .name = "old", .letter = 'a', .kind = OPT_TEXT, .arg = "FILE",
	  .at = AT(old), .group = "What is compared",
	  .help = "an image, an archive or a directory" },
	{ .name = "new", .letter = 'b', .kind = OPT_TEXT, .arg = "FILE",
	  .at = AT(new), .help = "the one to compare with it" },
	RULES_PATTERN_ROWS,
	{ .name = "no-contents", .letter = 'C', .kind = OPT_FLAG,
	  .at = AT(no_contents),
	  .help = "not what files hold; sizes still are" },
	{ .name = "no-owner", .letter = 'O', .kind = OPT_FLAG,
	  .at = AT(no_owner), .help = "not owners and groups" },
	{ .name = "no-permissions", .letter = 'P', .kind = OPT_FLAG,
	  .at = AT(no_permissions), .help = "not permission bits" },
	{ .name = "no-xattrs", .kind = OPT_FLAG, .at = AT(no_xattrs),
	  .help = "not extended attributes" },
	{ .name = "no-hard-links", .kind = OPT_FLAG, .at = AT(no_hard_links),
	  .help = "not which names are hard links" },
	{ .name = "timestamps", .letter = 'T', .kind = OPT_FLAG,
	  .at = AT(timestamps), .help = "modification times, too" },
	{ .name = "inode-num", .letter = 'I', .kind = OPT_FLAG,
	  .at = AT(inode_num), .help = "inode numbers, too; of images only" },
	{ .name = "super", .letter = 'S', .kind = OPT_FLAG, .at = AT(super),
	  .help = "super blocks, too; of images only" },

	{ .name = "extract", .letter = 'e', .kind = OPT_TEXT, .arg = "DIR",
	  .at = AT(extract), .group = "Output",
	  .help = "write files that differ below DIR/old and\n"
		  "DIR/new" },
	{ .name = "json", .kind = OPT_FLAG, .at = AT(json),
	  .help = "print JSON" },
	{ .name = "quiet", .letter = 'q', .kind = OPT_FLAG, .at = AT(quiet),
	  .help = "print nothing; the exit status tells" },

	{ .name = "offset", .kind = OPT_CALL, .arg = "N", .call = set_offset,
	  .group = "Input, speed and messages",
	  .help = "images begin at byte N of their files; auto:\n"
		  "where one is found" },
	PLAN_JOBS_ROW(AT(jobs), "the output"),
	STATS_COSTS_ROW(AT(stats)),
	OPT_LAST_ROWS(AT(help), AT(version)),
};

static int add_word(void *arg, const char *text, struct err *err)
{
	struct options *options = arg;
	char name[NAME_TEXT_LEN];

	if (options->word_count == 2)
		return err_set(err, ERR_USAGE, "\"%s\": two are compared",
			       name_text(text, strlen(text), name));
	options->words[options->word_count++] = text;
	return 0;
}

/* Words stand for what no option names. */
static int place_words(struct options *o, struct err *err)
{
	char name[NAME_TEXT_LEN];
	unsigned i = 0;

	if (!o->old && i < o->word_count)
		o->old = o->words[i++];
	if (!o->new && i < o->word_count)
		o->new = o->words[i++];
	if (i < o->word_count)
		return err_set(err, ERR_USAGE, "\"%s\": two are compared",
			       name_text(o->words[i], strlen(o->words[i]),
					 name));
	if (!o->old || !o->new)
		return err_set(err, ERR_USAGE,
			       "two names are needed: --old and --new; see"
			       " sqfsdiff --help");
	if (!*o->old || !*o->new)
		return err_set(err, ERR_USAGE, "%s: the name is empty",
			       *o->old ? "--new" : "--old");
	if (strcmp(o->old, "-") == 0 && strcmp(o->new, "-") == 0)
		return err_set(err, ERR_USAGE,
			       "only one of both can be standard input");
	return 0;
}

int options_parse(int argc, char **argv, struct options *out, struct err *err)
{
	int ret;

	*out = (struct options){ .jobs = -1 };
	ret = opt_parse(option_rows, argc, argv, out, add_word, err);
	if (ret != 0)
		return ret < 0 ? -1 : 0;
	if (out->extract && !*out->extract)
		return err_set(err, ERR_USAGE,
			       "--extract: the name of the directory is empty");
	return place_words(out, err);
}

void options_cleanup(struct options *options)
{
	rules_cleanup(&options->rules);
}
