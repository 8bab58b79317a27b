/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tar2sqfs/options.h"

#include <stdlib.h>

#include "check.h"
#include "codec/codec.h"
#include "common/codecs.h"
#include "man_page.h"
#include "parse.h"
#include "util/err.h"

/* What tar2sqfs' command line means, and that its man page says the same. */

/* True if a line can be tried with the codecs that are built in. */
static bool has_codec(const char *line)
{
	return !strstr(line, "gzip") || codec_by_name(codecs_more, "gzip");
}

/* Command lines of programs that call a tar2sqfs today. */
static void check_consumers(void)
{
	static const char *const lines[] = {
		("--quiet --no-skip --force --exportable --compressor gzip "
		 "--block-size 1048576 out"),
		"-X level=3 --no-skip --force --compressor gzip out",
		"--compressor gzip out",
		"-c gzip -X level=1 out",
		"out -j 8 -f --compressor gzip -X level=9 -s",
		"--no-xattr --compressor gzip --comp-extra level=3 out",
		"out",
		"--quiet --no-skip --force out",
		"--quiet --compressor=gzip out",
	};
	struct options options;
	struct err err;
	char copy[512];

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (!has_codec(lines[i]))
			continue;
		check(parse(lines[i], copy, &options, &err) == 0);
		check_str(options.output, "out");
		check(options.archive_count == 1 && !options.archives[0]);
		options_cleanup(&options);
	}
}

static void check_values(void)
{
	struct pack_options pack;
	struct options options;
	struct err err;
	char copy[512];

	check(parse("in.sqfs -r ./a//b/ -S -E x* -E y -xskT -b 64K -B 1k -d "
		    "uid=1,gid=2,mode=755,mtime=9 --root-mode 0700 --root-time "
		    "4294967295 --no-compression=ids,data -Q 7 -j 0 -",
		    copy, &options, &err) == 0);
	check_str(options.root_becomes, "./a//b/");
	check_u64(options.image.rules.exclude_dir.count, 2);
	check_str(options.image.rules.exclude_dir.items[1], "y");
	check(options.no_symlink_retarget && options.no_xattr &&
	      options.no_skip && options.no_keep_time);
	check(options.archive_count == 1 && !options.archives[0]);
	check(!options.force && !options.quiet);
	check(options.image.plan.backlog == 7 && options.image.plan.jobs == 0);
	check(image_pack_options(&options.image, &pack, &err) == 0);
	check_u64(pack.config.block_size, 65536);
	check_u64(pack.pad_to, 1024);
	check(pack.no_tail_packing && !pack.no_fragments);
	check_u64(pack.tree.defaults.uid, 1);
	check_u64(pack.tree.defaults.gid, 2);
	check_u64(pack.tree.defaults.mode, 0755);
	check_u64(pack.tree.defaults.mtime, 9);
	check_u64(pack.mkfs_time, 9);
	check_u64((uint64_t)pack.root_mode, 0700);
	check(pack.root_mtime == UINT32_MAX && pack.root_uid == -1);
	check(pack.raw.ids && pack.raw.data && !pack.raw.inodes);
	options_cleanup(&options);
}

static void check_last_wins(void)
{
	struct options options;
	struct err err;
	char copy[512];

	if (!has_codec("gzip"))
		return;
	check(parse("o -b 4K -b 8K -c xz -c gzip -d uid=1 -d gid=2,uid=3 "
		    "--no-compression all --no-compression ids -r a -r b "
		    "--all-root --set-uid 5 -X level=2 -X level=4 --set-gid 7 "
		    "--all-root",
		    copy, &options, &err) == 0);
	check(options.image.block_size == 8192);
	check_str(options.image.codec_name, "gzip");
	check_str(options.image.codec_words, "level=4");
	check(options.image.uid == 3 && options.image.gid == 2);
	check(options.image.raw.ids && !options.image.raw.data);
	check_str(options.root_becomes, "b");
	check(options.image.set_uid == 0 && options.image.set_gid == 0);
	options_cleanup(&options);
}

static void check_wrong(const char *line, const char *text)
{
	struct err err = { .code = ERR_NONE };
	struct pack_options pack;
	struct options options;
	char copy[512];
	int ret;

	if (!has_codec(line))
		return;
	ret = parse(line, copy, &options, &err);
	if (ret == 0)
		ret = image_pack_options(&options.image, &pack, &err);
	check(ret == -1);
	check_u64(err.code, ERR_USAGE);
	if (!strstr(err.text, text))
		check_str(err.text, text);
	options_cleanup(&options);
}

static void check_messages(void)
{
	check_wrong("", "no output file is named");
	check_wrong("-", "-: an image cannot go to standard output");
	check_wrong("a - b -", "-: standard input can be read once only");
	check_wrong("a -b 5000", "--block-size: must be a power of two");
	check_wrong("a -b 2M", "-b: \"2M\" is not a size");
	check_wrong("a -b 128KB", "-b: \"128KB\" is not a size");
	check_wrong("a -B 512", "-B: \"512\" is not a size");
	check_wrong("a -j abc", "-j: \"abc\" is not a number");
	check_wrong("a -Q 1x", "-Q: \"1x\" is not a number");
	check_wrong("a --root-becomes=", "--root-becomes: \"\" does not");
	check_wrong("a -r a/../b", "-r: \"a/../b\" does not name");
	check_wrong("a -c bzip2", "-c: \"bzip2\" is no compressor; there");
	check_wrong("a -d mode=0888", "-d: mode: \"0888\" is not an octal");
	check_wrong("a -d uid", "-d: uid needs a value");
	check_wrong("a -d uid=-1", "-d: uid: \"-1\" is not a number");
	check_wrong("a -d uid=1,", "-d: an empty word");
	check_wrong("a -d foo=1", "-d: \"foo\" is not uid, gid, mode");
	check_wrong("a --no-compression=x",
		      "--no-compression: \"x\" is not data");
	check_wrong("a --root-mode 9", "--root-mode: \"9\" is not an octal");
	check_wrong("a --root-time 4294967296", "--root-time: ");
	check_wrong("a -c gzip -X level=99", "-X");
	check_wrong("a -c gzip -X nonsense", "-X");
}

static void check_epoch(const char *value, bool ok, int64_t mtime)
{
	struct err err = { .code = ERR_NONE };
	struct options options;
	char copy[512];
	int ret;

	setenv("SOURCE_DATE_EPOCH", value, 1);
	ret = parse("a", copy, &options, &err);
	check(ret == (ok ? 0 : -1));
	if (ok) {
		check(options.image.epoch == mtime);
		check_u64(options.image.default_mtime, (uint64_t)mtime);
	} else {
		check(strncmp(err.text, "SOURCE_DATE_EPOCH: ", 19) == 0);
		check_u64(err.code, ERR_USAGE);
	}
	options_cleanup(&options);
	check(parse("a -d mtime=5", copy, &options, &err) == (ok ? 0 : -1));
	if (ok)
		check_u64(options.image.default_mtime, 5);
	options_cleanup(&options);
	check(parse("--version", copy, &options, &err) == 0);
	check(options.version);
	options_cleanup(&options);
	unsetenv("SOURCE_DATE_EPOCH");
}

int main(void)
{
	unsetenv("SOURCE_DATE_EPOCH");
	check_consumers();
	check_values();
	check_last_wins();
	check_messages();
	check_epoch("0", true, 0);
	check_epoch("4294967295", true, 4294967295);
	check_epoch("4294967296", false, 0);
	check_epoch("-1", false, 0);
	check_epoch("0x10", false, 0);
	check_epoch("", false, 0);
	check_epoch("12 ", false, 0);
	check_man_page(option_rows, "tar2sqfs.1");
	check_help_width(option_rows);
	return check_report();
}
