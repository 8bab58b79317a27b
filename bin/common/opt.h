/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMON_OPT_H
#define COMMON_OPT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct err;

/*
 * A command line as a table: one row per option, from which the parser, --help
 * and the check of the man page all come.
 */
enum opt_kind {
	OPT_FLAG,   /* bool at at becomes true */
	OPT_STOP,   /* the same, and parsing ends at once: --help */
	OPT_NUMBER, /* int64_t: min to max */
	OPT_SIZE,   /* int64_t: min to max, with K, M or G */
	OPT_MODE,   /* int64_t: octal permission bits */
	OPT_CHOICE, /* int: 1 and up, by the order of choices */
	OPT_TEXT,   /* const char *, borrowed from argv */
	OPT_CALL    /* call does it */
};

struct opt {
	const char *name; /* long name; NULL ends the table */
	char letter;	  /* or 0 */
	enum opt_kind kind;
	const char *arg; /* name of its argument; NULL if it takes none;
			  * "[=NAME]" of an OPT_CALL without a letter: it may
			  * be left out, and text is then NULL */
	size_t at;	 /* where in the options the value goes */
	uint64_t min, max;
	const char *const *choices; /* the words, two or more; then NULL */
	/* ERR_USAGE, ERR_NOMEM; text is borrowed from argv */
	int (*call)(void *options, const char *text, struct err *err);
	const char *group; /* heading above it in the help; or NULL */
	const char *help;  /* lines between which stands \n */
};

#define OPT_ROWS_MAX 64

/* The rows that end every table; at_help and at_version as in struct opt. */
#define OPT_LAST_ROWS(at_help, at_version)                                     \
	{ .name = "help", .letter = 'h', .kind = OPT_STOP, .at = (at_help),    \
	  .help = "print this and exit" },                                     \
	{ .name = "version", .letter = 'V', .kind = OPT_STOP,                  \
	  .at = (at_version), .help = "print the version and exit" },          \
	{ .name = NULL }

/* Room for what opt_synopsis writes. */
#define OPT_SYNOPSIS_LEN 64

/*
 * Parses words in any order; a later option overrides an earlier one. Long
 * names may be cut as long as one alone is meant; behind "--" all is words.
 *
 * options  filled; holds the defaults already
 * word     called for each word that is no option, with options
 * returns  0; 1 if an OPT_STOP row was met; -1
 * fails    ERR_USAGE, the option as it was written in front
 * thread   main: getopt keeps its place in a variable of the C library
 */
int opt_parse(const struct opt *rows, int argc, char **argv, void *options,
	      int (*word)(void *options, const char *text, struct err *err),
	      struct err *err);

/* "-j, --num-jobs COUNT" of one row; returns out. */
const char *opt_synopsis(const struct opt *row, char out[OPT_SYNOPSIS_LEN]);

/* Prints all rows, for --help. */
void opt_print(const struct opt *rows, FILE *out);

#endif
