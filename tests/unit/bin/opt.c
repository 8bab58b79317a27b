/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/opt.h"

#include <stdbool.h>
#include <stdlib.h>

#include "check.h"
#include "util/err.h"

/* The option parser: forms, order, and the words for what is refused. */

struct values {
	int64_t jobs, size, mode;
	bool force, quiet, help;
	const char *text;
	char words[64]; /* each with a comma behind it */
	int called;
	int depth; /* -1: without an argument */
	int colour;
};

static int call(void *arg, const char *text, struct err *err)
{
	struct values *values = arg;

	values->called++;
	if (text && strcmp(text, "bad") == 0)
		return err_set(err, ERR_USAGE, "bad is bad");
	return 0;
}

static int depth(void *arg, const char *text, struct err *err)
{
	struct values *values = arg;

	(void)err;
	values->depth = text ? atoi(text) : -1;
	return 0;
}

static int word(void *arg, const char *text, struct err *err)
{
	struct values *values = arg;

	if (strcmp(text, "refused") == 0)
		return err_set(err, ERR_USAGE, "refused");
	strcat(values->words, text);
	strcat(values->words, ",");
	return 0;
}

#define AT(member) offsetof(struct values, member)

static const char *const colours[] = { "red", "green", "blue", NULL };

static const struct opt rows[] = {
	{ .name = "num-jobs", .letter = 'j', .kind = OPT_NUMBER, .arg = "N",
	  .at = AT(jobs), .max = 1024, .help = "one\ntwo" },
	{ .name = "size", .kind = OPT_SIZE, .arg = "SIZE", .at = AT(size),
	  .min = 1024, .max = 1 << 20, .group = "Sizes", .help = "size" },
	{ .name = "mode", .kind = OPT_MODE, .arg = "M", .at = AT(mode),
	  .help = "mode" },
	{ .name = "force", .letter = 'f', .kind = OPT_FLAG, .at = AT(force),
	  .help = "force" },
	{ .name = "quiet", .letter = 'q', .kind = OPT_FLAG, .at = AT(quiet),
	  .help = "quiet" },
	{ .name = "compressor", .letter = 'c', .kind = OPT_TEXT, .arg = "C",
	  .at = AT(text), .help = "text" },
	{ .name = "comp-extra", .letter = 'X', .kind = OPT_CALL, .arg = "L",
	  .call = call, .help = "call" },
	{ .name = "all", .kind = OPT_CALL, .call = call, .help = "all" },
	{ .name = "depth", .kind = OPT_CALL, .arg = "[=D]", .call = depth,
	  .help = "depth" },
	{ .name = "colour", .kind = OPT_CHOICE, .arg = "NAME",
	  .at = AT(colour), .choices = colours, .help = "colour" },
	{ .name = "help", .letter = 'h', .kind = OPT_STOP, .at = AT(help),
	  .help = "help" },
	{ .name = NULL },
};

/* Parses a line of words between blanks, which stays allocated for values. */
static int parse(const char *line, struct values *values, struct err *err)
{
	static char copy[512];
	char *argv[32] = { (char *)copy };
	int argc = 1;

	snprintf(copy, sizeof(copy), "%s", line);
	for (char *p = strtok(copy, " "); p; p = strtok(NULL, " "))
		argv[argc++] = p;
	argv[argc] = NULL;
	memset(values, 0, sizeof(*values));
	values->jobs = -1;
	return opt_parse(rows, argc, argv, values, word, err);
}

static void check_accepted(void)
{
	struct values v;
	struct err err;

	check(parse("", &v, &err) == 0 && v.jobs == -1);
	check(parse("out -j 8 -f in", &v, &err) == 0);
	check(v.jobs == 8 && v.force && !v.quiet);
	check_str(v.words, "out,in,");
	check(parse("-qfj3", &v, &err) == 0);
	check(v.jobs == 3 && v.force && v.quiet);
	check(parse("--num-jobs=4 --size 4k", &v, &err) == 0);
	check(v.jobs == 4 && v.size == 4096);
	check(parse("--num 5 --comp-e x --mode 755", &v, &err) == 0);
	check(v.jobs == 5 && v.called == 1 && v.mode == 0755);
	check(parse("-j 1 -j 2 -j7", &v, &err) == 0 && v.jobs == 7);
	check(parse("-f -- -j -", &v, &err) == 0 && v.jobs == -1);
	check_str(v.words, "-j,-,");
	check(parse("- -c -", &v, &err) == 0);
	check_str(v.words, "-,");
	check_str(v.text, "-");
	check(parse("--all", &v, &err) == 0 && v.called == 1);
	check(parse("--depth 3", &v, &err) == 0 && v.depth == -1);
	check_str(v.words, "3,");
	check(parse("--depth=3 a", &v, &err) == 0 && v.depth == 3);
	check_str(v.words, "a,");
	check(parse("--colour red", &v, &err) == 0 && v.colour == 1);
	check(parse("--colour=red --colour=blue", &v, &err) == 0 &&
	      v.colour == 3);
	check(parse("", &v, &err) == 0 && v.colour == 0);
	check(parse("-f --help -j abc", &v, &err) == 1);
	check(v.help && v.force && v.jobs == -1);
}

static void check_refused(const char *line, const char *text)
{
	struct err err = { .code = ERR_NONE };
	struct values v;

	check(parse(line, &v, &err) == -1);
	check_u64(err.code, ERR_USAGE);
	check_str(err.text, text);
}

static void check_messages(void)
{
	check_refused("-j abc",
		      "-j: \"abc\" is not a number from 0 to 1024");
	check_refused("--num-jobs=1025",
		      "--num-jobs: \"1025\" is not a number from 0 to 1024");
	check_refused("--num -1",
		      "--num-jobs: \"-1\" is not a number from 0 to 1024");
	check_refused("a -j", "-j: needs an argument: N");
	check_refused("--num-jobs", "--num-jobs: needs an argument: N");
	check_refused("-fz", "-z: there is no such option");
	check_refused("--nope=3 x", "--nope: there is no such option");
	check_refused("--comp gzip",
		      "--comp: can mean --compressor or --comp-extra");
	check_refused("--force=1", "--force: takes no argument");
	check_refused("-X bad", "-X: bad is bad");
	check_refused("--colour=gre",
		      "--colour: \"gre\" is not red, green or blue");
	check_refused("--colour=",
		      "--colour: \"\" is not red, green or blue");
	check_refused("refused", "refused");
}

/* Words between options stay words there as well. */
static void check_posixly_correct(void)
{
	struct values v;
	struct err err;

	setenv("POSIXLY_CORRECT", "1", 1);
	check(parse("out -j 8 in -f", &v, &err) == 0);
	check(v.jobs == 8 && v.force);
	check_str(v.words, "out,in,");
	unsetenv("POSIXLY_CORRECT");
}

static void check_help(void)
{
	char synopsis[OPT_SYNOPSIS_LEN], *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	check_str(opt_synopsis(&rows[0], synopsis), "-j, --num-jobs N");
	check_str(opt_synopsis(&rows[1], synopsis), "    --size SIZE");
	check_str(opt_synopsis(&rows[8], synopsis), "    --depth[=D]");
	check(out != NULL);
	if (!out)
		return;
	opt_print(rows, out);
	fclose(out);
	check(strstr(text, "  -j, --num-jobs N            one\n"
			   "                              two\n"
			   "\nSizes:\n"
			   "      --size SIZE             size\n"));
	free(text);
}

int main(void)
{
	check_accepted();
	check_messages();
	check_posixly_correct();
	check_help();
	return check_report();
}
