/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef FEED_H
#define FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct reader;

/* Compressed bytes on their way into a decoder. */
struct feed {
	struct reader *reader; /* owned */
	uint8_t *data;	       /* FEED_LEN bytes */
	size_t begin, end;     /* of what is there */
	uint64_t offset;       /* of data[begin] in the input */
	bool ended;	       /* the input has nothing behind data[end] */
};

#define FEED_LEN (128 * 1024)

/* reader is the feed's from then on, also on failure. ERR_NOMEM. */
int feed_init(struct feed *feed, struct reader *reader, struct err *err);

/* Accepts zeroed memory. */
void feed_cleanup(struct feed *feed);

/*
 * Adds bytes behind those there, or sets ended. There must be room.
 * ERR_IO, ERR_CORRUPT.
 */
int feed_fill(struct feed *feed, struct err *err);

/* Fills until len bytes are there, at most FEED_LEN, or the input ended. */
int feed_need(struct feed *feed, size_t len, struct err *err);

/* Takes n bytes that are there. */
void feed_take(struct feed *feed, size_t n);

/* Goes on at another offset; seekable readers only. */
void feed_seek(struct feed *feed, uint64_t offset);

static inline size_t feed_len(const struct feed *feed)
{
	return feed->end - feed->begin;
}

#endif
