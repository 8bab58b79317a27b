/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"

#include <stdlib.h>

#include "common/codecs.h"
#include "common/progress.h"
#include "common/size_text.h"
#include "common/stats.h"
#include "pack/pack.h"
#include "util/err.h"

/* What is printed: sizes, the progress line, statistics; and words of -X. */

static void check_size(uint64_t bytes, const char *want)
{
	char text[SIZE_TEXT_LEN];

	check_str(size_text(bytes, text), want);
}

static void check_sizes(void)
{
	check_size(0, "0");
	check_size(1023, "1023");
	check_size(1024, "1.0k");
	check_size(1536, "1.5k");
	check_size(1048575, "1023.9k");
	check_size(1048576, "1.0M");
	check_size(5 * UINT64_C(1073741824), "5.0G");
	check_size(UINT64_MAX, "15.9E");
	check_u64(percent_of(0, 0), 100);
	check_u64(percent_of(1, 3), 33);
	check_u64(percent_of(UINT64_MAX, 1), 4294967295);
}

static void check_progress(void)
{
	const uint64_t second = UINT64_C(1000000000);
	char line[PROGRESS_LINE_LEN];

	check_str(progress_line(0, 0, 0, 0, 0, line), "0  0/s  ratio 100%");
	check_str(progress_line(10485760, 5242880, 0, 0, 2 * second, line),
		  "10.0M  5.0M/s  ratio 50%");
	check_str(progress_line(1000, 400, 25, 100, 30 * second, line),
		  "1000  25%  33/s  ratio 40%  1:30 left");
	check_str(progress_line(1000, 400, 25, 100, second / 2, line),
		  "1000  25%  1.9k/s  ratio 40%");
	/* A file that grew while it was read has no end to wait for. */
	check_str(progress_line(1000, 400, 200, 100, second, line),
		  "1000  1000/s  ratio 40%");
	check_str(progress_line(1000, PROGRESS_NO_RATIO, 50, 100, second, line),
		  "1000  50%  1000/s  0:01 left");
	check(strlen(progress_line(UINT64_MAX, UINT64_MAX - 1, 1, UINT64_MAX,
				   UINT64_MAX, line)) < PROGRESS_LINE_LEN - 1);
}

static void check_stats(void)
{
	static const char *const labels[] = {
		"----------",
		"Data bytes read: 4.0k\n",
		"Data bytes written: 1.0k\n",
		"Data compression ratio: 25%\n\n",
		"Files: 3\n",
		"Directories: 1\n",
		"IPC files: 0\n",
		"Device files: 0\n",
		"Hard links: 2\n",
		"Soft links: 0\n\n",
		"Data blocks written: 0\n",
		"Out of which were fragment blocks: 0\n",
		"Duplicate blocks omitted: 0\n",
		"Sparse blocks omitted: 0\n\n",
		"Fragments actually written: 0\n",
		"Duplicated fragments omitted: 0\n",
		"Total number of inodes: 4\n",
		"Number of unique group/user IDs: 0\n",
		"Saved by duplicates: 3.0k\n",
	};
	const struct pack_stats stats = {
		.bytes_read = 4096,    .bytes_stored = 1024,
		.files = 3,	       .dirs = 1,
		.hard_links = 2,       .inodes = 4,
		.duplicate_bytes = 1024, .duplicate_tail_bytes = 2048,
	};
	char *text = NULL, *at;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	check(out != NULL);
	if (!out)
		return;
	stats_print(&stats, out);
	fclose(out);
	at = text;
	for (size_t i = 0; at && i < sizeof(labels) / sizeof(labels[0]); i++) {
		at = strstr(at, labels[i]);
		if (!at)
			check_str("missing", labels[i]);
	}
	free(text);
}

static void check_words(void)
{
	char *words = NULL;
	struct err err;

	check(codecs_add_words(&words, "level=1,x86", &err) == 0);
	check_str(words, "level=1,x86");
	check(codecs_add_words(&words, "window=9", &err) == 0);
	check_str(words, "level=1,x86,window=9");
	check(codecs_add_words(&words, "level=2,lev=3", &err) == 0);
	check_str(words, "x86,window=9,level=2,lev=3");
	check(codecs_add_words(&words, "x86", &err) == 0);
	check_str(words, "window=9,level=2,lev=3,x86");
	check(codecs_add_words(&words, "", &err) == 0);
	check_str(words, "window=9,level=2,lev=3,x86,");
	free(words);
}

int main(void)
{
	check_sizes();
	check_progress();
	check_stats();
	check_words();
	return check_report();
}
