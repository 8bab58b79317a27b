/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tar2sqfs/help.h"

#include <stdio.h>

#include "codec/codec.h"
#include "common/help.h"
#include "tar2sqfs/options.h"

static void print_help(void)
{
	puts("Usage: tar2sqfs [OPTION]... OUT [TAR]...\n"
	     "\n"
	     "Packs the tar archives TAR, or standard input if TAR is - or not "
	     "given, into\n"
	     "the SquashFS image OUT.");
	opt_print(option_rows, stdout);
	help_packer();
}

bool help_print(const struct options *options)
{
	if (options->help)
		print_help();
	else if (options->version)
		help_version("tar2sqfs");
	else if (image_wants_codec_help(&options->image))
		fputs(options->image.codec->help, stdout);
	else
		return false;
	return true;
}
