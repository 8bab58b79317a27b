/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef IO_WRITER_H
#define IO_WRITER_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct writer;

/*
 * Output that only goes forward: a pipe, a file, or a compressor on top of one.
 * Used by one thread at a time.
 */

enum writer_codec {
	WRITER_PLAIN,
	WRITER_GZIP,
	WRITER_XZ,
	WRITER_ZSTD,
	WRITER_BZIP2,
	WRITER_LZ4
};

/* By name ("gzip"), also one not built in; 1 if there is none of that name. */
int writer_codec_by_name(const char *name, enum writer_codec *out);

#define WRITER_LEVEL_DEFAULT INT32_MIN

struct writer_options {
	enum writer_codec codec;
	int32_t level; /* of the codec, or WRITER_LEVEL_DEFAULT */
	unsigned threads; /* that may compress; 0: the caller's alone, but
			   * for xz and zstd, whose libraries do it in one
			   * of theirs at least. The output does not depend
			   * on it */
	/*
	 * Bytes that xz and zstd may take to compress: fewer threads do it
	 * where more would take more, but one in any case. 0: WRITER_MEMORY
	 */
	uint64_t memory;
};

#define WRITER_MEMORY (UINT64_C(1) << 30)

/*
 * fd       borrowed, written from where it stands; waited for if it is not
 *	    ready (O_NONBLOCK)
 * fails    ERR_USAGE: a level out of range, the text says which there are;
 *	    ERR_UNSUPPORTED: a codec that is not built in; ERR_NOMEM
 */
int writer_create(int fd, const struct writer_options *options,
		  struct writer **out, struct err *err);

/*
 * Writes all of it. Small pieces are gathered; large ones go out straight away.
 * ERR_WRITE, ERR_NOMEM. After a failure this and what follows writes nothing
 * more and fails the same way.
 */
int writer_write(struct writer *writer, const void *data, size_t len,
		 struct err *err);

/* Writes len zeros. */
int writer_zeros(struct writer *writer, uint64_t len, struct err *err);

/*
 * Writes len bytes that lie in a file at at; without a copy to this program
 * where the system can and nothing compresses.
 *
 * fails    ERR_WRITE; ERR_IO, ERR_CORRUPT: reading the file
 */
int writer_copy(struct writer *writer, int fd, uint64_t at, uint64_t len,
		struct err *err);

/* Sends out what is gathered, ends compressed data. Nothing may follow. */
int writer_finish(struct writer *writer, struct err *err);

/* Without writing anything more. writer may be NULL. */
void writer_destroy(struct writer *writer);

#endif
