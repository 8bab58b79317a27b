/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A whole image made with all the doors of the room: "/a" with "hello\n" in a
 * fragment block and an attribute, "/l" -> "a", and "/sub" with the same
 * attribute; everything stored as it is.
 */
#include <stdbool.h>

#include "check.h"
#include "sqfs/dir.h"
#include "sqfs/inode.h"
#include "sqfs/meta.h"
#include "sqfs/super.h"
#include "sqfs/xattr.h"
#include "util/array.h"
#include "util/err.h"
#include "util/num.h"

static const uint8_t want[436] = {
	/* super block */
	0x68, 0x73, 0x71, 0x73, 4, 0, 0, 0, 0, 0xCA, 0x9A, 0x3B, 0, 0, 2, 0,
	1, 0, 0, 0, 1, 0, 0x11, 0, 0xCB, 1, 1, 0, 4, 0, 0, 0,
	0x79, 0, 0, 0, 0, 0, 0, 0, 0xB4, 1, 0, 0, 0, 0, 0, 0,
	0x76, 1, 0, 0, 0, 0, 0, 0, 0x9C, 1, 0, 0, 0, 0, 0, 0,
	0x66, 0, 0, 0, 0, 0, 0, 0, 0x01, 1, 0, 0, 0, 0, 0, 0,
	0x3E, 1, 0, 0, 0, 0, 0, 0, 0x68, 1, 0, 0, 0, 0, 0, 0,
	/* fragment block */
	'h', 'e', 'l', 'l', 'o', '\n',
	/* inodes: a, l, sub, root */
	0x99, 0x80,
	9, 0, 0xA4, 1, 0, 0, 0, 0, 0, 0xCA, 0x9A, 0x3B, 1, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0,
	3, 0, 0xFF, 1, 0, 0, 0, 0, 0, 0xCA, 0x9A, 0x3B, 2, 0, 0, 0,
	1, 0, 0, 0, 1, 0, 0, 0, 'a',
	8, 0, 0xED, 1, 0, 0, 0, 0, 0, 0xCA, 0x9A, 0x3B, 3, 0, 0, 0,
	2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0,
	1, 0, 0xED, 1, 0, 0, 0, 0, 0, 0xCA, 0x9A, 0x3B, 4, 0, 0, 0,
	0, 0, 0, 0, 3, 0, 0, 0, 0x2C, 0, 0, 0, 5, 0, 0, 0,
	/* listing of the root */
	0x29, 0x80, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
	0, 0, 0, 0, 2, 0, 0, 0, 'a',
	0x38, 0, 1, 0, 3, 0, 0, 0, 'l',
	0x51, 0, 2, 0, 1, 0, 2, 0, 's', 'u', 'b',
	/* fragment table */
	0x10, 0x80, 0x60, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 1, 0, 0, 0, 0,
	0x2C, 1, 0, 0, 0, 0, 0, 0,
	/* export table */
	0x20, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0x38, 0, 0, 0, 0, 0, 0, 0,
	0x51, 0, 0, 0, 0, 0, 0, 0, 0x79, 0, 0, 0, 0, 0, 0, 0,
	0x46, 1, 0, 0, 0, 0, 0, 0,
	/* id table */
	4, 0x80, 0, 0, 0, 0, 0x70, 1, 0, 0, 0, 0, 0, 0,
	/* xattr tables */
	0x0A, 0x80, 0, 0, 1, 0, 'k', 1, 0, 0, 0, 'v',
	0x10, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0,
	0x7E, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,
	0x8A, 1, 0, 0, 0, 0, 0, 0,
};

struct image {
	struct buffer out;
	struct meta_writer inodes, listings;
	struct dir_writer dir;
	struct buffer refs;
	struct super super;
};

static struct inode base(enum inode_type type, uint16_t mode, uint32_t number)
{
	return (struct inode){ .type = type,
			       .mode = mode,
			       .mtime = 1000000000,
			       .number = number,
			       .nlink = 1,
			       .xattr = INODE_NO_XATTR };
}

static struct meta_ref add_inode(struct image *image,
				 const struct inode *inode)
{
	struct meta_ref ref = meta_writer_position(&image->inodes);
	struct buffer record = { 0 };
	uint8_t raw[8];

	put_le64(raw, meta_ref_pack(ref));
	check(buffer_append(&image->refs, raw, sizeof(raw), NULL) == 0);
	check(inode_encode(inode, &record, NULL) == 0);
	check(meta_writer_append(&image->inodes, record.data, record.len,
				 NULL) == 0);
	buffer_cleanup(&record);
	return ref;
}

static void add_name(struct image *image, const char *name,
		     const struct inode *inode)
{
	check(dir_add(&image->dir, name, (uint16_t)strlen(name),
		      add_inode(image, inode), inode->number, inode->type,
		      NULL) == 0);
}

static void add_tree(struct image *image, uint32_t xattr)
{
	struct inode file = base(INODE_FILE, 0644, 1);
	struct inode link = base(INODE_SYMLINK, 0777, 2);
	struct inode sub = base(INODE_DIR, 0755, 3);
	struct inode root = base(INODE_DIR, 0755, 4);

	file.u.file.size = 6;
	file.xattr = xattr;
	link.u.symlink.target = "a";
	link.u.symlink.target_len = 1;

	dir_begin(&image->dir, &image->listings);
	check(dir_end(&image->dir, NULL) == 0);
	sub.nlink = 2;
	sub.xattr = xattr;
	sub.u.dir.parent_number = 4;
	sub.u.dir.listing_len = image->dir.len;

	dir_begin(&image->dir, &image->listings);
	add_name(image, "a", &file);
	add_name(image, "l", &link);
	add_name(image, "sub", &sub);
	check(dir_end(&image->dir, NULL) == 0);
	root.nlink = 3;
	root.u.dir.parent_number = 5;
	root.u.dir.listing_block = image->dir.start.block;
	root.u.dir.listing_offset = image->dir.start.offset;
	root.u.dir.listing_len = image->dir.len;
	image->super.root_inode = meta_ref_pack(add_inode(image, &root));
}

static void append(struct image *image, const struct buffer *bytes)
{
	check(buffer_append(&image->out, bytes->data, bytes->len, NULL) == 0);
}

static void add_table(struct image *image, const uint8_t *entries, size_t len,
		      uint64_t *index)
{
	struct meta_table table = { .entries = entries, .len = len };

	check(meta_table_encode(NULL, &table, image->out.len, &image->out,
				index, NULL) == 0);
}

static void add_tables(struct image *image, struct xattr_writer *xattrs)
{
	static const uint8_t id[4];
	uint8_t fragment[16] = { 0 };

	put_le64(fragment, SUPER_LEN);
	put_le32(fragment + 8, BLOCK_WORD_RAW | 6);
	image->super.inode_table = image->out.len;
	check(meta_writer_flush(&image->inodes, NULL) == 0);
	append(image, &image->inodes.out);
	image->super.directory_table = image->out.len;
	check(meta_writer_flush(&image->listings, NULL) == 0);
	append(image, &image->listings.out);
	add_table(image, fragment, 16, &image->super.fragment_table);
	add_table(image, image->refs.data, image->refs.len,
		  &image->super.export_table);
	add_table(image, id, 4, &image->super.id_table);
	check(xattr_writer_encode(xattrs, NULL, image->out.len, &image->out,
				  &image->super.xattr_table, NULL) == 0);
	image->super.bytes_used = image->out.len;
}

int main(void)
{
	const char *name = "user.k";
	const uint8_t *value = (const uint8_t *)"v";
	size_t value_len = 1;
	struct xattr_writer *xattrs;
	struct super back;
	uint32_t xattr;
	struct image image = {
		.super = { .inode_count = 4,
			   .mkfs_time = 1000000000,
			   .block_size = BLOCK_SIZE_DEFAULT,
			   .fragment_count = 1,
			   .compression_id = 1,
			   .flags = SUPER_RAW_INODES | SUPER_RAW_DATA |
				    SUPER_RAW_FRAGMENTS | SUPER_DEDUPLICATED |
				    SUPER_EXPORTABLE | SUPER_RAW_XATTRS,
			   .id_count = 1 },
	};

	check(meta_writer_init(&image.inodes, NULL, "inodes", NULL) == 0);
	check(meta_writer_init(&image.listings, NULL, "listings", NULL) == 0);
	check(xattr_writer_create(&xattrs, NULL) == 0);
	check(xattr_writer_add(xattrs, &name, &value, &value_len, 1, &xattr,
			       NULL) == 0);
	check(buffer_append(&image.out, want, SUPER_LEN, NULL) == 0);
	check(buffer_append(&image.out, "hello\n", 6, NULL) == 0);
	add_tree(&image, xattr);
	add_tables(&image, xattrs);
	super_encode(&image.super, image.out.data);
	check_u64(image.out.len, sizeof(want));
	for (size_t i = 0; i < image.out.len && i < sizeof(want); i++)
		check_u64(image.out.data[i], want[i]);
	check(super_decode(image.out.data, image.out.len, &back, NULL) == 0);

	xattr_writer_destroy(xattrs);
	dir_writer_cleanup(&image.dir);
	meta_writer_cleanup(&image.inodes);
	meta_writer_cleanup(&image.listings);
	buffer_cleanup(&image.refs);
	buffer_cleanup(&image.out);
	return check_report();
}
