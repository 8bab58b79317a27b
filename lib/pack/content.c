/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "internal.h"

/*
 * Entries and their content, in the order of the input. A file's stored blocks
 * go to the write queue as they come; its last block shows whether an earlier
 * file has the same run of blocks. Why a digest may decide that is in
 * doc/duplicates.md.
 */

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sqfs/super.h"
#include "util/account.h"
#include "util/err.h"
#include "util/warn.h"

/* Linux counts a file's blocks in 31 bits. */
#define WORDS_MAX ((uint64_t)INT32_MAX)

/*
 * Adds an entry's attributes, without those that the format cannot hold.
 * *index is NODE_NO_XATTR if none is left.
 */
static int add_xattrs(struct pack *pack, const struct entry *entry,
		      uint32_t *index, struct err *err)
{
	struct warner *warner = pack->options.tree.warner;
	size_t count = 0, n = entry->xattr_count;
	const char **names = NULL;
	const uint8_t **values = NULL;
	size_t *lens = NULL;
	int ret = -1;

	*index = NODE_NO_XATTR;
	if (n == 0)
		return 0;
	names = malloc(n * sizeof(*names));
	values = malloc(n * sizeof(*values));
	lens = malloc(n * sizeof(*lens));
	if (!names || !values || !lens) {
		err_nomem(err);
		goto out;
	}
	for (size_t i = 0; i < n; i++) {
		const struct xattr *x = &entry->xattrs[i];
		char text[2][NAME_TEXT_LEN];

		if (xattr_name_is_storable(x->name)) {
			names[count] = x->name;
			values[count] = x->value;
			lens[count++] = x->len;
			continue;
		}
		if (warn(warner, WARN_XATTR, err,
			 "%s: attribute %s dropped: SquashFS holds user., "
			 "trusted. and security. only",
			 name_text(entry->path, strlen(entry->path), text[0]),
			 name_text(x->name, strlen(x->name), text[1])) < 0)
			goto out;
	}
	ret = 0;
	if (count > 0)
		ret = xattr_writer_add(pack->xattrs, names, values, lens,
				       count, index, err);
out:
	free(names);
	free(values);
	free(lens);
	return ret;
}

/* Notes whose content will come in later. */
static int note_later(struct pack *pack, struct node *node, struct err *err)
{
	if (array_reserve(&pack->later, &pack->later_cap,
			  pack->later_count + 1, sizeof(*pack->later), err) < 0)
		return -1;
	pack->later[pack->later_count++] = node;
	return 0;
}

static int begin_file(struct pack *pack, const struct entry *entry,
		      struct node *node, struct err *err)
{
	struct pack_file *file = &pack->file;

	if (entry->size / pack->sink.cut.block_size >= WORDS_MAX)
		return err_set(err, ERR_LIMIT,
			       "%" PRIu64 " bytes are more than 2^31 - 1 "
			       "blocks, which is what Linux can read; use a "
			       "larger block size",
			       entry->size);
	file->node = node;
	file->sparse = 0;
	file->stored_count = 0;
	file->stored_len = 0;
	file->stored_content = 0;
	file->run = (struct digest){ 0 };
	file->is_placed = false;
	file->is_settled = false;
	file->pad = 0;
	file->word_count = 0;
	node->u.file.size = entry->size;
	node->u.file.fragment = NODE_NO_FRAGMENT;
	return 0;
}

/* A hard link may bring content; where its target is, that counts. */
static int check_link_content(struct pack *pack, const struct entry *entry,
			      struct node *node, struct err *err)
{
	const struct node *target = node_inode(node);
	char name[NAME_TEXT_LEN];

	if (entry->type != ENTRY_HARDLINK || entry->size == 0 || !target ||
	    target->type != NODE_FILE || target->u.file.size == entry->size)
		return 0;
	return warn(pack->options.tree.warner, WARN_HEADER, err,
		    "%s: the hard link brings %" PRIu64 " bytes, its target "
		    "has %" PRIu64 ": the target's are kept",
		    name_text(entry->path, strlen(entry->path), name),
		    entry->size, target->u.file.size);
}

int pack_begin(struct sink *sink, const struct entry *entry, struct err *err)
{
	struct pack *pack = (struct pack *)sink;
	struct node *node;
	uint32_t xattr;
	int ret;

	pack->file.node = NULL;
	if (entry->flags & ENTRY_IS_CONTENT) {
		assert(entry->content_index < pack->later_count);
		node = pack->later[entry->content_index];

		/* What has no name any more needs no content. */
		return node->nlink > 0 ? begin_file(pack, entry, node, err) : 0;
	}
	if (add_xattrs(pack, entry, &xattr, err) < 0)
		return -1;
	ret = tree_add(pack->tree, entry, xattr, &node, err);
	if (ret < 0)
		return -1;
	if (entry->flags & ENTRY_CONTENT_LATER)
		return note_later(pack, node, err);
	if (ret == 1 || node->type != NODE_FILE)
		return check_link_content(pack, entry, node, err);
	return begin_file(pack, entry, node, err);
}

static int add_words(struct pack_file *file, uint32_t word, uint64_t count,
		     struct err *err)
{
	if (count > WORDS_MAX - file->word_count)
		return err_set(err, ERR_LIMIT, "more than 2^31 - 1 blocks");
	if (array_reserve(&file->words, &file->word_cap,
			  file->word_count + (size_t)count,
			  sizeof(*file->words), err) < 0)
		return -1;
	for (uint64_t i = 0; i < count; i++)
		file->words[file->word_count++] = word;
	return 0;
}

static int take_hole(struct pack *pack, uint64_t len, struct err *err)
{
	uint32_t size = pack->sink.cut.block_size;
	uint64_t count = len / size + (len % size != 0);

	pack->file.sparse += len;
	pack->stats.sparse_bytes += len;
	pack->stats.sparse_blocks += count;
	return add_words(&pack->file, 0, count, err);
}

/* Goes on with the digest of a file's stored blocks. */
static void extend_run(struct pack *pack, const struct digest *block,
		       uint32_t word)
{
	struct {
		struct digest run, block;
		uint64_t word;
	} link = { pack->file.run, *block, word };

	hash128(&pack->key.hash, &link, sizeof(link), &pack->file.run);
}

static int take_block(struct pack *pack, struct block *b,
		      const struct piece *piece, struct err *err)
{
	struct pack_file *file = &pack->file;
	uint32_t word = b->stored_len;

	if (!b->is_compressed)
		word |= BLOCK_WORD_RAW;
	if (add_words(file, word, 1, err) < 0) {
		flow_release(pack->flow, b);
		return -1;
	}
	if (pack_looks_for_duplicates(pack, piece->entry))
		extend_run(pack, &piece->digest, word);
	b->owner = file->node;
	b->is_first = file->stored_count == 0;
	b->pad = 0;
	b->align = b->is_first && (piece->entry->flags & ENTRY_ALIGN)
			   ? pack->options.pad_to
			   : 0;
	b->is_ready = true;
	file->stored_count++;
	file->stored_len += b->stored_len;
	file->stored_content += piece->len;
	return queue_push(pack, b, err);
}

/*
 * Looks for an earlier file with the same run of stored blocks, once all of
 * them are there.
 */
static int settle_run(struct pack *pack, const struct entry *entry,
		      struct err *err)
{
	struct pack_file *file = &pack->file;
	const bool search = pack_looks_for_duplicates(pack, entry);
	const uint64_t *found = NULL;

	if (file->stored_count == 0 || file->is_settled)
		return 0;
	file->is_settled = true;
	if (search)
		found = digest_map_find(&pack->runs, &file->run);
	if (found) {
		queue_take_back(pack);
		file->node->u.file.start_is_of = true;
		file->node->u.file.same_as =
			(struct node *)(uintptr_t)*found;
		pack->stats.duplicate_blocks += file->stored_count;
		pack->stats.duplicate_bytes += file->stored_content;
		return 0;
	}
	pack->stats.blocks += file->stored_count;
	pack->stats.bytes_stored += file->stored_len;
	if (!search)
		return 0;
	return digest_map_add(&pack->runs, &file->run,
			      (uint64_t)(uintptr_t)file->node, err);
}

int pack_take(struct sink *sink, struct block *b, struct piece *piece,
	      bool *keep, struct err *err)
{
	struct pack *pack = (struct pack *)sink;

	pack->stats.bytes_read += piece->len;
	if (!pack->file.node)
		return 0;
	if (piece->is_hole || piece->is_zero)
		return take_hole(pack, piece->len, err);
	if (b->kind == BLOCK_TAIL_ENDS) {
		if (piece == b->pieces)
			fragment_prefetch(pack, b);
		/* Before the tail-end can put a fragment block behind them. */
		if (settle_run(pack, piece->entry, err) < 0)
			return -1;
		return fragment_add(pack, b, piece, keep, err);
	}
	*keep = true;
	return take_block(pack, b, piece, err);
}

/* What was counted of the file that is given up. */
static void uncount_holes(struct pack *pack)
{
	const struct pack_file *file = &pack->file;

	pack->stats.sparse_bytes -= file->sparse;
	for (size_t i = 0; i < file->word_count; i++)
		pack->stats.sparse_blocks -= file->words[i] == 0;
}

/*
 * Its tail-end comes last, so of a file that is not complete nothing is in a
 * fragment block; its blocks go as those of a duplicate do.
 */
int pack_fault(struct sink *sink, const struct entry *entry, struct err *err)
{
	struct pack *pack = (struct pack *)sink;
	struct pack_file *file = &pack->file;

	if (!pack->options.fault)
		return -1;
	if (!file->node)
		return 0; /* given up already, or of no use */
	if (pack->options.fault(pack->options.fault_arg, entry, err) < 0)
		return -1;
	assert(!file->is_settled);
	if (file->stored_count > 0)
		queue_take_back(pack);
	uncount_holes(pack);
	tree_lose(pack->tree, file->node);
	file->node = NULL;
	return 0;
}

int pack_end(struct sink *sink, const struct entry *entry, struct err *err)
{
	struct pack *pack = (struct pack *)sink;
	struct pack_file *file = &pack->file;
	struct node *node = file->node;

	if (!node)
		return 0;
	if (settle_run(pack, entry, err) < 0)
		return -1;
	node->u.file.sparse = file->sparse;
	node->u.file.word_count = (uint32_t)file->word_count;
	if (file->word_count > 0) {
		size_t len = file->word_count * sizeof(*file->words);

		node->u.file.words = tree_alloc(pack->tree, len, err);
		if (!node->u.file.words)
			return -1;
		copy_bytes(node->u.file.words, file->words, len);
	}
	file->node = NULL;
	return 0;
}
