/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "gensquashfs/help.h"

#include <stdio.h>

#include "codec/codec.h"
#include "common/codecs.h"
#include "common/machine.h"
#include "common/plan.h"
#include "common/size_text.h"
#include "flow/flow.h"
#include "gensquashfs/options.h"

static void print_version(void)
{
	puts("gensquashfs (sqfskit) " PACKAGE_VERSION "\n"
	     "Licence: GNU General Public License, version 2 or later.\n"
	     "There is no warranty, to the extent permitted by law.");
}

/* What the defaults come to on this machine. */
static void print_memory(void)
{
	const struct plan_wish wish = { .jobs = -1, .backlog = -1,
					.memory_limit = -1 };
	char memory[SIZE_TEXT_LEN], block[SIZE_TEXT_LEN];
	char spare[SIZE_TEXT_LEN];
	struct machine machine;
	struct plan plan;

	machine_look("", &machine);
	if (plan_make(&wish, &machine, IMAGE_BLOCK_SIZE, &plan, NULL) < 0)
		return;

	uint64_t one = flow_memory(IMAGE_BLOCK_SIZE, 1, 1);
	uint64_t per_job = flow_memory(IMAGE_BLOCK_SIZE, 1, 2) - one;

	printf("\nMemory: -Q times %s and -j times %s, at -b 128K. On this "
	       "machine the\n"
	       "default is %u threads and %zu blocks: %s. Then what the "
	       "compressor needs\n"
	       "in each thread, and about 200 bytes for each file.\n",
	       size_text(one - per_job, block), size_text(per_job, spare),
	       plan.jobs, plan.backlog,
	       size_text(flow_memory(IMAGE_BLOCK_SIZE, plan.backlog, plan.jobs),
			 memory));
}

static void print_help(void)
{
	char names[CODECS_NAMES_LEN];

	puts("Usage: gensquashfs [OPTION]... -D DIR... OUT\n"
	     "       gensquashfs [OPTION]... -F FILE OUT\n"
	     "\n"
	     "Packs what is in the directories DIR, or what the lines of FILE "
	     "describe, into\n"
	     "the SquashFS image OUT.");
	opt_print(option_rows, stdout);
	printf("\nCompressors built in: %s.\nThe first is the default.\n",
	       codecs_names(names));
	print_memory();
	puts("\nSIZE is a number of bytes and may end in K, M or G (1024 "
	     "based). Options and\n"
	     "names may stand in any order, and the last of several equal "
	     "options counts.\n"
	     "\n"
	     "Exit status: 0 done, 1 failed, 2 wrong usage.");
}

bool help_print(const struct options *options)
{
	if (options->help)
		print_help();
	else if (options->version)
		print_version();
	else if (image_wants_codec_help(&options->image))
		fputs(options->image.codec->help, stdout);
	else
		return false;
	return true;
}
