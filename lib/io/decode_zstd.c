/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "decoder.h"
#include "io/input.h"
#include "util/err.h"

#define WINDOW_LOG_MAX 27

_Static_assert(INPUT_WINDOW_MAX == UINT64_C(1) << WINDOW_LOG_MAX,
	       "one limit for all formats");

struct zstd_decoder {
	struct decoder decoder;
	ZSTD_DCtx *context;
};

static int zstd_begin(struct decoder *decoder, struct err *err)
{
	struct zstd_decoder *d = (struct zstd_decoder *)decoder;

	if (ZSTD_isError(ZSTD_DCtx_reset(d->context, ZSTD_reset_session_only)))
		return err_nomem(err);
	return 0;
}

static int fail(size_t code, struct err *err)
{
	switch (ZSTD_getErrorCode(code)) {
	case ZSTD_error_memory_allocation:
		return err_nomem(err);
	case ZSTD_error_frameParameter_windowTooLarge:
		return err_set(err, ERR_LIMIT,
			       "needs a window of more than the %d MiB that "
			       "input may ask for; decompress it first, as in: "
			       "zstd -dc --long=31 < ARCHIVE | ...",
			       (int)(INPUT_WINDOW_MAX / 1024 / 1024));
	case ZSTD_error_dictionary_wrong:
		return err_set(err, ERR_UNSUPPORTED,
			       "needs a dictionary, which is not here");
	default:
		return err_set(err, ERR_CORRUPT, "damaged: %s",
			       ZSTD_getErrorName(code));
	}
}

static int zstd_run(struct decoder *decoder, struct decoder_io *io,
		    struct err *err)
{
	struct zstd_decoder *d = (struct zstd_decoder *)decoder;
	ZSTD_inBuffer in = { io->in, io->in_len, 0 };
	ZSTD_outBuffer out = { io->out, io->out_len, 0 };
	size_t ret;

	ret = ZSTD_decompressStream(d->context, &out, &in);
	io->in += in.pos;
	io->in_len -= in.pos;
	io->out += out.pos;
	io->out_len -= out.pos;
	if (ZSTD_isError(ret))
		return fail(ret, err);
	return ret == 0;
}

static void zstd_destroy(struct decoder *decoder)
{
	struct zstd_decoder *d = (struct zstd_decoder *)decoder;

	ZSTD_freeDCtx(d->context);
	free(d);
}

static const struct decoder_ops zstd_ops = {
	.begin = zstd_begin,
	.run = zstd_run,
	.destroy = zstd_destroy,
	.is_vague = true,
};

int decoder_zstd_create(const struct decoder_options *options,
			struct decoder **out, struct err *err)
{
	struct zstd_decoder *d = calloc(1, sizeof(*d));

	(void)options;
	if (!d)
		return err_nomem(err);
	d->decoder.ops = &zstd_ops;
	d->context = ZSTD_createDCtx();
	if (!d->context ||
	    ZSTD_isError(ZSTD_DCtx_setParameter(
		    d->context, ZSTD_d_windowLogMax, WINDOW_LOG_MAX))) {
		zstd_destroy(&d->decoder);
		return err_nomem(err);
	}
	*out = &d->decoder;
	return 0;
}
