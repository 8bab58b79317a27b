/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sqfsdiff/help.h"

#include <stdio.h>

#include "common/codecs.h"
#include "common/help.h"
#include "sqfsdiff/options.h"

static void print_help(void)
{
	char names[CODECS_NAMES_LEN];

	puts("Usage: sqfsdiff [OPTION]... --old FILE --new FILE\n"
	     "       sqfsdiff [OPTION]... OLD NEW\n"
	     "\n"
	     "Tells what differs between two SquashFS images. In place of "
	     "either may be a tar\n"
	     "archive, plain or compressed, or a directory; - is standard "
	     "input. A line for\n"
	     "each path: - only in the old one, + only in the new one, "
	     "~ changed, and how.");
	opt_print(option_rows, stdout);
	printf("\nImages are read that were compressed by %s.\n",
	       codecs_names(names));
	puts("\nN may end in K, M or G (1024 based). Options and names may "
	     "stand in any order,\n"
	     "and the last of several equal options counts.\n"
	     "\n"
	     "Exit status: 0 no difference, 1 differences, 2 trouble.");
}

bool help_print(const struct options *options)
{
	if (options->help)
		print_help();
	else if (options->version)
		help_version("sqfsdiff");
	else
		return false;
	return true;
}
