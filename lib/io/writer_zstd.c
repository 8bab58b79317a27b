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

static int zstd_create(int level, unsigned threads, struct encoder **out,
		       struct err *err)
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
		ZSTD_CCtx_setParameter(e->context, ZSTD_c_nbWorkers,
				       (int)threads);
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
