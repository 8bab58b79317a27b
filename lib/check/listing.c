/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "internal.h"

/*
 * Listings of directories, and the indexes into them. A name that is wrong is
 * told and counts all the same; only where the next entry cannot be found does
 * a listing end early. Format: doc/squashfs.md, "Directories".
 */
#include <inttypes.h>
#include <string.h>

#include "sqfs/dir.h"
#include "sqfs/image.h"
#include "sqfs/meta.h"
#include "util/account.h"
#include "util/num.h"

#define RUN_HEAD    12
#define RUN_MAX	    256u
#define ITEM_HEAD   8
#define INDEX_HEAD  12
#define FIXED_LEN   40 /* of an inode in front of its index */
#define INODE_HEAD  16
#define SHARED_MAX  2u	   /* times that listings may have the same bytes */
#define SEGMENTS_MAX 4096u /* beginnings in a table that is broken */

/* A point of the index, and where the next one stands. */
struct point {
	uint32_t left; /* points from this one on; 0: there is none */
	uint64_t pos;  /* of the next, in the inode table */
	uint32_t at, block;
	size_t name_len;
	char name[DIR_NAME_MAX];
	bool is_met; /* the header it points at has come */
};

struct listing {
	size_t dir;   /* in check.dirs, which may move */
	uint32_t node;
	uint64_t pos; /* in the directory table */
	uint64_t at;  /* of the image, for messages */
	uint32_t len, done;
	uint32_t run; /* entries left */
	uint32_t block, base;
	char last[DIR_NAME_MAX];
	size_t last_len;
	struct point point;
};

struct item {
	uint32_t entry; /* place in the listing */
	uint32_t offset, number;
	unsigned type;
	size_t name_len;
	char name[DIR_NAME_MAX];
	char text[NAME_TEXT_LEN]; /* the name for messages */
};

static int broken(struct check *c, struct listing *l, const char *what)
{
	node_fault(c, FAULT_DIRECTORY, l->node, l->at,
		   "byte %" PRIu32 " of %" PRIu32
		   " of its listing: %s; what follows cannot be read",
		   l->done, l->len, what);
	c->dirs[l->dir].is_broken = true;
	c->dirs_broken++;
	return 1;
}

static int get(struct check *c, struct listing *l, void *buf, uint32_t len,
	       struct err *err)
{
	int ret;

	if (len > l->len - l->done)
		return broken(c, l, "it ends within an entry");
	ret = stream_get(c, &c->directories, l->pos + l->done, buf, len, err);
	if (ret > 0)
		return broken(c, l, "the table cannot be read so far");
	l->at = stream_at(&c->directories, l->pos + l->done);
	l->done += len;
	return ret;
}

static void index_fault(struct check *c, const struct listing *l,
			const char *what)
{
	node_fault(c, FAULT_DIRECTORY, l->node,
		   stream_at(&c->inodes, c->nodes[l->node].pos),
		   "directory index, point at byte %" PRIu32
		   " of the listing: %s",
		   l->point.at, what);
}

/* Reads the next point; without one that can be read there is none left. */
static int next_point(struct check *c, struct listing *l, struct err *err)
{
	struct point *p = &l->point;
	uint8_t head[INDEX_HEAD];
	int ret;

	p->is_met = false;
	if (p->left == 0 || --p->left == 0)
		return 0;
	ret = stream_get(c, &c->inodes, p->pos, head, sizeof(head), err);
	p->at = get_le32(head);
	p->block = get_le32(head + 4);
	p->name_len = get_le32(head + 8) + (size_t)1;
	if (ret == 0 && p->name_len <= DIR_NAME_MAX)
		ret = stream_get(c, &c->inodes, p->pos + INDEX_HEAD, p->name,
				 p->name_len, err);
	if (ret != 0 || p->name_len > DIR_NAME_MAX)
		p->left = 0; /* which is told with the inode */
	p->pos += INDEX_HEAD + p->name_len;
	return ret < 0 ? -1 : 0;
}

/* A header has come: points at places before it were at none. */
static int meet_header(struct check *c, struct listing *l, uint32_t place,
		       struct err *err)
{
	struct point *p = &l->point;

	while (p->left > 0 && p->at < place) {
		index_fault(c, l, "no header begins there, or it is out of "
				  "order");
		if (next_point(c, l, err) < 0)
			return -1;
	}
	p->is_met = p->left > 0 && p->at == place;
	if (p->is_met &&
	    p->block != l->at - c->directories.start)
		index_fault(c, l, "its metadata block is not that of the "
				  "header");
	return 0;
}

/* The first entry behind a header that a point led to. */
static int meet_entry(struct check *c, struct listing *l,
		      const struct item *item, struct err *err)
{
	struct point *p = &l->point;

	if (!p->is_met)
		return 0;
	if (p->name_len != item->name_len ||
	    memcmp(p->name, item->name, item->name_len) != 0)
		index_fault(c, l, "its name is not that of the entry");
	return next_point(c, l, err);
}

static int read_header(struct check *c, struct listing *l, struct err *err)
{
	uint32_t place = l->done;
	uint8_t raw[RUN_HEAD];
	int ret = get(c, l, raw, sizeof(raw), err);

	if (ret != 0)
		return ret;
	if (get_le32(raw) >= RUN_MAX)
		return broken(c, l, "a header counts more than 256 entries");
	l->run = get_le32(raw) + 1;
	l->block = get_le32(raw + 4);
	l->base = get_le32(raw + 8);
	return meet_header(c, l, place, err);
}

static int read_item(struct check *c, struct listing *l, struct item *item,
		     struct err *err)
{
	uint8_t raw[ITEM_HEAD];
	int ret;

	item->entry = l->done;
	ret = get(c, l, raw, sizeof(raw), err);
	if (ret != 0)
		return ret;
	item->offset = get_le16(raw);
	item->number = l->base + (uint32_t)(int16_t)get_le16(raw + 2);
	item->type = get_le16(raw + 4);
	item->name_len = get_le16(raw + 6) + (size_t)1;
	if (item->name_len > DIR_NAME_MAX)
		return broken(c, l, "a name of more than 256 bytes");
	ret = get(c, l, item->name, (uint32_t)item->name_len, err);
	if (ret != 0)
		return ret;
	name_text(item->name, item->name_len, item->text);
	l->run--;
	return 0;
}

static void item_fault(struct check *c, const struct listing *l,
		       const struct item *item, const char *what)
{
	node_fault(c, FAULT_DIRECTORY, l->node, l->at, "name \"%s\" %s",
		   item->text, what);
}

static void check_name(struct check *c, struct listing *l,
		       const struct item *item)
{
	const char *name = item->name;
	size_t len = item->name_len;
	size_t common = len < l->last_len ? len : l->last_len;
	int order = memcmp(l->last, name, common);

	if (memchr(name, '/', len) || memchr(name, '\0', len))
		item_fault(c, l, item, "has a slash or a NUL in it");
	else if (name[0] == '.' && (len == 1 || (len == 2 && name[1] == '.')))
		item_fault(c, l, item, "is no name of an entry");
	if (l->last_len > 0 && order == 0 && len == l->last_len)
		item_fault(c, l, item, "comes twice");
	else if (l->last_len > 0 &&
		 (order > 0 || (order == 0 && len < l->last_len)))
		item_fault(c, l, item, "is out of order");
	copy_bytes(l->last, name, len);
	l->last_len = len;
}

/*
 * Where the inode table could not be followed, a name may lead to an inode that
 * is not known yet, and from there on to others.
 */
static int find_stray(struct check *c, const struct item *item, uint64_t pos,
		      uint32_t *node, struct err *err)
{
	uint8_t raw[INODE_HEAD];
	unsigned type;
	int ret;

	if (c->segment_count >= SEGMENTS_MAX)
		return 0;
	ret = stream_get(c, &c->inodes, pos, raw, sizeof(raw), err);
	if (ret != 0)
		return ret < 0 ? -1 : 0;
	type = get_le16(raw);
	if ((type != item->type && type != item->type + INODE_SOCKET) ||
	    get_le32(raw + 12) != item->number)
		return 0;
	if (walk_inodes(c, pos, err) < 0)
		return -1;
	*node = find_node(c, pos);
	return 0;
}

/* The inode that a name leads to: *node, or NONE, which is told. */
static int find_inode(struct check *c, const struct listing *l,
		      const struct item *item, uint32_t *node, struct err *err)
{
	uint64_t pos;

	*node = NONE;
	if (stream_find(&c->inodes, l->block, item->offset, &pos)) {
		*node = find_node(c, pos);
		if (*node == NONE && c->is_broken &&
		    find_stray(c, item, pos, node, err) < 0)
			return -1;
	}
	if (*node == NONE)
		node_fault(c, FAULT_DIRECTORY, l->node, l->at,
			   "name \"%s\" leads to an inode at %" PRIu32
			   ":%" PRIu32 ", where none is found",
			   item->text, l->block, item->offset);
	return 0;
}

/* Counts the name, for the inode and for the directory. */
static void count_name(struct check *c, const struct listing *l,
		       const struct item *item, uint32_t node)
{
	struct node *n = &c->nodes[node];

	if (n->type != item->type)
		node_fault(c, FAULT_DIRECTORY, l->node, l->at,
			   "name \"%s\": the entry has the type %u, its inode "
			   "%u",
			   item->text, item->type, n->type);
	if (n->number != item->number)
		node_fault(c, FAULT_DIRECTORY, l->node, l->at,
			   "name \"%s\": the entry has the number %" PRIu32
			   ", its inode %" PRIu32,
			   item->text, item->number, n->number);
	if (n->type == INODE_DIR) {
		c->dirs[l->dir].dirs++;
		if (node == c->root)
			item_fault(c, l, item, "leads to the root directory");
		else if (n->found > 0)
			item_fault(c, l, item, "leads to a directory that has "
					       "a name already");
	}
	n->found++;
	if (n->dir != NONE || node == c->root)
		return;
	n->dir = (uint32_t)l->dir;
	n->entry = item->entry;
}

static int check_item(struct check *c, struct listing *l, struct err *err)
{
	struct item item;
	uint32_t node;
	int ret = read_item(c, l, &item, err);

	if (ret != 0)
		return ret;
	check_name(c, l, &item);
	c->stats.entries++;
	account_count(ACCOUNT_ENTRIES, 1);
	c->dirs[l->dir].names++;
	if (meet_entry(c, l, &item, err) < 0 ||
	    find_inode(c, l, &item, &node, err) < 0)
		return -1;
	if (node != NONE)
		count_name(c, l, &item, node);
	return 0;
}

static int read_listing(struct check *c, struct listing *l, struct err *err)
{
	int ret = 0;

	while (ret == 0 && (l->done < l->len || l->run > 0))
		ret = l->run > 0 ? check_item(c, l, err)
				 : read_header(c, l, err);
	if (ret != 0)
		return ret < 0 ? -1 : 0;
	while (l->point.left > 0) {
		index_fault(c, l, "no header begins there, or it is out of "
				  "order");
		if (next_point(c, l, err) < 0)
			return -1;
	}
	return 0;
}

static int check_directory(struct check *c, size_t index, struct err *err)
{
	const struct directory *dir = &c->dirs[index];
	struct listing l = { .dir = index,
			     .node = dir->node,
			     .len = dir->len };
	uint64_t cost;

	if (dir->len == 0)
		return 0;
	l.at = c->directories.start + dir->block;
	if (!stream_find(&c->directories, dir->block, dir->offset, &l.pos)) {
		broken(c, &l, "no metadata block begins where it does");
		return 0;
	}
	cost = c->directories.len > l.pos ? c->directories.len - l.pos : 0;
	cost = dir->len < cost ? dir->len : cost;
	if (cost > c->listings_left) {
		broken(c, &l, "too many listings have the same bytes");
		return 0;
	}
	c->listings_left -= cost;
	l.point.pos = c->nodes[l.node].pos + FIXED_LEN;
	l.point.left = dir->index_count + (uint32_t)(dir->index_count > 0);
	if (next_point(c, &l, err) < 0)
		return -1;
	return read_listing(c, &l, err);
}

int check_directories(struct check *c, struct err *err)
{
	c->listings_left = c->directories.len * SHARED_MAX;
	for (size_t i = 0; i < c->dir_count; i++)
		if (check_directory(c, i, err) < 0)
			return -1;
	return 0;
}
