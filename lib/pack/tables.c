/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tables.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/fd.h"
#include "pack/pack.h"
#include "sqfs/dir.h"
#include "sqfs/inode.h"
#include "sqfs/meta.h"
#include "sqfs/super.h"
#include "sqfs/xattr.h"
#include "tree/tree.h"
#include "util/err.h"
#include "util/hash.h"
#include "util/num.h"

/*
 * The tables behind the data. Two walks over the directories, children before
 * parents, do it: the first gives numbers, because a directory names the number
 * of its parent; the second writes the inodes of a directory's names, then its
 * listing. So the inodes of one directory lie side by side with consecutive
 * numbers, which keeps listings short, and the table is in the order of
 * numbers.
 *
 * A directory's inode is written with those of its siblings, later than its
 * listing: what it says about the listing waits on a stack. No recursion, and
 * no stack for the walk itself: trees may be deeper than any of them.
 */

#define FLUSH_LEN    (UINT32_C(1) << 20) /* of the inode table in memory */
#define ID_MAX	     65535u
#define INODE_MAX    (UINT32_MAX - 1) /* the root's parent is one more */
#define FRAGMENT_LEN 16u
#define EXPORT_LEN   8u
#define ID_LEN	     4u

/* A listing that is written, its inode not yet. */
struct listing {
	uint64_t start;		 /* packed reference */
	struct dir_index *index; /* owned, or NULL */
	uint32_t len;
	uint32_t index_count;
};

struct ids {
	struct hash_key key;
	struct digest_map map; /* digest of an id to its index */
	struct buffer entries; /* of the id table */
	uint32_t last;	       /* the id that was asked for last, */
	uint16_t last_index;   /* and its index, once there are entries */
};

struct writer {
	const struct tables_job *job;
	struct super *super;
	struct pack_stats *stats;
	struct meta_writer inodes, listings;
	struct dir_writer dir;
	struct listing *pending; /* of the directories whose inodes wait */
	size_t pending_count, pending_cap;
	struct ids ids;
	struct buffer record;	   /* one inode */
	struct buffer export_refs; /* entries of the export table */
	uint64_t position;	   /* in the image, of what is written next */
};

/*
 * Names in the order of bytes lie anywhere in memory: a walk asks for the next
 * one before it deals with this.
 */

/* The first of node and its later siblings that is a directory, or NULL. */
static struct node *next_dir(struct node *node)
{
	while (node && node->type != NODE_DIR)
		node = node->next;
	return node;
}

/* The directory from which a walk reaches dir last. */
static struct node *deepest_first(struct node *dir)
{
	struct node *below;

	while (dir->u.dir.subdir_count > 0 &&
	       (below = next_dir(dir->u.dir.children)))
		dir = below;
	return dir;
}

/* The directory that follows: a sibling's depth or the parent; then NULL. */
static struct node *walk_next(struct node *dir)
{
	struct node *sibling = next_dir(dir->next);

	return sibling ? deepest_first(sibling) : dir->parent;
}

/* Numbers the inodes of all names in dir that have no number yet. */
static int number_names(const struct node *dir, uint32_t *count,
			struct err *err)
{
	char path[NAME_TEXT_LEN];

	for (struct node *name = dir->u.dir.children; name; name = name->next) {
		struct node *node = node_inode(name);

		__builtin_prefetch(name->next);
		if (node->inode_number != 0)
			continue;
		if (*count >= INODE_MAX - 1)
			return err_set(err, ERR_LIMIT,
				       "%s: more than %" PRIu32 " inodes",
				       node_path_text(name, path), INODE_MAX);
		node->inode_number = ++*count;
		node->is_written = false;
	}
	return 0;
}

static int number_all(struct node *root, uint32_t *count, struct err *err)
{
	*count = 0;
	for (struct node *dir = deepest_first(root); dir; dir = walk_next(dir))
		if (number_names(dir, count, err) < 0)
			return -1;
	root->inode_number = ++*count;
	return 0;
}

/* The index of an id, which is given one if it has none. */
static int id_index(struct ids *ids, const struct node *node, uint32_t id,
		    uint16_t *index, struct err *err)
{
	size_t count = ids->entries.len / ID_LEN;
	char path[NAME_TEXT_LEN];
	uint8_t raw[ID_LEN];
	struct digest digest;
	const uint64_t *known;

	if (count > 0 && id == ids->last) {
		*index = ids->last_index;
		return 0;
	}
	put_le32(raw, id);
	hash128(&ids->key, raw, sizeof(raw), &digest);
	known = digest_map_find(&ids->map, &digest);
	if (!known) {
		if (count >= ID_MAX)
			return err_set(err, ERR_LIMIT,
				       "%s: id %" PRIu32 " is one too many: "
				       "an image holds %u different owners "
				       "and groups",
				       node_path_text(node, path), id, ID_MAX);
		if (digest_map_add(&ids->map, &digest, count, err) < 0 ||
		    buffer_append(&ids->entries, raw, sizeof(raw), err) < 0)
			return -1;
	}
	ids->last = id;
	ids->last_index = (uint16_t)(known ? *known : count);
	*index = ids->last_index;
	return 0;
}

static int write_out(struct writer *w, struct buffer *bytes, struct err *err)
{
	if (fd_write_at(w->job->fd, w->position, bytes->data, bytes->len, err) <
	    0)
		return -1;
	w->position += bytes->len;
	bytes->len = 0;
	return 0;
}

/* Where the blocks begin: 0 for a file that has none. */
static uint64_t file_start(const struct node *node)
{
	const struct node *owner = node;

	if (node->u.file.start_is_of) {
		owner = node->u.file.same_as;
		assert(!owner->u.file.start_is_of);
	}
	for (uint32_t i = 0; i < node->u.file.word_count; i++)
		if (BLOCK_WORD_LEN(node->u.file.words[i]) != 0)
			return owner->u.file.start;
	return 0;
}

static void fill_file(struct inode *inode, const struct node *node)
{
	inode->u.file.start = file_start(node);
	inode->u.file.size = node->u.file.size;
	inode->u.file.sparse = node->u.file.sparse;
	inode->u.file.fragment = node->u.file.fragment;
	inode->u.file.fragment_offset = node->u.file.fragment_offset;
	inode->u.file.words = node->u.file.words;
	inode->u.file.word_count = node->u.file.word_count;
}

static void fill_dir(struct inode *inode, const struct node *node,
		     const struct listing *listing, uint32_t inode_count)
{
	struct meta_ref start = meta_ref_unpack(listing->start);

	inode->u.dir.listing_block = start.block;
	inode->u.dir.listing_offset = start.offset;
	inode->u.dir.listing_len = listing->len;
	inode->u.dir.parent_number =
		node->parent ? node->parent->inode_number : inode_count + 1;
	inode->u.dir.index = listing->index;
	inode->u.dir.index_count = listing->index_count;
}

static enum inode_type inode_type(const struct node *node)
{
	static const uint8_t types[] = {
		[NODE_FILE] = INODE_FILE,
		[NODE_DIR] = INODE_DIR,
		[NODE_SYMLINK] = INODE_SYMLINK,
		[NODE_BLOCK_DEVICE] = INODE_BLOCK_DEVICE,
		[NODE_CHAR_DEVICE] = INODE_CHAR_DEVICE,
		[NODE_FIFO] = INODE_FIFO,
		[NODE_SOCKET] = INODE_SOCKET,
	};

	assert(node->type < sizeof(types));
	return (enum inode_type)types[node->type];
}

/* Fills in what depends on the type, and counts it. */
static void fill_kind(struct writer *w, struct inode *inode,
		      const struct node *node, const struct listing *listing)
{
	switch (inode->type) {
	case INODE_FILE:
		fill_file(inode, node);
		w->stats->files++;
		break;
	case INODE_DIR:
		fill_dir(inode, node, listing, w->super->inode_count);
		w->stats->dirs++;
		break;
	case INODE_SYMLINK:
		inode->u.symlink.target = node->u.symlink.target;
		inode->u.symlink.target_len = node->u.symlink.target_len;
		w->stats->symlinks++;
		break;
	case INODE_BLOCK_DEVICE:
	case INODE_CHAR_DEVICE:
		inode->u.device.major = node->u.device.major;
		inode->u.device.minor = node->u.device.minor;
		w->stats->devices++;
		break;
	case INODE_FIFO:
	case INODE_SOCKET:
		w->stats->ipcs++;
		break;
	}
}

/* Notes where the inode goes that is written next. */
static int note_ref(struct writer *w, struct node *node, struct err *err)
{
	uint8_t raw[EXPORT_LEN];

	node->inode_ref = meta_ref_pack(meta_writer_position(&w->inodes));
	node->is_written = true;
	if (!w->job->exportable)
		return 0;
	assert(w->export_refs.len / EXPORT_LEN + 1 == node->inode_number);
	put_le64(raw, node->inode_ref);
	return buffer_append(&w->export_refs, raw, sizeof(raw), err);
}

/*
 * Writes one inode.
 *
 * name     that leads to it, for messages
 * listing  of a directory, else NULL
 */
static int write_inode(struct writer *w, const struct node *name,
		       struct node *node, const struct listing *listing,
		       struct err *err)
{
	struct inode inode = {
		.type = inode_type(node),
		.mode = node->mode,
		.mtime = node->mtime,
		.number = node->inode_number,
		.nlink = node->nlink,
		.xattr = node->xattr,
	};

	if (id_index(&w->ids, name, node->uid, &inode.uid_index, err) < 0 ||
	    id_index(&w->ids, name, node->gid, &inode.gid_index, err) < 0)
		return -1;
	fill_kind(w, &inode, node, listing);
	w->record.len = 0;
	if (inode_encode(&inode, &w->record, err) < 0 ||
	    note_ref(w, node, err) < 0 ||
	    meta_writer_append(&w->inodes, w->record.data, w->record.len, err) <
		    0)
		return -1;
	if (w->inodes.out.len >= FLUSH_LEN)
		return write_out(w, &w->inodes.out, err);
	return 0;
}

static void drop_listings(struct writer *w, size_t keep)
{
	while (w->pending_count > keep)
		free(w->pending[--w->pending_count].index);
}

/* Writes the inodes of dir's names, as far as they are not written yet. */
static int write_names(struct writer *w, const struct node *dir,
		       struct err *err)
{
	size_t first, next;

	/* Its sub-directories were walked last, in the order of names. */
	assert(w->pending_count >= dir->u.dir.subdir_count);
	first = w->pending_count - dir->u.dir.subdir_count;
	next = first;
	for (struct node *name = dir->u.dir.children; name; name = name->next) {
		struct node *node = node_inode(name);
		const struct listing *listing = NULL;

		__builtin_prefetch(name->next);
		if (node->is_written) {
			w->stats->hard_links++;
			continue;
		}
		if (node->type == NODE_DIR) {
			assert(next < w->pending_count);
			listing = &w->pending[next++];
		}
		if (write_inode(w, name, node, listing, err) < 0)
			return -1;
	}
	drop_listings(w, first);
	return 0;
}

static int add_names(struct writer *w, const struct node *dir, struct err *err)
{
	dir_begin(&w->dir, &w->listings);
	for (struct node *name = dir->u.dir.children; name; name = name->next) {
		const struct node *node = node_inode(name);

		__builtin_prefetch(name->next);
		if (dir_add(&w->dir, name->name, name->name_len,
			    meta_ref_unpack(node->inode_ref),
			    node->inode_number, inode_type(node), err) < 0)
			return -1;
	}
	return dir_end(&w->dir, err);
}

/* Writes dir's listing and keeps what its inode says about it. */
static int write_listing(struct writer *w, const struct node *dir,
			 struct err *err)
{
	char path[NAME_TEXT_LEN];
	struct listing *listing;

	if (array_reserve(&w->pending, &w->pending_cap, w->pending_count + 1,
			  sizeof(*w->pending), err) < 0)
		return -1;
	if (add_names(w, dir, err) < 0)
		return err_in(err, "%s", node_path_text(dir, path));
	listing = &w->pending[w->pending_count++];
	*listing = (struct listing) {
		.start = meta_ref_pack(w->dir.start),
		.len = w->dir.len,
		.index_count = (uint32_t)w->dir.index_count,
	};
	if (w->dir.index_count > 0) {
		listing->index = w->dir.index;
		w->dir.index = NULL;
		w->dir.index_count = w->dir.index_cap = 0;
	}
	return 0;
}

/* The inode table, then the directory table. */
static int write_tree(struct writer *w, struct err *err)
{
	struct node *root = tree_root(w->job->tree);

	if (number_all(root, &w->super->inode_count, err) < 0)
		return -1;
	for (struct node *dir = deepest_first(root); dir; dir = walk_next(dir))
		if (write_names(w, dir, err) < 0 ||
		    write_listing(w, dir, err) < 0)
			return -1;
	assert(w->pending_count == 1);
	if (write_inode(w, root, root, &w->pending[0], err) < 0 ||
	    meta_writer_flush(&w->inodes, err) < 0 ||
	    write_out(w, &w->inodes.out, err) < 0)
		return -1;
	w->super->root_inode = root->inode_ref;
	w->super->directory_table = w->position;
	if (meta_writer_flush(&w->listings, err) < 0 ||
	    write_out(w, &w->listings.out, err) < 0)
		return -1;
	w->stats->inode_table_len = w->inodes.block_position;
	w->stats->directory_table_len = w->listings.block_position;
	return 0;
}

/* Writes a look-up table. */
static int write_lookup(struct writer *w, bool raw, const uint8_t *entries,
			size_t len, uint64_t *index, struct err *err)
{
	struct meta_table table = { .entries = entries, .len = len };
	struct buffer out = { 0 };
	int ret = -1;

	if (meta_table_encode(raw ? NULL : w->job->codec, &table, w->position,
			      &out, index, err) == 0)
		ret = write_out(w, &out, err);
	buffer_cleanup(&out);
	return ret;
}

static int write_fragments(struct writer *w, struct err *err)
{
	const struct tables_job *job = w->job;
	size_t len;

	w->super->fragment_count = job->fragment_count;

	/* Some readers look at this place even where there are none. */
	w->super->fragment_table = w->position;
	if (job->fragment_count == 0)
		return 0;
	if (!mul_size(job->fragment_count, FRAGMENT_LEN, &len))
		return err_nomem(err);
	return write_lookup(w, job->raw->fragments, job->fragments, len,
			    &w->super->fragment_table, err);
}

static int write_export(struct writer *w, struct err *err)
{
	w->super->export_table = SUPER_NONE;
	if (!w->job->exportable)
		return 0;
	return write_lookup(w, w->job->raw->inodes, w->export_refs.data,
			    w->export_refs.len, &w->super->export_table, err);
}

static int write_ids(struct writer *w, struct err *err)
{
	size_t count = w->ids.entries.len / ID_LEN;

	w->super->id_count = (uint16_t)count;
	w->stats->ids = count;
	return write_lookup(w, w->job->raw->ids, w->ids.entries.data,
			    w->ids.entries.len, &w->super->id_table, err);
}

static int write_xattrs(struct writer *w, struct err *err)
{
	const struct tables_job *job = w->job;
	struct buffer out = { 0 };
	int ret = -1;

	w->super->xattr_table = SUPER_NONE;
	w->stats->xattr_sets = xattr_writer_count(job->xattrs);
	if (w->stats->xattr_sets == 0)
		return 0;
	if (xattr_writer_encode(
		    job->xattrs, job->raw->xattrs ? NULL : job->codec,
		    w->position, &out, &w->super->xattr_table, err) == 0)
		ret = write_out(w, &out, err);
	buffer_cleanup(&out);
	return ret;
}

static void set_flag(struct super *super, enum super_flag flag, bool on)
{
	if (on)
		super->flags |= (uint16_t)flag;
	else
		super->flags &= (uint16_t)~flag;
}

static void set_flags(const struct tables_job *job, struct super *super)
{
	const struct pack_raw *raw = job->raw;

	set_flag(super, SUPER_RAW_INODES, raw->inodes);
	set_flag(super, SUPER_RAW_DATA, raw->data);
	set_flag(super, SUPER_RAW_FRAGMENTS, raw->fragments);
	set_flag(super, SUPER_RAW_XATTRS, raw->xattrs);
	set_flag(super, SUPER_RAW_IDS, raw->ids);
	set_flag(super, SUPER_NO_XATTRS, super->xattr_table == SUPER_NONE);
	set_flag(super, SUPER_EXPORTABLE, job->exportable);
}

static void reset_stats(struct pack_stats *stats)
{
	stats->files = stats->dirs = stats->symlinks = 0;
	stats->devices = stats->ipcs = stats->hard_links = 0;
}

static void cleanup(struct writer *w)
{
	drop_listings(w, 0);
	free(w->pending);
	meta_writer_cleanup(&w->inodes);
	meta_writer_cleanup(&w->listings);
	dir_writer_cleanup(&w->dir);
	digest_map_cleanup(&w->ids.map);
	buffer_cleanup(&w->ids.entries);
	buffer_cleanup(&w->record);
	buffer_cleanup(&w->export_refs);
}

int tables_write(const struct tables_job *job, struct super *super,
		 struct pack_stats *stats, struct err *err)
{
	struct codec *codec = job->raw->inodes ? NULL : job->codec;
	struct writer w = { .job = job,
			    .super = super,
			    .stats = stats,
			    .position = job->position };
	int ret = -1;

	reset_stats(stats);
	super->inode_table = job->position;
	if (hash_key_draw(&w.ids.key, err) < 0 ||
	    meta_writer_init(&w.inodes, codec, "inode table", err) < 0 ||
	    meta_writer_init(&w.listings, codec, "directory table", err) < 0)
		goto out;
	if (write_tree(&w, err) < 0 || write_fragments(&w, err) < 0 ||
	    write_export(&w, err) < 0 || write_ids(&w, err) < 0 ||
	    write_xattrs(&w, err) < 0)
		goto out;
	super->bytes_used = w.position;
	stats->inodes = super->inode_count;
	set_flags(job, super);
	ret = 0;
out:
	cleanup(&w);
	return ret;
}
