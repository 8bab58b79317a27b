/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "writer_codec.h"

/*
 * xz: one stream, in blocks whose length the level alone decides (the library's
 * choice, three times the dictionary), each with a CRC64: what "xz -T" makes.
 */

#include <lzma.h>
#include <stdlib.h>

#include "util/err.h"

#define THREADS_MAX 256 /* the library refuses too many */

struct xz_encoder {
	struct encoder encoder;
	lzma_stream stream;
};

static int xz_run(struct encoder *encoder, struct encoder_io *io, bool last,
		  struct err *err)
{
	struct xz_encoder *e = (struct xz_encoder *)encoder;
	lzma_ret ret;

	e->stream.next_in = io->in;
	e->stream.avail_in = io->in_len;
	e->stream.next_out = io->out;
	e->stream.avail_out = io->out_len;
	ret = lzma_code(&e->stream, last ? LZMA_FINISH : LZMA_RUN);
	io->in = e->stream.next_in;
	io->in_len = e->stream.avail_in;
	io->out = e->stream.next_out;
	io->out_len = e->stream.avail_out;
	if (ret == LZMA_STREAM_END)
		return 1;
	return ret == LZMA_OK ? 0 : err_nomem(err);
}

static void xz_destroy(struct encoder *encoder)
{
	struct xz_encoder *e = (struct xz_encoder *)encoder;

	lzma_end(&e->stream);
	free(e);
}

static const struct encoder_ops xz_ops = {
	.run = xz_run,
	.destroy = xz_destroy,
};

static int xz_create(int level, unsigned threads, uint64_t memory,
		     struct encoder **out, struct err *err)
{
	struct xz_encoder *e = calloc(1, sizeof(*e));
	lzma_mt options = {
		.threads = threads < THREADS_MAX ? threads : THREADS_MAX,
		.preset = (uint32_t)level,
		.check = LZMA_CHECK_CRC64,
	};

	if (!e)
		return err_nomem(err);
	/* A thread of level 6 takes 150 MiB. */
	while (options.threads > 1 &&
	       lzma_stream_encoder_mt_memusage(&options) > memory)
		options.threads--;
	e->encoder.ops = &xz_ops;
	e->stream = (lzma_stream)LZMA_STREAM_INIT;
	if (lzma_stream_encoder_mt(&e->stream, &options) != LZMA_OK) {
		free(e);
		return err_nomem(err);
	}
	*out = &e->encoder;
	return 0;
}

const struct stream_codec writer_xz = {
	.level_min = 0,
	.level_max = 9,
	.level_default = 6,
	.create = xz_create,
};
