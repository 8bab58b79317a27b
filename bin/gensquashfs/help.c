/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gensquashfs/help.h"

#include <stdio.h>

#include "codec/codec.h"
#include "common/help.h"
#include "gensquashfs/options.h"

static void print_help(void)
{
	puts("Usage: gensquashfs [OPTION]... -D DIR... OUT\n"
	     "       gensquashfs [OPTION]... -F FILE OUT\n"
	     "\n"
	     "Packs what is in the directories DIR, or what the lines of FILE "
	     "describe, into\n"
	     "the SquashFS image OUT.");
	opt_print(option_rows, stdout);
	help_packer();
}

bool help_print(const struct options *options)
{
	if (options->help)
		print_help();
	else if (options->version)
		help_version("gensquashfs");
	else if (image_wants_codec_help(&options->image))
		fputs(options->image.codec->help, stdout);
	else
		return false;
	return true;
}
