/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sqfs/dir.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

#include "util/err.h"
#include "util/num.h"

/*
 * Directory listings: runs of entries whose inodes lie in one metadata block
 * and whose numbers are near each other. A run is collected in memory, since
 * its header comes first and holds the count. Long listings get an index of
 * headers, about one for each metadata block, so that a look-up reads little.
 * Format: doc/squashfs.md, "Directories".
 */

#define HEADER_LEN 12
#define ENTRY_LEN  8   /* without the name */
#define RUN_MAX	   256 /* entries of a run */

void dir_begin(struct dir_writer *dir, struct meta_writer *meta)
{
	dir->meta = meta;
	dir->start = meta_writer_position(meta);
	dir->len = 0;
	dir->index_count = 0;
	dir->run.len = 0;
	dir->run_count = 0;
	dir->last_index_at = 0;
}

/* Writes the run, if there is one. */
static int end_run(struct dir_writer *dir, struct err *err)
{
	if (dir->run_count == 0)
		return 0;
	put_le32(dir->run.data, dir->run_count - 1);
	put_le32(dir->run.data + 4, (uint32_t)dir->run_block);
	put_le32(dir->run.data + 8, dir->run_base);
	if (meta_writer_append(dir->meta, dir->run.data, dir->run.len, err) < 0)
		return -1;
	dir->len += (uint32_t)dir->run.len;
	dir->run.len = 0;
	dir->run_count = 0;
	return 0;
}

/* Opens a run at dir->len; its header is filled in when it ends. */
static int begin_run(struct dir_writer *dir, uint64_t block, uint32_t number,
		     struct err *err)
{
	static const uint8_t header[HEADER_LEN];

	dir->run_block = block;
	dir->run_base = number;
	return buffer_append(&dir->run, header, sizeof(header), err);
}

static bool fits_run(const struct dir_writer *dir, uint64_t block,
		     uint32_t number)
{
	int64_t delta = (int64_t)number - dir->run_base;

	return dir->run_count > 0 && dir->run_count < RUN_MAX &&
	       dir->run_block == block && delta >= INT16_MIN &&
	       delta <= INT16_MAX;
}

/* An index point at the header that comes next, dir->len. */
static int add_point(struct dir_writer *dir, const char *name,
		     uint16_t name_len, struct err *err)
{
	if (array_reserve(&dir->index, &dir->index_cap, dir->index_count + 1,
			  sizeof(*dir->index), err) < 0)
		return -1;
	dir->index[dir->index_count++] = (struct dir_index) {
		.index = dir->len,
		.block = (uint32_t)meta_writer_position(dir->meta).block,
		.name = name,
		.name_len = name_len,
	};
	dir->last_index_at = dir->len;
	return 0;
}

/* Makes sure that there is a run for the inode to go into. */
static int prepare_run(struct dir_writer *dir, const char *name,
		       uint16_t name_len, struct meta_ref ref, uint32_t number,
		       struct err *err)
{
	uint64_t end = (uint64_t)dir->len + dir->run.len + ENTRY_LEN + name_len;
	bool fits = fits_run(dir, ref.block, number);
	bool far;

	if (!fits)
		end += HEADER_LEN;
	far = end > (uint64_t)dir->last_index_at + META_LEN;
	if (far && fits)
		end += HEADER_LEN;
	if (end > DIR_LISTING_MAX)
		return err_set(err, ERR_LIMIT,
			       "directory listing is longer than %u bytes",
			       DIR_LISTING_MAX);
	if (fits && !far)
		return 0;
	if (end_run(dir, err) < 0 ||
	    (far && add_point(dir, name, name_len, err) < 0))
		return -1;
	return begin_run(dir, ref.block, number, err);
}

int dir_add(struct dir_writer *dir, const char *name, uint16_t name_len,
	    struct meta_ref ref, uint32_t number, enum inode_type type,
	    struct err *err)
{
	uint8_t entry[ENTRY_LEN];

	assert(name_len >= 1 && name_len <= DIR_NAME_MAX);
	assert(ref.block <= UINT32_MAX && ref.offset < META_LEN);
	if (prepare_run(dir, name, name_len, ref, number, err) < 0)
		return -1;
	put_le16(entry, ref.offset);
	put_le16(entry + 2, (uint16_t)(number - dir->run_base));
	put_le16(entry + 4, (uint16_t)type);
	put_le16(entry + 6, (uint16_t)(name_len - 1));
	if (buffer_append(&dir->run, entry, sizeof(entry), err) < 0 ||
	    buffer_append(&dir->run, name, name_len, err) < 0)
		return -1;
	dir->run_count++;
	return 0;
}

/* The inode has 16 bits for the count: keeps every second, third, ... point. */
static void thin_out(struct dir_writer *dir)
{
	size_t step =
		(dir->index_count + INODE_INDEX_MAX - 1) / INODE_INDEX_MAX;
	size_t kept = 0;

	if (step < 2)
		return;
	for (size_t i = step - 1; i < dir->index_count; i += step)
		dir->index[kept++] = dir->index[i];
	dir->index_count = kept;
}

int dir_end(struct dir_writer *dir, struct err *err)
{
	if (end_run(dir, err) < 0)
		return -1;
	thin_out(dir);
	if (dir->len == 0)
		dir->start = (struct meta_ref) { 0 };
	return 0;
}

void dir_writer_cleanup(struct dir_writer *dir)
{
	free(dir->index);
	buffer_cleanup(&dir->run);
	*dir = (struct dir_writer) { 0 };
}
