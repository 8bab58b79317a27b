/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rdsquashfs/options.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "man_page.h"
#include "parse.h"
#include "util/err.h"

/* What rdsquashfs' command line means, and that its man page says the same. */

/* Command lines of programs that call an rdsquashfs today. */
static void check_consumers(void)
{
	static const struct {
		const char *line;
		enum operation operation;
		const char *path;
	} lines[] = {
		{ "-c a/b in", OPERATION_CAT, "a/b" },
		{ "--cat=/a in", OPERATION_CAT, "/a" },
		{ "-u / -p dir in", OPERATION_UNPACK, "/" },
		{ "-q -u / -p dir in", OPERATION_UNPACK, "/" },
		{ "-C -u / -p dir in", OPERATION_UNPACK, "/" },
		{ "-u /. in", OPERATION_UNPACK, "/." },
		{ "in -l /", OPERATION_LIST, "/" },
		{ "-d in", OPERATION_DESCRIBE, NULL },
		{ "in -DSFLEZXTCO --unpack-path=/x", OPERATION_UNPACK, "/x" },
	};
	struct options options;
	struct err err;
	char copy[512];

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		check(parse(lines[i].line, copy, &options, &err) == 0);
		check_str(options.image, "in");
		check(options.operation == lines[i].operation);
		check_u64(options.path_count, lines[i].path != NULL);
		if (lines[i].path)
			check_str(options.paths[0], lines[i].path);
		options_cleanup(&options);
	}
}

static void check_values(void)
{
	struct options options;
	struct err err;
	char copy[512];

	check(parse("-u a in", copy, &options, &err) == 0);
	check(options.plan.jobs == -1 && options.sparse == 4096);
	check(!options.place.is_given && !options.place.is_auto);
	check(options.existing == DIR_EXISTING_FAIL && !options.root);
	check(!options.chmod && !options.chown && !options.set_times &&
	      !options.set_xattr && !options.no_sparse);
	options_cleanup(&options);
	check(parse("-u a -u b --all --sparse 64K -j 3 --offset 4K -p out "
		    "--overwrite -v -q - -DSFLE",
		    copy, &options, &err) == 0);
	check_str(options.image, "-");
	check_str(options.root, "out");
	check_u64(options.path_count, 2);
	check_str(options.paths[1], "b");
	check(options.chmod && options.chown && options.set_times &&
	      options.set_xattr);
	check(options.no_dev && options.no_sock && options.no_fifo &&
	      options.no_slink && options.no_empty_dir);
	check(options.sparse == 65536 && options.plan.jobs == 3);
	check(options.place.is_given && options.place.offset == 4096);
	check(options.existing == DIR_EXISTING_OVERWRITE);
	check(options.verbose && options.quiet);
	options_cleanup(&options);
	check(parse("--du in", copy, &options, &err) == 0);
	check(options.operation == OPERATION_DU &&
	      options.du_depth == DU_DEPTH);
	options_cleanup(&options);
	check(parse("--du=7 --json --offset auto in", copy, &options, &err) ==
	      0);
	check(options.du_depth == 7 && options.json && options.place.is_auto);
	options_cleanup(&options);
	check(parse("--manifest mtree in", copy, &options, &err) == 0);
	check(options.operation == OPERATION_MANIFEST &&
	      options.manifest == MANIFEST_MTREE);
	options_cleanup(&options);
	check(parse("-R --long --json -l x in", copy, &options, &err) == 0);
	check(options.recursive && options.is_long && options.json);
	options_cleanup(&options);
}

static void check_last_wins(void)
{
	struct options options;
	struct err err;
	char copy[512];

	check(parse("-l a -u b -c c -c d in", copy, &options, &err) == 0);
	check(options.operation == OPERATION_CAT);
	check_u64(options.path_count, 2);
	check_str(options.paths[0], "c");
	options_cleanup(&options);
	check(parse("-c a --check -d in", copy, &options, &err) == 0);
	check(options.operation == OPERATION_DESCRIBE);
	check_u64(options.path_count, 0);
	options_cleanup(&options);
	check(parse("-u / --overwrite --no-clobber in", copy, &options,
		    &err) == 0);
	check(options.existing == DIR_EXISTING_KEEP);
	options_cleanup(&options);
	check(parse("-u / -Z --sparse 4K in", copy, &options, &err) == 0);
	check(!options.no_sparse && options.sparse == 4096);
	options_cleanup(&options);
	check(parse("-u / --sparse 4K -Z in", copy, &options, &err) == 0);
	check(options.no_sparse);
	options_cleanup(&options);
	check(parse("--help", copy, &options, &err) == 0 && options.help);
	options_cleanup(&options);
}

static void check_wrong(const char *line, const char *text)
{
	struct err err = { .code = ERR_NONE };
	struct options options;
	char copy[512];

	check(parse(line, copy, &options, &err) == -1);
	check_u64(err.code, ERR_USAGE);
	if (!strstr(err.text, text))
		check_str(err.text, text);
	options_cleanup(&options);
}

static void check_messages(void)
{
	check_wrong("", "nothing is asked for");
	check_wrong("in", "nothing is asked for");
	check_wrong("-d", "no image is named");
	check_wrong("-d a b", "b: one image can be named");
	check_wrong("--list= in", "--list: the path is empty");
	check_wrong("--manifest md5 in", "\"md5\" is not sha256 or mtree");
	check_wrong("--du=-1 in", "--du: \"-1\" is not a number");
	check_wrong("--du=65536 in", "--du: \"65536\" is not a number");
	check_wrong("--sparse 2K -u / in", "--sparse: must be a power of two from 4K");
	check_wrong("--sparse 12K -u / in", "must be a power of two");
	check_wrong("--offset x -d in", "--offset: ");
	check_wrong("-d --json in", "--json: goes with");
	check_wrong("-u / --json in", "--json: goes with");
}

int main(void)
{
	check_consumers();
	check_values();
	check_last_wins();
	check_messages();
	check_man_page(option_rows, "rdsquashfs.1");
	check_help_width(option_rows);
	return check_report();
}
