/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef IO_INPUT_H
#define IO_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct reader;
struct stream;

/*
 * Limits of compressed input, so that no archive takes memory as it likes:
 * the window (zstd) or dictionary (xz, lzip, lzma) that it may ask for, and
 * the memory for reading parts of it at once where the options name none.
 */
#define INPUT_WINDOW_MAX    (UINT64_C(128) * 1024 * 1024)
#define INPUT_MEMORY	    (UINT64_C(256) * 1024 * 1024)
#define INPUT_THREADS_MAX   64

struct input_options {
	/*
	 * True if the archive as it stands begins so, whatever else its first
	 * bytes look like. NULL: never.
	 *
	 * len      512, or less where the input is shorter
	 */
	bool (*is_plain)(const uint8_t *data, size_t len);
	/*
	 * Threads that may decompress; more count as INPUT_THREADS_MAX. 0: the
	 * reader's own calls decompress. 1 or more: a thread does it ahead of
	 * them, and what comes in parts is read in parallel.
	 */
	unsigned threads;
	uint64_t memory; /* bytes for reading in parallel; 0: INPUT_MEMORY */
};

/*
 * A reader of an archive that may be compressed, which its first bytes tell.
 * One that is not is read as by reader_create; else the reader is that of a
 * stream, and its offsets count decompressed bytes. All members, streams or
 * frames are read, and what they say to check them is checked.
 *
 * fd       borrowed, read from where it stands
 * options  not needed afterwards
 * fails    ERR_UNSUPPORTED: a compressor that is not built in or not known;
 *	    ERR_IO, ERR_NOMEM. Reading then fails with ERR_CORRUPT: damaged or
 *	    cut; ERR_LIMIT: it needs more than a limit above; ERR_UNSUPPORTED:
 *	    an option of the format that the library lacks; the text names the
 *	    byte of the compressed input.
 * format   doc/input.md
 */
int reader_open(int fd, const struct input_options *options,
		struct reader **out, struct err *err);

/* Likewise of a stream, which is the reader's from then on, also on failure. */
int reader_open_stream(struct stream *stream,
		       const struct input_options *options, struct reader **out,
		       struct err *err);

/*
 * The compressor whose output begins so, or NULL.
 *
 * command  one that decompresses
 */
const char *input_compressor(const uint8_t *data, size_t len,
			     const char **command);

#endif
