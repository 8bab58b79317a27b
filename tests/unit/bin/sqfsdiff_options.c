/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sqfsdiff/options.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "man_page.h"
#include "parse.h"
#include "util/err.h"

/* What sqfsdiff's command line means, and that its man page says the same. */

/* All ways to name the two. */
static void check_names(void)
{
	static const char *const lines[] = {
		"-a A -b B",	   "--old A --new B", "A B",
		"-b B A",	   "A --new=B",	      "-a A B",
		"B --old A",	   "-a X -b B -a A",  "-- A B",
		"-CO A -PT B -IS", "--ol A --ne B",
	};
	struct options options;
	struct err err;
	char copy[512];

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		check(parse(lines[i], copy, &options, &err) == 0);
		check_str(options.old, "A");
		check_str(options.new, "B");
		options_cleanup(&options);
	}
}

static void check_values(void)
{
	struct options options;
	struct err err;
	char copy[512];

	check(parse("A -", copy, &options, &err) == 0);
	check_str(options.new, "-");
	check(options.jobs == -1 && !options.place.is_given);
	check(!options.no_contents && !options.no_owner &&
	      !options.no_permissions && !options.no_xattrs &&
	      !options.no_hard_links);
	check(!options.timestamps && !options.inode_num && !options.super &&
	      !options.json && !options.quiet && !options.extract);
	options_cleanup(&options);

	check(parse("A B -COPTISq -e dir --json --no-xattrs --no-hard-links "
		    "--offset 2K -j 3 --exclude x* --include=y",
		    copy, &options, &err) == 0);
	check(options.no_contents && options.no_owner &&
	      options.no_permissions && options.no_xattrs &&
	      options.no_hard_links);
	check(options.timestamps && options.inode_num && options.super &&
	      options.json && options.quiet);
	check_str(options.extract, "dir");
	check_u64(options.place.offset, 2048);
	check(options.jobs == 3);
	check(options.rules.exclude.count == 1 &&
	      options.rules.include.count == 1);
	options_cleanup(&options);

	check(parse("-j 2 -j 0 --offset 5 --offset auto -e x -e y A B", copy,
		    &options, &err) == 0);
	check(options.jobs == 0 && options.place.is_auto);
	check_str(options.extract, "y");
	options_cleanup(&options);
	check(parse("A -V B C", copy, &options, &err) == 0);
	check(options.version);
	options_cleanup(&options);
}

static void check_messages(void)
{
	check_refused("", "two names are needed: --old and --new");
	check_refused("A", "two names are needed: --old and --new");
	check_refused("-b A", "two names are needed: --old and --new");
	check_refused("A B C", "\"C\": two are compared");
	check_refused("-a A -b B C", "\"C\": two are compared");
	check_refused("-a A B C", "\"C\": two are compared");
	check_refused("- -", "only one of both can be standard input");
	check_refused("--old= B", "--old: the name is empty");
	check_refused("A B --extract=", "--extract: the name of the directory");
	check_refused("A B -j 1025", "-j: \"1025\" is not a number");
	check_refused("A B --offset x", "--offset: neither auto nor a number");
	check_refused("A B --exclude [", "--exclude: ");
	check_refused("A B --no-x --no", "--no: can mean --no-contents or");
	check_refused("A B -x", "-x: there is no such option");
}

int main(void)
{
	check_names();
	check_values();
	check_messages();
	check_man_page(option_rows, "sqfsdiff.1");
	check_help_width(option_rows);
	return check_report();
}
