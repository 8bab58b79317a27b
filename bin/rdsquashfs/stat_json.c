/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rdsquashfs/stat_json.h"

#include <stdio.h>

#include "rdsquashfs/node.h"
#include "sqfs/image.h"
#include "sqfs/super.h"

void json_node(struct json *json, const struct node *node)
{
	const struct inode *inode = &node->inode;
	char mode[8];

	json_bytes(json, "path", node->path, node->path_len);
	json_text(json, "type", node_type_name(inode->type));
	snprintf(mode, sizeof(mode), "%04o", inode->mode);
	json_text(json, "mode", mode);
	json_number(json, "uid", node->uid);
	json_number(json, "gid", node->gid);
	json_number(json, "size", node_size(inode));
	json_number(json, "mtime", inode->mtime);
	json_number(json, "nlink", inode->nlink);
	json_number(json, "inode", inode->number);
	if (inode->type == INODE_SYMLINK)
		json_bytes(json, "target", inode->u.symlink.target,
			   inode->u.symlink.target_len);
	if (inode->type == INODE_BLOCK_DEVICE ||
	    inode->type == INODE_CHAR_DEVICE) {
		json_number(json, "major", inode->u.device.major);
		json_number(json, "minor", inode->u.device.minor);
	}
}

static void put_place(struct json *json, uint64_t at, uint32_t word)
{
	json_number(json, "at", at);
	json_number(json, "stored", BLOCK_WORD_LEN(word));
	json_bool(json, "compressed", !(word & BLOCK_WORD_RAW));
}

static int put_fragment(struct json *json, struct image *image,
			const struct inode *inode, struct err *err)
{
	struct fragment fragment;

	if (inode->u.file.fragment == INODE_NO_FRAGMENT) {
		json_null(json, "fragment");
		return 0;
	}
	if (image_fragment(image, inode->u.file.fragment, &fragment, err) < 0)
		return -1;
	json_object(json, "fragment");
	json_number(json, "index", inode->u.file.fragment);
	json_number(json, "offset", inode->u.file.fragment_offset);
	put_place(json, fragment.start, fragment.word);
	json_end(json);
	return 0;
}

static int put_file(struct json *json, struct image *image,
		    const struct inode *inode, struct err *err)
{
	uint64_t at = inode->u.file.start;

	json_number(json, "sparse", inode->u.file.sparse);
	json_number(json, "blocks_start", at);
	if (put_fragment(json, image, inode, err) < 0)
		return -1;
	json_array(json, "blocks");
	for (size_t i = 0; i < inode->u.file.word_count; i++) {
		uint32_t word = inode->u.file.words[i];

		json_object(json, NULL);
		json_bool(json, "hole", BLOCK_WORD_LEN(word) == 0);
		if (BLOCK_WORD_LEN(word) > 0)
			put_place(json, at, word);
		json_end(json);
		at += BLOCK_WORD_LEN(word);
	}
	json_end(json);
	return 0;
}

static void put_dir(struct json *json, const struct inode *inode)
{
	json_number(json, "listing_block", inode->u.dir.listing_block);
	json_number(json, "listing_offset", inode->u.dir.listing_offset);
	json_number(json, "parent", inode->u.dir.parent_number);
	json_array(json, "index");
	for (size_t i = 0; i < inode->u.dir.index_count; i++) {
		const struct dir_index *index = &inode->u.dir.index[i];

		json_object(json, NULL);
		json_bytes(json, "name", index->name, index->name_len);
		json_number(json, "at", index->index);
		json_number(json, "block", index->block);
		json_end(json);
	}
	json_end(json);
}

int stat_print_json(struct json *json, struct image *image,
		    const struct node *node, struct err *err)
{
	const struct inode *inode = &node->inode;
	int ret = 0;

	json_object(json, NULL);
	json_node(json, node);
	json_bool(json, "extended", inode->is_extended);
	json_number(json, "ref", meta_ref_pack(node->ref));
	json_number(json, "ref_block", node->ref.block);
	json_number(json, "ref_offset", node->ref.offset);
	json_number(json, "uid_index", inode->uid_index);
	json_number(json, "gid_index", inode->gid_index);
	if (inode->xattr == INODE_NO_XATTR)
		json_null(json, "xattr_index");
	else
		json_number(json, "xattr_index", inode->xattr);
	if (inode->type == INODE_FILE)
		ret = put_file(json, image, inode, err);
	else if (inode->type == INODE_DIR)
		put_dir(json, inode);
	json_end(json);
	return ret;
}
