/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "image_state.h"

/*
 * Inodes out of the inode table. Lists grow as their bytes are found, so that a
 * length that lies costs nothing. Format: doc/squashfs.md, "Inodes".
 */
#include <inttypes.h>
#include <string.h>

#include "util/err.h"
#include "util/num.h"

#define HEADER_LEN  16
#define FIXED_MAX   40 /* of the longest, without the header */
#define EXTENDED    7  /* what is added to the basic type */
#define NOT_LISTING 3  /* the size of a directory counts so much more */
#define INDEX_HEAD  12

/* The record being decoded. */
struct record {
	struct image *image;
	struct meta_ref at; /* of the next byte */
	struct inode *out;
	struct inode_space *space;
	uint8_t raw[FIXED_MAX];
};

static int get(struct record *r, void *buf, size_t len, struct err *err)
{
	return meta_get(r->image, &r->image->inodes, &r->at, buf, len, err);
}

static int append(struct record *r, struct buffer *out, uint64_t len,
		  struct err *err)
{
	return meta_append(r->image, &r->image->inodes, &r->at, out, len, err);
}

/* The points of an index; their names lie one behind the other in text. */
static int decode_index(struct record *r, uint32_t count, struct err *err)
{
	struct inode_space *space = r->space;
	struct dir_index *points;
	size_t at = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint8_t head[INDEX_HEAD];
		struct dir_index point = { 0 };
		uint32_t name_len;

		if (get(r, head, sizeof(head), err) < 0)
			return -1;
		name_len = get_le32(head + 8);
		if (name_len >= 256)
			return err_set(err, ERR_CORRUPT,
				       "point %" PRIu32
				       " of the directory index has a "
				       "name of %" PRIu32 " bytes + 1",
				       i, name_len);
		point.index = get_le32(head);
		point.block = get_le32(head + 4);
		point.name_len = (uint16_t)(name_len + 1);
		if (append(r, &space->text, point.name_len, err) < 0 ||
		    buffer_append(&space->index, &point, sizeof(point), err) <
			    0)
			return -1;
	}
	points = (struct dir_index *)(void *)space->index.data;
	for (uint32_t i = 0; i < count; i++) {
		points[i].name = (const char *)space->text.data + at;
		at += points[i].name_len;
	}
	r->out->u.dir.index = points;
	r->out->u.dir.index_count = count;
	return 0;
}

static int decode_dir(struct record *r, struct err *err)
{
	struct inode *out = r->out;
	uint8_t *raw = r->raw;
	uint32_t size, index_count = 0;

	if (!out->is_extended) {
		if (get(r, raw, 16, err) < 0)
			return -1;
		out->u.dir.listing_block = get_le32(raw);
		out->nlink = get_le32(raw + 4);
		size = get_le16(raw + 8);
		out->u.dir.listing_offset = get_le16(raw + 10);
		out->u.dir.parent_number = get_le32(raw + 12);
	} else {
		if (get(r, raw, 24, err) < 0)
			return -1;
		out->nlink = get_le32(raw);
		size = get_le32(raw + 4);
		out->u.dir.listing_block = get_le32(raw + 8);
		out->u.dir.parent_number = get_le32(raw + 12);
		index_count = get_le16(raw + 16);
		out->u.dir.listing_offset = get_le16(raw + 18);
		out->xattr = get_le32(raw + 20);
	}
	out->u.dir.listing_len = size > NOT_LISTING ? size - NOT_LISTING : 0;
	return r->space->with_index ? decode_index(r, index_count, err) : 0;
}

/* The stored length of a block must be possible. */
static int check_words(const struct record *r, struct err *err)
{
	const struct inode *out = r->out;
	uint32_t block_size = r->image->super.block_size;

	for (size_t i = 0; i < out->u.file.word_count; i++) {
		uint32_t word = out->u.file.words[i];

		if ((word & ~(BLOCK_WORD_RAW | 0xFFFFFFu)) != 0 ||
		    BLOCK_WORD_LEN(word) > block_size ||
		    word == BLOCK_WORD_RAW)
			return err_set(err, ERR_CORRUPT,
				       "block %zu: length word is 0x%08" PRIx32,
				       i, word);
	}
	return 0;
}

/* Words are stored little endian; on most machines that is as they stay. */
static void words_to_host(uint32_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		words[i] = get_le32((const uint8_t *)&words[i]);
}

static int decode_words(struct record *r, struct err *err)
{
	struct inode *out = r->out;
	uint32_t block_size = r->image->super.block_size;
	uint64_t size = out->u.file.size, count = size / block_size;

	if (size > INT64_MAX)
		return err_set(err, ERR_CORRUPT,
			       "the file has %" PRIu64 " bytes", size);
	if (out->u.file.fragment == INODE_NO_FRAGMENT)
		count += size % block_size != 0;
	else if (size % block_size == 0)
		return err_set(err, ERR_CORRUPT,
			       "a tail-end in fragment block %" PRIu32
			       ", but none is left of %" PRIu64 " bytes",
			       out->u.file.fragment, size);
	if (append(r, &r->space->words, count * sizeof(uint32_t), err) < 0)
		return err_in(err, "%" PRIu64 " block words", count);
	out->u.file.words = (const uint32_t *)(void *)r->space->words.data;
	out->u.file.word_count = (size_t)count;
	words_to_host((uint32_t *)(void *)r->space->words.data, (size_t)count);
	return check_words(r, err);
}

static int decode_file(struct record *r, struct err *err)
{
	struct inode *out = r->out;
	uint8_t *raw = r->raw;

	if (!out->is_extended) {
		if (get(r, raw, 16, err) < 0)
			return -1;
		out->nlink = 1;
		out->u.file.start = get_le32(raw);
		out->u.file.fragment = get_le32(raw + 4);
		out->u.file.fragment_offset = get_le32(raw + 8);
		out->u.file.size = get_le32(raw + 12);
	} else {
		if (get(r, raw, 40, err) < 0)
			return -1;
		out->u.file.start = get_le64(raw);
		out->u.file.size = get_le64(raw + 8);
		out->u.file.sparse = get_le64(raw + 16);
		out->nlink = get_le32(raw + 24);
		out->u.file.fragment = get_le32(raw + 28);
		out->u.file.fragment_offset = get_le32(raw + 32);
		out->xattr = get_le32(raw + 36);
	}
	return decode_words(r, err);
}

static int decode_symlink(struct record *r, struct err *err)
{
	struct inode *out = r->out;
	struct buffer *text = &r->space->text;
	uint32_t len;

	if (get(r, r->raw, 8, err) < 0)
		return -1;
	out->nlink = get_le32(r->raw);
	len = get_le32(r->raw + 4);
	if (len == 0 || len > IMAGE_TARGET_MAX)
		return err_set(err, ERR_CORRUPT,
			       "the symlink's target has %" PRIu32
			       " bytes, not 1 to %u",
			       len, IMAGE_TARGET_MAX);
	if (append(r, text, len, err) < 0 ||
	    buffer_append(text, "", 1, err) < 0)
		return -1;
	if (memchr(text->data, '\0', len))
		return err_set(err, ERR_CORRUPT,
			       "the symlink's target has a NUL in it");
	out->u.symlink.target = (const char *)text->data;
	out->u.symlink.target_len = len;
	if (out->is_extended) {
		if (get(r, r->raw, 4, err) < 0)
			return -1;
		out->xattr = get_le32(r->raw);
	}
	return 0;
}

/* Devices, fifos and sockets. */
static int decode_special(struct record *r, bool is_device, struct err *err)
{
	struct inode *out = r->out;
	size_t len = 4 + (is_device ? 4 : 0);
	uint32_t device;

	if (get(r, r->raw, len + (out->is_extended ? 4 : 0), err) < 0)
		return -1;
	out->nlink = get_le32(r->raw);
	if (is_device) {
		device = get_le32(r->raw + 4);
		out->u.device.major = device >> 8 & 0xFFF;
		out->u.device.minor = (device & 0xFF) |
				      (device >> 12 & 0xFFF00);
	}
	if (out->is_extended)
		out->xattr = get_le32(r->raw + len);
	return 0;
}

static int decode_header(struct record *r, struct err *err)
{
	struct inode *out = r->out;
	uint8_t *raw = r->raw;
	unsigned type;

	if (get(r, raw, HEADER_LEN, err) < 0)
		return -1;
	type = get_le16(raw);
	if (type < INODE_DIR || type > INODE_SOCKET + EXTENDED)
		return err_set(err, ERR_CORRUPT, "its type is %u", type);
	*out = (struct inode){ .xattr = INODE_NO_XATTR };
	out->is_extended = type > INODE_SOCKET;
	out->type = (enum inode_type)(out->is_extended ? type - EXTENDED
						       : type);
	out->mode = get_le16(raw + 2) & 07777;
	out->uid_index = get_le16(raw + 4);
	out->gid_index = get_le16(raw + 6);
	out->mtime = get_le32(raw + 8);
	out->number = get_le32(raw + 12);
	if (out->number == 0)
		return err_set(err, ERR_CORRUPT, "its number is 0");
	return 0;
}

static int decode(struct record *r, struct err *err)
{
	if (decode_header(r, err) < 0)
		return -1;
	switch (r->out->type) {
	case INODE_DIR:
		return decode_dir(r, err);
	case INODE_FILE:
		return decode_file(r, err);
	case INODE_SYMLINK:
		return decode_symlink(r, err);
	case INODE_BLOCK_DEVICE:
	case INODE_CHAR_DEVICE:
		return decode_special(r, true, err);
	case INODE_FIFO:
	case INODE_SOCKET:
		return decode_special(r, false, err);
	}
	return 0;
}

int inode_decode(struct image *image, struct meta_ref ref, struct inode *out,
		 struct inode_space *space, struct meta_ref *next,
		 struct err *err)
{
	struct record r = {
		.image = image, .at = ref, .out = out, .space = space
	};

	space->words.len = 0;
	space->text.len = 0;
	space->index.len = 0;
	if (ref.offset >= META_LEN)
		err_set(err, ERR_CORRUPT, "that is no place in a block");
	else if (decode(&r, err) == 0) {
		if (next)
			*next = r.at;
		return 0;
	}
	return err_in(err, "inode at %" PRIu64 ":%u", ref.block, ref.offset);
}

void inode_space_cleanup(struct inode_space *space)
{
	buffer_cleanup(&space->words);
	buffer_cleanup(&space->text);
	buffer_cleanup(&space->index);
}
