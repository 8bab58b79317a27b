/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "internal.h"

#include <string.h>

#include "entry/entry.h"

static bool same_xattrs(const struct diff_node *old,
			const struct diff_node *new)
{
	if (old->xattr_count != new->xattr_count)
		return false;
	for (size_t i = 0; i < old->xattr_count; i++) {
		const struct xattr *a = &old->xattrs[i], *b = &new->xattrs[i];

		if (strcmp(a->name, b->name) != 0 || a->len != b->len ||
		    memcmp(a->value, b->value, a->len) != 0)
			return false;
	}
	return true;
}

static bool is_device(const struct diff_node *node)
{
	return node->type == ENTRY_BLOCK_DEVICE ||
	       node->type == ENTRY_CHAR_DEVICE;
}

static unsigned judge_attributes(const struct diff_options *o,
				 const struct diff_node *old,
				 const struct diff_node *new)
{
	unsigned what = 0;

	if (!o->no_mode && old->mode != new->mode)
		what |= DIFF_MODE;
	if (!o->no_owner && (old->uid != new->uid || old->gid != new->gid))
		what |= DIFF_OWNER;
	if (o->times && old->mtime != new->mtime)
		what |= DIFF_TIME;
	if (!o->no_xattrs && !same_xattrs(old, new))
		what |= DIFF_XATTRS;
	return what;
}

unsigned judge(const struct diff_options *o, const struct item *old_item,
	       const struct item *new_item)
{
	const struct diff_node *old = &old_item->node, *new = &new_item->node;
	unsigned what = 0;

	if (old->type != new->type)
		return DIFF_TYPE;
	if (!old_item->is_implicit && !new_item->is_implicit)
		what |= judge_attributes(o, old, new);
	if (old->type == ENTRY_FILE && old->size != new->size)
		what |= DIFF_SIZE;
	if (old->type == ENTRY_SYMLINK && strcmp(old->target, new->target) != 0)
		what |= DIFF_TARGET;
	if (is_device(old) &&
	    (old->major != new->major || old->minor != new->minor))
		what |= DIFF_DEVICE;
	if (o->numbers && old->number != new->number)
		what |= DIFF_NUMBER;
	return what;
}
