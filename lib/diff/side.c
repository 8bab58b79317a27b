/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "internal.h"

/*
 * What gives its paths in the order of the tree need not be held, as an image.
 * What comes in any order, and may name a path twice, is.
 */
#include <stdlib.h>
#include <string.h>

#include "entry/source.h"
#include "sqfs/meta.h"
#include "unpack/unpack.h"
#include "util/account.h"
#include "util/err.h"

static bool fits_image(const char *name)
{
	return strncmp(name, "user.", 5) == 0 ||
	       strncmp(name, "trusted.", 8) == 0 ||
	       strncmp(name, "security.", 9) == 0;
}

void fit_image(struct entry *entry)
{
	size_t count = 0;

	for (size_t i = 0; i < entry->xattr_count; i++) {
		struct xattr *x = &entry->xattrs[i];

		if (fits_image(x->name)) {
			entry->xattrs[count++] = *x;
			continue;
		}
		free(x->name);
		free(x->value);
	}
	entry->xattr_count = count;
	if (entry->mtime < 0)
		entry->mtime = 0;
	if (entry->mtime > (int64_t)UINT32_MAX)
		entry->mtime = UINT32_MAX;
}

int side_init(struct side *side, const struct diff_options *options,
	      const struct diff_input *input, const struct digest_key *key,
	      struct err *err)
{
	side->input = input;
	/* Where both are of a file system, all counts. */
	side->as_image = !options->old.has_names || !options->new.has_names;
	if (input->image || input->has_names)
		return 0;
	if (held_create(options, input, key, &side->held, err) < 0)
		return side_fail(side, err);
	return 0;
}

/*
 * An image can say in few bytes that a file has millions of blocks, or a
 * thousand inodes the same large attributes. No sum of these lengths wraps, as
 * they are in memory.
 */
static size_t cost_of(const struct entry *entry)
{
	size_t cost = entry->extent_count * sizeof(struct extent);

	for (size_t i = 0; i < entry->xattr_count; i++)
		cost += entry->xattrs[i].len;
	return cost;
}

/* How an image stores it. */
static void look_at_stored(const struct entry *entry, struct item *out)
{
	const struct stored *stored = entry_stored(entry);

	out->node.number = stored->number;
	out->has_names = stored->nlink > 1 && entry->type != ENTRY_DIR;
	out->inode[0] = meta_ref_pack(stored->ref);
	out->cost += stored->word_count * sizeof(*stored->words);
}

static int stream_next(struct side *side, struct item *out, struct err *err)
{
	struct entry *entry;
	int ret = source_next(side->input->source, &entry, err);

	if (ret != 0)
		return ret;
	account_count(ACCOUNT_ENTRIES, 1);
	if (side->as_image)
		fit_image(entry);
	*out = (struct item){
		.path = entry->path,
		.node = {
			.type = entry->type,
			.mode = entry->mode,
			.uid = entry->uid,
			.gid = entry->gid,
			.mtime = entry->mtime,
			.major = entry->major,
			.minor = entry->minor,
			.size = entry->size,
			.target = entry->link,
			.xattrs = entry->xattrs,
			.xattr_count = entry->xattr_count,
		},
		.entry = entry,
		.cost = cost_of(entry),
	};
	if (side->input->image)
		look_at_stored(entry, out);
	else
		out->has_names = side->input->has_names(entry, out->inode);
	return 0;
}

int side_next(struct side *side, struct item *out, struct err *err)
{
	int ret = side->held ? held_next(side->held, out, err)
			     : stream_next(side, out, err);

	return ret < 0 ? side_fail(side, err) : ret;
}

void side_prune(struct side *side)
{
	struct source *source = side->input->source;

	if (!side->held && source->ops->prune)
		source->ops->prune(source);
}

int side_content(struct side *side, struct item *item, struct content *out,
		 struct err *err)
{
	if (side->held)
		return held_content(side->held, item, out, err);
	*out = (struct content){
		.size = item->entry->size,
		.source = item->entry->origin ? item->entry->origin
					      : side->input->source,
		.entry = item->entry,
		.extents = item->entry->extents,
		.extent_count = item->entry->extent_count,
	};
	return 0;
}

int side_fail(const struct side *side, struct err *err)
{
	const char *name = side->input->name;
	char text[NAME_TEXT_LEN];

	if (!name)
		return -1;
	return err_in(err, "%s", name_text(name, strlen(name), text));
}

void side_cleanup(struct side *side)
{
	held_destroy(side->held);
}
