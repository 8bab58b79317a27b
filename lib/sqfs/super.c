/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sqfs/super.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>

#include "codec/codec.h"
#include "sqfs/meta.h"
#include "util/err.h"
#include "util/num.h"

/*
 * The super block. What other parts of an image rely on is checked here once:
 * block size, versions, and that the tables lie inside the image in the order
 * that the format demands. Format: doc/squashfs.md, "Super block".
 */

#define MAGIC_SWAPPED  0x68737173u /* big endian, before version 4 */
#define MAGIC_STREAMED 0x53515348u /* super block at the end of the file */
#define VERSION_MAJOR  4
#define VERSION_MINOR  0
#define FLAG_CHECK     0x0004u /* of version 3: an extra byte per header */

static uint16_t block_log(uint32_t block_size)
{
	uint16_t log = 0;

	while (log < 31 && UINT32_C(1) << log < block_size)
		log++;
	return log;
}

void super_encode(const struct super *super, uint8_t out[SUPER_LEN])
{
	put_le32(out + 0, SUPER_MAGIC);
	put_le32(out + 4, super->inode_count);
	put_le32(out + 8, super->mkfs_time);
	put_le32(out + 12, super->block_size);
	put_le32(out + 16, super->fragment_count);
	put_le16(out + 20, super->compression_id);
	put_le16(out + 22, block_log(super->block_size));
	put_le16(out + 24, super->flags);
	put_le16(out + 26, super->id_count);
	put_le16(out + 28, VERSION_MAJOR);
	put_le16(out + 30, VERSION_MINOR);
	put_le64(out + 32, super->root_inode);
	put_le64(out + 40, super->bytes_used);
	put_le64(out + 48, super->id_table);
	put_le64(out + 56, super->xattr_table);
	put_le64(out + 64, super->inode_table);
	put_le64(out + 72, super->directory_table);
	put_le64(out + 80, super->fragment_table);
	put_le64(out + 88, super->export_table);
}

static int check_kind(const uint8_t raw[SUPER_LEN], struct err *err)
{
	uint32_t magic = get_le32(raw);
	unsigned major = get_le16(raw + 28), minor = get_le16(raw + 30);

	if (magic == MAGIC_SWAPPED)
		return err_set(err, ERR_UNSUPPORTED,
			       "super block: big-endian image, older than "
			       "version 4");
	if (magic == MAGIC_STREAMED)
		return err_set(err, ERR_UNSUPPORTED,
			       "super block: streamed SquashFS image, super "
			       "block at the end");
	if (magic != SUPER_MAGIC)
		return err_set(err, ERR_CORRUPT,
			       "super block: magic is 0x%08" PRIx32
			       ": not a SquashFS image",
			       magic);
	if (major != VERSION_MAJOR || minor != VERSION_MINOR)
		return err_set(err, ERR_UNSUPPORTED,
			       "super block: version is %u.%u, only 4.0 can "
			       "be read",
			       major, minor);
	return 0;
}

static int check_sizes(const struct super *super, uint16_t log, struct err *err)
{
	uint32_t size = super->block_size;

	if (size < BLOCK_SIZE_MIN || size > BLOCK_SIZE_MAX ||
	    (size & (size - 1)) != 0)
		return err_set(err, ERR_CORRUPT,
			       "super block: block size is %" PRIu32
			       ", no power of two from %u to %u",
			       size, BLOCK_SIZE_MIN, BLOCK_SIZE_MAX);
	if (block_log(size) != log)
		return err_set(err, ERR_CORRUPT,
			       "super block: block log is %u, block size "
			       "%" PRIu32,
			       log, size);
	return 0;
}

static int check_counts(const struct super *super, struct err *err)
{
	if (super->inode_count == 0)
		return err_set(err, ERR_CORRUPT,
			       "super block: inode count is 0");
	if (super->id_count == 0)
		return err_set(err, ERR_CORRUPT, "super block: id count is 0");
	if (super->flags & FLAG_CHECK)
		return err_set(err, ERR_CORRUPT,
			       "super block: flags are 0x%04x, 0x%04x must "
			       "not be set",
			       super->flags, FLAG_CHECK);
	if (super->compression_id < CODEC_GZIP ||
	    super->compression_id > CODEC_ZSTD)
		return err_set(err, ERR_UNSUPPORTED,
			       "super block: compressor %u is unknown",
			       super->compression_id);
	return 0;
}

static int check_root(const struct super *super, struct err *err)
{
	uint64_t block = super->root_inode >> 16;
	unsigned offset = super->root_inode & 0xFFFF;

	if (offset >= META_LEN)
		return err_set(err, ERR_CORRUPT,
			       "super block: root inode at offset %u of a "
			       "metadata block",
			       offset);
	if (block >= super->directory_table - super->inode_table)
		return err_set(err, ERR_CORRUPT,
			       "super block: root inode at %" PRIu64
			       ", past the inode table",
			       block);
	return 0;
}

struct place {
	const char *name;
	uint64_t at;
	bool is_there;
};

/*
 * The tables that are there ascend. The first two and the last must be; only
 * the directory table may be empty and share its position with the next.
 */
static int check_tables(const struct super *super, struct err *err)
{
	const struct place places[] = {
		{ "inode table", super->inode_table, true },
		{ "directory table", super->directory_table, true },
		{ "fragment table", super->fragment_table,
		  super->fragment_count > 0 },
		{ "export table", super->export_table,
		  super->export_table != SUPER_NONE },
		{ "id table", super->id_table, true },
		{ "xattr table", super->xattr_table,
		  super->xattr_table != SUPER_NONE },
	};
	const struct place *before = NULL;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		const struct place *place = &places[i];

		if (!place->is_there)
			continue;
		if (place->at < SUPER_LEN || place->at >= super->bytes_used)
			return err_set(err, ERR_CORRUPT,
				       "super block: %s is at %" PRIu64
				       ", outside of bytes %u to %" PRIu64,
				       place->name, place->at, SUPER_LEN,
				       super->bytes_used);
		if (before &&
		    (place->at < before->at ||
		     (place->at == before->at && before != &places[1])))
			return err_set(err, ERR_CORRUPT,
				       "super block: %s is at %" PRIu64
				       ", not behind the %s at %" PRIu64,
				       place->name, place->at, before->name,
				       before->at);
		before = place;
	}
	return 0;
}

static void decode(const uint8_t raw[SUPER_LEN], struct super *out)
{
	out->inode_count = get_le32(raw + 4);
	out->mkfs_time = get_le32(raw + 8);
	out->block_size = get_le32(raw + 12);
	out->fragment_count = get_le32(raw + 16);
	out->compression_id = get_le16(raw + 20);
	out->flags = get_le16(raw + 24);
	out->id_count = get_le16(raw + 26);
	out->root_inode = get_le64(raw + 32);
	out->bytes_used = get_le64(raw + 40);
	out->id_table = get_le64(raw + 48);
	out->xattr_table = get_le64(raw + 56);
	out->inode_table = get_le64(raw + 64);
	out->directory_table = get_le64(raw + 72);
	out->fragment_table = get_le64(raw + 80);
	out->export_table = get_le64(raw + 88);
}

int super_decode(const uint8_t raw[SUPER_LEN], uint64_t image_len,
		 struct super *out, struct err *err)
{
	struct super super;

	if (check_kind(raw, err) < 0)
		return -1;
	decode(raw, &super);
	if (check_sizes(&super, get_le16(raw + 22), err) < 0 ||
	    check_counts(&super, err) < 0)
		return -1;
	if (super.bytes_used < SUPER_LEN || super.bytes_used > image_len)
		return err_set(err, ERR_CORRUPT,
			       "super block: %" PRIu64 " bytes are used, the "
			       "image has %" PRIu64,
			       super.bytes_used, image_len);
	if (check_tables(&super, err) < 0 || check_root(&super, err) < 0)
		return -1;
	*out = super;
	return 0;
}
