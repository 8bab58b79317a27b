/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change.h"

#include <stdlib.h>
#include <string.h>

/* What entries get that is not the input's. */
#include "entry/contexts.h"
#include "entry/entry.h"
#include "entry/filter.h"
#include "entry/ids.h"
#include "entry/mode.h"
#include "entry/xattr_file.h"
#include "entry/xattrs.h"
#include "util/err.h"
#include "util/warn.h"

static void change_owner(const struct filter_options *o, struct entry *entry)
{
	if (o->uid_map)
		entry->uid = id_map_apply(o->uid_map, entry->uid);
	if (o->gid_map)
		entry->gid = id_map_apply(o->gid_map, entry->gid);
	if (o->all_root)
		entry->uid = entry->gid = 0;
	if (o->uid >= 0)
		entry->uid = (uint32_t)o->uid;
	if (o->gid >= 0)
		entry->gid = (uint32_t)o->gid;
}

/* Linux keeps access control lists in attributes that no image can hold. */
static int drop_acl(const struct filter_options *o, struct entry *entry,
		    struct err *err)
{
	static const char acl[] = "system.posix_acl_";
	char path[NAME_TEXT_LEN], name[NAME_TEXT_LEN];
	size_t kept = 0;
	int ret = 0;

	for (size_t i = 0; i < entry->xattr_count; i++) {
		struct xattr *x = &entry->xattrs[i];

		if (strncmp(x->name, acl, sizeof(acl) - 1) != 0) {
			entry->xattrs[kept++] = *x;
			continue;
		}
		if (ret == 0)
			ret = warn(o->warner, WARN_ACL, err,
				   "%s: access control list is left out, "
				   "attribute %s",
				   name_text(entry->path, strlen(entry->path),
					     path),
				   name_text(x->name, strlen(x->name), name));
		free(x->name);
		free(x->value);
	}
	entry->xattr_count = kept;
	return ret;
}

int change_label(const struct filter_options *o, struct entry *entry,
		 struct err *err)
{
	if (o->contexts && contexts_apply(o->contexts, entry, err) < 0)
		return -1;
	if (!o->xattr_file)
		return 0;
	if (xattr_file_apply(o->xattr_file, entry, err) < 0)
		return -1;
	return drop_acl(o, entry, err);
}

int change_entry(const struct filter_options *o, struct entry *entry,
		 struct err *err)
{
	change_owner(o, entry);
	if (o->mode && entry->type != ENTRY_SYMLINK)
		entry->mode = mode_rules_apply(o->mode, entry->mode,
					       entry->type == ENTRY_DIR);
	if (o->no_keep_time)
		entry->mtime = o->default_mtime;
	if (o->clamp_mtime && entry->mtime > o->max_mtime)
		entry->mtime = o->max_mtime;
	if (o->no_xattr)
		entry_clear_xattrs(entry);
	else if (entry->xattr_count > 0 && drop_acl(o, entry, err) < 0)
		return -1;
	if (o->xattrs && xattr_rules_apply(o->xattrs, entry, err) < 0)
		return -1;
	return change_label(o, entry, err);
}
