/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What liblzma reads: xz, lzip and the old lzma form. */
#include <inttypes.h>
#include <lzma.h>
#include <stdlib.h>

#include "decoder.h"
#include "io/input.h"
#include "util/err.h"

/* liblzma counts what it takes besides the dictionary, too. */
#define MEMORY_MAX (INPUT_WINDOW_MAX + UINT64_C(16) * 1024 * 1024)

#define MIB (UINT64_C(1024) * 1024)

struct lzma_decoder {
	struct decoder decoder;
	lzma_stream stream;
	lzma_ret (*start)(struct lzma_decoder *d);
	struct decoder_options options;
	const char *command; /* that decompresses without our limits */
};

static lzma_ret start_xz(struct lzma_decoder *d)
{
#if LZMA_VERSION >= 50040002
	/*
	 * The decoder for threads works as the other one does where blocks do
	 * not tell their sizes, or memory does not allow for two.
	 */
	if (d->options.threads > 1) {
		lzma_mt mt = {
			.flags = LZMA_TELL_UNSUPPORTED_CHECK,
			.threads = d->options.threads,
			.memlimit_threading = d->options.memory,
			.memlimit_stop = MEMORY_MAX,
		};

		return lzma_stream_decoder_mt(&d->stream, &mt);
	}
#endif
	return lzma_stream_decoder(&d->stream, MEMORY_MAX,
				   LZMA_TELL_UNSUPPORTED_CHECK);
}

static lzma_ret start_lzma(struct lzma_decoder *d)
{
	return lzma_alone_decoder(&d->stream, MEMORY_MAX);
}

#if LZMA_VERSION >= 50040002
static lzma_ret start_lzip(struct lzma_decoder *d)
{
	return lzma_lzip_decoder(&d->stream, MEMORY_MAX, 0);
}
#endif

static int fail(struct lzma_decoder *d, lzma_ret ret, struct err *err)
{
	switch (ret) {
	case LZMA_MEM_ERROR:
		return err_nomem(err);
	case LZMA_MEMLIMIT_ERROR:
		return err_set(err, ERR_LIMIT,
			       "needs %" PRIu64 " MiB of memory, more than the "
			       "%" PRIu64 " MiB that input may ask for; "
			       "decompress it first, as in: %s < ARCHIVE | ...",
			       (lzma_memusage(&d->stream) + MIB - 1) / MIB,
			       MEMORY_MAX / MIB, d->command);
	case LZMA_UNSUPPORTED_CHECK:
		return err_set(err, ERR_UNSUPPORTED,
			       "a kind of checksum that liblzma does not know");
	case LZMA_OPTIONS_ERROR:
		return err_set(err, ERR_UNSUPPORTED,
			       "a filter or an option that liblzma does not "
			       "know");
	case LZMA_FORMAT_ERROR:
		return err_set(err, ERR_CORRUPT, "damaged: a bad header");
	case LZMA_DATA_ERROR:
		return err_set(err, ERR_CORRUPT,
			       "damaged: data or a checksum is wrong");
	default:
		return err_set(err, ERR_CORRUPT,
			       "damaged: liblzma cannot go on, code %d",
			       (int)ret);
	}
}

static int lzma_begin(struct decoder *decoder, struct err *err)
{
	struct lzma_decoder *d = (struct lzma_decoder *)decoder;
	lzma_ret ret = d->start(d);

	return ret == LZMA_OK ? 0 : fail(d, ret, err);
}

static int lzma_run(struct decoder *decoder, struct decoder_io *io,
		    struct err *err)
{
	struct lzma_decoder *d = (struct lzma_decoder *)decoder;
	lzma_ret ret;

	d->stream.next_in = io->in;
	d->stream.avail_in = io->in_len;
	d->stream.next_out = io->out;
	d->stream.avail_out = io->out_len;
	ret = lzma_code(&d->stream, io->last ? LZMA_FINISH : LZMA_RUN);
	io->in = d->stream.next_in;
	io->in_len = d->stream.avail_in;
	io->out = d->stream.next_out;
	io->out_len = d->stream.avail_out;
	switch (ret) {
	case LZMA_OK:
	case LZMA_BUF_ERROR: /* it can do nothing without more */
		return 0;
	case LZMA_STREAM_END:
		return 1;
	default:
		return fail(d, ret, err);
	}
}

static void lzma_destroy(struct decoder *decoder)
{
	struct lzma_decoder *d = (struct lzma_decoder *)decoder;

	lzma_end(&d->stream);
	free(d);
}

static const struct decoder_ops lzma_ops = {
	.begin = lzma_begin,
	.run = lzma_run,
	.destroy = lzma_destroy,
};

static int create(const struct decoder_options *options,
		  lzma_ret (*start)(struct lzma_decoder *d),
		  const char *command, struct decoder **out, struct err *err)
{
	struct lzma_decoder *d = calloc(1, sizeof(*d));

	if (!d)
		return err_nomem(err);
	d->decoder.ops = &lzma_ops;
	d->stream = (lzma_stream)LZMA_STREAM_INIT;
	d->start = start;
	d->options = *options;
	d->command = command;
	*out = &d->decoder;
	return 0;
}

int decoder_xz_create(const struct decoder_options *options,
		      struct decoder **out, struct err *err)
{
	return create(options, start_xz, "xz -dc", out, err);
}

int decoder_lzma_create(const struct decoder_options *options,
			struct decoder **out, struct err *err)
{
	return create(options, start_lzma, "xz -dc", out, err);
}

#if LZMA_VERSION >= 50040002
int decoder_lzip_create(const struct decoder_options *options,
			struct decoder **out, struct err *err)
{
	return create(options, start_lzip, "lzip -dc", out, err);
}
#endif
