/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/quote.h"
#include "common/size_text.h"
#include "rdsquashfs/node.h"
#include "rdsquashfs/options.h"
#include "rdsquashfs/paths.h"
#include "rdsquashfs/stat_json.h"
#include "rdsquashfs/view.h"
#include "sqfs/image.h"
#include "sqfs/super.h"
#include "util/err.h"

/*
 * -l. Lines are printed as they come, whatever the directory's size: columns
 * are as wide as the largest id of the image needs.
 */

struct listing {
	const struct view *view;
	struct json *json; /* or NULL */
	int id_width;
	bool is_below; /* the directory itself is not shown */
	bool full_paths;
};

static int digits(uint32_t n)
{
	int count = 1;

	for (; n > 9; n /= 10)
		count++;
	return count;
}

static int find_id_width(struct image *image, int *out, struct err *err)
{
	uint32_t id, max = 0;

	for (unsigned i = 0; i < image_super(image)->id_count; i++) {
		if (image_id(image, (uint16_t)i, &id, err) < 0)
			return -1;
		if (id > max)
			max = id;
	}
	*out = digits(max);
	return 0;
}

static void print_size(const struct inode *inode, bool is_long)
{
	char text[SIZE_TEXT_LEN];

	if (inode->type == INODE_BLOCK_DEVICE ||
	    inode->type == INODE_CHAR_DEVICE)
		snprintf(text, sizeof(text), "%" PRIu32 ":%" PRIu32,
			 inode->u.device.major, inode->u.device.minor);
	else if (is_long)
		snprintf(text, sizeof(text), "%" PRIu64, node_size(inode));
	else
		size_text(node_size(inode), text);
	printf(" %*s", is_long ? 10 : 7, text);
}

static void print_line(const struct listing *listing, const struct node *node)
{
	const struct inode *inode = &node->inode;
	const bool is_long = listing->view->options->is_long;
	char mode[MODE_TEXT_LEN], time[TIME_TEXT_LEN];
	const char *name = node->path_len == 0 ? "/"
			   : listing->full_paths
				   ? node->path
				   : node_name(node);

	fputs(mode_text(inode->type, inode->mode, mode), stdout);
	if (is_long)
		printf(" %3" PRIu32, inode->nlink);
	printf(" %*" PRIu32 "/%-*" PRIu32, listing->id_width, node->uid,
	       listing->id_width, node->gid);
	print_size(inode, is_long);
	if (is_long)
		printf(" %s", time_text(inode->mtime, "%Y-%m-%d %H:%M:%S",
					time));
	putchar(' ');
	quote_listed(stdout, name, strlen(name));
	if (inode->type == INODE_SYMLINK) {
		fputs(" -> ", stdout);
		quote_listed(stdout, inode->u.symlink.target,
			     inode->u.symlink.target_len);
	}
	putchar('\n');
}

static void print_json(struct json *json, const struct node *node)
{
	json_object(json, NULL);
	json_node(json, node);
	json_bool(json, "has_xattrs", node->inode.xattr != INODE_NO_XATTR);
	json_end(json);
}

static int print_node(void *arg, const struct node *node, struct err *err)
{
	struct listing *listing = arg;

	if (listing->is_below) {
		listing->is_below = false;
		return 0;
	}
	if (listing->json)
		print_json(listing->json, node);
	else
		print_line(listing, node);
	return view_output(err);
}

static int list_match(struct listing *listing, const struct match *match,
		      struct err *err)
{
	const struct options *options = listing->view->options;

	const struct walk_start start = {
		.path = match->path,
		.ref = match->ref,
		.depth = options->recursive ? UINT32_MAX : 1,
	};

	listing->is_below = match->type == INODE_DIR && !options->recursive;
	return node_walk(listing->view->image, &start, print_node, listing,
			 err);
}

/*
 * As ls: of several matches files come first, by their paths, then each
 * directory under a line with its path.
 */
static int list_matches(struct listing *listing, const struct matches *matches,
			struct err *err)
{
	const bool is_plain = listing->json ||
			      listing->view->options->recursive;
	bool is_first = true;

	listing->full_paths = is_plain || matches->count > 1;
	for (size_t i = 0; i < matches->count; i++) {
		if (!is_plain && matches->items[i].type == INODE_DIR)
			continue;
		if (list_match(listing, &matches->items[i], err) < 0)
			return -1;
		is_first = false;
	}
	listing->full_paths = false;
	for (size_t i = 0; i < matches->count && !is_plain; i++) {
		const struct match *match = &matches->items[i];

		if (match->type != INODE_DIR)
			continue;
		if (matches->count > 1) {
			fputs(is_first ? "/" : "\n/", stdout);
			quote_listed(stdout, match->path, strlen(match->path));
			fputs(":\n", stdout);
		}
		if (list_match(listing, match, err) < 0)
			return -1;
		is_first = false;
	}
	return 0;
}

int view_list(struct view *view, struct err *err)
{
	struct listing listing = { .view = view };
	struct matches matches;
	struct json json;
	int ret;

	ret = paths_find(view, PATHS_ANY, &matches, err);
	if (ret == 0)
		ret = find_id_width(view->image, &listing.id_width, err);
	if (ret == 0 && view->options->json) {
		json_init(&json, stdout);
		listing.json = &json;
		json_array(&json, NULL);
	}
	if (ret == 0)
		ret = list_matches(&listing, &matches, err);
	if (ret == 0 && listing.json)
		json_end(&json);
	matches_cleanup(&matches);
	return ret;
}
