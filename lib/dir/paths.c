/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "dir/source.h"

/*
 * Listed paths. Of each path all that leads to it is given once; what was given
 * is known by digests, 32 bytes and a slot each.
 */
#include <stdlib.h>
#include <string.h>

#include "dir/files.h"
#include "entry/entry.h"
#include "entry/path.h"
#include "entry/source.h"
#include "util/account.h"
#include "util/array.h"
#include "util/err.h"
#include "util/hash.h"

struct paths_source {
	struct source source; /* first */
	struct files *files;
	struct dir_paths paths;
	struct scan_options options;
	struct scan *scan;
	struct hash_key key;
	struct digest_map given;
	char *path; /* the one that is being given, cleaned */
	size_t cap;
	size_t at; /* how much of it was given */
	bool is_open, has_root;
	char place[NAME_TEXT_LEN];
};

static int paths_read_at(const struct source *src, const struct entry *entry,
			 uint64_t at, void *buf, size_t len, struct err *err)
{
	const struct paths_source *p = (const struct paths_source *)src;

	return files_read_at(p->files, entry, at, buf, len, err);
}

/* True if the path was given before; notes it. */
static int is_new(struct paths_source *p, const char *path, size_t len,
		  bool *out, struct err *err)
{
	struct digest digest;

	hash128(&p->key, path, len, &digest);
	*out = !digest_map_find(&p->given, &digest);
	return *out ? digest_map_add(&p->given, &digest, 0, err) : 0;
}

/* Takes the next path of the list. Returns 0, 1 at the end, -1. */
static int take_path(struct paths_source *p, struct err *err)
{
	const char *text;
	size_t len;
	int ret = p->paths.next(p->paths.arg, &text, p->place, err);

	if (ret != 0)
		return ret;
	len = strlen(text) + 1;
	if (array_reserve(&p->path, &p->cap, len, 1, err) < 0)
		return -1;
	copy_bytes(p->path, text, len);
	if (path_clean(p->path, NULL, err) < 0) {
		err->code = ERR_USAGE;
		return err_in(err, "%s", p->place);
	}
	p->at = 0;
	p->is_open = true;
	return 0;
}

/*
 * Goes on by one component. Returns the length of what is to be given; 0 for
 * the root; -1 in *done if the path is given whole.
 */
static bool next_part(struct paths_source *p, size_t *len)
{
	if (!p->has_root) {
		p->has_root = true;
		*len = 0;
		return true;
	}
	if (p->path[p->at] == '\0') {
		p->is_open = false;
		return false;
	}
	*len = p->at + (p->at > 0);
	*len += strcspn(p->path + *len, "/");
	p->at = *len;
	return true;
}

/* One entry. Returns 0, 1 if there is none, -1 with the place in front. */
static int give(struct paths_source *p, size_t len, struct entry **out,
		struct err *err)
{
	char end = p->path[len];
	int ret;

	p->path[len] = '\0';
	ret = scan_one(p->scan, p->path, out, err);
	p->path[len] = end;
	if (ret == 0) {
		entry_set_origin(*out, &p->source);
		return 0;
	}
	if (ret > 0)
		return 1;
	err_in(err, "%s", p->place);
	if (err->code == ERR_NOMEM || !p->options.fault ||
	    p->options.fault(p->options.arg, err) < 0)
		return -1;
	p->is_open = false; /* nothing lies below that */
	return 1;
}

static int paths_next(struct source *src, struct entry **out, struct err *err)
{
	struct paths_source *p = (struct paths_source *)src;

	for (;;) {
		bool is_wanted;
		size_t len;
		int ret = 0;

		if (!p->is_open)
			ret = take_path(p, err);
		if (ret != 0)
			return ret;
		if (!next_part(p, &len))
			continue;
		if (is_new(p, p->path, len, &is_wanted, err) < 0)
			return -1;
		if (is_wanted)
			ret = give(p, len, out, err);
		if (ret < 0 || (is_wanted && ret == 0))
			return ret;
	}
}

static void paths_destroy(struct source *src)
{
	struct paths_source *p = (struct paths_source *)src;

	scan_destroy(p->scan);
	digest_map_cleanup(&p->given);
	free(p->path);
	free(p);
}

static const struct source_ops paths_ops = {
	.next = paths_next,
	.read_at = paths_read_at,
	.destroy = paths_destroy,
};

int dir_paths_source_create(struct files *files, const char *dir,
			    const struct dir_paths *paths,
			    const struct scan_options *options,
			    struct source **out, struct err *err)
{
	struct paths_source *p = calloc(1, sizeof(*p));
	int root;

	if (!p)
		return err_nomem(err);
	p->source.ops = &paths_ops;
	p->source.name = dir;
	p->files = files;
	p->paths = *paths;
	p->options = *options;
	if (hash_key_draw(&p->key, err) < 0 ||
	    files_add_root(files, FILES_CWD, dir, &root, err) < 0 ||
	    scan_create(files, root, options, &p->scan, err) < 0) {
		paths_destroy(&p->source);
		return -1;
	}
	*out = &p->source;
	return 0;
}
