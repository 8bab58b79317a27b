/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef LIB_CODEC_GZIP_H
#define LIB_CODEC_GZIP_H

#include "codec/codec.h"

struct gzip_lib;

/* The state of either library starts with this. */
struct gzip {
	struct codec codec;
	const struct gzip_lib *lib;
};

/* One library that can make zlib streams; the functions are codec_ops'. */
struct gzip_lib {
	/* The caller sets codec and lib of what it gets. */
	int (*create)(const struct codec_config *cfg, struct gzip **out,
		      struct err *err);
	int (*compress)(struct gzip *gzip, const uint8_t *src, size_t len,
			uint8_t *dst, size_t cap, size_t *out_len,
			struct err *err);
	int (*decompress)(struct gzip *gzip, const uint8_t *src, size_t len,
			  uint8_t *dst, size_t cap, size_t *out_len,
			  struct err *err);
	void (*destroy)(struct gzip *gzip);
};

extern const struct gzip_lib gzip_libdeflate, gzip_zlib;

/*
 * Strategies, as bits of the options block. None is the library's own choice,
 * several are tried on each block.
 */
#define GZIP_STRATEGY_COUNT 5

#endif
