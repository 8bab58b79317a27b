/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "internal.h"

/*
 * The path of an inode, for messages only: names are not kept, but looked up
 * again in the listings, from the inode up to the root.
 */
#include <string.h>

#include "sqfs/dir.h"
#include "sqfs/image.h"
#include "util/num.h"

#define DEPTH_MAX 4096u
#define ITEM_HEAD 8

/* The name at a place of a listing; its length, or 0 if it cannot be had. */
static size_t read_name(struct check *c, const struct directory *dir,
			uint32_t entry, char name[DIR_NAME_MAX])
{
	uint8_t head[ITEM_HEAD];
	struct err ignored;
	uint64_t pos;
	size_t len;

	if (!stream_find(&c->directories, dir->block, dir->offset, &pos) ||
	    stream_get(c, &c->directories, pos + entry, head, sizeof(head),
		       &ignored) != 0)
		return 0;
	len = get_le16(head + 6) + (size_t)1;
	if (len > DIR_NAME_MAX ||
	    stream_get(c, &c->directories, pos + entry + ITEM_HEAD, name, len,
		       &ignored) != 0)
		return 0;
	return len;
}

/* Appends a name backwards. */
static int append(struct buffer *path, const char *name, size_t len)
{
	if (path->len + len + 2 > IMAGE_PATH_MAX ||
	    buffer_reserve(path, len + 2, NULL) < 0)
		return -1;
	if (path->len > 0)
		path->data[path->len++] = '/';
	while (len > 0)
		path->data[path->len++] = (uint8_t)name[--len];
	return 0;
}

static void turn(uint8_t *data, size_t len)
{
	for (size_t i = 0; i < len / 2; i++) {
		uint8_t byte = data[i];

		data[i] = data[len - 1 - i];
		data[len - 1 - i] = byte;
	}
}

const char *node_path(struct check *c, uint32_t node)
{
	struct buffer *path = &c->path;
	unsigned depth = 0;

	path->len = 0;
	if (node == c->root)
		return "";
	while (node != c->root) {
		const struct node *n = &c->nodes[node];
		char name[DIR_NAME_MAX];
		size_t len;

		if (n->dir == NONE || ++depth > DEPTH_MAX)
			return NULL;
		len = read_name(c, &c->dirs[n->dir], n->entry, name);
		if (len == 0 || append(path, name, len) < 0)
			return NULL;
		node = c->dirs[n->dir].node;
	}
	turn(path->data, path->len);
	path->data[path->len] = '\0'; /* room was made */
	return (const char *)path->data;
}
