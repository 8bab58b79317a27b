/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "entry/entry.h"
#include "entry/sink.h"
#include "entry/source.h"
#include "flow/block.h"
#include "flow/flow.h"
#include "io/writer.h"
#include "rdsquashfs/node.h"
#include "rdsquashfs/paths.h"
#include "rdsquashfs/view.h"
#include "sqfs/image.h"
#include "sqfs/super.h"
#include "unpack/unpack.h"
#include "util/err.h"

/*
 * -c: the content of files, one behind the other, on standard output. Workers
 * decompress; what is stored as it is goes from the image to the output by the
 * system where it can.
 */

struct cat {
	struct sink sink; /* first: a sink is its cat */
	struct writer *writer;
};

static int in_output(struct err *err)
{
	return err->code == ERR_WRITE ? err_in(err, "standard output") : -1;
}

static int cat_entry(struct sink *sink, const struct entry *entry,
		     struct err *err)
{
	(void)sink;
	(void)entry;
	(void)err;
	return 0;
}

static int cat_take(struct sink *sink, struct block *b, struct piece *piece,
		    bool *keep, struct err *err)
{
	struct writer *writer = ((struct cat *)sink)->writer;
	int ret;

	(void)keep;
	if (piece->is_hole)
		ret = writer_zeros(writer, piece->len, err);
	else if (piece->is_plain)
		ret = writer_copy(writer, piece->plain_fd, piece->plain_at,
				  piece->len, err);
	else
		ret = writer_write(writer, b->data + piece->at,
				   (size_t)piece->len, err);
	return ret < 0 ? in_output(err) : 0;
}

/* More may follow: see run_cat. */
static int cat_finish(struct sink *sink, struct err *err)
{
	(void)sink;
	(void)err;
	return 0;
}

static const struct sink_ops cat_ops = {
	.begin = cat_entry,
	.take = cat_take,
	.end = cat_entry,
	.finish = cat_finish,
};

static int check_files(const struct matches *matches, struct err *err)
{
	char name[NAME_TEXT_LEN];

	for (size_t i = 0; i < matches->count; i++) {
		const struct match *match = &matches->items[i];

		if (match->type != INODE_FILE)
			return err_set(err, ERR_IO,
				       "/%s: is a %s, not a regular file",
				       name_text(match->path,
						 strlen(match->path), name),
				       node_type_name(match->type));
	}
	return 0;
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* True if a file is to be printed twice. ERR_NOMEM. */
static int find_repeated(const struct matches *matches, bool *out,
			 struct err *err)
{
	const char **paths = calloc(matches->count, sizeof(char *));

	if (!paths)
		return err_nomem(err);
	for (size_t i = 0; i < matches->count; i++)
		paths[i] = matches->items[i].path;
	qsort(paths, matches->count, sizeof(char *), compare_paths);
	*out = false;
	for (size_t i = 1; i < matches->count; i++)
		if (strcmp(paths[i - 1], paths[i]) == 0)
			*out = true;
	free(paths);
	return 0;
}

/* Prints count files from *first on, none of them twice. */
static int run_cat(struct view *view, const struct match *first, size_t count,
		   struct cat *cat, struct err *err)
{
	const struct flow_options flow = {
		.jobs = view->plan.jobs,
		.backlog = view->plan.backlog,
	};
	struct image_start *starts = calloc(count, sizeof(*starts));
	const struct image_source_options options = {
		.starts = starts,
		.start_count = count,
		.no_xattrs = true,
		.no_hard_links = true,
	};
	struct source *source = NULL;
	int ret;

	if (!starts)
		return err_nomem(err);
	for (size_t i = 0; i < count; i++) {
		starts[i].path = starts[i].as = first[i].path;
		starts[i].ref = &first[i].ref;
	}
	ret = image_source_create(view->image, &options, &source, err);
	if (ret == 0)
		ret = flow_run(source, &cat->sink, &flow, err);
	source_destroy(source);
	free(starts);
	return ret;
}

/* A source gives each path once: what comes again needs another. */
static int cat_matches(struct view *view, const struct matches *matches,
		       struct cat *cat, struct err *err)
{
	bool is_repeated = false;
	size_t count = matches->count;
	int ret = find_repeated(matches, &is_repeated, err);

	if (is_repeated)
		count = 1;
	for (size_t i = 0; ret == 0 && i < matches->count; i += count)
		ret = run_cat(view, &matches->items[i], count, cat, err);
	if (ret == 0 && writer_finish(cat->writer, err) < 0)
		ret = in_output(err);
	return ret;
}

int view_cat(struct view *view, struct err *err)
{
	const struct writer_options options = { .codec = WRITER_PLAIN };
	struct cat cat = {
		.sink = {
			.ops = &cat_ops,
			.cut = {
				.block_size =
					image_super(view->image)->block_size,
				.tail_ends = true,
				.long_tail_ends = true,
				.holes = true,
				.plain = true,
			},
		},
	};
	struct matches matches;
	int ret;

	ret = paths_find(view, PATHS_FILES, &matches, err);
	if (ret == 0)
		ret = check_files(&matches, err);
	if (ret == 0)
		ret = writer_create(STDOUT_FILENO, &options, &cat.writer, err);
	if (ret == 0)
		ret = cat_matches(view, &matches, &cat, err);
	writer_destroy(cat.writer);
	matches_cleanup(&matches);
	return ret;
}
