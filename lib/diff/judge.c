/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "internal.h"

#include <string.h>

#include "entry/entry.h"

/* Without these names an image holds no attribute. */
static bool fits_image(const char *name)
{
	return strncmp(name, "user.", 5) == 0 ||
	       strncmp(name, "trusted.", 8) == 0 ||
	       strncmp(name, "security.", 9) == 0;
}

/* The next attribute from *at on that is compared; NULL at the end. */
static const struct xattr *next_xattr(const struct diff_node *node,
				      bool with_image, size_t *at)
{
	while (*at < node->xattr_count) {
		const struct xattr *x = &node->xattrs[(*at)++];

		if (!with_image || fits_image(x->name))
			return x;
	}
	return NULL;
}

static bool same_xattrs(const struct diff_node *old,
			const struct diff_node *new, bool with_image)
{
	size_t i = 0, k = 0;

	for (;;) {
		const struct xattr *a = next_xattr(old, with_image, &i);
		const struct xattr *b = next_xattr(new, with_image, &k);

		if (!a || !b)
			return a == b;
		if (strcmp(a->name, b->name) != 0 || a->len != b->len ||
		    memcmp(a->value, b->value, a->len) != 0)
			return false;
	}
}

static bool is_device(const struct diff_node *node)
{
	return node->type == ENTRY_BLOCK_DEVICE ||
	       node->type == ENTRY_CHAR_DEVICE;
}

/* As an image holds it, where one is there. */
static int64_t time_of(const struct diff_node *node, bool with_image)
{
	if (with_image && node->mtime < 0)
		return 0;
	if (with_image && node->mtime > (int64_t)UINT32_MAX)
		return UINT32_MAX;
	return node->mtime;
}

static unsigned judge_attributes(const struct diff_options *o,
				 const struct diff_node *old,
				 const struct diff_node *new)
{
	bool with_image = o->old.image || o->new.image;
	unsigned what = 0;

	if (!o->no_mode && old->mode != new->mode)
		what |= DIFF_MODE;
	if (!o->no_owner && (old->uid != new->uid || old->gid != new->gid))
		what |= DIFF_OWNER;
	if (o->times && time_of(old, with_image) != time_of(new, with_image))
		what |= DIFF_TIME;
	if (!o->no_xattrs && !same_xattrs(old, new, with_image))
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
