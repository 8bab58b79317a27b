/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "image_state.h"

/*
 * Directory listings, and finding a path in them. Names are checked here, once,
 * so that whoever gets one may make a file of it. Format: doc/squashfs.md,
 * "Directories".
 */
#include <inttypes.h>
#include <string.h>

#include "util/account.h"
#include "util/err.h"
#include "util/num.h"

#define RUN_HEAD  12
#define ITEM_HEAD 8
#define RUN_MAX	  256
#define NAME_MAX_LEN 256

static int in_listing(const struct dir_reader *reader, struct err *err)
{
	return err_in(err, "listing, %" PRIu32 " bytes before its end",
		      reader->left);
}

int dir_open(struct image *image, const struct inode *dir,
	     struct dir_reader *out, struct err *err)
{
	if (dir->u.dir.listing_len > 0 && dir->u.dir.listing_offset >= META_LEN)
		return err_set(err, ERR_CORRUPT,
			       "the listing begins at byte %u of a metadata "
			       "block",
			       dir->u.dir.listing_offset);
	*out = (struct dir_reader){
		.image = image,
		.at = { .block = dir->u.dir.listing_block,
			.offset = dir->u.dir.listing_offset },
		.left = dir->u.dir.listing_len,
	};
	return 0;
}

/* Takes len bytes of the listing. */
static int take(struct dir_reader *reader, void *buf, uint32_t len,
		struct err *err)
{
	if (len > reader->left)
		return err_set(err, ERR_CORRUPT,
			       "%" PRIu32 " more bytes are wanted", len);
	if (meta_get(reader->image, &reader->image->directories, &reader->at,
		     buf, len, err) < 0)
		return -1;
	reader->left -= len;
	return 0;
}

static int begin_run(struct dir_reader *reader, struct err *err)
{
	const struct super *s = &reader->image->super;
	uint8_t raw[RUN_HEAD];
	uint32_t count;

	if (take(reader, raw, sizeof(raw), err) < 0)
		return -1;
	count = get_le32(raw);
	if (count >= RUN_MAX)
		return err_set(err, ERR_CORRUPT,
			       "a run counts %" PRIu32 " + 1 entries, more "
			       "than %u",
			       count, RUN_MAX);
	reader->run = count + 1;
	reader->block = get_le32(raw + 4);
	reader->base = get_le32(raw + 8);
	if (reader->block >= s->directory_table - s->inode_table)
		return err_set(err, ERR_CORRUPT,
			       "inodes at %" PRIu64 ", past the inode table",
			       reader->block);
	return 0;
}

/* Names must be fit for files, and ascend. */
static int check_name(const struct dir_reader *reader,
		      const struct dir_item *item, struct err *err)
{
	const char *name = item->name;
	size_t len = item->name_len;
	size_t common = len < reader->last_len ? len : reader->last_len;
	const char *what = NULL;
	char text[NAME_TEXT_LEN];
	int order;

	if (memchr(name, '/', len) || memchr(name, '\0', len))
		what = "has a slash or a NUL in it";
	else if (name[0] == '.' && (len == 1 || (len == 2 && name[1] == '.')))
		what = "is no name of an entry";
	if (!what && reader->last_len > 0) {
		order = memcmp(reader->last, name, common);
		if (order == 0 && len == reader->last_len)
			what = "comes twice";
		else if (order > 0 || (order == 0 && len < reader->last_len))
			what = "is out of order";
	}
	if (!what)
		return 0;
	return err_set(err, ERR_CORRUPT, "name \"%s\" %s",
		       name_text(name, len, text), what);
}

static int next_item(struct dir_reader *reader, struct dir_item *out,
		     struct err *err)
{
	uint8_t raw[ITEM_HEAD];
	uint32_t delta; /* 16 bits with a sign */
	unsigned type;

	if (reader->run == 0 && begin_run(reader, err) < 0)
		return -1;
	if (take(reader, raw, sizeof(raw), err) < 0)
		return -1;
	type = get_le16(raw + 4);
	out->ref.block = reader->block;
	out->ref.offset = get_le16(raw);
	delta = get_le16(raw + 2);
	out->number = reader->base + delta - (delta & 0x8000u) * 2;
	if (get_le16(raw + 6) >= NAME_MAX_LEN)
		return err_set(err, ERR_CORRUPT,
			       "a name of %u + 1 bytes, more than %u",
			       get_le16(raw + 6), NAME_MAX_LEN);
	out->name_len = (uint16_t)(get_le16(raw + 6) + 1);
	if (take(reader, out->name, out->name_len, err) < 0)
		return -1;
	out->name[out->name_len] = '\0';
	if (type < INODE_DIR || type > INODE_SOCKET)
		return err_set(err, ERR_CORRUPT, "an entry of type %u", type);
	out->type = (enum inode_type)type;
	if (check_name(reader, out, err) < 0)
		return -1;
	reader->run--;
	copy_bytes(reader->last, out->name, out->name_len);
	reader->last_len = out->name_len;
	return 0;
}

int dir_next(struct dir_reader *reader, struct dir_item *out, struct err *err)
{
	if (reader->left == 0) {
		if (reader->run == 0)
			return 1;
		err_set(err, ERR_CORRUPT,
			"%" PRIu32 " more entries are counted", reader->run);
		return in_listing(reader, err);
	}
	if (next_item(reader, out, err) < 0)
		return in_listing(reader, err);
	return 0;
}

/* As memcmp, a name before those that it begins. */
static int compare(const char *a, size_t a_len, const char *b, size_t b_len)
{
	int order = memcmp(a, b, a_len < b_len ? a_len : b_len);

	return order ? order : (a_len > b_len) - (a_len < b_len);
}

/* Starts to look in a directory; 1 if that is none. */
static int begin_search(struct image *image, struct search *search,
			struct meta_ref dir, struct err *err)
{
	struct inode_space space = { 0 };
	struct inode inode;
	int ret;

	search->is_on = false;
	ret = inode_decode(image, dir, &inode, &space, NULL, err);
	inode_space_cleanup(&space);
	if (ret < 0)
		return -1;
	if (inode.type != INODE_DIR)
		return 1;
	if (dir_open(image, &inode, &search->reader, err) < 0)
		return -1;
	search->dir = dir;
	ret = dir_next(&search->reader, &search->item, err);
	search->is_on = ret == 0;
	return ret;
}

/*
 * Finds one name in a directory; 1 if it is not there. Who looks for many names
 * mostly does so in their order, so the search goes on where the last ended.
 */
static int find_name(struct image *image, struct search *search,
		     struct meta_ref dir, const char *name, size_t len,
		     struct meta_ref *out, struct err *err)
{
	const struct dir_item *item = &search->item;
	int ret, order;

	if (!search->is_on || search->dir.block != dir.block ||
	    search->dir.offset != dir.offset ||
	    compare(item->name, item->name_len, name, len) > 0) {
		ret = begin_search(image, search, dir, err);
		if (ret != 0)
			return ret;
	}
	while ((order = compare(item->name, item->name_len, name, len)) < 0) {
		ret = dir_next(&search->reader, &search->item, err);
		if (ret != 0) {
			search->is_on = false;
			return ret;
		}
	}
	if (order > 0)
		return 1;
	*out = item->ref;
	return 0;
}

int image_lookup(struct image *image, const char *path, struct meta_ref *out,
		 struct err *err)
{
	struct meta_ref at = image_root(image);
	size_t level = 0;

	while (*path) {
		struct search *search = &image->searches[level++ % SEARCHES];
		size_t len = strcspn(path, "/");
		char name[NAME_TEXT_LEN];
		int ret = find_name(image, search, at, path, len, &at, err);

		if (ret < 0)
			return err_in(err, "looking for \"%s\"",
				      name_text(path, len, name));
		if (ret > 0)
			return 1;
		path += len;
		while (*path == '/')
			path++;
	}
	*out = at;
	return 0;
}
