/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "rdsquashfs/node.h"
#include "util/err.h"
#include "util/hash.h"

/*
 * The walk through the tree. Directories that were entered are kept, so that
 * one that is its own ancestor, or has two names, ends it with an error rather
 * than never.
 */

/* A directory that is being read. */
struct level {
	struct dir_reader reader;
	size_t path_len; /* of the directory's path */
};

struct walk {
	struct image *image;
	struct node node;
	struct level *levels;
	size_t level_count, level_cap;
	struct hash_key key;
	struct digest_map seen; /* directories, by where their inodes lie */
};

static int set_path(struct node *node, size_t dir_len, const char *name,
		    size_t name_len, struct err *err)
{
	struct buffer *path = &node->path;
	bool has_slash = dir_len > 0;

	if (dir_len + has_slash + name_len > IMAGE_PATH_MAX)
		return err_set(err, ERR_CORRUPT,
			       "a path is longer than %u bytes",
			       IMAGE_PATH_MAX);
	path->len = dir_len;
	if (buffer_reserve(path, has_slash + name_len + 1, err) < 0)
		return -1;
	if (has_slash)
		path->data[path->len++] = '/';
	memcpy(path->data + path->len, name, name_len);
	path->len += name_len;
	path->data[path->len] = '\0';
	return 0;
}

/* Notes that a directory is entered, which must be for the first time. */
static int note_dir(struct walk *walk, struct err *err)
{
	uint64_t ref = meta_ref_pack(walk->node.ref);
	struct digest digest = {
		.lo = hash64(&walk->key, &ref, sizeof(ref)),
		.hi = ref,
	};
	char name[NAME_TEXT_LEN];

	if (digest_map_find(&walk->seen, &digest))
		return err_set(err, ERR_CORRUPT,
			       "%s: the directory is in the tree twice",
			       name_text((char *)walk->node.path.data,
					 walk->node.path.len, name));
	return digest_map_add(&walk->seen, &digest, 0, err);
}

static int enter(struct walk *walk, struct err *err)
{
	struct level *level;

	if (note_dir(walk, err) < 0 ||
	    array_reserve(&walk->levels, &walk->level_cap,
			  walk->level_count + 1, sizeof(*level), err) < 0)
		return -1;
	level = &walk->levels[walk->level_count];
	level->path_len = walk->node.path.len;
	if (dir_open(walk->image, &walk->node.inode, &level->reader, err) < 0)
		return -1;
	walk->level_count++;
	return 0;
}

/* Decodes what a directory names, which says part of it as well. */
static int load_item(struct walk *walk, const struct dir_item *item,
		     struct err *err)
{
	const struct inode *inode = &walk->node.inode;
	char name[NAME_TEXT_LEN];

	if (node_load(walk->image, item->ref, &walk->node, err) < 0)
		return -1;
	if (inode->type == item->type && inode->number == item->number)
		return 0;
	return err_set(err, ERR_CORRUPT,
		       "%s: the directory and the inode differ about its type"
		       " or its number",
		       name_text((char *)walk->node.path.data,
				 walk->node.path.len, name));
}

/* Moves to the next name. 0, 1 at the end, -1. */
static int step(struct walk *walk, struct err *err)
{
	char name[NAME_TEXT_LEN];
	struct dir_item item;

	while (walk->level_count > 0) {
		struct level *level = &walk->levels[walk->level_count - 1];
		int ret = dir_next(&level->reader, &item, err);

		if (ret < 0)
			return err_in(err, "%s",
				      name_text((char *)walk->node.path.data,
						level->path_len, name));
		if (ret == 1) {
			walk->level_count--;
			continue;
		}
		if (set_path(&walk->node, level->path_len, item.name,
			     item.name_len, err) < 0)
			return -1;
		return load_item(walk, &item, err);
	}
	return 1;
}

int node_walk(struct image *image, const struct walk_start *start,
	      int (*each)(void *arg, const struct node *node,
			  struct err *err),
	      void *arg, struct err *err)
{
	struct walk walk = {
		.image = image,
		.node.space.with_index = start->with_index,
	};
	int ret = -1;

	if (hash_key_draw(&walk.key, err) < 0 ||
	    set_path(&walk.node, 0, start->path, strlen(start->path), err) <
		    0 ||
	    node_load(image, start->ref, &walk.node, err) < 0)
		goto out;
	do {
		ret = each(arg, &walk.node, err);
		if (ret < 0)
			break;
		if (ret == 0 && walk.node.inode.type == INODE_DIR &&
		    walk.level_count < start->depth && enter(&walk, err) < 0) {
			ret = -1;
			break;
		}
		ret = step(&walk, err);
	} while (ret == 0);
	if (ret == 1)
		ret = 0;
out:
	free(walk.levels);
	digest_map_cleanup(&walk.seen);
	node_cleanup(&walk.node);
	return ret;
}
