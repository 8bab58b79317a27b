/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CODEC_CODEC_H
#define CODEC_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct codec;

/* Compressor numbers of the super block. Format: doc/squashfs.md, "Super
 * block". */
enum codec_id {
	CODEC_GZIP = 1,
	CODEC_LZMA = 2,
	CODEC_LZO = 3,
	CODEC_XZ = 4,
	CODEC_LZ4 = 5,
	CODEC_ZSTD = 6
};

/* Bytes that the output of any codec may need for len bytes of input. */
#define CODEC_BOUND(len) ((size_t)(len) + (size_t)(len) / 16 + 192)

/* Bytes of the longest block: metadata blocks outgrow the smallest blocks. */
#define CODEC_METADATA_LEN 8192
#define CODEC_LEN_MAX(block_size)                                             \
	((block_size) > CODEC_METADATA_LEN ? (block_size) : CODEC_METADATA_LEN)

/* Bytes of the longest options block, without the metadata header. */
#define CODEC_OPTIONS_MAX 16

/*
 * The options of one compressor, parsed and complete: what -X says, or the
 * defaults. Which member of u holds is told by the codec that made it.
 */
struct codec_config {
	uint32_t block_size; /* bytes, set before parsing */
	union {
		struct {
			int level;	      /* 1 to 12 */
			int window;	      /* 8 to 15 */
			unsigned strategies;  /* bits of the options block */
			bool force_zlib;
		} gzip;
		struct {
			int level; /* 0 to 9 */
			uint32_t dict_size; /* 8192 to block_size, or 8192 */
			uint32_t lc, lp, pb;
			unsigned filters; /* bits of the options block */
			bool auto_filter; /* one of them by what a block holds,
					   * else each is tried */
			bool extreme;
		} xz; /* lzma too, which has no filters */
		struct {
			bool hc;
			int level;	  /* of HC, 1 to 12 */
			int acceleration; /* of the fast mode, 1 to 65537 */
		} lz4;
		struct {
			int level; /* -131072 to 22, never 0 */
		} zstd;
		struct {
			int algorithm; /* number in the options block */
			int level;     /* of lzo1x_999, 1 to 9; else 0 */
		} lzo;
	} u;
};

/* What a block holds; xz filters and dictionaries depend on it. */
enum codec_use {
	CODEC_USE_DATA,
	CODEC_USE_METADATA,
	CODEC_USE_CODE /* data: with an enum code_machine added to it, much of
			* it is code for that machine */
};

/*
 * One compressor. All functions are pure but for the struct codec they are
 * given, which belongs to one thread at a time.
 */
struct codec_ops {
	const char *name; /* "gzip" */
	enum codec_id id;
	const char *words; /* what -X takes, in one line, for messages */
	const char *help;  /* what -X help prints, lines ending in \n */

	/* Fills cfg with the defaults; cfg->block_size is set. */
	void (*config_default)(struct codec_config *cfg);

	/*
	 * Takes one word of -X, already split at commas: key=value or a bare
	 * word, value NULL for the latter.
	 *
	 * returns  0, 1 if there is no such word, -1 with ERR_USAGE
	 */
	int (*config_word)(struct codec_config *cfg, const char *key,
			   const char *value, struct err *err);

	/* Settles what only shows when all words are known; or NULL.
	 * ERR_USAGE. */
	int (*config_check)(struct codec_config *cfg, struct err *err);

	/*
	 * Encodes the options block.
	 *
	 * returns  bytes written to out, 0 if the block is left out
	 * format   doc/squashfs.md, "Compressor options"
	 */
	size_t (*options_encode)(const struct codec_config *cfg,
				 uint8_t out[CODEC_OPTIONS_MAX]);

	/*
	 * Makes a state that serves one thread; the libraries' own memory is
	 * got when a direction is first used and then kept.
	 *
	 * cfg   borrowed for the call
	 * out   the caller's
	 * fails ERR_NOMEM; ERR_UNSUPPORTED: cfg wants what is not built in
	 */
	int (*create)(const struct codec_config *cfg, struct codec **out,
		      struct err *err);

	/*
	 * Compresses one block on its own.
	 *
	 * src, len  1 to block_size bytes, for metadata 1 to 8192
	 * dst, cap  room; cap is at least CODEC_BOUND(len)
	 * out_len   bytes written, less than len; 0 if the block does not
	 *	     become smaller and is to be stored as it is
	 * fails     ERR_NOMEM
	 */
	int (*compress)(struct codec *codec, enum codec_use use,
			const uint8_t *src, size_t len, uint8_t *dst,
			size_t cap, size_t *out_len, struct err *err);

	/*
	 * The reverse: at most cap bytes. What dst holds after a failure is
	 * undefined.
	 *
	 * src, len  one block as it is stored, any bytes of any length
	 * dst, cap  room, 1 byte or more
	 * fails     ERR_CORRUPT: the stream is damaged or holds more than
	 *	     cap bytes; ERR_NOMEM
	 */
	int (*decompress)(struct codec *codec, const uint8_t *src, size_t len,
			  uint8_t *dst, size_t cap, size_t *out_len,
			  struct err *err);

	void (*destroy)(struct codec *codec);

	/*
	 * True if data that does not compress is found out by trying in less
	 * time than by probe_is_dense. NULL: it never is.
	 */
	bool (*is_quick)(const struct codec_config *cfg);

	/* True if it matters which blocks hold code. NULL: it never does. */
	bool (*asks_for_code)(const struct codec_config *cfg);
};

/* Every codec state starts with this. */
struct codec {
	const struct codec_ops *ops;
};

/*
 * What is built into the library, ended by NULL, best default first. A program
 * may bring more (lzo is GPL and lives in the programs): every look-up takes
 * such a list as well, ended by NULL, or NULL.
 */
extern const struct codec_ops *const codec_builtin[];

/* By name or number; NULL if it is not there. */
const struct codec_ops *codec_by_name(const struct codec_ops *const *more,
				      const char *name);
const struct codec_ops *codec_by_id(const struct codec_ops *const *more,
				    unsigned id);

/* The name for any of the six numbers, built in or not; NULL if unknown. */
const char *codec_id_name(unsigned id);

/*
 * Parses all of -X: a comma list. Unknown and repeated words are refused.
 *
 * text     NULL for the defaults
 * cfg      block_size is set; the rest is filled, unless -1 is returned
 * fails    ERR_USAGE
 */
int codec_config_parse(const struct codec_ops *ops, const char *text,
		       struct codec_config *cfg, struct err *err);

static inline int codec_compress(struct codec *codec, enum codec_use use,
				 const uint8_t *src, size_t len, uint8_t *dst,
				 size_t cap, size_t *out_len, struct err *err)
{
	return codec->ops->compress(codec, use, src, len, dst, cap, out_len,
				    err);
}

static inline int codec_decompress(struct codec *codec, const uint8_t *src,
				   size_t len, uint8_t *dst, size_t cap,
				   size_t *out_len, struct err *err)
{
	return codec->ops->decompress(codec, src, len, dst, cap, out_len, err);
}

/* codec may be NULL. */
static inline void codec_destroy(struct codec *codec)
{
	if (codec)
		codec->ops->destroy(codec);
}

#endif
