/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef DECODER_H
#define DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct decoder;
struct err;

/*
 * One compressor's data turned back, a member at a time: a gzip member, an xz
 * stream, a zstd frame. Knows neither files nor what lies between members.
 */

struct decoder_options {
	unsigned threads; /* 1 to INPUT_THREADS_MAX */
	uint64_t memory;  /* bytes for working in parallel */
};

/* Bytes to take and room to fill; run moves and shortens both. */
struct decoder_io {
	const uint8_t *in;
	size_t in_len; /* at most DECODER_IO_MAX */
	uint8_t *out;
	size_t out_len; /* likewise; 1 or more */
	bool last;	/* no input follows; if set once it stays set */
};

#define DECODER_IO_MAX ((size_t)1 << 30)

struct decoder_ops {
	/* Gets ready for a member's first byte. ERR_NOMEM. */
	int (*begin)(struct decoder *decoder, struct err *err);
	/*
	 * Goes on as far as input and room let it. If it neither takes nor
	 * gives anything it is called again with more input, if there is any.
	 *
	 * returns  0, 1 the member ends before io->in and all of it was given,
	 *	    or -1
	 * fails    ERR_CORRUPT, ERR_LIMIT, ERR_UNSUPPORTED, ERR_NOMEM
	 */
	int (*run)(struct decoder *decoder, struct decoder_io *io,
		   struct err *err);
	void (*destroy)(struct decoder *decoder);
	bool is_vague; /* on failure it does not tell what it took or gave */
};

struct decoder {
	const struct decoder_ops *ops;
};

/* decoder may be NULL. */
static inline void decoder_destroy(struct decoder *decoder)
{
	if (decoder)
		decoder->ops->destroy(decoder);
}

/* Each is there where its library is. ERR_NOMEM. */
typedef int decoder_create_fn(const struct decoder_options *options,
			      struct decoder **out, struct err *err);
decoder_create_fn decoder_gzip_create;
decoder_create_fn decoder_bzip2_create;
decoder_create_fn decoder_xz_create;
decoder_create_fn decoder_lzma_create;
decoder_create_fn decoder_lzip_create; /* liblzma 5.4 or later */
decoder_create_fn decoder_zstd_create;
decoder_create_fn decoder_lz4_create;

#endif
