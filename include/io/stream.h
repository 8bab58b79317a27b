/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef IO_STREAM_H
#define IO_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct stream;

/* Bytes behind compressed data that are none of it and were left out. */
struct stream_trailing {
	const char *format; /* the compressor's name, constant */
	uint64_t offset;    /* of the first, in the compressed input */
	uint64_t len;	    /* 1 or more */
};

/*
 * Input that only goes forward: a pipe, or a decompressor that owns another
 * stream. Used by one thread at a time.
 */
struct stream_ops {
	/*
	 * Reads into buf first and, if that is full, what comes along into
	 * extra: so that large content goes straight where it belongs and the
	 * next header is there with the same call.
	 *
	 * got      bytes put into buf and extra together; 0 only at the end
	 * fails    ERR_IO, ERR_CORRUPT (a damaged compressed stream)
	 */
	int (*read)(struct stream *stream, void *buf, size_t len, void *extra,
		    size_t extra_len, size_t *got, struct err *err);
	/*
	 * Once read has given 0: true if bytes were left out. NULL: it does not
	 * decompress.
	 */
	bool (*trailing)(const struct stream *stream,
			 struct stream_trailing *out);
	void (*destroy)(struct stream *stream);
};

struct stream {
	const struct stream_ops *ops;
};

/* A descriptor, borrowed; it is not closed. ERR_NOMEM. */
int stream_fd_create(int fd, struct stream **out, struct err *err);

/* stream may be NULL. */
static inline void stream_destroy(struct stream *stream)
{
	if (stream)
		stream->ops->destroy(stream);
}

#endif
