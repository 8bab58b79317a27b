/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pack/pack.h"

/*
 * The image sink: its life from the empty file to the super block. Content is
 * in content.c, the way of a block in work.c, queue.c and writer.c.
 * Format: doc/squashfs.md, all of it.
 */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "io/fd.h"
#include "sqfs/meta.h"
#include "sqfs/super.h"
#include "tables.h"
#include "util/account.h"
#include "util/err.h"
#include "util/num.h"
#include "writer.h"

/*
 * An empty super block, so that an image that is not finished is none, then
 * the options of the compressor. Data follows.
 */
static int write_front(struct pack *pack, struct err *err)
{
	uint8_t front[SUPER_LEN + 2 + CODEC_OPTIONS_MAX] = { 0 };
	size_t len = pack->options.codec->options_encode(
		&pack->options.config, front + SUPER_LEN + 2);

	pack->mark = SUPER_LEN;
	if (len > 0) {
		put_le16(front + SUPER_LEN, (uint16_t)(len | 0x8000));
		pack->mark += 2 + len;
	}
	return fd_write_at(pack->fd, 0, front, pack->mark, err);
}

static int make_workers(struct pack *pack, unsigned count, struct err *err)
{
	pack->workers = calloc(count, sizeof(*pack->workers));
	if (!pack->workers)
		return err_nomem(err);
	pack->worker_count = count;
	for (unsigned i = 0; i < count; i++)
		if (pack->options.codec->create(&pack->options.config,
						&pack->workers[i], err) < 0)
			return -1;
	return 0;
}

static int pack_start(struct sink *sink, struct flow *flow, unsigned workers,
		      struct err *err)
{
	struct pack *pack = (struct pack *)sink;

	pack->flow = flow;
	if (make_workers(pack, workers ? workers : 1, err) < 0)
		return -1;
	if (write_front(pack, err) < 0)
		return -1;
	return pack_writer_create(pack->fd, flow, &pack->writer, err);
}

static void pack_help(struct sink *sink)
{
	pack_writer_help(((struct pack *)sink)->writer);
}

static bool pack_spare(struct sink *sink)
{
	return pack_writer_free(((struct pack *)sink)->writer);
}

static int pack_flush(struct sink *sink, struct err *err)
{
	return fragment_close((struct pack *)sink, err);
}

static void override_root(struct pack *pack)
{
	const struct pack_options *o = &pack->options;
	struct node *root = tree_root(pack->tree);

	if (o->root_mode >= 0)
		root->mode = (uint16_t)o->root_mode;
	if (o->root_uid >= 0)
		root->uid = (uint32_t)o->root_uid;
	if (o->root_gid >= 0)
		root->gid = (uint32_t)o->root_gid;
	if (o->root_mtime >= 0)
		root->mtime = (uint32_t)o->root_mtime;
}

static uint16_t policy_flags(const struct pack *pack)
{
	const struct pack_options *o = &pack->options;
	unsigned flags = 0;

	if (o->raw.data)
		flags |= SUPER_RAW_DATA;
	if (o->raw.fragments)
		flags |= SUPER_RAW_FRAGMENTS;
	if (!pack->sink.cut.tail_ends)
		flags |= SUPER_NO_FRAGMENTS;
	if (pack->sink.cut.long_tail_ends)
		flags |= SUPER_ALWAYS_FRAGMENTS;
	if (!o->no_duplicates)
		flags |= SUPER_DEDUPLICATED;
	return (uint16_t)flags;
}

/* Pads the image and, last of all, writes the super block. */
static int write_end(struct pack *pack, const struct super *super,
		     struct err *err)
{
	uint32_t pad_to = pack->options.pad_to;
	uint64_t end = super->bytes_used;
	uint8_t raw[SUPER_LEN], *zeros;
	size_t pad = (size_t)((pad_to - end % pad_to) % pad_to);
	int ret;

	zeros = calloc(1, pad + 1);
	if (!zeros)
		return err_nomem(err);
	ret = fd_write_at(pack->fd, end, zeros, pad, err);
	free(zeros);
	if (ret < 0)
		return -1;
	/* A duplicate at the very end may have left more behind. */
	if (pack->truncate && ftruncate(pack->fd, (off_t)(end + pad)) < 0) {
		err_sys(err, "setting the length of the image");
		err->code = ERR_WRITE;
		return -1;
	}
	pack->stats.image_len = end + pad;
	super_encode(super, raw);
	return fd_write_at(pack->fd, 0, raw, sizeof(raw), err);
}

static void count_tail_ends(struct pack_stats *stats)
{
	if (stats->tail_ends > stats->fragment_blocks)
		stats->tail_blocks_saved =
			stats->tail_ends - stats->fragment_blocks;
}

/* All that follows the last block. */
static int write_rest(struct pack *pack, struct err *err)
{
	uint8_t options[CODEC_OPTIONS_MAX];
	struct super super = {
		.mkfs_time = pack->options.mkfs_time,
		.block_size = pack->sink.cut.block_size,
		.compression_id = (uint16_t)pack->options.codec->id,
		.flags = policy_flags(pack),
	};

	if (pack->options.codec->options_encode(&pack->options.config,
						options) > 0)
		super.flags |= SUPER_OPTIONS;
	if (tree_finish(pack->tree, err) < 0 ||
	    fragment_drop_unused(pack, err) < 0)
		return -1;
	override_root(pack);

	struct tables_job job = {
		.fd = pack->fd,
		.position = pack->mark,
		.codec = pack->codec,
		.raw = &pack->options.raw,
		.exportable = pack->options.exportable,
		.tree = pack->tree,
		.xattrs = pack->xattrs,
		.fragments = pack->fragments.data,
		.fragment_count = pack->fragment_count,
	};

	if (tables_write(&job, &super, &pack->stats, err) < 0)
		return -1;
	count_tail_ends(&pack->stats);
	return write_end(pack, &super, err);
}

static int pack_finish(struct sink *sink, struct err *err)
{
	struct pack *pack = (struct pack *)sink;
	uint64_t begun;
	int ret;

	if (pack_writer_wait(pack->writer, err) < 0)
		return -1;
	begun = account_begin();
	ret = write_rest(pack, err);
	account_end(ACCOUNT_TABLES, begun);
	return ret;
}

static void pack_stop(struct sink *sink)
{
	struct pack *pack = (struct pack *)sink;

	pack_writer_destroy(pack->writer);
	pack->writer = NULL;
	pack->fragment = NULL;
	pack->queue_head = pack->queue_tail = NULL;
	pack->flow = NULL;
	for (unsigned i = 0; i < pack->worker_count; i++)
		codec_destroy(pack->workers[i]);
	free(pack->workers);
	pack->workers = NULL;
	pack->worker_count = 0;
}

static void pack_destroy(struct sink *sink)
{
	struct pack *pack = (struct pack *)sink;

	tree_destroy(pack->tree);
	xattr_writer_destroy(pack->xattrs);
	codec_destroy(pack->codec);
	free(pack->file.words);
	free(pack->later);
	buffer_cleanup(&pack->fragments);
	digest_map_cleanup(&pack->tails);
	digest_map_cleanup(&pack->runs);
	free(pack);
}

static const struct sink_ops pack_ops = {
	.start = pack_start,
	.work = pack_work,
	.help = pack_help,
	.begin = pack_begin,
	.take = pack_take,
	.fault = pack_fault,
	.end = pack_end,
	.collect = pack_collect,
	.spare = pack_spare,
	.flush = pack_flush,
	.finish = pack_finish,
	.stop = pack_stop,
	.destroy = pack_destroy,
};

int pack_create(int fd, bool truncate, const struct pack_options *options,
		struct sink **out, struct err *err)
{
	struct pack *pack = calloc(1, sizeof(*pack));

	if (!pack)
		return err_nomem(err);
	pack->options = *options;
	pack->fd = fd;
	pack->truncate = truncate;
	pack->sink.ops = &pack_ops;
	pack->sink.cut = (struct sink_cut){
		.block_size = options->config.block_size,
		.tail_ends = !options->no_fragments,
		.long_tail_ends = !options->no_fragments &&
				  !options->no_tail_packing,
		.holes = !options->no_sparse,
		.code = options->codec->asks_for_code &&
			options->codec->asks_for_code(&options->config),
	};
	if (digest_key_draw(&pack->key, err) < 0 ||
	    tree_create(&options->tree, &pack->tree, err) < 0 ||
	    xattr_writer_create(&pack->xattrs, err) < 0 ||
	    options->codec->create(&options->config, &pack->codec, err) < 0) {
		pack_destroy(&pack->sink);
		return -1;
	}
	*out = &pack->sink;
	return 0;
}

const struct pack_stats *pack_stats(const struct sink *sink)
{
	return &((const struct pack *)sink)->stats;
}
