/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef IO_READER_H
#define IO_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct iovec;
struct reader;
struct stream;
struct stream_trailing;

/*
 * An archive read from front to back, with a position. A regular file is read
 * through a small window and skipped over without being read; any worker may
 * read it at an offset besides. A stream is read through.
 *
 * Offsets count from where the descriptor stood, or from the first byte that
 * the stream gave.
 */

/*
 * Reads a descriptor, borrowed: at offsets if it is a regular file, else as a
 * stream. ERR_IO, ERR_NOMEM.
 */
int reader_create(int fd, struct reader **out, struct err *err);

/* Reads a stream, which is the reader's from then on, also on failure. */
int reader_create_stream(struct stream *stream, struct reader **out,
			 struct err *err);

/*
 * Reads the next len bytes. *got is less than len only at the end.
 * ERR_IO, ERR_CORRUPT.  Thread: main.
 */
int reader_read(struct reader *reader, void *buf, size_t len, size_t *got,
		struct err *err);

/*
 * As reader_read, but gives what is there or comes with the next call, so that
 * a slow pipe is not waited for longer than needed. *got is 0 only at the end.
 *
 * len      1 or more
 */
int reader_read_some(struct reader *reader, void *buf, size_t len, size_t *got,
		     struct err *err);

/*
 * Makes the next bytes visible without taking them.
 *
 * len      1 to READER_PEEK_MAX
 * data     borrowed until the next call
 * got      less than len only at the end
 */
#define READER_PEEK_MAX 4096
int reader_peek(struct reader *reader, size_t len, const uint8_t **data,
		size_t *got, struct err *err);

/*
 * Skips the next len bytes. *got is less than len only at the end; a file is
 * not read for it.
 */
int reader_skip(struct reader *reader, uint64_t len, uint64_t *got,
		struct err *err);

/* The offset of the next byte. */
uint64_t reader_offset(const struct reader *reader);

/* Moves to an offset, which may lie behind the end. Seekable readers only. */
void reader_seek(struct reader *reader, uint64_t offset);

/*
 * Once the end was reached: true if the input goes on behind it with bytes that
 * are no compressed data and were left out.
 */
bool reader_trailing(const struct reader *reader, struct stream_trailing *out);

/* True if the reader gives what a decompressor does. */
bool reader_is_decompressed(const struct reader *reader);

/* True if reader_read_at works and reader_size is known. */
bool reader_is_seekable(const struct reader *reader);

/* Bytes from offset 0 to the end of the file; 0 if unknown. */
uint64_t reader_size(const struct reader *reader);

/*
 * Reads exactly len bytes at an offset; does not move the position.
 * ERR_IO; ERR_CORRUPT if the file ends before ("the file became shorter").
 * Thread: any, many at once.
 */
int reader_read_at(const struct reader *reader, uint64_t at, void *buf,
		   size_t len, struct err *err);

/* The same into count pieces one behind the other; changes the pieces. */
int reader_readv_at(const struct reader *reader, uint64_t at,
		    struct iovec *iov, int count, struct err *err);

/* reader may be NULL. */
void reader_destroy(struct reader *reader);

#endif
