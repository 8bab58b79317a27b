/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "unpack/unpack.h"

/*
 * The entries of an image. What an inode says about its blocks goes along with
 * the entry, so that workers can find, read and decompress any of them without
 * looking at tables.
 *
 * An extent of data is named by its offset in the file; a tail-end by its
 * offset in its fragment block, with the highest bit set.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "entry/entry.h"
#include "entry/source.h"
#include "internal.h"
#include "sqfs/inode.h"
#include "sqfs/super.h"
#include "unpack/walk.h"
#include "util/account.h"
#include "util/err.h"
#include "util/num.h"
#include "util/warn.h"

#define IN_TAIL_END (UINT64_C(1) << 63)

/* Shorter runs are read like others: a call for each would cost more. */
#define PLAIN_MIN (UINT64_C(64) * 1024)

struct image_source {
	struct source source; /* first */
	struct image *image;  /* borrowed, as are options */
	const struct image_source_options *options;
	uint32_t block_size;
	struct walk *walk;
	struct unpacker *unpacker;
	struct cache *cache;
	uint64_t given, total; /* entries, for the progress */
};

const struct stored *entry_stored(const struct entry *entry)
{
	return entry->stored;
}

uint64_t stored_block_at(const struct stored *st, uint64_t i)
{
	uint64_t at = st->start + st->sums[i / STORED_STEP];

	for (uint64_t k = i - i % STORED_STEP; k < i; k++)
		at += BLOCK_WORD_LEN(st->words[k]);
	return at;
}

static enum entry_type type_of(enum inode_type type)
{
	switch (type) {
	case INODE_DIR:
		return ENTRY_DIR;
	case INODE_SYMLINK:
		return ENTRY_SYMLINK;
	case INODE_BLOCK_DEVICE:
		return ENTRY_BLOCK_DEVICE;
	case INODE_CHAR_DEVICE:
		return ENTRY_CHAR_DEVICE;
	case INODE_FIFO:
		return ENTRY_FIFO;
	case INODE_SOCKET:
		return ENTRY_SOCKET;
	case INODE_FILE:
		break;
	}
	return ENTRY_FILE;
}

/* The bytes that block number i of a file has. */
static uint32_t block_len(const struct image_source *s,
			  const struct entry *entry, uint64_t i)
{
	uint64_t left = entry->size - i * s->block_size;

	return left < s->block_size ? (uint32_t)left : s->block_size;
}

/*
 * Adds up the stored lengths. That start and sums do not wrap is seen to here;
 * that they lie in the image is, when they are read.
 */
static int add_sums(struct stored *st, struct err *err)
{
	uint64_t sum = 0, end;

	for (size_t i = 0; i < st->word_count; i++) {
		if (i % STORED_STEP == 0)
			st->sums[i / STORED_STEP] = sum;
		sum += BLOCK_WORD_LEN(st->words[i]);
	}
	if (sum > 0 && (st->start < SUPER_LEN || !add_u64(st->start, sum, &end)))
		return err_set(err, ERR_CORRUPT,
			       "its blocks begin at byte %" PRIu64, st->start);
	return 0;
}

static int create_stored(const struct walk_item *item, struct stored **out,
			 struct err *err)
{
	const struct inode *inode = item->inode;
	size_t count = inode->type == INODE_FILE && !item->first
			       ? inode->u.file.word_count
			       : 0;
	size_t words = count + (count & 1); /* sums behind them are aligned */
	size_t sums = count / STORED_STEP + (count % STORED_STEP != 0);
	struct stored *st = malloc(sizeof(*st) + words * sizeof(uint32_t) +
				   sums * sizeof(uint64_t));

	if (!st)
		return err_nomem(err);
	*st = (struct stored){ .ref = item->ref,
			       .number = inode->number,
			       .nlink = inode->nlink,
			       .xattr = inode->xattr,
			       .fragment = INODE_NO_FRAGMENT,
			       .word_count = count };
	if (count > 0) {
		uint8_t *behind = (uint8_t *)(st->words + words);

		copy_bytes(st->words, inode->u.file.words,
			   count * sizeof(uint32_t));
		st->sums = (uint64_t *)(void *)behind;
	}
	*out = st;
	return 0;
}

/* What is stored of a file, as extents; what is not is a hole. */
static int add_extents(const struct image_source *s, struct entry *entry,
		       struct err *err)
{
	const struct stored *st = entry->stored;
	uint64_t done = (uint64_t)st->word_count * s->block_size;

	for (size_t i = 0; i < st->word_count; i++) {
		uint64_t offset = (uint64_t)i * s->block_size;

		if (st->words[i] != 0 &&
		    entry_add_extent(entry, offset, offset,
				     block_len(s, entry, i), err) < 0)
			return -1;
	}
	if (st->fragment == INODE_NO_FRAGMENT)
		return 0;
	return entry_add_extent(entry, done,
				IN_TAIL_END | st->fragment_offset,
				entry->size - done, err);
}

/*
 * The content of a file. A fragment block that cannot be found is no failure
 * before somebody reads the file: its word stays 0.
 */
static int add_content(struct image_source *s, struct entry *entry,
		       const struct inode *inode, struct err *err)
{
	struct stored *st = entry->stored;
	struct fragment fragment;

	entry->size = inode->u.file.size;
	st->start = inode->u.file.start;
	st->fragment = inode->u.file.fragment;
	if (st->fragment != INODE_NO_FRAGMENT) {
		st->fragment_offset = inode->u.file.fragment_offset;
		if (image_fragment(s->image, st->fragment, &fragment, NULL) ==
		    0) {
			st->fragment_start = fragment.start;
			st->fragment_word = fragment.word;
		}
	}
	if (add_sums(st, err) < 0)
		return -1;
	return add_extents(s, entry, err);
}

struct xattr_sink {
	struct image_source *source;
	struct entry *entry;
};

static int add_xattr(void *arg, const struct xattr_pair *pair, struct err *err)
{
	struct xattr_sink *to = arg;
	char path[NAME_TEXT_LEN], name[NAME_TEXT_LEN];
	int ret;

	name_text(pair->name, strlen(pair->name), name);
	if (!pair->prefix_known)
		return warn(to->source->options->warner, WARN_XATTR, err,
			    "%s: attribute %s is of a kind that nobody knows",
			    name_text(to->entry->path,
				      strlen(to->entry->path), path),
			    name);
	ret = entry_set_xattr(to->entry, pair->name, pair->value, pair->len,
			      err);
	if (ret > 0)
		return err_set(err, ERR_CORRUPT, "%s comes twice", name);
	return ret;
}

static int fill(struct image_source *s, struct entry *entry,
		const struct walk_item *item, struct err *err)
{
	const struct inode *inode = item->inode;
	struct xattr_sink to = { s, entry };
	struct stored *st = NULL;

	entry->type = item->first ? ENTRY_HARDLINK : type_of(inode->type);
	entry->mode = inode->mode;
	entry->mtime = inode->mtime;
	if (image_id(s->image, inode->uid_index, &entry->uid, err) < 0 ||
	    image_id(s->image, inode->gid_index, &entry->gid, err) < 0)
		return -1;
	if (inode->type == INODE_BLOCK_DEVICE ||
	    inode->type == INODE_CHAR_DEVICE) {
		entry->major = inode->u.device.major;
		entry->minor = inode->u.device.minor;
	}
	if (create_stored(item, &st, err) < 0)
		return -1;
	entry->stored = st;
	entry->input_offset = meta_ref_pack(item->ref);
	entry_set_origin(entry, &s->source);
	if (inode->type == INODE_FILE && !item->first &&
	    add_content(s, entry, inode, err) < 0)
		return -1;
	if (inode->xattr == INODE_NO_XATTR || s->options->no_xattrs)
		return 0;
	return image_xattrs(s->image, inode->xattr, add_xattr, &to, err);
}

static int image_next(struct source *src, struct entry **out, struct err *err)
{
	struct image_source *s = (struct image_source *)src;
	struct walk_item item;
	struct entry *entry;
	const char *link;
	size_t link_len;
	int ret = walk_next(s->walk, &item, err);

	if (ret == 0)
		ret = walk_enter(s->walk, err);
	if (ret != 0)
		return ret;
	link = item.inode->type == INODE_SYMLINK && !item.first
		       ? item.inode->u.symlink.target
		       : item.first;
	link_len = link ? strlen(link) : 0;
	if (entry_create_named(item.path, item.path_len, link, link_len,
			       &entry, err) < 0)
		return -1;
	if (fill(s, entry, &item, err) < 0) {
		char name[NAME_TEXT_LEN];

		entry_destroy(entry);
		if (item.path_len == 0)
			return err_in(err, "root directory");
		return err_in(err, "%s",
			      name_text(item.path, item.path_len, name));
	}
	s->given++;
	*out = entry;
	return 0;
}

static int read_tail_end(const struct image_source *s,
			 const struct stored *st, uint64_t offset, void *buf,
			 size_t len, struct err *err)
{
	struct fragment fragment = { .start = st->fragment_start,
				     .word = st->fragment_word };

	if (fragment.word == 0)
		return err_set(err, ERR_CORRUPT,
			       "fragment block %" PRIu32
			       " is not to be found by the fragment table",
			       st->fragment);
	return cache_read(s->cache, st->fragment, &fragment, (uint32_t)offset,
			  buf, len, err);
}

/* Block number i whole, of which all len bytes must be there. */
static int read_block(const struct image_source *s, const struct entry *entry,
		      uint64_t i, void *buf, uint32_t len, struct err *err)
{
	const struct stored *st = entry->stored;
	size_t got;

	if (unpacker_read(s->unpacker, stored_block_at(st, i), st->words[i], buf, len,
			  &got, err) < 0)
		return err_in(err, "block %" PRIu64, i);
	if (got != len)
		return err_set(err, ERR_CORRUPT,
			       "block %" PRIu64 ": byte %" PRIu64
			       ": it holds %zu bytes, not %" PRIu32,
			       i, stored_block_at(st, i), got, len);
	return 0;
}

/* Part of a block: for sinks that cut otherwise than the image does. */
static int read_part(const struct image_source *s, const struct entry *entry,
		     uint64_t i, uint32_t from, void *buf, uint32_t len,
		     struct err *err)
{
	uint32_t whole_len = block_len(s, entry, i);
	uint8_t *block;
	int ret;

	if (from == 0 && len == whole_len)
		return read_block(s, entry, i, buf, len, err);
	block = malloc(whole_len);
	if (!block)
		return err_nomem(err);
	ret = read_block(s, entry, i, block, whole_len, err);
	if (ret == 0)
		copy_bytes(buf, block + from, len);
	free(block);
	return ret;
}

static int image_read_at(const struct source *src, const struct entry *entry,
			 uint64_t at, void *buf, size_t len, struct err *err)
{
	const struct image_source *s = (const struct image_source *)src;
	uint8_t *to = buf;

	if (at & IN_TAIL_END)
		return read_tail_end(s, entry->stored, at & ~IN_TAIL_END, buf,
				     len, err);
	while (len > 0) {
		uint64_t i = at / s->block_size;
		uint32_t from = (uint32_t)(at % s->block_size);
		uint32_t n = block_len(s, entry, i) - from;

		if (n > len)
			n = (uint32_t)len;
		if (read_part(s, entry, i, from, to, n, err) < 0)
			return -1;
		to += n;
		at += n;
		len -= n;
	}
	return 0;
}

/* Stored as they are and one behind the other: raw blocks of full length. */
static bool image_plain(const struct source *src, const struct entry *entry,
			uint64_t at, int *fd, uint64_t *fd_at, uint64_t *len)
{
	const struct image_source *s = (const struct image_source *)src;
	const struct stored *st = entry->stored;
	uint64_t first = at / s->block_size, i = first, run = 0, start, end;

	if ((at & IN_TAIL_END) || at % s->block_size != 0)
		return false;
	for (; i < st->word_count; i++) {
		uint32_t n = block_len(s, entry, i);

		if (st->words[i] != (n | BLOCK_WORD_RAW))
			break;
		run += n;
	}
	start = stored_block_at(st, first);
	if (run < PLAIN_MIN || !add_u64(start, run, &end) ||
	    end > image_super(s->image)->bytes_used)
		return false;
	*fd = image_fd(s->image);
	*fd_at = image_offset(s->image) + start;
	*len = run;
	return true;
}

static void image_progress(const struct source *src, uint64_t *done,
			   uint64_t *total)
{
	const struct image_source *s = (const struct image_source *)src;

	*done = s->given;
	*total = s->options->start_count || s->options->is_excluded
			 ? 0
			 : s->total;
}

static void image_source_destroy(struct source *src)
{
	struct image_source *s = (struct image_source *)src;

	walk_destroy(s->walk);
	cache_destroy(s->cache);
	unpacker_destroy(s->unpacker);
	free(s);
}

static const struct source_ops image_ops = {
	.next = image_next,
	.read_at = image_read_at,
	.plain = image_plain,
	.progress = image_progress,
	.destroy = image_source_destroy,
};

int image_source_create(struct image *image,
			const struct image_source_options *options,
			struct source **out, struct err *err)
{
	struct image_source *s = calloc(1, sizeof(*s));

	if (!s)
		return err_nomem(err);
	s->source.ops = &image_ops;
	s->image = image;
	s->options = options;
	s->block_size = image_super(image)->block_size;
	s->total = image_super(image)->inode_count;
	if (walk_create(image, options, false, &s->walk, err) < 0 ||
	    unpacker_create(image, &s->unpacker, err) < 0 ||
	    cache_create(s->unpacker, s->block_size,
			 options->cache_len ? options->cache_len
					    : IMAGE_CACHE_LEN,
			 &s->cache, err) < 0) {
		image_source_destroy(&s->source);
		return -1;
	}
	*out = &s->source;
	return 0;
}
