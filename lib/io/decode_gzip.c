/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <zlib.h>

#include "decoder.h"
#include "util/err.h"

struct gzip_decoder {
	struct decoder decoder;
	z_stream z;
};

/* The largest window, and nothing but gzip's header and trailer around it. */
#define WINDOW_BITS (15 + 16)

static int gzip_begin(struct decoder *decoder, struct err *err)
{
	struct gzip_decoder *d = (struct gzip_decoder *)decoder;

	if (inflateReset(&d->z) != Z_OK)
		return err_nomem(err);
	return 0;
}

static int gzip_run(struct decoder *decoder, struct decoder_io *io,
		    struct err *err)
{
	struct gzip_decoder *d = (struct gzip_decoder *)decoder;
	int ret;

	d->z.next_in = (unsigned char *)(uintptr_t)io->in;
	d->z.avail_in = (unsigned)io->in_len;
	d->z.next_out = io->out;
	d->z.avail_out = (unsigned)io->out_len;
	ret = inflate(&d->z, Z_NO_FLUSH);
	io->in = d->z.next_in;
	io->in_len = d->z.avail_in;
	io->out = d->z.next_out;
	io->out_len = d->z.avail_out;
	switch (ret) {
	case Z_OK:
	case Z_BUF_ERROR: /* it can do nothing without more */
		return 0;
	case Z_STREAM_END:
		return 1;
	case Z_MEM_ERROR:
		return err_nomem(err);
	default:
		return err_set(err, ERR_CORRUPT, "damaged: %s",
			       d->z.msg ? d->z.msg : "zlib cannot go on");
	}
}

static void gzip_destroy(struct decoder *decoder)
{
	struct gzip_decoder *d = (struct gzip_decoder *)decoder;

	inflateEnd(&d->z);
	free(d);
}

static const struct decoder_ops gzip_ops = {
	.begin = gzip_begin,
	.run = gzip_run,
	.destroy = gzip_destroy,
};

int decoder_gzip_create(const struct decoder_options *options,
			struct decoder **out, struct err *err)
{
	struct gzip_decoder *d = calloc(1, sizeof(*d));

	(void)options;
	if (!d)
		return err_nomem(err);
	if (inflateInit2(&d->z, WINDOW_BITS) != Z_OK) {
		free(d);
		return err_nomem(err);
	}
	d->decoder.ops = &gzip_ops;
	*out = &d->decoder;
	return 0;
}
