/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "unpack/walk.h"

/*
 * The names of an image, depth first. A stack of open directories stands in
 * for recursion, so that depth costs memory that the image must back, and
 * directories that were entered are remembered, so that none comes twice and
 * no loop has a second turn.
 */
#include <stdlib.h>
#include <string.h>

#include "sqfs/image.h"
#include "sqfs/super.h"
#include "unpack/unpack.h"
#include "util/arena.h"
#include "util/err.h"
#include "util/hash.h"

/* A directory that is being read. */
struct frame {
	struct dir_reader reader;
	struct meta_ref ref;
	size_t path_len; /* of its path */
	bool is_given;	 /* was given as an item, or is not to be */
};

struct walk {
	struct image *image; /* borrowed, as are options */
	const struct image_source_options *options;
	size_t start; /* the next of options->starts */
	struct digest_map starts; /* paths of them: index of the first */

	struct frame *frames;
	size_t depth, frame_cap;
	size_t given; /* frames from the first on that are given */
	struct buffer path; /* of the item at hand, with a NUL */

	bool is_held; /* an item waits for the directories above it */
	bool is_dir;  /* a directory was given last, not entered yet */
	struct meta_ref ref;
	struct inode inode; /* of the item, out of space */
	struct inode_space space;
	struct inode above; /* of a directory above it */
	struct inode_space above_space;

	struct hash_key key;
	struct digest_map seen; /* references of directories and of inodes
				 * with several names; of the latter the value
				 * is where their first path lies */
	struct arena paths;
};

static const struct image_start whole = { .path = "", .as = "" };

/* Keyed, so that no image can choose references that make the map slow. */
static struct digest key_of(const struct walk *w, struct meta_ref ref)
{
	uint64_t packed = meta_ref_pack(ref);
	struct digest key;

	hash128(&w->key, &packed, sizeof(packed), &key);
	return key;
}

static int set_path(struct walk *w, size_t len, const char *name,
		    size_t name_len, struct err *err)
{
	struct buffer *path = &w->path;
	bool slash = len > 0 && name_len > 0;

	if (len + slash + name_len > IMAGE_PATH_MAX)
		return err_set(err, ERR_LIMIT,
			       "a path of more than %u bytes", IMAGE_PATH_MAX);
	path->len = len;
	if ((slash && buffer_append(path, "/", 1, err) < 0) ||
	    buffer_append(path, name, name_len, err) < 0 ||
	    buffer_append(path, "", 1, err) < 0)
		return -1;
	path->len--;
	return 0;
}

static int in_item(const struct walk *w, struct err *err)
{
	char name[NAME_TEXT_LEN];

	if (w->path.len == 0)
		return err_in(err, "root directory");
	return err_in(err, "%s",
		      name_text((const char *)w->path.data, w->path.len,
				name));
}

static struct frame *top(struct walk *w)
{
	return &w->frames[w->depth - 1];
}

/* Enters a directory whose path is the first path_len bytes of the one at
 * hand. Without listing it is one above a start, of which no more is read. */
static int push(struct walk *w, struct meta_ref ref, const struct inode *dir,
		size_t path_len, bool is_given, bool listing, struct err *err)
{
	struct frame *frame;

	if (array_reserve(&w->frames, &w->frame_cap, w->depth + 1,
			  sizeof(*w->frames), err) < 0)
		return -1;
	frame = &w->frames[w->depth];
	if (dir_open(w->image, dir, &frame->reader, err) < 0)
		return -1;
	if (!listing)
		frame->reader.left = 0;
	frame->ref = ref;
	frame->path_len = path_len;
	frame->is_given = is_given;
	w->depth++;
	return 0;
}

/* Notes a directory; one that is there already was reached twice. */
static int enter_dir(struct walk *w, struct meta_ref ref, bool is_given,
		     struct err *err)
{
	struct digest key = key_of(w, ref);

	if (digest_map_find(&w->seen, &key))
		return err_set(err, ERR_CORRUPT,
			       "the directory is reached a second time");
	if (digest_map_add(&w->seen, &key, 0, err) < 0)
		return -1;
	return push(w, ref, &w->inode, w->path.len, is_given, true, err);
}

static int check_item(const struct walk *w, const struct dir_item *item,
		      struct err *err)
{
	if (w->inode.type != item->type)
		return err_set(err, ERR_CORRUPT,
			       "the directory says type %d, the inode %d",
			       (int)item->type, (int)w->inode.type);
	if (w->inode.number != item->number)
		return err_set(err, ERR_CORRUPT,
			       "the directory says inode %lu, which says %lu",
			       (unsigned long)item->number,
			       (unsigned long)w->inode.number);
	return 0;
}

static bool is_excluded(const struct walk *w)
{
	const struct image_source_options *o = w->options;

	return o->is_excluded &&
	       o->is_excluded(o->arg, (const char *)w->path.data,
			      w->inode.type == INODE_DIR);
}

/* The item whose inode was decoded: it is held, entered or passed over. */
static int meet(struct walk *w, struct meta_ref ref, struct err *err)
{
	bool excluded = is_excluded(w);

	w->ref = ref;
	w->is_held = !excluded;
	if (excluded && w->inode.type == INODE_DIR)
		return enter_dir(w, ref, false, err);
	return 0;
}

/* Reads the next name of the directory on top; 1 if there was none. */
static int step(struct walk *w, struct err *err)
{
	struct dir_item item;
	struct frame *frame = top(w);
	int ret = dir_next(&frame->reader, &item, err);

	if (ret != 0) {
		set_path(w, frame->path_len, "", 0, NULL);
		if (ret < 0)
			return in_item(w, err);
		w->depth--;
		if (w->given > w->depth)
			w->given = w->depth;
		return 1;
	}
	if (set_path(w, frame->path_len, item.name, item.name_len, err) < 0 ||
	    inode_decode(w->image, item.ref, &w->inode, &w->space, NULL, err) <
		    0 ||
	    check_item(w, &item, err) < 0 || meet(w, item.ref, err) < 0)
		return in_item(w, err);
	return 0;
}

/* Puts the directories above a start on the stack, without their listings. */
static int push_parents(struct walk *w, const char *path, struct err *err)
{
	const char *end = path;

	while (end) {
		size_t len = (size_t)(end - path);
		struct meta_ref ref;
		struct digest key;
		int ret;

		if (set_path(w, 0, path, len, err) < 0)
			return -1;
		ret = image_lookup(w->image, (const char *)w->path.data, &ref,
				   err);
		if (ret == 0)
			ret = inode_decode(w->image, ref, &w->above,
					   &w->above_space, NULL, err);
		if (ret != 0)
			return -1; /* the path was found as a whole */
		key = key_of(w, ref);

		bool is_given = digest_map_find(&w->seen, &key);

		if (!is_given && digest_map_add(&w->seen, &key, 0, err) < 0)
			return -1;
		if (push(w, ref, &w->above, len, is_given, false, err) < 0)
			return -1;
		end = strchr(len == 0 ? path : end + 1, '/');
	}
	return 0;
}

static struct digest path_key(const struct walk *w, const char *path,
			      size_t len)
{
	struct digest key;

	hash128(&w->key, path, len, &key);
	return key;
}

/* Notes where each start is named first, so that many of them cost no more
 * than each alone. */
static int note_starts(struct walk *w, struct err *err)
{
	const struct image_source_options *o = w->options;

	for (size_t i = 0; i < o->start_count; i++) {
		const char *path = o->starts[i].path;
		struct digest key = path_key(w, path, strlen(path));

		if (!digest_map_find(&w->starts, &key) &&
		    digest_map_add(&w->starts, &key, i, err) < 0)
			return -1;
	}
	return 0;
}

/* True if another start holds this one, which then comes with it. */
static bool is_covered(const struct walk *w, size_t index)
{
	const char *path = w->options->starts[index].path;
	size_t len = strlen(path);
	struct digest key = path_key(w, path, len);

	if (*digest_map_find(&w->starts, &key) < index)
		return true;
	while (len > 0) {
		do
			len--;
		while (len > 0 && path[len] != '/');
		key = path_key(w, path, len);
		if (digest_map_find(&w->starts, &key))
			return true;
	}
	return false;
}

static int find_start(const struct walk *w, const struct image_start *start,
		      struct meta_ref *out, struct err *err)
{
	char name[NAME_TEXT_LEN];
	int ret = 0;

	if (start->ref)
		*out = *start->ref;
	else
		ret = image_lookup(w->image, start->path, out, err);
	if (ret <= 0)
		return ret;
	return err_set(err, ERR_USAGE, "there is no \"%s\" in the image",
		       name_text(start->path, strlen(start->path), name));
}

/* Goes on to the next start; 1 if there is none. */
static int begin(struct walk *w, struct err *err)
{
	const struct image_source_options *o = w->options;
	const struct image_start *start = &whole;
	struct meta_ref ref;

	while (w->start < o->start_count && is_covered(w, w->start))
		w->start++;
	if (w->start >= (o->start_count ? o->start_count : 1))
		return 1;
	if (o->start_count)
		start = &o->starts[w->start];
	w->start++;
	w->given = 0;
	if (find_start(w, start, &ref, err) < 0)
		return -1;
	if (o->parents && *start->path &&
	    push_parents(w, start->path, err) < 0)
		return -1;
	if (set_path(w, 0, start->as, strlen(start->as), err) < 0 ||
	    inode_decode(w->image, ref, &w->inode, &w->space, NULL, err) < 0)
		return in_item(w, err);
	if (!*start->path && w->inode.type != INODE_DIR)
		return err_set(err, ERR_CORRUPT,
			       "root directory: it is no directory");
	return meet(w, ref, err) < 0 ? in_item(w, err) : 0;
}

/* Gives the outermost directory above the item that was not given yet. */
static int give_above(struct walk *w, struct walk_item *out, struct err *err)
{
	struct frame *frame = &w->frames[w->given++];

	frame->is_given = true;
	if (inode_decode(w->image, frame->ref, &w->above, &w->above_space,
			 NULL, err) < 0)
		return in_item(w, err);
	/* The path at hand begins with this one. */
	out->path = (const char *)w->path.data;
	out->path_len = frame->path_len;
	out->depth = w->given - 1;
	out->ref = frame->ref;
	out->inode = &w->above;
	out->first = NULL;
	return 0;
}

/* Looks an inode with several names up, and notes its first one. */
static int find_first(struct walk *w, const char **first, struct err *err)
{
	struct digest key = key_of(w, w->ref);
	const uint64_t *known;
	char *path;

	*first = NULL;
	if (w->inode.nlink < 2 || w->options->no_hard_links)
		return 0;
	known = digest_map_find(&w->seen, &key);
	if (known) {
		*first = (const char *)(uintptr_t)*known;
		return 0;
	}
	path = arena_text(&w->paths, (const char *)w->path.data, w->path.len,
			  err);
	if (!path)
		return -1;
	return digest_map_add(&w->seen, &key, (uintptr_t)path, err);
}

static int give_held(struct walk *w, struct walk_item *out, struct err *err)
{
	w->is_held = false;
	w->is_dir = w->inode.type == INODE_DIR;
	out->first = NULL;
	if (!w->is_dir && find_first(w, &out->first, err) < 0)
		return in_item(w, err);
	out->depth = w->depth;
	out->path = (const char *)w->path.data;
	out->path_len = w->path.len;
	out->ref = w->ref;
	out->inode = &w->inode;
	return 0;
}

int walk_next(struct walk *w, struct walk_item *out, struct err *err)
{
	int ret;

	w->is_dir = false;
	while (!w->is_held) {
		bool inside = w->depth > 0;

		ret = inside ? step(w, err) : begin(w, err);
		if (ret < 0 || (ret > 0 && !inside))
			return ret;
	}
	while (w->given < w->depth && w->frames[w->given].is_given)
		w->given++;
	if (w->given < w->depth)
		return give_above(w, out, err);
	return give_held(w, out, err);
}

int walk_enter(struct walk *w, struct err *err)
{
	if (!w->is_dir)
		return 0;
	w->is_dir = false;
	return enter_dir(w, w->ref, true, err) < 0 ? in_item(w, err) : 0;
}

int walk_create(struct image *image,
		const struct image_source_options *options, bool with_index,
		struct walk **out, struct err *err)
{
	struct walk *w = calloc(1, sizeof(*w));

	if (!w)
		return err_nomem(err);
	w->image = image;
	w->options = options;
	w->space.with_index = with_index;
	if (hash_key_draw(&w->key, err) < 0 || note_starts(w, err) < 0) {
		walk_destroy(w);
		return -1;
	}
	*out = w;
	return 0;
}

void walk_destroy(struct walk *w)
{
	if (!w)
		return;
	free(w->frames);
	buffer_cleanup(&w->path);
	inode_space_cleanup(&w->space);
	inode_space_cleanup(&w->above_space);
	digest_map_cleanup(&w->seen);
	digest_map_cleanup(&w->starts);
	arena_cleanup(&w->paths);
	free(w);
}
