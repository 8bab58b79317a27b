/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sqfs2tar/help.h"

#include <stdio.h>

#include "common/codecs.h"
#include "common/help.h"
#include "sqfs2tar/options.h"

static void print_help(void)
{
	char names[CODECS_NAMES_LEN];

	puts("Usage: sqfs2tar [OPTION]... IMAGE\n"
	     "\n"
	     "Writes what the SquashFS image IMAGE holds, or standard input if "
	     "IMAGE is -,\n"
	     "as a tar archive to standard output.");
	opt_print(option_rows, stdout);
	printf("\nImages are read that were compressed by %s.\n",
	       codecs_names(names));
	puts("\nSIZE and N may end in K, M or G (1024 based). Options and the "
	     "name may stand in\n"
	     "any order, and the last of several equal options counts.\n"
	     "\n"
	     "Exit status: 0 done, 1 failed, 2 wrong usage.");
}

bool help_print(const struct options *options)
{
	if (options->help)
		print_help();
	else if (options->version)
		help_version("sqfs2tar");
	else
		return false;
	return true;
}
