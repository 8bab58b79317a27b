/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sqfs/image.h"

/*
 * An open image: where its tables are, its ids, and reading at a position.
 * Format: doc/squashfs.md.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "codec/codec.h"
#include "image_state.h"
#include "io/fd.h"
#include "util/err.h"
#include "util/num.h"

#define STREAMED_MAGIC 0x53515348u /* the super block is at the end */
#define FIND_WINDOW    (1u << 20)

int image_read(const struct image *image, uint64_t at, void *buf, size_t len,
	       struct err *err)
{
	uint64_t end = image->super.bytes_used;
	size_t got;

	if (at > end || len > end - at)
		return err_set(err, ERR_CORRUPT,
			       "%zu bytes at byte %" PRIu64
			       " run past the end of the image at %" PRIu64,
			       len, at, end);
	if (fd_read_at(image->fd, image->offset + at, buf, len, &got, err) < 0)
		return err_in(err, "byte %" PRIu64, at);
	if (got < len)
		return err_set(err, ERR_CORRUPT,
			       "byte %" PRIu64 ": the file ends here",
			       at + got);
	return 0;
}

static int file_len(int fd, uint64_t *len, struct err *err)
{
	off_t end = lseek(fd, 0, SEEK_END);

	if (end < 0)
		return err_sys(err, "cannot tell its length");
	*len = (uint64_t)end;
	return 0;
}

/* Reads the super block that stands at a place of the file. */
static int read_super_at(int fd, uint64_t at, uint64_t image_len,
			 struct super *out, struct err *err)
{
	uint8_t raw[SUPER_LEN];
	size_t got;

	if (fd_read_at(fd, at, raw, sizeof(raw), &got, err) < 0)
		return -1;
	if (got < sizeof(raw))
		return err_set(err, ERR_CORRUPT,
			       "super block: the file ends after %zu of %u "
			       "bytes: not a SquashFS image",
			       got, SUPER_LEN);
	return super_decode(raw, image_len, out, err);
}

/*
 * A streamed image begins with a magic of its own, and has its super block in
 * the last bytes of the file.
 */
static int read_super(int fd, uint64_t offset, struct super *out,
		      struct err *err)
{
	uint8_t magic[4];
	uint64_t len = 0;
	size_t got;

	if (file_len(fd, &len, err) < 0)
		return -1;
	len = len > offset ? len - offset : 0;
	if (fd_read_at(fd, offset, magic, sizeof(magic), &got, err) < 0)
		return -1;
	if (got == sizeof(magic) && get_le32(magic) == STREAMED_MAGIC &&
	    len >= 2 * SUPER_LEN)
		return read_super_at(fd, offset + len - SUPER_LEN,
				     len - SUPER_LEN, out, err);
	return read_super_at(fd, offset, len, out, err);
}

static uint64_t first_known(uint64_t a, uint64_t b)
{
	return a != SUPER_NONE ? a : b;
}

/* Where everything is, as the super block says. */
static void place_tables(struct image *image)
{
	const struct super *s = &image->super;
	uint64_t fragments = s->fragment_count > 0 ? s->fragment_table
						   : SUPER_NONE;

	image->inodes.name = "inode table";
	image->inodes.start = s->inode_table;
	image->inodes.end = s->directory_table;
	image->directories.name = "directory table";
	image->directories.start = s->directory_table;
	image->directories.end = first_known(
		fragments, first_known(s->export_table, s->id_table));
	image->id_table = (struct lookup){ .name = "id table",
					   .index = s->id_table,
					   .entry_len = 4,
					   .count = s->id_count };
	image->fragment_table = (struct lookup){ .name = "fragment table",
						 .index = s->fragment_table,
						 .entry_len = 16,
						 .count = s->fragment_count };
	image->export_table = (struct lookup){ .name = "export table",
					       .index = s->export_table,
					       .entry_len = 8,
					       .count = s->inode_count };
}

static int load_ids(struct image *image, struct err *err)
{
	uint8_t raw[4];

	if (lookup_check(image, &image->id_table, err) < 0)
		return -1;
	image->ids = malloc(image->super.id_count * sizeof(*image->ids));
	if (!image->ids)
		return err_nomem(err);
	for (uint32_t i = 0; i < image->super.id_count; i++) {
		if (lookup_get(image, &image->id_table, i, raw, err) < 0)
			return -1;
		image->ids[i] = get_le32(raw);
	}
	return 0;
}

static int set_codec(struct image *image, const struct codec_ops *const *more,
		     struct err *err)
{
	unsigned id = image->super.compression_id;
	struct codec_config cfg = { .block_size = image->super.block_size };

	image->ops = codec_by_id(more, id);
	if (!image->ops)
		return err_set(err, ERR_UNSUPPORTED,
			       "compressor %s is not built in",
			       codec_id_name(id));
	image->ops->config_default(&cfg);
	return image->ops->create(&cfg, &image->codec, err);
}

int image_open(int fd, const struct image_options *options, struct image **out,
	       struct err *err)
{
	struct image *image = calloc(1, sizeof(*image));
	int ret = -1;

	if (!image)
		return err_nomem(err);
	image->fd = fd;
	image->offset = options->offset;
	if (read_super(fd, options->offset, &image->super, err) < 0)
		goto out;
	image->slots = calloc(META_SLOTS, sizeof(*image->slots));
	image->raw = malloc(META_LEN + 2);
	if (!image->slots || !image->raw) {
		err_nomem(err);
		goto out;
	}
	if (set_codec(image, options->codecs, err) < 0)
		goto out;
	place_tables(image);
	if (load_ids(image, err) < 0)
		goto out;
	*out = image;
	image = NULL;
	ret = 0;
out:
	image_close(image);
	return ret;
}

void image_close(struct image *image)
{
	if (!image)
		return;
	codec_destroy(image->codec);
	buffer_cleanup(&image->name);
	buffer_cleanup(&image->value);
	free(image->slots);
	free(image->raw);
	free(image->ids);
	free(image);
}

/* True if what stands at a place of the file is the begin of an image. */
static bool is_image_at(int fd, uint64_t at, uint64_t len)
{
	struct super super;

	return read_super_at(fd, at, len - at, &super, NULL) == 0;
}

int image_find(int fd, uint64_t *offset, struct err *err)
{
	static const uint8_t magic[4] = { 'h', 's', 'q', 's' };
	uint8_t *window = malloc(FIND_WINDOW);
	uint64_t at = 0, len = 0;
	int ret = -1;

	if (!window)
		return err_nomem(err);
	if (file_len(fd, &len, err) < 0)
		goto out;
	while (len - at >= SUPER_LEN) {
		const uint8_t *p = window, *end;
		size_t got;

		if (fd_read_at(fd, at, window, FIND_WINDOW, &got, err) < 0)
			goto out;
		end = window + got;
		while ((p = memmem(p, (size_t)(end - p), magic,
				   sizeof(magic)))) {
			uint64_t here = at + (uint64_t)(p - window);

			if (is_image_at(fd, here, len)) {
				*offset = here;
				ret = 0;
				goto out;
			}
			p++;
		}
		if (got < FIND_WINDOW)
			break;
		at += FIND_WINDOW - (sizeof(magic) - 1);
	}
	err_set(err, ERR_CORRUPT, "there is no SquashFS image in it");
out:
	free(window);
	return ret;
}

const struct super *image_super(const struct image *image)
{
	return &image->super;
}

const struct codec_ops *image_codec(const struct image *image)
{
	return image->ops;
}

int image_fd(const struct image *image)
{
	return image->fd;
}

uint64_t image_offset(const struct image *image)
{
	return image->offset;
}

int image_id(const struct image *image, uint16_t index, uint32_t *out,
	     struct err *err)
{
	if (index >= image->super.id_count)
		return err_set(err, ERR_CORRUPT,
			       "id number %u of %u is wanted", index,
			       image->super.id_count);
	*out = image->ids[index];
	return 0;
}

struct meta_ref image_root(const struct image *image)
{
	return meta_ref_unpack(image->super.root_inode);
}

int image_fragment(struct image *image, uint32_t index, struct fragment *out,
		   struct err *err)
{
	const struct super *s = &image->super;
	uint8_t raw[16];
	uint32_t len;

	if (index >= s->fragment_count)
		return err_set(err, ERR_CORRUPT,
			       "fragment block number %" PRIu32 " of %" PRIu32
			       " is wanted",
			       index, s->fragment_count);
	if (lookup_check(image, &image->fragment_table, err) < 0 ||
	    lookup_get(image, &image->fragment_table, index, raw, err) < 0)
		return -1;
	out->start = get_le64(raw);
	out->word = get_le32(raw + 8); /* raw + 12 is unused */
	len = BLOCK_WORD_LEN(out->word);
	if (len == 0 || len > s->block_size ||
	    (out->word & ~(BLOCK_WORD_RAW | 0xFFFFFFu)) != 0)
		return err_set(err, ERR_CORRUPT,
			       "fragment table: entry %" PRIu32
			       ": length word is 0x%08" PRIx32,
			       index, out->word);
	if (out->start < SUPER_LEN || out->start > s->bytes_used ||
	    len > s->bytes_used - out->start)
		return err_set(err, ERR_CORRUPT,
			       "fragment table: entry %" PRIu32
			       ": %" PRIu32 " bytes at %" PRIu64
			       " lie outside of the image",
			       index, len, out->start);
	return 0;
}

int image_export(struct image *image, uint32_t number, struct meta_ref *out,
		 struct err *err)
{
	uint8_t raw[8];

	if (number == 0 || number > image->super.inode_count)
		return err_set(err, ERR_CORRUPT,
			       "inode number %" PRIu32 " of %" PRIu32
			       " is wanted",
			       number, image->super.inode_count);
	if (lookup_check(image, &image->export_table, err) < 0 ||
	    lookup_get(image, &image->export_table, number - 1, raw, err) < 0)
		return -1;
	*out = meta_ref_unpack(get_le64(raw));
	return 0;
}
