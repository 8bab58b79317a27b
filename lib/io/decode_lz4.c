/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * The frames of lz4, and the legacy ones of "lz4 -l": blocks of up to 8 MiB,
 * each behind its length. These end with the input, or where a number stands
 * for the length that none can have, which is the next frame's magic.
 */
#include <inttypes.h>
#include <lz4.h>
#include <lz4frame.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "decoder.h"
#include "util/account.h"
#include "util/err.h"
#include "util/num.h"

#define LEGACY_MAGIC 0x184c2102
#define LEGACY_LEN   (8 * 1024 * 1024)

enum state {
	STATE_MAGIC,
	STATE_FRAME,  /* liblz4 has the lead */
	STATE_LENGTH, /* legacy: in front of a block's length */
	STATE_BLOCK,  /* legacy: gathers a block */
	STATE_GIVE    /* legacy: gives a block's content */
};

struct lz4_decoder {
	struct decoder decoder;
	LZ4F_dctx *context;
	enum state state;

	/* of legacy frames */
	uint8_t *block, *content;
	size_t block_len, have; /* have: what is there of it */
	size_t content_len, given;
};

static int lz4_begin(struct decoder *decoder, struct err *err)
{
	struct lz4_decoder *d = (struct lz4_decoder *)decoder;

	(void)err;
	LZ4F_resetDecompressionContext(d->context);
	d->state = STATE_MAGIC;
	return 0;
}

static void take(struct decoder_io *io, size_t n)
{
	io->in += n;
	io->in_len -= n;
}

static int run_frame(struct lz4_decoder *d, struct decoder_io *io,
		     struct err *err)
{
	size_t in_len = io->in_len, out_len = io->out_len, ret;

	ret = LZ4F_decompress(d->context, io->out, &out_len, io->in, &in_len,
			      NULL);
	if (LZ4F_isError(ret))
		return err_set(err, ERR_CORRUPT, "damaged: %s",
			       LZ4F_getErrorName(ret));
	take(io, in_len);
	io->out += out_len;
	io->out_len -= out_len;
	return ret == 0;
}

static int take_magic(struct lz4_decoder *d, struct decoder_io *io,
		      struct err *err)
{
	if (io->in_len < 4)
		return 0;
	if (get_le32(io->in) != LEGACY_MAGIC) {
		d->state = STATE_FRAME;
		return run_frame(d, io, err);
	}
	if (!d->block)
		d->block = malloc((size_t)LZ4_compressBound(LEGACY_LEN));
	if (!d->content)
		d->content = malloc(LEGACY_LEN);
	if (!d->block || !d->content)
		return err_nomem(err);
	take(io, 4);
	d->state = STATE_LENGTH;
	return 0;
}

static bool is_magic(uint32_t word)
{
	return word == LEGACY_MAGIC || word == 0x184d2204 ||
	       (word & 0xfffffff0) == 0x184d2a50;
}

/* Returns 1 at the frame's end. */
static int take_length(struct lz4_decoder *d, struct decoder_io *io,
		       struct err *err)
{
	uint32_t word;

	if (io->in_len < 4)
		return io->last && io->in_len == 0;
	word = get_le32(io->in);
	if (is_magic(word))
		return 1;
	if (word == 0 || word > (uint32_t)LZ4_compressBound(LEGACY_LEN))
		return err_set(err, ERR_CORRUPT,
			       "damaged: a block of %" PRIu32 " bytes", word);
	take(io, 4);
	d->block_len = word;
	d->have = 0;
	d->state = STATE_BLOCK;
	return 0;
}

static int take_block(struct lz4_decoder *d, struct decoder_io *io,
		      struct err *err)
{
	size_t n = d->block_len - d->have;
	int len;

	if (n > io->in_len)
		n = io->in_len;
	copy_bytes(d->block + d->have, io->in, n);
	d->have += n;
	take(io, n);
	if (d->have < d->block_len)
		return 0;
	len = LZ4_decompress_safe((const char *)d->block, (char *)d->content,
				  (int)d->block_len, LEGACY_LEN);
	if (len < 0)
		return err_set(err, ERR_CORRUPT, "damaged: a bad block");
	d->content_len = (size_t)len;
	d->given = 0;
	d->state = len > 0 ? STATE_GIVE : STATE_LENGTH;
	return 0;
}

static void give(struct lz4_decoder *d, struct decoder_io *io)
{
	size_t n = d->content_len - d->given;

	if (n > io->out_len)
		n = io->out_len;
	copy_bytes(io->out, d->content + d->given, n);
	io->out += n;
	io->out_len -= n;
	d->given += n;
	if (d->given == d->content_len)
		d->state = STATE_LENGTH;
}

static int lz4_run(struct decoder *decoder, struct decoder_io *io,
		   struct err *err)
{
	struct lz4_decoder *d = (struct lz4_decoder *)decoder;

	switch (d->state) {
	case STATE_MAGIC:
		return take_magic(d, io, err);
	case STATE_FRAME:
		return run_frame(d, io, err);
	case STATE_LENGTH:
		return take_length(d, io, err);
	case STATE_BLOCK:
		return take_block(d, io, err);
	case STATE_GIVE:
		give(d, io);
		return 0;
	}
	return 0;
}

static void lz4_destroy(struct decoder *decoder)
{
	struct lz4_decoder *d = (struct lz4_decoder *)decoder;

	LZ4F_freeDecompressionContext(d->context);
	free(d->block);
	free(d->content);
	free(d);
}

static const struct decoder_ops lz4_ops = {
	.begin = lz4_begin,
	.run = lz4_run,
	.destroy = lz4_destroy,
	.is_vague = true,
};

int decoder_lz4_create(const struct decoder_options *options,
		       struct decoder **out, struct err *err)
{
	struct lz4_decoder *d = calloc(1, sizeof(*d));

	(void)options;
	if (!d)
		return err_nomem(err);
	d->decoder.ops = &lz4_ops;
	if (LZ4F_isError(LZ4F_createDecompressionContext(&d->context,
							 LZ4F_VERSION))) {
		free(d);
		return err_nomem(err);
	}
	*out = &d->decoder;
	return 0;
}
