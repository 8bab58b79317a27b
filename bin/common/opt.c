/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/opt.h"

#include <assert.h>
#include <getopt.h>
#include <stdbool.h>
#include <string.h>

#include "util/err.h"
#include "util/parse.h"

/* getopt_long returns this plus the row for a long name, so that a message can
 * tell the two ways to write an option apart. */
#define LONG_BASE 1000

/* What getopt returns for a word that is no option. */
#define WORD 1

#define HELP_COLUMN 30

struct getopt_tables {
	struct option longs[OPT_ROWS_MAX + 1];
	char shorts[2 * OPT_ROWS_MAX + 3];
};

static int has_arg(const struct opt *row)
{
	if (!row->arg)
		return no_argument;
	return *row->arg == '[' ? optional_argument : required_argument;
}

/*
 * "-" makes getopt return words in place, whatever POSIXLY_CORRECT says; ":"
 * makes it leave the messages to us.
 */
static void fill_tables(const struct opt *rows, struct getopt_tables *tables)
{
	char *p = tables->shorts;
	int i;

	*p++ = '-';
	*p++ = ':';
	for (i = 0; rows[i].name; i++) {
		assert(i < OPT_ROWS_MAX);
		tables->longs[i] = (struct option){
			.name = rows[i].name,
			.has_arg = has_arg(&rows[i]),
			.val = LONG_BASE + i,
		};
		if (!rows[i].letter)
			continue;
		*p++ = rows[i].letter;
		assert(has_arg(&rows[i]) != optional_argument);
		if (rows[i].arg)
			*p++ = ':';
	}
	*p = '\0';
	tables->longs[i] = (struct option){ 0 };
}

/* The row for what getopt returned, or NULL. */
static const struct opt *find_row(const struct opt *rows, int val)
{
	if (val >= LONG_BASE)
		return &rows[val - LONG_BASE];
	for (; rows->name; rows++)
		if (val && rows->letter == val)
			return rows;
	return NULL;
}

/* The option as the user wrote it, long names in full; returns out. */
static const char *written(const struct opt *row, int val,
			   char out[OPT_SYNOPSIS_LEN])
{
	if (val >= LONG_BASE)
		snprintf(out, OPT_SYNOPSIS_LEN, "--%s", row->name);
	else
		snprintf(out, OPT_SYNOPSIS_LEN, "-%c", row->letter);
	return out;
}

/* For a long name that means none or several rows. */
static int refuse_long(const struct opt *rows, const char *word,
		       struct err *err)
{
	size_t len = strcspn(word + 2, "=");
	char name[NAME_TEXT_LEN];
	const struct opt *a = NULL;

	name_text(word, len + 2, name);
	for (; rows->name; rows++) {
		if (strncmp(rows->name, word + 2, len) != 0)
			continue;
		if (a)
			return err_set(err, ERR_USAGE,
				       "%s: can mean --%s or --%s", name,
				       a->name, rows->name);
		a = rows;
	}
	return err_set(err, ERR_USAGE, "%s: there is no such option", name);
}

/* For what getopt returned as '?'; val is its optopt, word its argument. */
static int refuse(const struct opt *rows, int val, const char *word,
		  struct err *err)
{
	const struct opt *row = find_row(rows, val);
	char name[NAME_TEXT_LEN], letter = (char)val;

	if (row && val >= LONG_BASE)
		return err_set(err, ERR_USAGE, "--%s: takes no argument",
			       row->name);
	if (val)
		return err_set(err, ERR_USAGE, "-%s: there is no such option",
			       name_text(&letter, 1, name));
	return refuse_long(rows, word, err);
}

static int set_number(const struct opt *row, int64_t *out, const char *text,
		      struct err *err)
{
	uint64_t value;
	int ret = row->kind == OPT_NUMBER
			  ? parse_u64(text, row->min, row->max, &value, err)
			  : parse_size(text, row->min, row->max, &value, err);

	assert(row->max <= INT64_MAX);
	if (ret == 0)
		*out = (int64_t)value;
	return ret;
}

static int set_choice(const struct opt *row, int *out, const char *text,
		      struct err *err)
{
	char name[NAME_TEXT_LEN], words[OPT_SYNOPSIS_LEN];
	size_t used = 0;

	for (int i = 0; row->choices[i]; i++) {
		const char *between = !row->choices[i + 1] ? " or "
				      : i > 0		   ? ", "
							   : "";

		if (strcmp(row->choices[i], text) == 0) {
			*out = i + 1;
			return 0;
		}
		used += (size_t)snprintf(words + used, sizeof(words) - used,
					 "%s%s", between, row->choices[i]);
		assert(used < sizeof(words));
	}
	return err_set(err, ERR_USAGE, "\"%s\" is not %s",
		       name_text(text, strlen(text), name), words);
}

/* Puts the value of one option where its row says. */
static int apply(const struct opt *row, void *options, const char *text,
		 struct err *err)
{
	void *at = (char *)options + row->at;
	uint16_t mode;

	switch (row->kind) {
	case OPT_FLAG:
	case OPT_STOP:
		*(bool *)at = true;
		return row->kind == OPT_STOP;
	case OPT_NUMBER:
	case OPT_SIZE:
		return set_number(row, at, text, err);
	case OPT_MODE:
		if (parse_mode(text, &mode, err) < 0)
			return -1;
		*(int64_t *)at = mode;
		return 0;
	case OPT_CHOICE:
		return set_choice(row, at, text, err);
	case OPT_TEXT:
		*(const char **)at = text;
		return 0;
	case OPT_CALL:
		return row->call(options, text, err);
	}
	return 0;
}

int opt_parse(const struct opt *rows, int argc, char **argv, void *options,
	      int (*word)(void *options, const char *text, struct err *err),
	      struct err *err)
{
	struct getopt_tables tables;
	char name[OPT_SYNOPSIS_LEN];

	fill_tables(rows, &tables);
	opterr = 0;
	optind = 0; /* start afresh */
	for (;;) {
		int val = getopt_long(argc, argv, tables.shorts, tables.longs,
				      NULL);

		if (val == -1)
			break;
		if (val == WORD) {
			if (word(options, optarg, err) < 0)
				return -1;
			continue;
		}
		if (val == '?')
			return refuse(rows, optopt, argv[optind - 1], err);

		const struct opt *row =
			find_row(rows, val == ':' ? optopt : val);

		assert(row);
		if (val == ':')
			return err_set(err, ERR_USAGE,
				       "%s: needs an argument: %s",
				       written(row, optopt, name), row->arg);

		int ret = apply(row, options, optarg, err);

		if (ret < 0)
			return err_in(err, "%s", written(row, val, name));
		if (ret > 0)
			return 1;
	}
	for (int i = optind; i < argc; i++)
		if (word(options, argv[i], err) < 0)
			return -1;
	return 0;
}

const char *opt_synopsis(const struct opt *row, char out[OPT_SYNOPSIS_LEN])
{
	char letter[5] = "    ";

	if (row->letter)
		snprintf(letter, sizeof(letter), "-%c, ", row->letter);
	snprintf(out, OPT_SYNOPSIS_LEN, "%s--%s%s%s", letter, row->name,
		 has_arg(row) == required_argument ? " " : "",
		 row->arg ? row->arg : "");
	return out;
}

void opt_print(const struct opt *rows, FILE *out)
{
	char synopsis[OPT_SYNOPSIS_LEN];

	for (; rows->name; rows++) {
		const char *line = rows->help;

		if (rows->group)
			fprintf(out, "\n%s:\n", rows->group);
		opt_synopsis(rows, synopsis);
		fprintf(out, "  %-*s", HELP_COLUMN - 3, synopsis);
		if (strlen(synopsis) > HELP_COLUMN - 3)
			fprintf(out, "\n%*s", HELP_COLUMN - 1, "");
		while (line) {
			const char *end = strchr(line, '\n');
			int len = end ? (int)(end - line) : (int)strlen(line);

			fprintf(out, " %.*s\n", len, line);
			line = end ? end + 1 : NULL;
			if (line)
				fprintf(out, "%*s", HELP_COLUMN - 1, "");
		}
	}
}
