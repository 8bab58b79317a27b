/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

/*
 * An image: all its entries with all their content, attributes and all tables,
 * and a check of it, all twice with the same outcome. What has no fault can be
 * read.
 */
#include "image.h"

#include "check/check.h"
#include "entry/entry.h"
#include "entry/sink.h"
#include "entry/source.h"
#include "flow/block.h"
#include "flow/flow.h"
#include "sqfs/super.h"
#include "unpack/unpack.h"

#define CONTENT_MAX (UINT64_C(8) << 20) /* enough of a bomb */
#define ENTRIES_MAX 20000u

/* Counts what comes, and believes none of it. */
struct counter {
	struct sink sink;
	struct flow *flow;
	uint64_t entries, pieces, bytes, sum, faults;
	uint64_t expected; /* offset that the next piece of the entry has */
	bool is_faulty;	   /* a part of the entry was not to be had */
	struct err err;	   /* what ended it */
};

/* A path has nothing in it that leads elsewhere. */
static void require_clean(const char *path)
{
	require(path[0] != '/', "a path is relative");
	while (*path) {
		size_t len = strcspn(path, "/");

		require(len > 0, "a path has no empty part");
		require(!(path[0] == '.' && len == 1), "a path has no \".\"");
		require(strncmp(path, "..", len) != 0 || len != 2,
			"a path has no \"..\"");
		path += len;
		require(*path == '\0' || path[1], "a path ends in a name");
		path += *path == '/';
	}
}

static int begin(struct sink *sink, const struct entry *entry, struct err *err)
{
	struct counter *c = (struct counter *)sink;
	const struct stored *stored = entry_stored(entry);
	uint64_t end = 0;

	require_clean(entry->path);
	require(stored && stored->number > 0, "it is stored somewhere");
	require((entry->type == ENTRY_SYMLINK ||
		 entry->type == ENTRY_HARDLINK) == (entry->link != NULL),
		"links have targets");
	require(entry->mode <= 07777, "a mode has no type in it");
	for (size_t i = 0; i < entry->extent_count; i++) {
		const struct extent *x = &entry->extents[i];

		require(x->len > 0 && x->offset >= end, "extents ascend");
		require(x->offset <= entry->size &&
				x->len <= entry->size - x->offset,
			"extents lie in the file");
		end = x->offset + x->len;
	}
	for (size_t i = 1; i < entry->xattr_count; i++)
		require(strcmp(entry->xattrs[i - 1].name,
			       entry->xattrs[i].name) < 0,
			"attributes ascend");
	c->expected = 0;
	c->is_faulty = false;
	if (++c->entries > ENTRIES_MAX)
		return err_set(err, ERR_LIMIT, "enough");
	return 0;
}

static int take(struct sink *sink, struct block *b, struct piece *piece,
		bool *keep, struct err *err)
{
	struct counter *c = (struct counter *)sink;

	(void)keep;
	require(piece->offset == c->expected ||
			(c->is_faulty && piece->offset > c->expected),
		"pieces come in order");
	c->expected = piece->offset + piece->len;
	c->pieces++;
	if (!piece->is_hole)
		for (uint64_t i = 0; i < piece->len; i++)
			c->sum = c->sum * 31 + b->data[piece->at + i];
	c->bytes += piece->is_hole ? 1 : piece->len;
	if (c->bytes > CONTENT_MAX)
		return err_set(err, ERR_LIMIT, "enough");
	return 0;
}

static int end(struct sink *sink, const struct entry *entry, struct err *err)
{
	struct counter *c = (struct counter *)sink;

	(void)err;
	if (entry->type == ENTRY_FILE && !c->is_faulty)
		require(c->expected == entry->size, "all of a file comes");
	return 0;
}

/* Files that cannot be read are counted, as by a sink that goes on. */
static int fault(struct sink *sink, const struct entry *entry, struct err *err)
{
	struct counter *c = (struct counter *)sink;

	(void)entry;
	require_told(err);
	c->is_faulty = true;
	if (++c->faults > ENTRIES_MAX)
		return -1;
	return 0;
}

static int finish(struct sink *sink, struct err *err)
{
	(void)sink;
	(void)err;
	return 0;
}

static const struct sink_ops ops = { .begin = begin,
				     .take = take,
				     .fault = fault,
				     .end = end,
				     .finish = finish };

static void read_all(struct image *image, struct counter *out)
{
	const struct image_source_options options = { 0 };
	const struct flow_options flow = { .jobs = 0, .backlog = 2 };
	struct counter c = {
		.sink = { .ops = &ops,
			  .cut = { .block_size = image_super(image)->block_size,
				   .holes = true } }
	};
	struct source *source;

	if (image_source_create(image, &options, &source, &c.err) == 0) {
		if (flow_run(source, &c.sink, &flow, &c.err) < 0)
			require_told(&c.err);
		source_destroy(source);
	} else {
		require_told(&c.err);
	}
	*out = c;
}

struct checked {
	uint64_t count, sum;
};

static void note_fault(void *arg, enum fault_kind kind, uint64_t at,
		       const char *text)
{
	struct checked *checked = arg;

	require(kind < FAULT_KIND_COUNT && *text && !strchr(text, '\n'),
		"a fault is one line");
	checked->count++;
	checked->sum = checked->sum * 31 + kind + at;
	while (*text)
		checked->sum = checked->sum * 31 + (uint8_t)*text++;
}

static void check_all(struct image *image, struct checked *out)
{
	const struct check_options options = { .fault = note_fault,
					       .arg = out };
	struct check_stats stats;
	struct err err = { 0 };

	*out = (struct checked){ 0 };
	require(check_image(image, &options, &stats, &err) == 0, err.text);
	require(stats.faults == out->count, "faults are counted");
}

static int no_pair(void *arg, const struct xattr_pair *pair, struct err *err)
{
	(void)err;
	require(strlen(pair->name) > 0, "an attribute has a name");
	*(uint64_t *)arg += pair->len;
	return 0;
}

/* What is found through tables, and not from the root. */
static void read_tables(struct image *image)
{
	const struct super *super = image_super(image);
	struct inode_space space = { .with_index = true };
	struct fragment fragment;
	struct meta_ref ref;
	struct inode inode;
	struct err err = { 0 };
	uint32_t count, id;
	uint64_t total = 0;

	for (uint32_t i = 0; i < super->id_count && i < 3000; i++)
		require(image_id(image, (uint16_t)i, &id, &err) == 0,
			err.text);
	for (uint32_t i = 0; i < super->fragment_count && i < 100; i++)
		if (image_fragment(image, i, &fragment, &err) < 0)
			require_told(&err);
	for (uint32_t i = 1; super->export_table != SUPER_NONE && i < 100; i++)
		if (image_export(image, i, &ref, &err) < 0)
			require_told(&err);
		else if (inode_decode(image, ref, &inode, &space, NULL, &err) <
			 0)
			require_told(&err);
	inode_space_cleanup(&space);
	if (image_xattr_count(image, &count, &err) < 0)
		require_told(&err);
	else
		for (uint32_t i = 0; i < count && total < CONTENT_MAX; i++)
			if (image_xattrs(image, i, no_pair, &total, &err) < 0) {
				require_told(&err);
				break;
			}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = image_file(data, size);
	struct counter first = { 0 }, second = { 0 };
	struct checked checked, again;
	struct err err = { 0 };
	struct image *image;
	uint64_t offset;

	if (image_find(fd, &offset, &err) < 0)
		require_told(&err);
	else
		require(offset < size, "what is found lies in the file");
	image = open_image(fd);
	if (!image)
		return 0;
	read_all(image, &first);
	read_tables(image);
	read_all(image, &second);
	require(first.entries == second.entries &&
			first.pieces == second.pieces &&
			first.sum == second.sum &&
			first.faults == second.faults,
		"the same twice");
	check_all(image, &checked);
	check_all(image, &again);
	require(checked.sum == again.sum, "the same faults twice");
	if (checked.count == 0 && first.err.code != ERR_LIMIT) {
		require(first.err.code == ERR_NONE, first.err.text);
		require(first.faults == 0, "what has no fault can be read");
	}
	image_close(image);
	return 0;
}
