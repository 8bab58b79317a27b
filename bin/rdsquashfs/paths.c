/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rdsquashfs/paths.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json.h"
#include "entry/path.h"
#include "entry/pattern.h"
#include "rdsquashfs/node.h"
#include "rdsquashfs/options.h"
#include "rdsquashfs/view.h"
#include "sqfs/image.h"
#include "util/array.h"
#include "util/err.h"

#define GLOB_CHARS "*?["

static int add(struct matches *matches, const char *path, size_t len,
	       struct meta_ref ref, enum inode_type type, bool is_of_glob,
	       struct err *err)
{
	const char *copy = arena_text(&matches->arena, path, len, err);

	if (!copy ||
	    array_reserve(&matches->items, &matches->cap, matches->count + 1,
			  sizeof(struct match), err) < 0)
		return -1;
	matches->items[matches->count++] = (struct match){
		.path = copy,
		.ref = ref,
		.type = type,
		.is_of_glob = is_of_glob,
	};
	return 0;
}

/* 0 added, 1 there is no such path, -1 */
static int find_literal(struct image *image, const char *path,
			struct matches *out, struct err *err)
{
	struct inode_space space = { .words.data = NULL };
	struct meta_ref ref;
	struct inode inode;
	int ret = image_lookup(image, path, &ref, err);

	if (ret == 0)
		ret = inode_decode(image, ref, &inode, &space, NULL, err);
	if (ret == 0)
		ret = add(out, path, strlen(path), ref, inode.type, false,
			  err);
	inode_space_cleanup(&space);
	return ret;
}

/* A glob being matched against the tree. */
struct glob {
	const char *text;
	enum paths_kind kind;
	struct matches *out;
};

static int match_node(void *arg, const struct node *node, struct err *err)
{
	const struct glob *glob = arg;
	const char *path = node->path;

	if (!glob_match(glob->text, strlen(glob->text), path, node->path_len))
		return 0;
	if (glob->kind == PATHS_FILES && node->inode.type != INODE_FILE)
		return 0;
	if (add(glob->out, path, node->path_len, node->ref, node->inode.type,
		true, err) < 0)
		return -1;
	return glob->kind == PATHS_TOP ? WALK_PRUNE : 0;
}

/* Levels below the first len bytes of a glob that can match. */
static uint32_t glob_depth(const char *text, size_t len)
{
	uint32_t depth = 1;

	if (strstr(text, "**"))
		return UINT32_MAX;
	for (text += len; *text; text++)
		depth += *text == '/';
	return depth;
}

/* The components in front of the first that is a pattern; bytes of text. */
static size_t literal_len(const char *text)
{
	size_t len = strcspn(text, GLOB_CHARS "\\");

	while (len > 0 && text[len] != '/')
		len--;
	return len;
}

/* As find_literal, for a glob. */
static int find_glob(struct image *image, struct glob *glob, struct err *err)
{
	const size_t before = glob->out->count;
	const size_t len = literal_len(glob->text);
	char *dir = strndup(glob->text, len), name[NAME_TEXT_LEN];
	struct walk_start start = {
		.path = dir,
		.depth = glob_depth(glob->text, len + (len > 0)),
	};
	int ret = -1;

	if (!dir)
		return err_nomem(err);
	if (glob_check(glob->text, strlen(glob->text), err) < 0)
		err_in(err, "%s",
		       name_text(glob->text, strlen(glob->text), name));
	else
		ret = image_lookup(image, dir, &start.ref, err);
	if (ret == 0)
		ret = node_walk(image, &start, match_node, glob, err);
	free(dir);
	if (ret == 0 && glob->out->count == before)
		ret = 1;
	return ret;
}

static int no_match(const char *text, bool is_glob, enum paths_kind kind,
		    struct err *err)
{
	char name[NAME_TEXT_LEN];

	name_text(text, strlen(text), name);
	if (is_glob)
		return err_set(err, ERR_IO, "\"%s\" matches no %s in it", name,
			       kind == PATHS_FILES ? "file" : "path");
	return err_set(err, ERR_IO, "there is no \"%s\" in it", name);
}

static int find(struct image *image, const char *text, enum paths_kind kind,
		struct matches *out, struct err *err)
{
	bool is_glob = strpbrk(text, GLOB_CHARS) != NULL;
	char *path = strdup(text), name[NAME_TEXT_LEN];
	int ret;

	if (!path)
		return err_nomem(err);
	if (path_clean(path, NULL, err) < 0) {
		free(path);
		err->code = ERR_USAGE;
		return err_in(err, "%s",
			      name_text(text, strlen(text), name));
	}
	ret = find_literal(image, path, out, err);
	if (ret == 1 && is_glob) {
		struct glob glob = { path, kind, out };

		ret = find_glob(image, &glob, err);
	}
	free(path);
	return ret == 1 ? no_match(text, is_glob, kind, err) : ret;
}

int paths_find(const struct view *view, enum paths_kind kind,
	       struct matches *out, struct err *err)
{
	const struct options *options = view->options;

	*out = (struct matches){ .items = NULL };
	for (size_t i = 0; i < options->path_count; i++)
		if (find(view->image, options->paths[i], kind, out, err) < 0)
			return -1;
	return 0;
}

void matches_cleanup(struct matches *matches)
{
	free(matches->items);
	arena_cleanup(&matches->arena);
}

static int walk_matches(struct view *view, const struct matches *matches,
			bool with_index,
			int (*each)(void *arg, const struct node *node,
				    struct err *err),
			void *arg, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < matches->count; i++) {
		const struct walk_start start = {
			.path = matches->items[i].path,
			.ref = matches->items[i].ref,
			.depth = view->options->recursive ? UINT32_MAX : 0,
			.with_index = with_index,
		};

		ret = node_walk(view->image, &start, each, arg, err);
	}
	return ret;
}

int paths_walk(struct view *view, bool with_index,
	       int (*each)(void *arg, const struct node *node,
			   struct err *err),
	       void *arg, struct err *err)
{
	const bool recursive = view->options->recursive;
	struct matches matches;
	struct json json;
	int ret;

	ret = paths_find(view, recursive ? PATHS_TOP : PATHS_ANY, &matches,
			 err);
	if (ret == 0 && view->options->json) {
		json_init(&json, stdout);
		view->json = &json;
		json_array(&json, NULL);
	}
	if (ret == 0)
		ret = walk_matches(view, &matches, with_index, each, arg, err);
	if (ret == 0 && view->json)
		json_end(view->json);
	view->json = NULL;
	matches_cleanup(&matches);
	return ret;
}
