/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <bzlib.h>
#include <stdint.h>
#include <stdlib.h>

#include "decoder.h"
#include "util/err.h"

struct bzip2_decoder {
	struct decoder decoder;
	bz_stream bz;
	bool is_open;
};

static void bzip2_close(struct bzip2_decoder *d)
{
	if (d->is_open)
		BZ2_bzDecompressEnd(&d->bz);
	d->is_open = false;
}

static int bzip2_begin(struct decoder *decoder, struct err *err)
{
	struct bzip2_decoder *d = (struct bzip2_decoder *)decoder;

	bzip2_close(d);
	d->bz = (bz_stream){ 0 };
	if (BZ2_bzDecompressInit(&d->bz, 0, 0) != BZ_OK)
		return err_nomem(err);
	d->is_open = true;
	return 0;
}

static int bzip2_run(struct decoder *decoder, struct decoder_io *io,
		     struct err *err)
{
	struct bzip2_decoder *d = (struct bzip2_decoder *)decoder;
	int ret;

	d->bz.next_in = (char *)(uintptr_t)io->in;
	d->bz.avail_in = (unsigned)io->in_len;
	d->bz.next_out = (char *)io->out;
	d->bz.avail_out = (unsigned)io->out_len;
	ret = BZ2_bzDecompress(&d->bz);
	io->in = (const uint8_t *)d->bz.next_in;
	io->in_len = d->bz.avail_in;
	io->out = (uint8_t *)d->bz.next_out;
	io->out_len = d->bz.avail_out;
	switch (ret) {
	case BZ_OK:
		return 0;
	case BZ_STREAM_END:
		return 1;
	case BZ_MEM_ERROR:
		return err_nomem(err);
	default:
		return err_set(err, ERR_CORRUPT,
			       "damaged: a block or a checksum is wrong");
	}
}

static void bzip2_destroy(struct decoder *decoder)
{
	struct bzip2_decoder *d = (struct bzip2_decoder *)decoder;

	bzip2_close(d);
	free(d);
}

static const struct decoder_ops bzip2_ops = {
	.begin = bzip2_begin,
	.run = bzip2_run,
	.destroy = bzip2_destroy,
};

int decoder_bzip2_create(const struct decoder_options *options,
			 struct decoder **out, struct err *err)
{
	struct bzip2_decoder *d = calloc(1, sizeof(*d));

	(void)options;
	if (!d)
		return err_nomem(err);
	d->decoder.ops = &bzip2_ops;
	*out = &d->decoder;
	return 0;
}
