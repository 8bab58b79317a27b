/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../../../lib/pack/tables.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "entry/entry.h"
#include "io/fd.h"
#include "pack/pack.h"
#include "sqfs/meta.h"
#include "sqfs/super.h"
#include "sqfs/xattr.h"
#include "tree/tree.h"
#include "util/array.h"
#include "util/err.h"
#include "util/num.h"

/*
 * Trees become tables, stored as they are, and are read back from the root
 * down, by a reader of this file's own.
 */

#define START 1000 /* where the tables begin */

struct image {
	struct tree *tree;
	struct xattr_writer *xattrs;
	FILE *file;
	struct super super;
	struct pack_stats stats;
	struct buffer raw;		 /* from START on */
	struct buffer inodes, listings; /* without the headers of blocks */
};

static void image_begin(struct image *image)
{
	struct tree_options options = { .defaults = { .mode = 0755 } };

	*image = (struct image){ .file = tmpfile() };
	check(image->file != NULL);
	check(tree_create(&options, &image->tree, NULL) == 0);
	check(xattr_writer_create(&image->xattrs, NULL) == 0);
}

static struct node *add(struct image *image, const char *path,
			enum entry_type type, const char *link, uint32_t id)
{
	struct node *node = NULL;
	struct entry *entry;

	if (entry_create(&entry, NULL) < 0)
		abort();
	entry->path = strdup(path);
	entry->link = link ? strdup(link) : NULL;
	entry->type = type;
	entry->mode = 0644;
	entry->uid = entry->gid = id;
	check(tree_add(image->tree, entry, NODE_NO_XATTR, &node, NULL) == 0);
	if (node && node->type == NODE_FILE)
		node->u.file.fragment = NODE_NO_FRAGMENT;
	entry_destroy(entry);
	return node;
}

static int image_write(struct image *image, bool exportable, int fd,
		       struct err *err)
{
	static const struct pack_raw raw = { true, true, true, true, true };
	struct tables_job job = { .fd = fd,
				  .position = START,
				  .raw = &raw,
				  .exportable = exportable,
				  .tree = image->tree,
				  .xattrs = image->xattrs };

	return tables_write(&job, &image->super, &image->stats, err);
}

/* Takes the headers out of blocks that are stored as they are. */
static void strip(const struct image *image, uint64_t from, uint64_t to,
		  struct buffer *out)
{
	const uint8_t *p = image->raw.data + (from - START);
	const uint8_t *end = image->raw.data + (to - START);

	while (p < end) {
		size_t len = get_le16(p) & 0x7FFF;

		check((get_le16(p) & 0x8000) != 0);
		check(len > 0 && len <= META_LEN);
		check(buffer_append(out, p + 2, len, NULL) == 0);
		p += 2 + len;
	}
	check(p == end);
}

static void image_finish(struct image *image, bool exportable)
{
	const struct super *super = &image->super;
	int fd = fileno(image->file);
	size_t got = 0;

	check(tree_finish(image->tree, NULL) == 0);
	check(image_write(image, exportable, fd, NULL) == 0);
	check(super->bytes_used > START);
	check(buffer_reserve(&image->raw, super->bytes_used, NULL) == 0);
	check(fd_read_at(fd, START, image->raw.data, super->bytes_used, &got,
			 NULL) == 0);
	image->raw.len = got;
	check_u64(got, super->bytes_used - START);
	check_u64(super->inode_table, START);
	check_u64(super->directory_table - START,
		  image->stats.inode_table_len);
	check_u64(super->fragment_table - super->directory_table,
		  image->stats.directory_table_len);
	check_u64(super->id_count, image->stats.ids);
	check_u64(super->inode_count, image->stats.inodes);
	check(super->xattr_table == SUPER_NONE);
	check((super->export_table != SUPER_NONE) == exportable);
	check_u64(super->flags, SUPER_RAW_INODES | SUPER_RAW_DATA |
					SUPER_RAW_FRAGMENTS | SUPER_RAW_IDS |
					SUPER_RAW_XATTRS | SUPER_NO_XATTRS |
					(exportable ? SUPER_EXPORTABLE : 0));
	strip(image, super->inode_table, super->directory_table,
	      &image->inodes);
	strip(image, super->directory_table, super->fragment_table,
	      &image->listings);
}

static void image_end(struct image *image)
{
	buffer_cleanup(&image->raw);
	buffer_cleanup(&image->inodes);
	buffer_cleanup(&image->listings);
	tree_destroy(image->tree);
	xattr_writer_destroy(image->xattrs);
	fclose(image->file);
}

/* Blocks that are stored as they are lie META_LEN + 2 bytes apart. */
static size_t place(uint64_t block, unsigned offset)
{
	check(block % (META_LEN + 2) == 0);
	return block / (META_LEN + 2) * META_LEN + offset;
}

static const uint8_t *inode_at(const struct image *image, uint64_t ref)
{
	size_t at = place(ref >> 16, ref & 0xFFFF);

	if (at + 20 > image->inodes.len)
		abort();
	return image->inodes.data + at;
}

static uint32_t id_at(const struct image *image, unsigned index)
{
	const uint8_t *starts = image->raw.data +
				(image->super.id_table - START);
	uint64_t block = get_le64(starts + 8 * (index / 2048));

	return get_le32(image->raw.data + (block - START) + 2 +
			4 * (index % 2048));
}

/* The listing of a directory's inode. */
static const uint8_t *listing_of(const struct image *image,
				 const uint8_t *inode, size_t *len)
{
	bool extended = get_le16(inode) == 8;
	uint32_t block = get_le32(inode + (extended ? 24 : 16));
	unsigned offset = get_le16(inode + (extended ? 34 : 26));

	*len = (extended ? get_le32(inode + 20) : get_le16(inode + 24)) - 3u;
	if (place(block, offset) + *len > image->listings.len)
		abort();
	return image->listings.data + place(block, offset);
}

/* One line for each name below an inode: path, type, number, links, id. */
static void describe(const struct image *image, const uint8_t *dir,
		     const char *path, char *out, size_t cap)
{
	size_t len, at = 0;
	const uint8_t *raw = listing_of(image, dir, &len);

	while (at < len) {
		uint32_t left = get_le32(raw + at) + 1;
		uint64_t block = get_le32(raw + at + 4);
		uint32_t base = get_le32(raw + at + 8);

		for (at += 12; left > 0; left--) {
			const uint8_t *entry = raw + at;
			int name_len = get_le16(entry + 6) + 1;
			const uint8_t *inode = inode_at(
				image, block << 16 | get_le16(entry));
			unsigned type = get_le16(inode);
			uint32_t number = get_le32(inode + 12);
			char below[200];

			check_u64(number, base + (uint32_t)(int16_t)get_le16(
							entry + 2));
			check_u64((type - 1) % 7 + 1, get_le16(entry + 4));
			snprintf(below, sizeof(below), "%s/%.*s", path,
				 name_len, (const char *)entry + 8);
			snprintf(out + strlen(out), cap - strlen(out),
				 "%s %u %u %u %u\n", below, type, number,
				 type == 2 ? 1 :
				 type == 1 ? get_le32(inode + 20) :
				 type == 9 ? get_le32(inode + 40) :
					     get_le32(inode + 16),
				 id_at(image, get_le16(inode + 4)));
			if (type == 1) {
				check_u64(get_le32(inode + 28),
					  get_le32(dir + 12));
				describe(image, inode, below, out, cap);
			}
			at += 8 + (size_t)name_len;
		}
	}
}

static void check_tree(const struct image *image, const char *want)
{
	const uint8_t *root = inode_at(image, image->super.root_inode);
	char text[2000] = "";

	check_u64(get_le32(root + 12), image->super.inode_count);
	check_u64(get_le32(root + 28), image->super.inode_count + 1);
	describe(image, root, "", text, sizeof(text));
	check_str(text, want);
}

static void test_empty(void)
{
	struct image image;

	image_begin(&image);
	image_finish(&image, false);
	check_tree(&image, "");
	check_u64(image.super.fragment_count, 0);
	check_u64(image.super.directory_table, image.super.fragment_table);
	check_u64(get_le16(inode_at(&image, image.super.root_inode) + 24), 3);
	image_end(&image);
}

/* Siblings have consecutive numbers; several names share one inode. */
static void test_order(void)
{
	struct image image;

	image_begin(&image);
	add(&image, "m/n/file", ENTRY_FILE, NULL, 7);
	add(&image, "m/a", ENTRY_FIFO, NULL, 5);
	add(&image, "z", ENTRY_SOCKET, NULL, 5);
	add(&image, "b", ENTRY_HARDLINK, "m/n/file", 0);
	add(&image, "m/n/again", ENTRY_HARDLINK, "z", 0);
	add(&image, "c", ENTRY_SYMLINK, "to", 9);
	add(&image, "d", ENTRY_DIR, NULL, 0);
	add(&image, "gone", ENTRY_FIFO, NULL, 99);
	add(&image, "kept", ENTRY_HARDLINK, "gone", 0);
	add(&image, "gone", ENTRY_SYMLINK, "x", 98);
	add(&image, "lost", ENTRY_FILE, NULL, 97);
	add(&image, "lost", ENTRY_FIFO, NULL, 98);
	image_finish(&image, true);
	check_tree(&image, "/b 9 2 2 7\n"
			   "/c 3 5 1 9\n"
			   "/d 1 6 2 0\n"
			   "/gone 3 7 1 98\n"
			   "/kept 6 8 1 99\n"
			   "/lost 6 9 1 98\n"
			   "/m 1 10 3 0\n"
			   "/m/a 6 3 1 5\n"
			   "/m/n 1 4 2 0\n"
			   "/m/n/again 7 1 2 5\n"
			   "/m/n/file 9 2 2 7\n"
			   "/z 7 1 2 5\n");
	check_u64(image.stats.inodes, 11);
	check_u64(image.stats.files, 1);
	check_u64(image.stats.dirs, 4);
	check_u64(image.stats.symlinks, 2);
	check_u64(image.stats.ipcs, 4);
	check_u64(image.stats.hard_links, 2);
	check_u64(image.stats.ids, 6);
	image_end(&image);
}

static void test_file_start(void)
{
	static uint32_t words[] = { 0, BLOCK_WORD_RAW | 10 }, holes[] = { 0 };
	struct node *first, *same, *hole;
	struct image image;

	image_begin(&image);
	first = add(&image, "first", ENTRY_FILE, NULL, 0);
	hole = add(&image, "hole", ENTRY_FILE, NULL, 0);
	same = add(&image, "same", ENTRY_FILE, NULL, 0);
	first->u.file.words = same->u.file.words = words;
	first->u.file.word_count = same->u.file.word_count = 2;
	first->u.file.start = 500;
	same->u.file.start_is_of = true;
	same->u.file.same_as = first;
	hole->u.file.words = holes;
	hole->u.file.word_count = 1;
	hole->u.file.start = 700;
	image_finish(&image, false);
	check_u64(get_le32(inode_at(&image, first->inode_ref) + 16), 500);
	check_u64(get_le32(inode_at(&image, same->inode_ref) + 16), 500);
	check_u64(get_le32(inode_at(&image, hole->inode_ref) + 16), 0);
	image_end(&image);
}

/* More than memory holds at once; every number leads to its inode. */
static void test_many(void)
{
	enum { COUNT = 70000 };
	const uint8_t *starts, *root, *dir;
	struct image image;
	size_t bad = 0, len;

	image_begin(&image);
	for (int i = 0; i < COUNT; i++) {
		char path[40];

		snprintf(path, sizeof(path), "a/%d", i);
		add(&image, path, ENTRY_FILE, NULL, (uint32_t)i % 10);
	}
	image_finish(&image, true);
	check_u64(image.super.inode_count, COUNT + 2);
	check(image.stats.inode_table_len > 2u << 20);
	check_u64(image.super.id_count, 10);
	starts = image.raw.data + (image.super.export_table - START);
	for (uint32_t i = 0; i < COUNT + 2; i++) {
		uint64_t block = get_le64(starts + 8 * (i / 1024));
		const uint8_t *refs = image.raw.data + (block - START) + 2;

		bad += get_le32(inode_at(&image,
					 get_le64(refs + 8 * (i % 1024))) +
				12) != i + 1;
	}
	check_u64(bad, 0);
	root = inode_at(&image, image.super.root_inode);
	dir = inode_at(&image, get_le16(listing_of(&image, root, &len) + 12) |
				       (uint64_t)get_le32(listing_of(
					       &image, root, &len) +
					       4) << 16);
	check_u64(get_le16(dir), 8);
	listing_of(&image, dir, &len);
	check(len > 70000 * 9);

	/* A point for each metadata block, but for the first. */
	check(get_le16(dir + 32) >= len / META_LEN);
	image_end(&image);
}

static void test_deep(void)
{
	enum { DEPTH = 30000 };
	static char path[2 * DEPTH];
	struct image image;
	const uint8_t *dir;
	size_t len, depth = 0;

	for (int i = 0; i < DEPTH; i++)
		memcpy(path + 2 * i, "d/", 2);
	path[2 * DEPTH - 1] = 0;
	image_begin(&image);
	add(&image, path, ENTRY_DIR, NULL, 0);
	image_finish(&image, false);
	check_u64(image.super.inode_count, DEPTH + 1);
	dir = inode_at(&image, image.super.root_inode);
	for (;;) {
		const uint8_t *raw = listing_of(&image, dir, &len);

		if (len == 0)
			break;
		dir = inode_at(&image, (uint64_t)get_le32(raw + 4) << 16 |
					       get_le16(raw + 12));
		depth++;
	}
	check_u64(depth, DEPTH);
	image_end(&image);
}

/* Ids 0 to 65534 fit, the root's 0 among them; one more does not. */
static void test_ids(void)
{
	for (uint32_t extra = 0; extra < 2; extra++) {
		struct err err = { 0 };
		struct image image;

		image_begin(&image);
		for (uint32_t i = 1; i < 65535 + extra; i++) {
			char path[20];

			snprintf(path, sizeof(path), "f%05" PRIu32, i);
			add(&image, path, ENTRY_FIFO, NULL, i * 65537);
		}
		if (extra == 0) {
			image_finish(&image, false);
			check_u64(image.super.id_count, 65535);
		} else {
			check(tree_finish(image.tree, NULL) == 0);
			check(image_write(&image, false, fileno(image.file),
					  &err) == -1);
			check(err.code == ERR_LIMIT);
			check(strstr(err.text, "65535") != NULL);
		}
		image_end(&image);
	}
}

static void test_write_fails(void)
{
	int fd = open("/dev/null", O_RDONLY);
	struct err err = { 0 };
	struct image image;

	image_begin(&image);
	add(&image, "a", ENTRY_FIFO, NULL, 1);
	check(tree_finish(image.tree, NULL) == 0);
	check(image_write(&image, false, fd, &err) == -1);
	check(err.code == ERR_WRITE);
	close(fd);
	image_end(&image);
}

int main(void)
{
	test_empty();
	test_order();
	test_file_start();
	test_many();
	test_deep();
	test_ids();
	test_write_fails();
	return check_report();
}
