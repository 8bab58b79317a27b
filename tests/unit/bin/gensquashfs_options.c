/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gensquashfs/options.h"

#include <stdlib.h>

#include "check.h"
#include "codec/codec.h"
#include "common/codecs.h"
#include "man_page.h"
#include "parse.h"
#include "util/err.h"

/* What gensquashfs' command line means, and that its man page says the same. */

/* Command lines of programs that call a gensquashfs today. */
static void check_consumers(void)
{
	static const char *const lines[] = {
		"--pack-dir dir -c gzip -k -x out",
		"--pack-dir dir out",
		"-q -D dir out",
		"-f -D dir -k -x out",
		("--pack-dir dir out --compressor gzip --block-size 1048576 "
		 "--num-jobs 8"),
		"--pack-dir dir --block-size 1048576 --keep-time out",
		"out --pack-dir dir --sort-file order",
		"-D dir -j 8 -q -c gzip -X level=4 out",
	};
	struct options options;
	struct err err;
	char copy[512];

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (strstr(lines[i], "gzip") &&
		    !codec_by_name(codecs_more, "gzip"))
			continue;
		check(parse(lines[i], copy, &options, &err) == 0);
		check_str(options.output, "out");
		check_u64(options.dir_count, 1);
		check_str(options.dirs[0], "dir");
		options_cleanup(&options);
	}
}

static void check_values(void)
{
	struct options options;
	struct err err;
	char copy[512];

	check(parse("-D a -D b out", copy, &options, &err) == 0);
	check(!options.keep_time && !options.keep_xattrs && !options.pack_file);
	check(options.image.set_uid == -1 && options.image.set_gid == -1);
	check_u64(options.dir_count, 2);
	check_str(options.dirs[1], "b");
	options_cleanup(&options);

	check(parse("-F - -D base -kxoHfqe -u 7 -g 8 -S order --order size "
		    "--ignore-read-errors --no-skip -E x* out",
		    copy, &options, &err) == 0);
	check_str(options.pack_file, "-");
	check(options.keep_time && options.keep_xattrs &&
	      options.one_file_system && options.no_hard_links &&
	      options.force && options.quiet && options.image.exportable &&
	      options.ignore_read_errors && options.no_skip);
	check(options.image.set_uid == 7 && options.image.set_gid == 8);
	check_str(options.image.rules.sort_file, "order");
	check(options.image.rules.order == ORDER_SIZE);
	check_u64(options.image.rules.exclude_dir.count, 1);
	options_cleanup(&options);

	check(parse("--files-from list --null out", copy, &options, &err) == 0);
	check_str(options.files_from, "list");
	check(options.is_null && options.dir_count == 1);
	check_str(options.dirs[0], ".");
	options_cleanup(&options);

	check(parse("-D a --all-root --order input out", copy, &options,
		    &err) == 0);
	check(options.image.set_uid == 0 && options.image.set_gid == 0);
	check(options.image.rules.order == ORDER_INPUT);
	options_cleanup(&options);
}

static void check_wrong(void)
{
	static const char *const lines[] = {
		"",
		"out",
		"-D dir",
		"-D dir out more",
		"-D dir -",
		"-D a -D b -F list out",
		"-D a -D b --files-from list out",
		"-F list --files-from list out",
		"-D dir --null out",
		"-D dir -j abc out",
		"-D dir -b 5000 out",
		"-D dir --all-root=1 out",
		"-D dir --comp gzip out",
		"-D dir --order tar-like out",
	};
	struct options options;
	struct err err;
	char copy[512];

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		check(parse(lines[i], copy, &options, &err) < 0);
		check(err.code == ERR_USAGE);
		options_cleanup(&options);
	}
}

int main(void)
{
	unsetenv("SOURCE_DATE_EPOCH");
	check_consumers();
	check_values();
	check_wrong();
	check_man_page(option_rows, "gensquashfs.1");
	return check_report();
}
