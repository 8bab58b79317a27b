/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "writer_codec.h"

/*
 * zstd: one frame with a checksum, in jobs that the library cuts by the level
 * alone. Without workers it would cut none and give other bytes: so there is
 * one at least. A library that has no threads does without, at any number.
 */

#include <stdlib.h>
#include <zstd.h>

#include "util/err.h"

#define MIB (1024 * 1024)

struct zstd_encoder {
	struct encoder encoder;
	ZSTD_CCtx *context;
};

static int zstd_run(struct encoder *encoder, struct encoder_io *io, bool last,
		    struct err *err)
{
	struct zstd_encoder *e = (struct zstd_encoder *)encoder;
	ZSTD_inBuffer in = { io->in, io->in_len, 0 };
	ZSTD_outBuffer out = { io->out, io->out_len, 0 };
	size_t left = ZSTD_compressStream2(e->context, &out, &in,
					   last ? ZSTD_e_end : ZSTD_e_continue);

	/* No other failure is possible: sizes and parameters are right. */
	if (ZSTD_isError(left))
		return err_nomem(err);
	io->in += in.pos;
	io->in_len -= in.pos;
	io->out += out.pos;
	io->out_len -= out.pos;
	return last && left == 0;
}

static void zstd_destroy(struct encoder *encoder)
{
	struct zstd_encoder *e = (struct zstd_encoder *)encoder;

	ZSTD_freeCCtx(e->context);
	free(e);
}

static const struct encoder_ops zstd_ops = {
	.run = zstd_run,
	.destroy = zstd_destroy,
};

/*
 * Jobs about as long as the level's window, where the library makes them four
 * times as long: of 120 MiB of a root file system at level 3 that takes 15
 * instead of 50 MiB of memory at two threads, and comes out as long as without
 * jobs (30.5 MB) if each looks back a quarter of the window, in a tenth less
 * processor time than the library's own choice. At the higher levels the
 * look-back is the library's, which is half a window or more.
 */
static void set_jobs(ZSTD_CCtx *context, int level)
{
	int len = level <= 8 ? 2 * MIB : level <= 19 ? 8 * MIB : 128 * MIB;

	ZSTD_CCtx_setParameter(context, ZSTD_c_jobSize, len);
	if (level <= 8)
		ZSTD_CCtx_setParameter(context, ZSTD_c_overlapLog, 7);
}

/* Bytes that a thread takes, about, its jobs' included: measured. */
static uint64_t memory_of(int level)
{
	const uint64_t mib = level <= 8	   ? 12
			     : level <= 15 ? 80
			     : level <= 19 ? 160
					   : 1024;

	return mib * MIB;
}

static int zstd_create(int level, unsigned threads, uint64_t memory,
		       struct encoder **out, struct err *err)
{
	struct zstd_encoder *e = calloc(1, sizeof(*e));
	ZSTD_bounds workers = ZSTD_cParam_getBounds(ZSTD_c_nbWorkers);

	if (!e)
		return err_nomem(err);
	e->encoder.ops = &zstd_ops;
	e->context = ZSTD_createCCtx();
	if (!e->context) {
		free(e);
		return err_nomem(err);
	}
	ZSTD_CCtx_setParameter(e->context, ZSTD_c_compressionLevel, level);
	ZSTD_CCtx_setParameter(e->context, ZSTD_c_checksumFlag, 1);
	if (!ZSTD_isError(workers.error) && workers.upperBound > 0) {
		if (threads > (unsigned)workers.upperBound)
			threads = (unsigned)workers.upperBound;
		if (threads > memory / memory_of(level))
			threads = (unsigned)(memory / memory_of(level));
		if (threads == 0)
			threads = 1;
		ZSTD_CCtx_setParameter(e->context, ZSTD_c_nbWorkers,
				       (int)threads);
		set_jobs(e->context, level);
	}
	*out = &e->encoder;
	return 0;
}

const struct stream_codec writer_zstd = {
	.level_min = 1,
	.level_max = 22,
	.level_default = 3,
	.create = zstd_create,
};
