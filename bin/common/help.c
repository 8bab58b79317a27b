/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "common/help.h"

#include <stdio.h>

#include "common/codecs.h"
#include "common/image.h"
#include "common/machine.h"
#include "common/plan.h"
#include "common/size_text.h"
#include "flow/flow.h"

/* What the --help and --version of the tools have in common. */

void help_version(const char *program)
{
	printf("%s (sqfskit) " PACKAGE_VERSION "\n\n"
	       "Licence: GNU General Public License, version 2 or later.\n"
	       "There is no warranty, to the extent permitted by law.\n",
	       program);
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
	       "in each thread, and about 200 bytes for each entry that is "
	       "packed.\n",
	       size_text(one - per_job, block), size_text(per_job, spare),
	       plan.jobs, plan.backlog,
	       size_text(flow_memory(IMAGE_BLOCK_SIZE, plan.backlog, plan.jobs),
			 memory));
}

void help_packer(void)
{
	char names[CODECS_NAMES_LEN];

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
