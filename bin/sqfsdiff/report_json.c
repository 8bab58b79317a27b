/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sqfsdiff/report.h"

#include <stdio.h>
#include <string.h>

#include "diff/diff.h"

static void put_node(struct json *json, const char *key,
		     const struct diff_node *node)
{
	char mode[8], time[REPORT_TIME_LEN];

	if (!node) {
		json_null(json, key);
		return;
	}
	snprintf(mode, sizeof(mode), "%04o", node->mode);
	json_object(json, key);
	json_text(json, "type", entry_type_name(node->type));
	json_text(json, "mode", mode);
	json_number(json, "uid", node->uid);
	json_number(json, "gid", node->gid);
	json_text(json, "mtime", report_time(node->mtime, time));
	if (node->type == ENTRY_FILE)
		json_number(json, "size", node->size);
	if (node->type == ENTRY_SYMLINK)
		json_bytes(json, "target", node->target,
			   strlen(node->target));
	if (node->type == ENTRY_BLOCK_DEVICE ||
	    node->type == ENTRY_CHAR_DEVICE) {
		json_number(json, "major", node->major);
		json_number(json, "minor", node->minor);
	}
	if (node->first)
		json_bytes(json, "hard_link_to", node->first,
			   strlen(node->first));
	if (node->number)
		json_number(json, "inode", node->number);
	json_end(json);
}

static void put_value(struct json *json, const char *key,
		      const struct xattr *xattr)
{
	if (xattr)
		json_bytes(json, key, xattr->value, xattr->len);
	else
		json_null(json, key);
}

static void put_xattr(void *arg, const struct xattr *old,
		      const struct xattr *new)
{
	const char *name = old ? old->name : new->name;
	struct json *json = arg;

	json_object(json, NULL);
	json_bytes(json, "name", name, strlen(name));
	put_value(json, "old", old);
	put_value(json, "new", new);
	json_end(json);
}

/* The words for what differs, in the order of enum diff_what. */
static void put_what(struct json *json, unsigned what)
{
	static const char *const words[] = {
		"type",	   "mode",	 "owner",  "time",   "size", "content",
		"target",  "device",	 "links",  "xattrs", "inode",
	};

	json_array(json, "differs");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (what & 1u << i)
			json_text(json, NULL, words[i]);
	json_end(json);
}

void report_json(struct json *json, const struct diff_change *change)
{
	json_object(json, NULL);
	json_bytes(json, "path", change->path, strlen(change->path));
	json_text(json, "change", !change->new	 ? "removed"
				  : !change->old ? "added"
						 : "changed");
	if (change->what)
		put_what(json, change->what);
	put_node(json, "old", change->old);
	put_node(json, "new", change->new);
	if (change->what & DIFF_CONTENT) {
		json_number(json, "differs_at", change->differs_at);
		json_number(json, "differs_span", change->differs_span);
	}
	if (change->what & DIFF_XATTRS) {
		json_array(json, "xattrs");
		report_xattrs(change, put_xattr, json);
		json_end(json);
	}
	json_end(json);
}
