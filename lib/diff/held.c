/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "internal.h"

/*
 * What an archive says becomes a tree first, by the rules by which an image is
 * made of it: the last of several entries for a path holds, hard links are
 * bound, parents that nobody names are there. Of content only the places are
 * kept, or its digests where it goes by but once.
 */
#include <stdlib.h>
#include <string.h>

#include "entry/entry.h"
#include "entry/source.h"
#include "tree/tree.h"
#include "util/account.h"
#include "util/err.h"
#include "util/num.h"

/* The content of a file; u.file.start of its node has its address. */
struct kept {
	const struct digest *digests; /* or NULL */
	size_t extent_count;
	struct extent extents[];
};

struct xattr_set {
	struct xattr *xattrs;
	size_t count;
};

struct held {
	struct source *source; /* borrowed, as is key */
	const struct digest_key *key;
	bool no_contents;
	struct tree *tree;
	struct buffer scratch;

	struct xattr_set *sets; /* set_count of them */
	size_t set_count, set_cap;
	struct digest_map set_map; /* digests of sets to their indexes */

	struct node *node; /* the one that was given last, or NULL */
	struct buffer path; /* of it, with a NUL */
	bool is_done;
};

static int append_len(struct buffer *buffer, size_t len, struct err *err)
{
	uint64_t v = len;

	return buffer_append(buffer, &v, sizeof(v), err);
}

/* Tells sets of attributes apart, whatever bytes they have. */
static int set_digest(struct held *held, const struct entry *entry,
		      struct digest *out, struct err *err)
{
	held->scratch.len = 0;
	for (size_t i = 0; i < entry->xattr_count; i++) {
		const struct xattr *x = &entry->xattrs[i];
		size_t name_len = strlen(x->name);

		if (append_len(&held->scratch, name_len, err) < 0 ||
		    append_len(&held->scratch, x->len, err) < 0 ||
		    buffer_append(&held->scratch, x->name, name_len, err) < 0 ||
		    buffer_append(&held->scratch, x->value, x->len, err) < 0)
			return -1;
	}
	hash128(&held->key->hash, held->scratch.data, held->scratch.len, out);
	return 0;
}

/* The index of an entry's attributes, which are the set's from then on. */
static int add_set(struct held *held, struct entry *entry, uint32_t *out,
		   struct err *err)
{
	const uint64_t *known;
	struct digest key;

	*out = NODE_NO_XATTR;
	if (entry->xattr_count == 0)
		return 0;
	if (set_digest(held, entry, &key, err) < 0)
		return -1;
	known = digest_map_find(&held->set_map, &key);
	if (known) {
		*out = (uint32_t)*known;
		return 0;
	}
	if (held->set_count == NODE_NO_XATTR)
		return err_set(err, ERR_LIMIT, "too many sets of attributes");
	if (array_reserve(&held->sets, &held->set_cap, held->set_count + 1,
			  sizeof(*held->sets), err) < 0 ||
	    digest_map_add(&held->set_map, &key, held->set_count, err) < 0)
		return -1;
	held->sets[held->set_count].xattrs = entry->xattrs;
	held->sets[held->set_count].count = entry->xattr_count;
	entry->xattrs = NULL;
	entry->xattr_count = 0;
	*out = (uint32_t)held->set_count++;
	return 0;
}

static int take_digests(struct held *held, struct kept *kept,
			const struct entry *entry, struct err *err)
{
	struct digest *digests;

	held->scratch.len = 0;
	if (content_digest(held->source, entry, held->key, &held->scratch,
			   err) < 0)
		return -1;
	digests = tree_alloc(held->tree, held->scratch.len, err);
	if (!digests)
		return -1;
	copy_bytes(digests, held->scratch.data, held->scratch.len);
	kept->digests = digests;
	return 0;
}

/* Keeps what leads to the content of the entry that became a file's node. */
static int keep_content(struct held *held, struct node *node,
			const struct entry *e, struct err *err)
{
	size_t bytes;
	struct kept *kept;

	if (!mul_size(e->extent_count, sizeof(struct extent), &bytes) ||
	    !add_size(bytes, sizeof(*kept), &bytes))
		return err_nomem(err);
	kept = tree_alloc(held->tree, bytes, err);
	if (!kept)
		return -1;
	*kept = (struct kept){ .extent_count = e->extent_count };
	if (e->extent_count > 0)
		copy_bytes(kept->extents, e->extents,
			   e->extent_count * sizeof(struct extent));
	if (e->extent_count > 0 && !held->source->ops->read_at &&
	    take_digests(held, kept, e, err) < 0)
		return -1;
	node->u.file.start = (uintptr_t)kept;
	return 0;
}

static int take_entry(struct held *held, struct entry *entry,
		      struct err *err)
{
	char name[NAME_TEXT_LEN];
	struct node *node;
	uint32_t xattr;
	int ret;

	/* An archive is what an image of it would be. */
	fit_image(entry);
	if (add_set(held, entry, &xattr, err) < 0)
		return -1;
	ret = tree_add(held->tree, entry, xattr, &node, err);
	if (ret == 0 && node->type == NODE_FILE && !held->no_contents)
		ret = keep_content(held, node, entry, err);
	if (ret < 0)
		return err_in(err, "%s",
			      name_text(entry->path, strlen(entry->path),
					name));
	return 0;
}

static int take_all(struct held *held, struct err *err)
{
	struct entry *entry;
	int ret;

	while ((ret = source_next(held->source, &entry, err)) == 0) {
		account_count(ACCOUNT_ENTRIES, 1);
		ret = take_entry(held, entry, err);
		entry_destroy(entry);
		if (ret < 0)
			return -1;
	}
	if (ret < 0 || tree_finish(held->tree, err) < 0)
		return -1;
	return buffer_append(&held->path, "", 1, err);
}

int held_create(const struct diff_options *options,
		const struct diff_input *input, const struct digest_key *key,
		struct held **out, struct err *err)
{
	const struct tree_options tree = {
		.defaults = { .mode = 0755 },
		.warner = input->warner,
	};
	struct held *held = calloc(1, sizeof(*held));

	if (!held)
		return err_nomem(err);
	held->source = input->source;
	held->key = key;
	held->no_contents = options->no_contents && !options->entries;
	if (tree_create(&tree, &held->tree, err) < 0 ||
	    take_all(held, err) < 0) {
		held_destroy(held);
		return -1;
	}
	*out = held;
	return 0;
}

static enum entry_type type_of(const struct node *node)
{
	static const enum entry_type types[] = {
		[NODE_FILE] = ENTRY_FILE,
		[NODE_DIR] = ENTRY_DIR,
		[NODE_SYMLINK] = ENTRY_SYMLINK,
		[NODE_BLOCK_DEVICE] = ENTRY_BLOCK_DEVICE,
		[NODE_CHAR_DEVICE] = ENTRY_CHAR_DEVICE,
		[NODE_FIFO] = ENTRY_FIFO,
		[NODE_SOCKET] = ENTRY_SOCKET,
	};

	return types[node->type];
}

static void set_node(const struct held *held, const struct node *inode,
		     struct diff_node *out)
{
	*out = (struct diff_node){
		.type = type_of(inode),
		.mode = inode->mode,
		.uid = inode->uid,
		.gid = inode->gid,
		.mtime = inode->mtime,
	};
	if (inode->type == NODE_FILE)
		out->size = inode->u.file.size;
	if (inode->type == NODE_SYMLINK)
		out->target = inode->u.symlink.target;
	if (inode->type == NODE_BLOCK_DEVICE ||
	    inode->type == NODE_CHAR_DEVICE) {
		out->major = inode->u.device.major;
		out->minor = inode->u.device.minor;
	}
	if (inode->xattr != NODE_NO_XATTR) {
		out->xattrs = held->sets[inode->xattr].xattrs;
		out->xattr_count = held->sets[inode->xattr].count;
	}
}

/* Takes away the last component, in place of which the NUL comes. */
static void leave_name(struct held *held, const struct node *node)
{
	size_t len = held->path.len - 1 - node->name_len;

	if (len > 0)
		len--; /* the slash */
	held->path.data[len] = '\0';
	held->path.len = len + 1;
}

/*
 * Goes on to the next node, in the order of the tree; the path is that of its
 * directory then.
 */
static void advance(struct held *held)
{
	struct node *node = held->node;

	if (!node) {
		held->node = tree_root(held->tree);
		return;
	}
	if (node->type == NODE_DIR && node->u.dir.children) {
		held->node = node->u.dir.children;
		return;
	}
	while (node) {
		leave_name(held, node);
		if (node->next)
			break;
		node = node->parent;
	}
	held->node = node ? node->next : NULL;
	held->is_done = !node;
}

static int enter_name(struct held *held, const struct node *node,
		      struct err *err)
{
	if (node->name_len == 0)
		return 0;
	held->path.len--;
	if (held->path.len > 0 &&
	    buffer_append(&held->path, "/", 1, err) < 0)
		return -1;
	return buffer_append(&held->path, node->name, node->name_len + 1u, err);
}

int held_next(struct held *held, struct item *out, struct err *err)
{
	struct node *node, *inode;

	if (!held->is_done)
		advance(held);
	if (held->is_done)
		return 1;
	node = held->node;
	if (enter_name(held, node, err) < 0)
		return -1;
	inode = node_inode(node);
	*out = (struct item){ .path = (const char *)held->path.data };
	set_node(held, inode, &out->node);
	out->has_names = inode->nlink > 1 && inode->type != NODE_DIR;
	out->inode[0] = (uintptr_t)inode;
	out->is_implicit = inode->is_implicit;
	if (inode->type == NODE_FILE)
		out->kept = (const void *)(uintptr_t)inode->u.file.start;
	return 0;
}

/* The file as an entry, for those who read or write it. */
static int make_entry(const struct held *held, const struct item *item,
		      struct entry **out, struct err *err)
{
	const struct diff_node *node = &item->node;
	const struct kept *kept = item->kept;
	struct entry *e;

	if (entry_create_named(item->path, strlen(item->path), NULL, 0, &e,
			       err) < 0)
		return -1;
	e->mode = node->mode;
	e->uid = node->uid;
	e->gid = node->gid;
	e->mtime = node->mtime;
	e->size = node->size;
	entry_set_origin(e, held->source);
	for (size_t i = 0; i < kept->extent_count; i++) {
		const struct extent *x = &kept->extents[i];

		if (entry_add_extent(e, x->offset, x->at, x->len, err) < 0) {
			entry_destroy(e);
			return -1;
		}
	}
	*out = e;
	return 0;
}

int held_content(struct held *held, struct item *item, struct content *out,
		 struct err *err)
{
	const struct kept *kept = item->kept;

	if (!kept->digests && !item->entry &&
	    make_entry(held, item, &item->entry, err) < 0)
		return -1;
	*out = (struct content){
		.size = item->node.size,
		.source = held->source,
		.entry = item->entry,
		.extents = kept->extents,
		.extent_count = kept->extent_count,
		.digests = kept->digests,
	};
	return 0;
}

void held_destroy(struct held *held)
{
	if (!held)
		return;
	tree_destroy(held->tree);
	for (size_t i = 0; i < held->set_count; i++) {
		struct entry set = { .xattrs = held->sets[i].xattrs,
				     .xattr_count = held->sets[i].count };

		entry_clear_xattrs(&set);
	}
	free(held->sets);
	digest_map_cleanup(&held->set_map);
	buffer_cleanup(&held->scratch);
	buffer_cleanup(&held->path);
	free(held);
}
