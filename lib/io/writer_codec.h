/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef IO_WRITER_CODEC_H
#define IO_WRITER_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/*
 * A compressor whose output is members, one behind the other, each of a part of
 * the input and made without the others: so parts are compressed at once, and
 * the bytes do not depend on how many threads do it.
 */
struct part_codec {
	int level_min, level_max, level_default;
	size_t (*part_len)(int level); /* bytes of input to a member */

	/* ERR_NOMEM. What it makes is used by one thread at a time. */
	int (*create)(int level, void **out, struct err *err);

	/* Bytes that a member of len bytes has at most. */
	size_t (*bound)(size_t len);

	/*
	 * Makes a member of len bytes, which may be 0.
	 *
	 * cap      bound(len) or more
	 * fails    ERR_NOMEM
	 */
	int (*compress)(void *context, const uint8_t *src, size_t len,
			uint8_t *dst, size_t cap, size_t *out_len,
			struct err *err);

	void (*destroy)(void *context);
};

/* Data on its way through a compressor, which moves all four forward. */
struct encoder_io {
	const uint8_t *in;
	size_t in_len;
	uint8_t *out;
	size_t out_len;
};

struct encoder;

/*
 * A compressor whose library has threads of its own, at least one, and whose
 * output is one stream.
 */
struct encoder_ops {
	/*
	 * Goes on until the input is used up or the output is full; with last,
	 * to the end of the stream.
	 *
	 * returns  0; 1 at the end of the stream; -1 with ERR_NOMEM
	 */
	int (*run)(struct encoder *encoder, struct encoder_io *io, bool last,
		   struct err *err);
	void (*destroy)(struct encoder *encoder);
};

struct encoder {
	const struct encoder_ops *ops;
};

struct stream_codec {
	int level_min, level_max, level_default;

	/*
	 * threads  1 or more; fewer are used if they took more than memory
	 *	    bytes, but one
	 * fails    ERR_NOMEM
	 */
	int (*create)(int level, unsigned threads, uint64_t memory,
		      struct encoder **out, struct err *err);
};

extern const struct part_codec writer_gzip, writer_bzip2, writer_lz4;
extern const struct stream_codec writer_xz, writer_zstd;

#endif
