/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "dir/source.h"

#include <stdlib.h>
#include <string.h>

#include "dir/files.h"
#include "entry/entry.h"
#include "entry/source.h"
#include "util/err.h"

/* A directory of the user's. */
struct tree {
	struct source source; /* first; the origin of its entries */
	struct files *files;
	const char *path;
	int root;
};

struct dir_source {
	struct source source; /* first */
	struct files *files;
	struct scan_options options; /* with our own fault and skipped */
	struct scan_options told;    /* those of the user's */
	struct tree *trees;	     /* count of them */
	size_t count, at;
	struct scan *scan; /* of the tree at at; NULL: not begun */
};

static int tree_read_at(const struct source *src, const struct entry *entry,
			uint64_t at, void *buf, size_t len, struct err *err)
{
	const struct tree *tree = (const struct tree *)src;

	return files_read_at(tree->files, entry, at, buf, len, err);
}

static const struct source_ops tree_ops = { .read_at = tree_read_at };

static int dir_read_at(const struct source *src, const struct entry *entry,
		       uint64_t at, void *buf, size_t len, struct err *err)
{
	const struct dir_source *d = (const struct dir_source *)src;

	return files_read_at(d->files, entry, at, buf, len, err);
}

static int in_dir(const struct dir_source *d, struct err *err)
{
	const char *path = d->trees[d->at].path;
	char name[NAME_TEXT_LEN];

	return err_in(err, "%s", name_text(path, strlen(path), name));
}

static int dir_fault(void *arg, const struct err *err)
{
	struct dir_source *d = arg;
	struct err told = *err;

	in_dir(d, &told);
	return d->told.fault(d->told.arg, &told);
}

static bool dir_take(void *arg, const struct entry *entry)
{
	struct dir_source *d = arg;

	return d->told.take(d->told.arg, entry);
}

static void dir_skipped(void *arg, const char *path)
{
	struct dir_source *d = arg;

	d->told.skipped(d->told.arg, path);
}

static int dir_next(struct source *src, struct entry **out, struct err *err)
{
	struct dir_source *d = (struct dir_source *)src;

	for (; d->at < d->count; d->at++) {
		struct tree *tree = &d->trees[d->at];
		int ret = 0;

		if (!d->scan)
			ret = scan_create(d->files, tree->root, &d->options,
					  &d->scan, err);
		if (ret == 0)
			ret = scan_next(d->scan, out, err);
		if (ret == 0)
			entry_set_origin(*out, &tree->source);
		if (ret < 0)
			in_dir(d, err);
		if (ret <= 0)
			return ret;
		scan_destroy(d->scan);
		d->scan = NULL;
	}
	return 1;
}

static void dir_prune(struct source *src)
{
	struct dir_source *d = (struct dir_source *)src;

	if (d->scan)
		scan_prune(d->scan);
}

static void dir_destroy(struct source *src)
{
	struct dir_source *d = (struct dir_source *)src;

	scan_destroy(d->scan);
	free(d->trees);
	free(d);
}

static const struct source_ops dir_ops = {
	.next = dir_next,
	.read_at = dir_read_at,
	.prune = dir_prune,
	.destroy = dir_destroy,
};

/* A single directory stands in front of failures as several do. */
static int open_trees(struct dir_source *d, const char *const *dirs,
		      struct err *err)
{
	for (size_t i = 0; i < d->count; i++) {
		struct tree *tree = &d->trees[i];

		tree->source.ops = &tree_ops;
		tree->source.name = dirs[i];
		tree->files = d->files;
		tree->path = dirs[i];
		if (files_add_root(d->files, FILES_CWD, dirs[i], &tree->root,
				   err) < 0)
			return -1;
	}
	return 0;
}

int dir_source_create(struct files *files, const char *const *dirs,
		      size_t count, const struct scan_options *options,
		      struct source **out, struct err *err)
{
	struct dir_source *d = calloc(1, sizeof(*d));

	if (!d)
		return err_nomem(err);
	d->source.ops = &dir_ops;
	d->files = files;
	d->told = *options;
	d->options = *options;
	d->options.arg = d;
	d->options.fault = options->fault ? dir_fault : NULL;
	d->options.take = options->take ? dir_take : NULL;
	d->options.skipped = options->skipped ? dir_skipped : NULL;
	d->count = count;
	d->trees = calloc(count + 1, sizeof(*d->trees));
	if (!d->trees) {
		free(d);
		return err_nomem(err);
	}
	if (open_trees(d, dirs, err) < 0) {
		dir_destroy(&d->source);
		return -1;
	}
	*out = &d->source;
	return 0;
}
