/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "common/json.h"
#include "common/quote.h"
#include "rdsquashfs/node.h"
#include "rdsquashfs/options.h"
#include "rdsquashfs/paths.h"
#include "rdsquashfs/view.h"
#include "sqfs/image.h"
#include "util/err.h"

/* -x: attributes as getfattr --dump has them, or as JSON. */

static int print_pair(void *arg, const struct xattr_pair *pair,
		      struct err *err)
{
	(void)arg;
	quote_dump_name(stdout, pair->name, strlen(pair->name), true);
	putchar('=');
	quote_dump_value(stdout, pair->value, pair->len);
	putchar('\n');
	return view_output(err);
}

static int print_json_pair(void *arg, const struct xattr_pair *pair,
			   struct err *err)
{
	struct json *json = arg;

	(void)err;
	json_object(json, NULL);
	json_bytes(json, "name", pair->name, strlen(pair->name));
	json_bytes(json, "value", pair->value, pair->len);
	json_end(json);
	return 0;
}

static int dump_node(void *arg, const struct node *node, struct err *err)
{
	const struct view *view = arg;
	const char *path = node->path;
	struct json *json = view->json;
	char name[NAME_TEXT_LEN];
	int ret;

	if (node->inode.xattr == INODE_NO_XATTR)
		return 0;
	if (json) {
		json_object(json, NULL);
		json_bytes(json, "path", path, node->path_len);
		json_array(json, "xattrs");
	} else {
		fputs("# file: ", stdout);
		/* setfattr would take a slash for the root of the system. */
		if (node->path_len == 0)
			putchar('.');
		quote_dump_name(stdout, path, node->path_len, false);
		putchar('\n');
	}
	ret = image_xattrs(view->image, node->inode.xattr,
			   json ? print_json_pair : print_pair, json, err);
	if (ret < 0)
		return err_in(err, "%s",
			      name_text(path, node->path_len, name));
	if (json) {
		json_end(json);
		json_end(json);
	} else {
		putchar('\n');
	}
	return 0;
}

int view_xattrs(struct view *view, struct err *err)
{
	return paths_walk(view, false, dump_node, view, err);
}
