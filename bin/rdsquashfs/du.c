/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rdsquashfs/du.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rdsquashfs/node.h"
#include "rdsquashfs/options.h"
#include "rdsquashfs/view.h"
#include "sqfs/image.h"
#include "sqfs/super.h"
#include "util/array.h"
#include "util/err.h"
#include "util/num.h"

/*
 * --du. The tree is walked twice: first to learn how many bytes each fragment
 * block and each table is made of, then to charge every entry with its share of
 * what is stored. A share is what a running sum grows by, rounded down, so that
 * all shares of a thing add up to the thing.
 *
 * An entry is charged with its blocks, its part of a fragment block, its inode
 * and its name. What several files have in common goes to the first of them.
 */

/* A sum of parts, and what is stored for it. */
struct whole {
	uint64_t parts; /* bytes before compression */
	uint64_t done;	/* of them charged already */
	uint64_t stored;
};

struct du {
	const struct view *view;
	struct usage *usage;
	bool is_charging;      /* the second walk */
	struct whole *fragments; /* those that a file names */
	size_t fragment_count, fragment_cap;
	struct digest_map fragment_map; /* index in the image: here */
	struct whole inodes, names;
	struct digest_map seen; /* blocks, tail-ends and inodes of this walk */
	size_t *rows; /* of the directories that are open, by depth */
	uint64_t data; /* bytes of blocks and fragment blocks that are named */
	uint64_t smallest; /* of the files that are kept as large */
};

enum seen_kind { SEEN_BLOCK, SEEN_TAIL_END, SEEN_INODE };

/* True if this was there before in this walk. ERR_NOMEM. */
static int see(struct du *du, enum seen_kind kind, uint64_t a, uint64_t b,
	       bool *is_known, struct err *err)
{
	const uint64_t words[3] = { kind, a, b };
	struct digest digest;

	hash128(&du->usage->key, words, sizeof(words), &digest);
	*is_known = digest_map_find(&du->seen, &digest) != NULL;
	return *is_known ? 0 : digest_map_add(&du->seen, &digest, 0, err);
}

/* stored * part / parts, rounded down. */
static uint64_t part_of(const struct whole *whole, uint64_t part)
{
	uint64_t product;

	if (whole->parts == 0)
		return 0;
	if (mul_u64(whole->stored, part, &product))
		return product / whole->parts;
	return (uint64_t)((long double)whole->stored * (long double)part /
			  (long double)whole->parts);
}

/* The share of len more bytes; in the first walk they are only counted. */
static uint64_t take_share(const struct du *du, struct whole *whole,
			   uint64_t len)
{
	uint64_t before;

	if (!du->is_charging) {
		whole->parts += len;
		return 0;
	}
	before = part_of(whole, whole->done);
	whole->done += len;
	return part_of(whole, whole->done) - before;
}

/* Bytes of a record in the inode table. */
static uint64_t inode_len(const struct inode *inode)
{
	uint64_t len = inode->is_extended ? 24 : 20;

	switch (inode->type) {
	case INODE_DIR:
		len = inode->is_extended ? 40 : 32;
		for (size_t i = 0; inode->is_extended &&
				   i < inode->u.dir.index_count; i++)
			len += 12 + inode->u.dir.index[i].name_len;
		break;
	case INODE_FILE:
		len = (inode->is_extended ? 56 : 32) +
		      (uint64_t)inode->u.file.word_count * 4;
		break;
	case INODE_SYMLINK:
		len = 24 + (inode->is_extended ? 4 : 0) +
		      (uint64_t)inode->u.symlink.target_len;
		break;
	case INODE_BLOCK_DEVICE:
	case INODE_CHAR_DEVICE:
		len += 4;
		break;
	case INODE_FIFO:
	case INODE_SOCKET:
		break;
	}
	return len;
}

/* Finds what is known of a fragment block; borrowed until the next call. */
static int find_fragment(struct du *du, uint32_t index, struct whole **out,
			 struct err *err)
{
	struct fragment fragment;
	struct digest digest;
	const uint64_t *known;

	hash128(&du->usage->key, &index, sizeof(index), &digest);
	known = digest_map_find(&du->fragment_map, &digest);
	if (known) {
		*out = &du->fragments[*known];
		return 0;
	}
	if (image_fragment(du->view->image, index, &fragment, err) < 0 ||
	    array_reserve(&du->fragments, &du->fragment_cap,
			  du->fragment_count + 1, sizeof(**out), err) < 0 ||
	    digest_map_add(&du->fragment_map, &digest, du->fragment_count,
			   err) < 0)
		return -1;
	*out = &du->fragments[du->fragment_count++];
	**out = (struct whole){ .stored = BLOCK_WORD_LEN(fragment.word) };
	return 0;
}

static int charge_tail_end(struct du *du, const struct inode *inode,
			   struct charge *charge, struct err *err)
{
	const uint32_t index = inode->u.file.fragment;
	const uint64_t len = inode->u.file.size -
			     (uint64_t)inode->u.file.word_count *
				     image_super(du->view->image)->block_size;
	struct whole *whole;
	bool is_known;

	if (find_fragment(du, index, &whole, err) < 0 ||
	    see(du, SEEN_TAIL_END,
		(uint64_t)index << 32 | inode->u.file.fragment_offset, len,
		&is_known, err) < 0)
		return -1;
	if (!is_known)
		charge->bytes += take_share(du, whole, len);
	else if (whole->parts > 0)
		charge->shared += part_of(whole, len);
	return 0;
}

static int charge_content(struct du *du, const struct inode *inode,
			  struct charge *charge, struct err *err)
{
	const uint64_t end = image_super(du->view->image)->bytes_used;
	uint64_t at = inode->u.file.start;
	bool is_known;

	for (size_t i = 0; i < inode->u.file.word_count; i++) {
		uint32_t len = BLOCK_WORD_LEN(inode->u.file.words[i]);

		if (len == 0)
			continue;
		/* So that there are no more of them than bytes. */
		if (at > end || len > end - at)
			return err_set(err, ERR_CORRUPT,
				       "block %zu lies past the end of the"
				       " image", i);
		if (see(du, SEEN_BLOCK, at, 0, &is_known, err) < 0)
			return -1;
		if (is_known)
			charge->shared += len;
		else
			charge->bytes += len;
		at += len;
	}
	if (inode->u.file.fragment == INODE_NO_FRAGMENT)
		return 0;
	return charge_tail_end(du, inode, charge, err);
}

/* Counts or charges one name with all that belongs to it. */
static int charge_node(struct du *du, const struct node *node,
		       struct charge *charge, struct err *err)
{
	const struct inode *inode = &node->inode;
	const size_t name_len = strlen(node_name(node));
	bool is_known = false;

	charge->entries = 1;
	if (name_len > 0)
		charge->bytes += take_share(du, &du->names, 8 + name_len);
	if (inode->type != INODE_DIR && inode->nlink > 1 &&
	    see(du, SEEN_INODE, meta_ref_pack(node->ref), 0, &is_known, err) <
		    0)
		return -1;
	if (!is_known)
		charge->bytes += take_share(du, &du->inodes,
					    inode_len(inode));
	if (inode->type != INODE_FILE)
		return 0;

	const uint64_t before = charge->bytes;

	if (charge_content(du, inode, charge, err) < 0)
		return -1;
	du->data += charge->bytes - before;
	return 0;
}

/*
 * The extension of a name with its dot, or nothing; numbers behind it do not
 * count: libc.so.6 is a .so.
 */
static void find_extension(const char *name, const char **out, size_t *len)
{
	size_t end = strlen(name);

	for (;;) {
		size_t dot = end, digits = 0;

		while (dot > 0 && name[dot - 1] != '.') {
			dot--;
			digits += name[dot] >= '0' && name[dot] <= '9';
		}
		if (dot < 2 || end - dot > 16)
			break;
		if (end > dot && digits < end - dot) {
			*out = name + dot - 1;
			*len = end - dot + 1;
			return;
		}
		end = dot - 1;
	}
	*out = "file";
	*len = 4;
}

static int add_to(struct tally *tally, const char *key, size_t len,
		  const struct charge *charge, struct err *err)
{
	size_t index;

	if (tally_row(tally, key, len, &index, err) < 0)
		return -1;
	charge_add(&tally->rows[index].charge, charge);
	return 0;
}

/* Adds to the directories above, and to the entry itself if it is one. */
static int add_to_dirs(struct du *du, const struct node *node,
		       const struct charge *charge, struct err *err)
{
	const uint32_t max = du->view->options->du_depth;
	const char *path = node->path;
	uint32_t depth = node->path_len > 0;

	for (; *path && depth <= max; path++)
		depth += *path == '/';
	if (node->inode.type == INODE_DIR && depth <= max) {
		if (tally_row(&du->usage->dirs, node->path,
			      node->path_len, &du->rows[depth], err) < 0)
			return -1;
		depth++;
	}
	if (depth > max + 1)
		depth = max + 1;
	for (uint32_t i = 0; i < depth; i++)
		charge_add(&du->usage->dirs.rows[du->rows[i]].charge, charge);
	return 0;
}

/* Keeps the file if it may be one of the largest; drops the small ones when
 * many have gathered. */
static int add_to_files(struct du *du, const struct node *node,
			const struct charge *charge, struct err *err)
{
	struct tally *files = &du->usage->files;
	struct tally kept = { .hash = files->hash };

	if (node->inode.type != INODE_FILE || charge->bytes < du->smallest)
		return 0;
	if (add_to(files, node->path, node->path_len, charge,
		   err) < 0)
		return -1;
	if (files->count < 64 * DU_FILES)
		return 0;
	tally_sort(files);
	du->smallest = files->rows[DU_FILES - 1].charge.bytes;
	for (size_t i = 0; i < DU_FILES; i++)
		if (add_to(&kept, files->rows[i].key, files->rows[i].key_len,
			   &files->rows[i].charge, err) < 0) {
			tally_cleanup(&kept);
			return -1;
		}
	tally_cleanup(files);
	*files = kept;
	return 0;
}

static int visit(void *arg, const struct node *node, struct err *err)
{
	const enum inode_type type = node->inode.type;
	struct charge charge = { .bytes = 0 };
	struct du *du = arg;
	const char *kind = node_type_name(type);
	size_t kind_len = strlen(kind);
	char owner[16], name[NAME_TEXT_LEN];

	if (charge_node(du, node, &charge, err) < 0)
		return err_in(err, "%s", name_text(node->path,
						   node->path_len, name));
	if (!du->is_charging)
		return 0;
	if (type == INODE_FILE)
		find_extension(node_name(node), &kind, &kind_len);
	snprintf(owner, sizeof(owner), "%" PRIu32, node->uid);
	if (add_to_dirs(du, node, &charge, err) < 0 ||
	    add_to_files(du, node, &charge, err) < 0 ||
	    add_to(&du->usage->kinds, kind, kind_len, &charge, err) < 0)
		return -1;
	return add_to(&du->usage->owners, owner, strlen(owner), &charge, err);
}

static int walk(struct du *du, struct err *err)
{
	struct image *image = du->view->image;
	const struct walk_start start = {
		.path = "",
		.ref = image_root(image),
		.depth = UINT32_MAX,
		.with_index = true,
	};

	digest_map_cleanup(&du->seen);
	du->data = 0;
	return node_walk(image, &start, visit, du, err);
}

/* Where a table begins: its metadata blocks stand in front of their index. */
static int table_begin(struct image *image, uint64_t index, uint64_t *end,
		       struct err *err)
{
	uint8_t raw[8];
	uint64_t at;

	if (index == SUPER_NONE)
		return 0;
	if (image_read(image, index, raw, sizeof(raw), err) < 0)
		return -1;
	at = get_le64(raw);
	if (at < index && at < *end)
		*end = at;
	return 0;
}

/* Finds what is stored for inodes and names, and all that lies behind. */
static int find_tables(struct du *du, struct err *err)
{
	struct image *image = du->view->image;
	const struct super *super = image_super(image);
	struct usage *usage = du->usage;
	uint64_t end = super->bytes_used;

	if ((super->fragment_count > 0 &&
	     table_begin(image, super->fragment_table, &end, err) < 0) ||
	    table_begin(image, super->export_table, &end, err) < 0 ||
	    table_begin(image, super->id_table, &end, err) < 0 ||
	    table_begin(image, super->xattr_table, &end, err) < 0)
		return -1;
	usage->total = super->bytes_used;
	usage->rest.super = SUPER_LEN;
	usage->rest.tables = super->bytes_used - end;
	if (super->directory_table > super->inode_table)
		du->inodes.stored = super->directory_table -
				    super->inode_table;
	if (end > super->directory_table)
		du->names.stored = end - super->directory_table;
	return 0;
}

/* What is left when all that has a name is taken away. */
static void find_rest(struct du *du)
{
	struct usage *usage = du->usage;
	uint64_t charged = usage->rest.super + usage->rest.tables + du->data;

	/* A directory table with no names at all is charged to nobody. */
	if (du->inodes.parts > 0)
		charged += du->inodes.stored;
	if (du->names.parts > 0)
		charged += du->names.stored;
	if (charged > usage->total)
		usage->rest.twice = charged - usage->total;
	else
		usage->rest.unnamed = usage->total - charged;
}

static int measure(struct du *du, struct err *err)
{
	du->rows = calloc((size_t)du->view->options->du_depth + 1,
			  sizeof(*du->rows));
	if (!du->rows)
		return err_nomem(err);
	if (find_tables(du, err) < 0 || walk(du, err) < 0)
		return -1;
	du->is_charging = true;
	if (walk(du, err) < 0)
		return -1;
	find_rest(du);
	return 0;
}

int view_du(struct view *view, struct err *err)
{
	struct usage usage = { .total = 0 };
	struct du du = { .view = view, .usage = &usage };
	int ret;

	usage.dirs.hash = usage.kinds.hash = &usage.key;
	usage.owners.hash = usage.files.hash = &usage.key;
	ret = hash_key_draw(&usage.key, err);
	if (ret == 0)
		ret = measure(&du, err);
	if (ret == 0)
		usage_print(view, &usage);
	digest_map_cleanup(&du.seen);
	digest_map_cleanup(&du.fragment_map);
	free(du.rows);
	free(du.fragments);
	tally_cleanup(&usage.dirs);
	tally_cleanup(&usage.kinds);
	tally_cleanup(&usage.owners);
	tally_cleanup(&usage.files);
	return ret;
}
