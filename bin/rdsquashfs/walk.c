/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rdsquashfs/node.h"
#include "sqfs/image.h"
#include "unpack/unpack.h"
#include "unpack/walk.h"
#include "util/account.h"
#include "util/err.h"

/* The walk through the tree, as the operations that only look want it. */

static int load(struct image *image, const struct walk_item *item,
		struct node *node, struct err *err)
{
	char name[NAME_TEXT_LEN];

	node->path = item->path;
	node->path_len = item->path_len;
	node->ref = item->ref;
	node->inode = *item->inode;
	if (image_id(image, node->inode.uid_index, &node->uid, err) == 0 &&
	    image_id(image, node->inode.gid_index, &node->gid, err) == 0)
		return 0;
	if (item->path_len == 0)
		return err_in(err, "/");
	return err_in(err, "%s", name_text(item->path, item->path_len, name));
}

int node_walk(struct image *image, const struct walk_start *start,
	      int (*each)(void *arg, const struct node *node,
			  struct err *err),
	      void *arg, struct err *err)
{
	const struct image_start from = { .path = start->path,
					  .as = start->path,
					  .ref = &start->ref };
	const struct image_source_options options = { .starts = &from,
						      .start_count = 1,
						      .no_hard_links = true };
	struct walk_item item;
	struct node node;
	struct walk *walk;
	int ret;

	if (walk_create(image, &options, start->with_index, &walk, err) < 0)
		return -1;
	while ((ret = walk_next(walk, &item, err)) == 0) {
		account_count(ACCOUNT_ENTRIES, 1);
		ret = load(image, &item, &node, err);
		if (ret == 0)
			ret = each(arg, &node, err);
		if (ret == 0 && item.depth < start->depth)
			ret = walk_enter(walk, err);
		if (ret < 0)
			break;
	}
	walk_destroy(walk);
	return ret < 0 ? -1 : 0;
}
