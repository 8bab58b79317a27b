/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "common/json.h"
#include "common/quote.h"
#include "rdsquashfs/node.h"
#include "rdsquashfs/options.h"
#include "rdsquashfs/paths.h"
#include "rdsquashfs/view.h"
#include "util/err.h"

/* -x: attributes as getfattr --dump has them, or as JSON. */

struct dump {
	const struct view *view;
	struct json *json; /* or NULL */
};

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
	const struct dump *dump = arg;
	const char *path = (const char *)node->path.data;
	struct json *json = dump->json;
	char name[NAME_TEXT_LEN];
	int ret;

	if (node->inode.xattr == INODE_NO_XATTR)
		return 0;
	if (json) {
		json_object(json, NULL);
		json_bytes(json, "path", path, node->path.len);
		json_array(json, "xattrs");
	} else {
		fputs("# file: ", stdout);
		/* setfattr would take a slash for the root of the system. */
		if (node->path.len == 0)
			putchar('.');
		quote_dump_name(stdout, path, node->path.len, false);
		putchar('\n');
	}
	ret = image_xattrs(dump->view->image, node->inode.xattr,
			   json ? print_json_pair : print_pair, json, err);
	if (ret < 0)
		return err_in(err, "%s",
			      name_text(path, node->path.len, name));
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
	const bool recursive = view->options->recursive;
	struct dump dump = { .view = view };
	struct matches matches;
	struct json json;
	int ret;

	ret = paths_find(view, recursive ? PATHS_TOP : PATHS_ANY, &matches,
			 err);
	if (ret == 0 && view->options->json) {
		json_init(&json, stdout);
		dump.json = &json;
		json_array(&json, NULL);
	}
	for (size_t i = 0; ret == 0 && i < matches.count; i++) {
		const struct walk_start start = {
			.path = matches.items[i].path,
			.ref = matches.items[i].ref,
			.depth = recursive ? UINT32_MAX : 0,
		};

		ret = node_walk(view->image, &start, dump_node, &dump, err);
	}
	if (ret == 0 && dump.json)
		json_end(&json);
	matches_cleanup(&matches);
	return ret;
}
