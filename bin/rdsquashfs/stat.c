/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/quote.h"
#include "rdsquashfs/node.h"
#include "rdsquashfs/options.h"
#include "rdsquashfs/paths.h"
#include "rdsquashfs/stat_json.h"
#include "rdsquashfs/view.h"
#include "sqfs/image.h"
#include "sqfs/super.h"
#include "util/err.h"

/* -s: all that an inode says. Positions count from the super block. */

struct stats {
	const struct view *view;
	bool is_next; /* one was printed before */
};

static const char *stored_form(uint32_t word)
{
	return word & BLOCK_WORD_RAW ? "uncompressed" : "compressed";
}

static void print_blocks(const struct inode *inode)
{
	uint64_t at = inode->u.file.start;

	for (size_t i = 0; i < inode->u.file.word_count; i++) {
		uint32_t word = inode->u.file.words[i];
		uint32_t len = BLOCK_WORD_LEN(word);

		if (len == 0) {
			printf("\tBlock #%zu size: 0 (hole)\n", i);
			continue;
		}
		printf("\tBlock #%zu size: %" PRIu32 " (%s) at: %" PRIu64 "\n",
		       i, len, stored_form(word), at);
		at += len;
	}
}

static int print_file(struct image *image, const struct inode *inode,
		      struct err *err)
{
	struct fragment fragment;

	printf("Fragment index: 0x%" PRIX32 "\nFragment offset: %" PRIu32 "\n",
	       inode->u.file.fragment, inode->u.file.fragment_offset);
	if (inode->u.file.fragment != INODE_NO_FRAGMENT) {
		if (image_fragment(image, inode->u.file.fragment, &fragment,
				   err) < 0)
			return -1;
		printf("Fragment block size: %" PRIu32 " (%s) at: %" PRIu64
		       "\n",
		       BLOCK_WORD_LEN(fragment.word),
		       stored_form(fragment.word), fragment.start);
	}
	printf("File size: %" PRIu64 "\n", inode->u.file.size);
	if (inode->is_extended)
		printf("Sparse: %" PRIu64 "\n", inode->u.file.sparse);
	printf("Blocks start: %" PRIu64 "\nBlock count: %zu\n",
	       inode->u.file.start, inode->u.file.word_count);
	print_blocks(inode);
	return 0;
}

static void print_dir(const struct inode *inode)
{
	printf("Start block: %" PRIu64 "\nOffset: %u\nListing size: %" PRIu64
	       "\nParent inode: %" PRIu32 "\n",
	       inode->u.dir.listing_block, inode->u.dir.listing_offset,
	       node_size(inode), inode->u.dir.parent_number);
	if (!inode->is_extended)
		return;
	printf("Directory index entries: %zu\n", inode->u.dir.index_count);
	for (size_t i = 0; i < inode->u.dir.index_count; i++) {
		const struct dir_index *index = &inode->u.dir.index[i];

		printf("\tIndex #%zu at: %" PRIu32 " block: %" PRIu32
		       " name: ",
		       i, index->index, index->block);
		quote_listed(stdout, index->name, index->name_len);
		putchar('\n');
	}
}

static int print_inode(struct image *image, const struct inode *inode,
		       struct err *err)
{
	const uint32_t major = inode->u.device.major;
	const uint32_t minor = inode->u.device.minor;

	switch (inode->type) {
	case INODE_FILE:
		return print_file(image, inode, err);
	case INODE_DIR:
		print_dir(inode);
		break;
	case INODE_SYMLINK:
		fputs("Link target: ", stdout);
		quote_listed(stdout, inode->u.symlink.target,
			     inode->u.symlink.target_len);
		putchar('\n');
		break;
	case INODE_BLOCK_DEVICE:
	case INODE_CHAR_DEVICE:
		printf("Device number: %" PRIu32 ":%" PRIu32 " (%" PRIu32
		       ")\n", major, minor, device_word(major, minor));
		break;
	case INODE_FIFO:
	case INODE_SOCKET:
		break;
	}
	return 0;
}

static int print_text(struct stats *stats, const struct node *node,
		      struct err *err)
{
	const struct inode *inode = &node->inode;
	const uint64_t ref = meta_ref_pack(node->ref);
	char time[TIME_TEXT_LEN];

	if (stats->is_next)
		putchar('\n');
	fputs("Path: /", stdout);
	quote_listed(stdout, node->path, node->path_len);
	fputs("\nName: ", stdout);
	quote_listed(stdout, node_name(node), strlen(node_name(node)));
	printf("\nInode type: %s%s\nInode number: %" PRIu32
	       "\nInode reference: 0x%" PRIX64 " (block %" PRIu64
	       ", offset %u)\n",
	       inode->is_extended ? "extended " : "",
	       node_type_name(inode->type), inode->number, ref,
	       node->ref.block, node->ref.offset);
	printf("Access: 0%o\nUID: %" PRIu32 " (index = %u)\nGID: %" PRIu32
	       " (index = %u)\n",
	       inode->mode, node->uid, inode->uid_index, node->gid,
	       inode->gid_index);
	printf("Last modified: %s (%" PRIu32 ")\nHard link count: %" PRIu32
	       "\n",
	       time_text(inode->mtime, "%a, %d %b %Y %H:%M:%S +0000", time),
	       inode->mtime, inode->nlink);
	if (inode->is_extended)
		printf("Xattr index: 0x%" PRIX32 "\n", inode->xattr);
	return print_inode(stats->view->image, inode, err);
}

static int stat_node(void *arg, const struct node *node, struct err *err)
{
	struct stats *stats = arg;
	const struct view *view = stats->view;
	char name[NAME_TEXT_LEN];
	int ret;

	ret = view->json ? stat_print_json(view->json, view->image, node, err)
			 : print_text(stats, node, err);
	stats->is_next = true;
	if (ret < 0)
		return err_in(err, "%s",
			      name_text(node->path, node->path_len, name));
	return view_output(err);
}

int view_stat(struct view *view, struct err *err)
{
	struct stats stats = { .view = view };

	return paths_walk(view, true, stat_node, &stats, err);
}
