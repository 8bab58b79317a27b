/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "tar/sink.h"

/*
 * The archive sink. Workers have nothing to do here but read: content goes from
 * their buffers to the output. Format: doc/tar.md, "Writing".
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "entry/entry.h"
#include "flow/block.h"
#include "header.h"
#include "io/writer.h"
#include "sink_state.h"
#include "util/err.h"
#include "util/warn.h"

int tar_sink_put(struct tar_sink *s, const void *data, size_t len,
		 struct err *err)
{
	s->stats.bytes += len;
	return writer_write(s->writer, data, len, err);
}

int tar_sink_pad(struct tar_sink *s, uint64_t len, struct err *err)
{
	static const uint8_t zeros[TAR_BLOCK];

	return tar_sink_put(s, zeros, (size_t)(-len % TAR_BLOCK), err);
}

static struct digest digest_of(const struct tar_sink *s, const char *path)
{
	struct digest digest;

	hash128(&s->key, path, strlen(path), &digest);
	return digest;
}

/* True if a hard link names a socket, which was left out. */
static bool is_link_to_socket(const struct tar_sink *s,
			      const struct entry *entry)
{
	struct digest digest;

	if (entry->type != ENTRY_HARDLINK || s->sockets.count == 0)
		return false;
	digest = digest_of(s, entry->link);
	return digest_map_find(&s->sockets, &digest);
}

/* Remembers a socket's path for hard links to come. */
static int note_socket(struct tar_sink *s, const char *path, struct err *err)
{
	struct digest digest;

	if (s->sockets.count == 0 && hash_key_draw(&s->key, err) < 0)
		return -1;
	digest = digest_of(s, path);
	if (digest_map_find(&s->sockets, &digest))
		return 0;
	return digest_map_add(&s->sockets, &digest, 0, err);
}

static int skip_socket(struct tar_sink *s, const struct entry *entry,
		       struct err *err)
{
	char name[NAME_TEXT_LEN];

	if (note_socket(s, entry->path, err) < 0)
		return -1;
	s->stats.skipped++;
	return warn(s->options.warner, WARN_SOCKET, err,
		    "%s: left out: an archive has no place for sockets",
		    name_text(entry->path, strlen(entry->path), name));
}

static int sink_begin(struct sink *sink, const struct entry *entry,
		      struct err *err)
{
	struct tar_sink *s = (struct tar_sink *)sink;
	uint64_t unit = s->options.sparse;

	s->segment = 0;
	s->offset = 0;
	s->stored = 0;
	s->map.count = 0;
	s->map.data_len = 0;
	s->drops = true;
	if (entry->type == ENTRY_SOCKET || is_link_to_socket(s, entry))
		return skip_socket(s, entry, err);
	if (!*entry->path && s->options.no_root)
		return 0;
	s->drops = entry->type != ENTRY_FILE;
	if (s->options.format == TAR_FORMAT_USTAR)
		unit = 0;
	if (!s->drops && sink_map_make(&s->map, entry, unit, err) < 0)
		return -1;
	s->stats.entries++;
	return tar_sink_put_heads(s, entry, err);
}

/* Writes len bytes of a piece, from skip on. */
static int put_content(struct tar_sink *s, const struct block *b,
		       const struct piece *piece, uint64_t skip, uint64_t len,
		       struct err *err)
{
	s->stored += len;
	s->stats.bytes += len;
	if (piece->is_hole)
		return writer_zeros(s->writer, len, err);
	if (piece->is_plain)
		return writer_copy(s->writer, piece->plain_fd,
				   piece->plain_at + skip, len, err);
	return writer_write(s->writer, b->data + piece->at + skip, (size_t)len,
			    err);
}

/*
 * Writes what the map has of a piece. What it leaves out is holes, whether they
 * come as such or as zeros.
 */
static int put_mapped(struct tar_sink *s, const struct block *b,
		      const struct piece *piece, struct err *err)
{
	const uint64_t begin = piece->offset, end = begin + piece->len;

	for (; s->segment < s->map.count; s->segment++) {
		const struct segment *segment = &s->map.items[s->segment];
		uint64_t from = segment->offset, to = from + segment->len;

		if (from < begin)
			from = begin;
		if (to > end)
			to = end;
		if (from < to &&
		    put_content(s, b, piece, from - begin, to - from, err) < 0)
			return -1;
		if (segment->offset + segment->len > end)
			break;
	}
	return 0;
}

/* The header has been written: what follows is as long as it says, or there is
 * no archive. */
static int check_len(const struct tar_sink *s, const struct entry *entry,
		     uint64_t len, struct err *err)
{
	if (len <= entry->size && s->stored <= s->map.data_len)
		return 0;
	return err_set(err, ERR_CORRUPT,
		       "more content came than the %" PRIu64
		       " bytes that were announced",
		       entry->size);
}

static int sink_take(struct sink *sink, struct block *b, struct piece *piece,
		     bool *keep, struct err *err)
{
	struct tar_sink *s = (struct tar_sink *)sink;

	(void)keep;
	if (s->drops)
		return 0;
	s->offset += piece->len;
	if (check_len(s, piece->entry, s->offset, err) < 0)
		return -1;
	if (s->map.count > 0)
		return put_mapped(s, b, piece, err);
	return put_content(s, b, piece, 0, piece->len, err);
}

static int sink_end(struct sink *sink, const struct entry *entry,
		    struct err *err)
{
	struct tar_sink *s = (struct tar_sink *)sink;

	if (s->drops)
		return 0;
	if (s->offset != entry->size || s->stored != s->map.data_len)
		return err_set(err, ERR_CORRUPT,
			       "content of %" PRIu64 " bytes came, %" PRIu64
			       " were announced",
			       s->offset, entry->size);
	return tar_sink_pad(s, s->stored, err);
}

static int sink_finish(struct sink *sink, struct err *err)
{
	static const uint8_t zeros[2 * TAR_BLOCK];

	return tar_sink_put((struct tar_sink *)sink, zeros, sizeof(zeros), err);
}

static void destroy(struct sink *sink)
{
	struct tar_sink *s = (struct tar_sink *)sink;

	sink_map_cleanup(&s->map);
	digest_map_cleanup(&s->sockets);
	buffer_cleanup(&s->name);
	buffer_cleanup(&s->link);
	buffer_cleanup(&s->body);
	buffer_cleanup(&s->map_text);
	free(s);
}

static const struct sink_ops tar_sink_ops = {
	.begin = sink_begin,
	.take = sink_take,
	.end = sink_end,
	.finish = sink_finish,
	.destroy = destroy,
};

/*
 * GNU tar begins the content of each segment at a block, others where the one
 * before ended: of segments that are whole blocks that is the same.
 */
static uint64_t round_unit(uint64_t unit)
{
	if (unit > INT64_MAX)
		return 0; /* no file has such a hole */
	return (unit + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK;
}

int tar_sink_create(struct writer *writer,
		    const struct tar_sink_options *options, struct sink **out,
		    struct err *err)
{
	struct tar_sink *s = calloc(1, sizeof(*s));

	if (!s)
		return err_nomem(err);
	s->options = *options;
	s->options.sparse = round_unit(options->sparse);
	s->writer = writer;
	s->sink.ops = &tar_sink_ops;
	s->sink.cut = (struct sink_cut) {
		.block_size = options->block_size,
		.tail_ends = true, /* small files share their jobs */
		.long_tail_ends = true,
		.holes = true, /* zeros need no worker to make them */
		.plain = true,
	};
	*out = &s->sink;
	return 0;
}

const struct tar_sink_stats *tar_sink_stats(const struct sink *sink)
{
	return &((const struct tar_sink *)sink)->stats;
}
