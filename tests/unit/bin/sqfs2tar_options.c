/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sqfs2tar/options.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "man_page.h"
#include "parse.h"
#include "util/err.h"

/* What sqfs2tar's command line means, and that its man page says the same. */

/* Command lines of programs that call an sqfs2tar today. */
static void check_consumers(void)
{
	static const char *const lines[] = {
		"--no-skip in",
		"in",
		"-r . in",
		"in -d usr -d etc/ -ksXL -c gzip",
	};
	struct options options;
	struct err err;
	char copy[512];

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		check(parse(lines[i], copy, &options, &err) == 0);
		check_str(options.image, "in");
		options_cleanup(&options);
	}
}

static void check_values(void)
{
	struct options options;
	struct err err;
	char copy[512];

	check(parse("-", copy, &options, &err) == 0);
	check_str(options.image, "-");
	check(options.jobs == -1 && options.sparse == 1 << 20);
	check(options.codec == WRITER_PLAIN &&
	      options.level == WRITER_LEVEL_DEFAULT);
	check(options.format == TAR_FORMAT_PAX && !options.place.is_given);
	check(!options.no_root && !options.dot && !options.rules.prefix);
	options_cleanup(&options);

	check(parse("-d ./a//b/ --subdir=/ -kXLsq in.sqfs -r ./x -j 3 --sparse "
		    "4k --exclude x* --include=y --offset 2K -c zstd --level "
		    "-5 --format gnu --no-root",
		    copy, &options, &err) == 0);
	check_u64(options.subdir_count, 2);
	check_str(options.subdirs[0], "a/b");
	check_str(options.subdirs[1], "");
	check(options.keep_as_dir && options.no_xattr &&
	      options.no_hard_links && options.no_skip && options.quiet &&
	      options.no_root);
	check_str(options.rules.prefix, "./x");
	check(options.jobs == 3 && options.sparse == 4096);
	check(options.rules.exclude.count == 1 &&
	      options.rules.include.count == 1);
	check(options.place.is_given && !options.place.is_auto);
	check_u64(options.place.offset, 2048);
	check(options.codec == WRITER_ZSTD && options.level == -5);
	check(options.format == TAR_FORMAT_GNU);
	options_cleanup(&options);
}

static void check_last_wins(void)
{
	struct options options;
	struct err err;
	char copy[512];

	check(parse("a -c xz -c gzip --level 1 --level 9 -r x -r ./ -j 2 -j 0 "
		    "--format ustar --format pax --sparse 0 --sparse 1G "
		    "--offset 5 --offset auto",
		    copy, &options, &err) == 0);
	check(options.codec == WRITER_GZIP && options.level == 9);
	check(options.dot && !options.rules.prefix);
	check(options.jobs == 0 && options.format == TAR_FORMAT_PAX);
	check(options.sparse == 1 << 30);
	check(options.place.is_auto);
	check_u64(options.place.offset, 0);
	options_cleanup(&options);
	check(parse("a -r . -r x", copy, &options, &err) == 0);
	check(!options.dot);
	check_str(options.rules.prefix, "x");
	options_cleanup(&options);
	check(parse("--offset auto -V", copy, &options, &err) == 0);
	check(options.version);
	options_cleanup(&options);
}

static void check_messages(void)
{
	check_refused("", "no image is named");
	check_refused("a b", "\"b\": one image can be given");
	check_refused("a -d ..", "-d: \"..\" does not name a directory");
	check_refused("a --subdir=", "--subdir: \"\" does not name");
	check_refused("a -r a/../b", "-r: \"a/../b\" does not name");
	check_refused("a --root-becomes=", "--root-becomes: \"\" does not");
	check_refused("a -r /", "-r: names in an archive do not begin");
	check_refused("a -c lzo", "-c: \"lzo\" is not gzip, xz, zstd, bzip2");
	check_refused("a -c", "-c: needs an argument: NAME");
	check_refused("a --level 3", "--level: goes with -c");
	check_refused("a -c xz --level x", "--level: \"x\" is not a number");
	check_refused("a --format v7", "--format: \"v7\" is not pax, gnu or");
	check_refused("a --sparse 1x", "--sparse: \"1x\" is not a size");
	check_refused("a --offset -1", "--offset: neither auto nor a number");
	check_refused("a -j 1025", "-j: \"1025\" is not a number");
	check_refused("a --exclude [", "--exclude: ");
	check_refused("a --no-x --no", "--no: can mean --no-root or");
	check_refused("a --prefix x", "--prefix: there is no such option");
}

int main(void)
{
	check_consumers();
	check_values();
	check_last_wins();
	check_messages();
	check_man_page(option_rows, "sqfs2tar.1");
	check_help_width(option_rows);
	return check_report();
}
