/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "internal.h"

/*
 * The path of an inode, for messages only: names are not kept, but looked up
 * again in the listings, from the inode up to the root. That of the directory
 * is kept for the next one, as faults come in crowds.
 */
#include <string.h>

#include "sqfs/dir.h"
#include "sqfs/image.h"
#include "util/account.h"
#include "util/num.h"

#define DEPTH_MAX 512u /* directories above; each fault goes over them */
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
	if (path->len + len + 1 > IMAGE_PATH_MAX ||
	    buffer_reserve(path, len + 1, NULL) < 0)
		return -1;
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

/*
 * Has the path of a directory, with a slash behind it, at the begin of
 * check.path; of the root it is empty.
 */
static int set_dir(struct check *c, uint32_t dir)
{
	struct buffer *path = &c->path;
	unsigned depth = 0;

	if (c->path_dir == dir)
		return 0;
	c->path_dir = NONE;
	path->len = 0;
	for (uint32_t at = dir; c->dirs[at].node != c->root;) {
		const struct node *n = &c->nodes[c->dirs[at].node];
		char name[DIR_NAME_MAX];
		size_t len = read_name(c, &c->dirs[n->dir], n->entry, name);

		if (len == 0 || ++depth > DEPTH_MAX ||
		    append(path, name, len) < 0)
			return -1;
		at = n->dir;
	}
	turn(path->data, path->len);
	c->path_dir = dir;
	c->path_dir_len = path->len;
	return 0;
}

const char *node_path(struct check *c, uint32_t node)
{
	const struct node *n = &c->nodes[node];
	struct buffer *path = &c->path;
	char name[DIR_NAME_MAX];
	size_t len;

	if (node == c->root)
		return "";
	if (n->dir == NONE || c->dirs[n->dir].state != DIR_BELOW_ROOT ||
	    set_dir(c, n->dir) < 0)
		return NULL;
	len = read_name(c, &c->dirs[n->dir], n->entry, name);
	path->len = c->path_dir_len;
	if (len == 0 || buffer_reserve(path, len + 1, NULL) < 0)
		return NULL;
	copy_bytes(path->data + path->len, name, len);
	path->data[path->len + len] = '\0';
	return (const char *)path->data;
}
