/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rdsquashfs/help.h"

#include <stdio.h>

#include "common/codecs.h"
#include "common/help.h"
#include "rdsquashfs/options.h"

static void print_help(void)
{
	char names[CODECS_NAMES_LEN];

	puts("Usage: rdsquashfs OPTION... IMAGE\n"
	     "\n"
	     "Lists, prints, unpacks or checks what is in the SquashFS image "
	     "IMAGE; - is\n"
	     "standard input.");
	opt_print(option_rows, stdout);
	printf("\nCompressors built in: %s.\n", codecs_names(names));
	puts("\nPATH is a path in the image, from its root. Where there is no "
	     "such path, it is\n"
	     "a pattern: * and ? and [a-z] match within a name, ** also "
	     "across slashes.\n"
	     "SIZE is a number of bytes and may end in K, M or G (1024 "
	     "based).\n"
	     "\n"
	     "Exit status: 0 done, 1 failed, 2 wrong usage, 3 all is "
	     "unpacked, but something\n"
	     "that was to be restored could not be.");
}

bool help_print(const struct options *options)
{
	if (options->help)
		print_help();
	else if (options->version)
		help_version("rdsquashfs");
	else
		return false;
	return true;
}
