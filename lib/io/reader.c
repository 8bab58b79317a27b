/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/*
 * An archive read from front to back. Headers are looked at in a window. Of a
 * regular file it holds as much as the headers of the last entry took, and
 * grows while the next follow closely, as with many small files: a call costs
 * about as much as copying the bytes of DENSE_GAP, which lie cold in the page
 * cache.
 */
#include "io/reader.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "io/fd.h"
#include "io/stream.h"
#include "util/account.h"
#include "util/err.h"

#define WINDOW_LEN (128 * 1024)
#define REFILL_MIN   512
#define REFILL_DENSE 4096
#define REFILL_MAX   (32 * 1024)
#define DENSE_GAP    2048 /* bytes skipped between two windows: read more */

_Static_assert(READER_PEEK_MAX <= REFILL_MAX, "a peek fits a refill");

struct reader {
	struct stream *stream; /* NULL: a regular file at fd */
	int fd;		       /* borrowed */
	uint64_t base;	       /* of offset 0 in the file */
	uint64_t size;	       /* bytes from base on */

	uint64_t offset; /* of the next byte */
	uint8_t *window; /* WINDOW_LEN bytes */
	size_t begin;	 /* of the next byte in the window */
	size_t end;	 /* of what is known in the window */

	/* of files */
	size_t refill;	  /* bytes to read next */
	uint64_t known;	  /* offset behind the window */
	uint64_t begun;	  /* offset where the headers of an entry began */
	uint64_t touched; /* offset behind what was asked for since */
};

static int create(struct reader **out, struct err *err)
{
	struct reader *r = calloc(1, sizeof(*r));

	if (!r)
		return err_nomem(err);
	r->window = malloc(WINDOW_LEN);
	if (!r->window) {
		free(r);
		return err_nomem(err);
	}
	r->fd = -1;
	r->refill = REFILL_MIN;
	*out = r;
	return 0;
}

int reader_create_stream(struct stream *stream, struct reader **out,
			 struct err *err)
{
	struct reader *r;

	if (create(&r, err) < 0) {
		stream_destroy(stream);
		return -1;
	}
	r->stream = stream;
	*out = r;
	return 0;
}

int reader_create(int fd, struct reader **out, struct err *err)
{
	struct reader *r;
	struct stream *stream;
	struct stat st;
	off_t base;

	if (fstat(fd, &st) < 0)
		return err_sys(err, "asking for the input's type");
	base = S_ISREG(st.st_mode) ? lseek(fd, 0, SEEK_CUR) : -1;
	if (base < 0) {
		if (stream_fd_create(fd, &stream, err) < 0)
			return -1;
		return reader_create_stream(stream, out, err);
	}
	if (create(&r, err) < 0)
		return -1;
	r->fd = fd;
	r->base = (uint64_t)base;
	r->size = st.st_size > base ? (uint64_t)(st.st_size - base) : 0;
	*out = r;
	return 0;
}

/* Puts the window of a file at offset; reads len bytes or more. */
static int refill_file(struct reader *r, size_t len, struct err *err)
{
	size_t got;

	if (r->offset > r->known + DENSE_GAP) {
		r->refill = REFILL_MIN;
		while (r->refill < r->touched - r->begun &&
		       r->refill < READER_PEEK_MAX)
			r->refill += REFILL_MIN;
		r->begun = r->offset;
	} else if (r->refill < REFILL_DENSE) {
		r->refill = REFILL_DENSE;
	} else if (r->refill < REFILL_MAX) {
		r->refill *= 2;
	}
	if (len < r->refill)
		len = r->refill;
	if (fd_read_at(r->fd, r->base + r->offset, r->window, len, &got, err) <
	    0)
		return -1;
	r->begin = 0;
	r->end = got;
	r->known = r->offset + got;
	return 0;
}

/* Reads on until the window of a stream holds len bytes or the end. */
static int refill_stream(struct reader *r, size_t len, struct err *err)
{
	move_bytes(r->window, r->window + r->begin, r->end - r->begin);
	r->end -= r->begin;
	r->begin = 0;
	while (r->end < len) {
		size_t got;

		if (r->stream->ops->read(r->stream, r->window + r->end,
					 WINDOW_LEN - r->end, NULL, 0, &got,
					 err) < 0)
			return -1;
		if (got == 0)
			break;
		r->end += got;
	}
	return 0;
}

/* Makes sure that len bytes are in the window, or all to the end. */
static int need(struct reader *r, size_t len, struct err *err)
{
	int ret = 0;

	if (r->end - r->begin < len)
		ret = r->stream ? refill_stream(r, len, err)
				: refill_file(r, len, err);
	r->touched = r->offset + len;
	return ret;
}

int reader_peek(struct reader *reader, size_t len, const uint8_t **data,
		size_t *got, struct err *err)
{
	if (need(reader, len, err) < 0)
		return -1;
	*data = reader->window + reader->begin;
	*got = reader->end - reader->begin;
	if (*got > len)
		*got = len;
	return 0;
}

/* Takes up to len bytes that are in the window; buf may be NULL. */
static size_t take_known(struct reader *r, void *buf, uint64_t len)
{
	size_t n = r->end - r->begin;

	if (n > len)
		n = (size_t)len;
	if (buf && n)
		copy_bytes(buf, r->window + r->begin, n);
	r->begin += n;
	r->offset += n;
	return n;
}

int reader_read(struct reader *reader, void *buf, size_t len, size_t *got,
		struct err *err)
{
	size_t done = take_known(reader, buf, len);

	while (done < len) {
		uint8_t *p = (uint8_t *)buf + done;
		size_t n;

		if (!reader->stream) {
			if (fd_read_at(reader->fd,
				       reader->base + reader->offset, p,
				       len - done, &n, err) < 0)
				return -1;
			reader->offset += n;
			done += n;
			break;
		}
		if (reader->stream->ops->read(reader->stream, p, len - done,
					      reader->window, WINDOW_LEN, &n,
					      err) < 0)
			return -1;
		if (n == 0)
			break;
		reader->begin = reader->end = 0;
		if (n > len - done) {
			reader->end = n - (len - done);
			n = len - done;
		}
		reader->offset += n;
		done += n;
	}
	*got = done;
	return 0;
}

int reader_read_some(struct reader *reader, void *buf, size_t len, size_t *got,
		     struct err *err)
{
	size_t n = take_known(reader, buf, len);

	if (n == 0 && !reader->stream) {
		if (fd_read_at(reader->fd, reader->base + reader->offset, buf,
			       len, &n, err) < 0)
			return -1;
		reader->offset += n;
	} else if (n == 0) {
		if (reader->stream->ops->read(reader->stream, buf, len, NULL, 0,
					      &n, err) < 0)
			return -1;
		reader->offset += n;
	}
	*got = n;
	return 0;
}

int reader_skip(struct reader *reader, uint64_t len, uint64_t *got,
		struct err *err)
{
	uint64_t done = take_known(reader, NULL, len);

	if (!reader->stream) {
		uint64_t left = reader->offset < reader->size
					? reader->size - reader->offset
					: 0;

		if (left > len - done)
			left = len - done;
		reader->offset += left;
		done += left;
	}
	while (reader->stream && done < len) {
		if (refill_stream(reader, 1, err) < 0)
			return -1;
		if (reader->end == 0)
			break;
		done += take_known(reader, NULL, len - done);
	}
	*got = done;
	return 0;
}

uint64_t reader_offset(const struct reader *reader)
{
	return reader->offset;
}

void reader_seek(struct reader *reader, uint64_t offset)
{
	assert(!reader->stream);
	reader->begin = reader->end = 0;
	reader->offset = offset;
}

bool reader_trailing(const struct reader *reader, struct stream_trailing *out)
{
	const struct stream *stream = reader->stream;

	return stream && stream->ops->trailing &&
	       stream->ops->trailing(stream, out);
}

bool reader_is_decompressed(const struct reader *reader)
{
	return reader->stream && reader->stream->ops->trailing;
}

bool reader_is_seekable(const struct reader *reader)
{
	return !reader->stream;
}

uint64_t reader_size(const struct reader *reader)
{
	return reader->size;
}

static int became_shorter(struct err *err)
{
	return err_set(err, ERR_CORRUPT,
		       "the input became shorter while it was read");
}

int reader_read_at(const struct reader *reader, uint64_t at, void *buf,
		   size_t len, struct err *err)
{
	size_t got;

	if (fd_read_at(reader->fd, reader->base + at, buf, len, &got, err) < 0)
		return -1;
	return got < len ? became_shorter(err) : 0;
}

int reader_readv_at(const struct reader *reader, uint64_t at,
		    struct iovec *iov, int count, struct err *err)
{
	size_t len = 0, got;

	for (int i = 0; i < count; i++)
		len += iov[i].iov_len;
	if (fd_readv_at(reader->fd, reader->base + at, iov, count, &got, err) <
	    0)
		return -1;
	return got < len ? became_shorter(err) : 0;
}

void reader_destroy(struct reader *reader)
{
	if (!reader)
		return;
	stream_destroy(reader->stream);
	free(reader->window);
	free(reader);
}
