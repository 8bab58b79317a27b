/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sqfs/inode.h"

#include <assert.h>
#include <stdbool.h>

#include "util/array.h"
#include "util/err.h"
#include "util/num.h"

/*
 * Inodes in their stored form. The basic form is shorter and is taken wherever
 * it can say everything. Format: doc/squashfs.md, "Inodes".
 */

#define HEADER_LEN	  16
#define FIXED_MAX	  56 /* bytes of the longest form before its list */
#define EXTENDED	  7  /* added to a basic type */
#define DOTS_LEN	  3  /* added to the length of every listing */
#define MODE_MASK	  07777
#define INDEX_ENTRY_LEN	  12
#define BASIC_LISTING_MAX (UINT16_MAX - DOTS_LEN)

/* The 16 bytes that all inodes begin with. */
static void put_header(const struct inode *inode, bool extended, uint8_t *p)
{
	put_le16(p, (uint16_t)(inode->type + (extended ? EXTENDED : 0)));
	put_le16(p + 2, inode->mode & MODE_MASK);
	put_le16(p + 4, inode->uid_index);
	put_le16(p + 6, inode->gid_index);
	put_le32(p + 8, inode->mtime);
	put_le32(p + 12, inode->number);
}

static int append_index(const struct inode *inode, struct buffer *out,
			struct err *err)
{
	for (size_t i = 0; i < inode->u.dir.index_count; i++) {
		const struct dir_index *point = &inode->u.dir.index[i];
		uint8_t raw[INDEX_ENTRY_LEN];

		put_le32(raw, point->index);
		put_le32(raw + 4, point->block);
		put_le32(raw + 8, point->name_len - 1u);
		if (buffer_append(out, raw, sizeof(raw), err) < 0 ||
		    buffer_append(out, point->name, point->name_len, err) < 0)
			return -1;
	}
	return 0;
}

static int encode_dir(const struct inode *inode, struct buffer *out,
		      struct err *err)
{
	uint32_t len = inode->u.dir.listing_len + DOTS_LEN;
	uint32_t block = (uint32_t)inode->u.dir.listing_block;
	bool extended = inode->xattr != INODE_NO_XATTR ||
			inode->u.dir.index_count > 0 ||
			inode->u.dir.listing_len > BASIC_LISTING_MAX;
	uint8_t raw[FIXED_MAX];

	assert(inode->u.dir.listing_len <= UINT32_MAX - DOTS_LEN);
	assert(inode->u.dir.listing_block <= UINT32_MAX);
	assert(inode->u.dir.index_count <= INODE_INDEX_MAX);
	put_header(inode, extended, raw);
	if (!extended) {
		put_le32(raw + 16, block);
		put_le32(raw + 20, inode->nlink);
		put_le16(raw + 24, (uint16_t)len);
		put_le16(raw + 26, inode->u.dir.listing_offset);
		put_le32(raw + 28, inode->u.dir.parent_number);
		return buffer_append(out, raw, 32, err);
	}
	put_le32(raw + 16, inode->nlink);
	put_le32(raw + 20, len);
	put_le32(raw + 24, block);
	put_le32(raw + 28, inode->u.dir.parent_number);
	put_le16(raw + 32, (uint16_t)inode->u.dir.index_count);
	put_le16(raw + 34, inode->u.dir.listing_offset);
	put_le32(raw + 36, inode->xattr);
	if (buffer_append(out, raw, 40, err) < 0)
		return -1;
	return append_index(inode, out, err);
}

static int append_words(const struct inode *inode, struct buffer *out,
			struct err *err)
{
	size_t count = inode->u.file.word_count, len;

	if (!mul_size(count, 4, &len))
		return err_nomem(err);
	if (buffer_reserve(out, len, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		put_le32(out->data + out->len + 4 * i, inode->u.file.words[i]);
	out->len += len;
	return 0;
}

static int encode_file(const struct inode *inode, struct buffer *out,
		       struct err *err)
{
	uint64_t start = inode->u.file.start;
	uint64_t size = inode->u.file.size;
	bool extended = inode->xattr != INODE_NO_XATTR || inode->nlink != 1 ||
			start > UINT32_MAX || size > UINT32_MAX ||
			inode->u.file.sparse > 0;
	uint8_t raw[FIXED_MAX];
	size_t len;

	put_header(inode, extended, raw);
	if (!extended) {
		put_le32(raw + 16, (uint32_t)start);
		put_le32(raw + 20, inode->u.file.fragment);
		put_le32(raw + 24, inode->u.file.fragment_offset);
		put_le32(raw + 28, (uint32_t)size);
		len = 32;
	} else {
		put_le64(raw + 16, start);
		put_le64(raw + 24, size);
		put_le64(raw + 32, inode->u.file.sparse);
		put_le32(raw + 40, inode->nlink);
		put_le32(raw + 44, inode->u.file.fragment);
		put_le32(raw + 48, inode->u.file.fragment_offset);
		put_le32(raw + 52, inode->xattr);
		len = 56;
	}
	if (buffer_append(out, raw, len, err) < 0)
		return -1;
	return append_words(inode, out, err);
}

/* Ends a form whose extended variant is an xattr index at the end. */
static int append_xattr(const struct inode *inode, struct buffer *out,
			struct err *err)
{
	uint8_t raw[4];

	if (inode->xattr == INODE_NO_XATTR)
		return 0;
	put_le32(raw, inode->xattr);
	return buffer_append(out, raw, sizeof(raw), err);
}

static int encode_symlink(const struct inode *inode, struct buffer *out,
			  struct err *err)
{
	uint8_t raw[FIXED_MAX];

	put_header(inode, inode->xattr != INODE_NO_XATTR, raw);
	put_le32(raw + 16, inode->nlink);
	put_le32(raw + 20, inode->u.symlink.target_len);
	if (buffer_append(out, raw, 24, err) < 0 ||
	    buffer_append(out, inode->u.symlink.target,
			  inode->u.symlink.target_len, err) < 0)
		return -1;
	return append_xattr(inode, out, err);
}

static int encode_device(const struct inode *inode, struct buffer *out,
			 struct err *err)
{
	uint32_t major = inode->u.device.major, minor = inode->u.device.minor;
	uint8_t raw[FIXED_MAX];

	assert(major <= INODE_MAJOR_MAX && minor <= INODE_MINOR_MAX);
	put_header(inode, inode->xattr != INODE_NO_XATTR, raw);
	put_le32(raw + 16, inode->nlink);
	put_le32(raw + 20,
		 (minor & 0xFF) | major << 8 | (minor & 0xFFF00) << 12);
	if (buffer_append(out, raw, 24, err) < 0)
		return -1;
	return append_xattr(inode, out, err);
}

static int encode_ipc(const struct inode *inode, struct buffer *out,
		      struct err *err)
{
	uint8_t raw[FIXED_MAX];

	put_header(inode, inode->xattr != INODE_NO_XATTR, raw);
	put_le32(raw + 16, inode->nlink);
	if (buffer_append(out, raw, 20, err) < 0)
		return -1;
	return append_xattr(inode, out, err);
}

int inode_encode(const struct inode *inode, struct buffer *out, struct err *err)
{
	size_t before = out->len;
	int ret = -1;

	switch (inode->type) {
	case INODE_DIR:
		ret = encode_dir(inode, out, err);
		break;
	case INODE_FILE:
		ret = encode_file(inode, out, err);
		break;
	case INODE_SYMLINK:
		ret = encode_symlink(inode, out, err);
		break;
	case INODE_BLOCK_DEVICE:
	case INODE_CHAR_DEVICE:
		ret = encode_device(inode, out, err);
		break;
	case INODE_FIFO:
	case INODE_SOCKET:
		ret = encode_ipc(inode, out, err);
		break;
	}
	if (ret < 0)
		out->len = before;
	return ret;
}
