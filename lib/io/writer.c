/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "io/writer.h"

/*
 * Three ways out. Plain: small pieces are gathered, large ones go out together
 * with what is gathered, from where they lie. Through a compressor of parts,
 * which gathers by itself. Through a compressor of streams, that is fed what
 * is gathered.
 */

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "io/fd.h"
#include "util/account.h"
#include "util/err.h"
#include "writer_codec.h"
#include "writer_out.h"
#include "writer_parts.h"

#define GATHER_LEN (64 * 1024)
#define CODED_LEN  (256 * 1024) /* of a stream, written at once */

/* A piece of so many bytes is not worth copying to gather it. */
#define LARGE (16 * 1024)

/* A copy of so many bytes is worth two system calls. */
#define COPY_MIN (32 * 1024)

struct writer {
	struct writer_out out;
	struct writer_parts *parts; /* or NULL */
	struct encoder *encoder;    /* or NULL */

	uint8_t *gather; /* GATHER_LEN bytes */
	size_t gathered;
	uint8_t *coded; /* with encoder: CODED_LEN bytes */
	size_t coded_len;

	struct err failure; /* the first, which every further call repeats */
};

/* A codec's row; both kinds NULL: it is not built in. */
struct row {
	const char *name;
	const struct part_codec *parts;
	const struct stream_codec *stream;
};

static const struct row rows[] = {
	[WRITER_PLAIN] = { "none", NULL, NULL },
#if defined(WITH_ZLIB) || defined(WITH_LIBDEFLATE)
	[WRITER_GZIP] = { "gzip", &writer_gzip, NULL },
#else
	[WRITER_GZIP] = { "gzip", NULL, NULL },
#endif
#ifdef WITH_LZMA
	[WRITER_XZ] = { "xz", NULL, &writer_xz },
#else
	[WRITER_XZ] = { "xz", NULL, NULL },
#endif
#ifdef WITH_ZSTD
	[WRITER_ZSTD] = { "zstd", NULL, &writer_zstd },
#else
	[WRITER_ZSTD] = { "zstd", NULL, NULL },
#endif
#ifdef WITH_BZIP2
	[WRITER_BZIP2] = { "bzip2", &writer_bzip2, NULL },
#else
	[WRITER_BZIP2] = { "bzip2", NULL, NULL },
#endif
#ifdef WITH_LZ4
	[WRITER_LZ4] = { "lz4", &writer_lz4, NULL },
#else
	[WRITER_LZ4] = { "lz4", NULL, NULL },
#endif
};

#define ROW_COUNT (sizeof(rows) / sizeof(*rows))

int writer_codec_by_name(const char *name, enum writer_codec *out)
{
	for (size_t i = 0; i < ROW_COUNT; i++) {
		if (i == WRITER_PLAIN || strcmp(rows[i].name, name) != 0)
			continue;
		*out = (enum writer_codec)i;
		return 0;
	}
	return 1;
}

/* Keeps the failure, so that no call after it writes anything. */
static int failed(struct writer *writer, const struct err *failure,
		  struct err *err)
{
	writer->failure = *failure;
	if (err)
		*err = *failure;
	return -1;
}

static bool has_failed(const struct writer *writer, struct err *err)
{
	if (writer->failure.code == ERR_NONE)
		return false;
	if (err)
		*err = writer->failure;
	return true;
}

static int choose_level(const char *name, int32_t level, int min, int max,
			int usual, int *out, struct err *err)
{
	if (level == WRITER_LEVEL_DEFAULT)
		level = usual;
	if (level < min || level > max)
		return err_set(err, ERR_USAGE,
			       "%s: level %" PRId32 ": there are %d to %d",
			       name, level, min, max);
	*out = (int)level;
	return 0;
}

static int create_codec(struct writer *writer,
			const struct writer_options *options, struct err *err)
{
	const struct row *row = &rows[options->codec];
	unsigned threads = options->threads;
	uint64_t memory = options->memory ? options->memory : WRITER_MEMORY;
	int level = 0;

	if (options->codec == WRITER_PLAIN)
		return 0;
	if (row->parts) {
		if (choose_level(row->name, options->level,
				 row->parts->level_min, row->parts->level_max,
				 row->parts->level_default, &level, err) < 0)
			return -1;
		return writer_parts_create(row->parts, level, threads,
					   &writer->out, &writer->parts, err);
	}
	if (!row->stream)
		return err_set(err, ERR_UNSUPPORTED,
			       "%s: this program was built without it",
			       row->name);
	if (choose_level(row->name, options->level, row->stream->level_min,
			 row->stream->level_max, row->stream->level_default,
			 &level, err) < 0)
		return -1;
	writer->coded = malloc(CODED_LEN);
	if (!writer->coded)
		return err_nomem(err);
	return row->stream->create(level, threads ? threads : 1, memory,
				   &writer->encoder, err);
}

int writer_create(int fd, const struct writer_options *options,
		  struct writer **out, struct err *err)
{
	struct writer *writer = calloc(1, sizeof(*writer));

	if (!writer)
		return err_nomem(err);
	writer_out_init(&writer->out, fd);
	writer->gather = malloc(GATHER_LEN);
	if (!writer->gather) {
		err_nomem(err);
		goto failed;
	}
	if (create_codec(writer, options, err) < 0)
		goto failed;
	*out = writer;
	return 0;
failed:
	writer_destroy(writer);
	return -1;
}

/* Runs data through the encoder; with last, to the end of the stream. */
static int encode(struct writer *writer, const void *data, size_t len,
		  bool last, struct err *err)
{
	struct encoder_io io = { .in = data, .in_len = len };
	int ret = 0;

	while (io.in_len > 0 || (last && ret == 0)) {
		io.out = writer->coded + writer->coded_len;
		io.out_len = CODED_LEN - writer->coded_len;
		ret = writer->encoder->ops->run(writer->encoder, &io, last,
						err);
		if (ret < 0)
			return -1;
		writer->coded_len = CODED_LEN - io.out_len;
		if (writer->coded_len < CODED_LEN && ret == 0)
			continue;
		if (writer_out_put(&writer->out, writer->coded,
				   writer->coded_len, err) < 0)
			return -1;
		writer->coded_len = 0;
	}
	return 0;
}

/* Sends out what is gathered, and more behind it. */
static int send(struct writer *writer, const void *data, size_t len,
		struct err *err)
{
	struct iovec iov[2] = {
		{ .iov_base = writer->gather, .iov_len = writer->gathered },
		{ .iov_base = (void *)(uintptr_t)data, .iov_len = len },
	};

	writer->gathered = 0;
	if (!writer->encoder)
		return writer_out_putv(&writer->out, iov, 2, err);
	if (encode(writer, iov[0].iov_base, iov[0].iov_len, false, err) < 0)
		return -1;
	return encode(writer, data, len, false, err);
}

/* Adds a piece to what is gathered. */
static int add(struct writer *writer, const uint8_t *data, size_t len,
	       struct err *err)
{
	if (writer->parts)
		return writer_parts_put(writer->parts, data, len, err);
	if (len >= LARGE)
		return send(writer, data, len, err);

	size_t n = GATHER_LEN - writer->gathered;

	/* The buffer is filled up, so that a pipe is written in whole pages. */
	if (n > len)
		n = len;
	copy_bytes(writer->gather + writer->gathered, data, n);
	writer->gathered += n;
	if (n == len)
		return 0;
	if (send(writer, NULL, 0, err) < 0)
		return -1;
	copy_bytes(writer->gather, data + n, len - n);
	writer->gathered = len - n;
	return 0;
}

int writer_write(struct writer *writer, const void *data, size_t len,
		 struct err *err)
{
	struct err failure = { .code = ERR_NONE };

	if (has_failed(writer, err))
		return -1;
	if (add(writer, data, len, &failure) < 0)
		return failed(writer, &failure, err);
	return 0;
}

int writer_zeros(struct writer *writer, uint64_t len, struct err *err)
{
	static const uint8_t zeros[GATHER_LEN];

	while (len > 0) {
		size_t n = len < sizeof(zeros) ? (size_t)len : sizeof(zeros);

		if (writer_write(writer, zeros, n, err) < 0)
			return -1;
		len -= n;
	}
	return 0;
}

/* Reads exactly len bytes of a file. */
static int read_all(int fd, uint64_t at, void *buf, size_t len, struct err *err)
{
	size_t got;

	if (fd_read_at(fd, at, buf, len, &got, err) < 0)
		return -1;
	if (got < len)
		return err_set(err, ERR_CORRUPT,
			       "byte %" PRIu64 ": the file became shorter",
			       at + got);
	return 0;
}

/* Room for bytes to gather, 1 or more. */
static int find_room(struct writer *writer, void **room, size_t *len,
		     struct err *err)
{
	if (writer->parts)
		return writer_parts_room(writer->parts, room, len, err);
	if (writer->gathered == GATHER_LEN && send(writer, NULL, 0, err) < 0)
		return -1;
	*room = writer->gather + writer->gathered;
	*len = GATHER_LEN - writer->gathered;
	return 0;
}

static int copy(struct writer *writer, int fd, uint64_t at, uint64_t len,
		struct err *err)
{
	bool plain = !writer->parts && !writer->encoder;

	if (plain && len >= COPY_MIN && !writer->out.no_kernel) {
		uint64_t n;

		if (send(writer, NULL, 0, err) < 0)
			return -1;
		n = writer_out_copy(&writer->out, fd, at, len);
		at += n;
		len -= n;
	}
	while (len > 0) {
		void *room;
		size_t n;

		if (find_room(writer, &room, &n, err) < 0)
			return -1;
		if (n > len)
			n = (size_t)len;
		if (read_all(fd, at, room, n, err) < 0)
			return -1;
		if (!writer->parts)
			writer->gathered += n;
		else if (writer_parts_filled(writer->parts, n, err) < 0)
			return -1;
		at += n;
		len -= n;
	}
	return 0;
}

int writer_copy(struct writer *writer, int fd, uint64_t at, uint64_t len,
		struct err *err)
{
	struct err failure = { .code = ERR_NONE };

	if (has_failed(writer, err))
		return -1;
	if (copy(writer, fd, at, len, &failure) < 0)
		return failed(writer, &failure, err);
	return 0;
}

static int finish(struct writer *writer, struct err *err)
{
	if (writer->parts)
		return writer_parts_finish(writer->parts, err);
	if (send(writer, NULL, 0, err) < 0)
		return -1;
	return writer->encoder ? encode(writer, NULL, 0, true, err) : 0;
}

int writer_finish(struct writer *writer, struct err *err)
{
	struct err failure = { .code = ERR_NONE };

	if (has_failed(writer, err))
		return -1;
	if (finish(writer, &failure) < 0)
		return failed(writer, &failure, err);
	return 0;
}

void writer_destroy(struct writer *writer)
{
	if (!writer)
		return;
	writer_parts_destroy(writer->parts);
	if (writer->encoder)
		writer->encoder->ops->destroy(writer->encoder);
	free(writer->coded);
	free(writer->gather);
	free(writer);
}
