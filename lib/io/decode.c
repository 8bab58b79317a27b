/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/*
 * Members one behind the other, padding between them, and what may follow. A
 * failure is told after all that was read before it.
 */
#include "decode.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "feed.h"
#include "format.h"
#include "frames.h"
#include "io/reader.h"
#include "io/stream.h"
#include "util/account.h"
#include "util/err.h"

/*
 * Input goes into a decoder piece by piece, as the grid has it, and one that on
 * failure does not tell how far it came gives its output to a spare buffer. So
 * what comes before a failure, and the place that it names, are the same from a
 * file and from a pipe, whatever buffers and threads there are.
 */
#define PIECE_LEN ((size_t)16 * 1024)
#define SPARE_LEN ((size_t)128 * 1024)

struct decode {
	struct stream stream;
	const struct format *format;
	struct decoder *decoder;
	struct feed feed;
	struct frames *frames; /* NULL: all goes through the decoder */
	uint8_t *spare; /* SPARE_LEN bytes, or NULL: it has no need of one */
	size_t spare_used, spare_len;

	bool in_member;
	bool begun; /* a member was read: others may follow */
	bool ended, failed;
	struct err err; /* if failed */
	struct stream_trailing trailing; /* len 0: none */
};

static int fail_at(const struct decode *d, uint64_t offset, struct err *err)
{
	return err_in(err, "byte %" PRIu64 " of the %s input", offset,
		      d->format->name);
}

/* Puts the place in front of an error. */
static int fail_here(const struct decode *d, struct err *err)
{
	return fail_at(d, d->feed.offset, err);
}

static int fail_cut(const struct decode *d, struct err *err)
{
	err_set(err, ERR_CORRUPT, "it ends here, within the data");
	return fail_here(d, err);
}

/* Takes the zeros behind a member. */
static int skip_padding(struct decode *d, struct err *err)
{
	struct feed *feed = &d->feed;
	uint64_t begin = feed->offset;

	for (;;) {
		if (feed_need(feed, 1, err) < 0)
			return -1;
		while (feed_len(feed) > 0 && feed->data[feed->begin] == 0)
			feed_take(feed, 1);
		if (feed_len(feed) > 0 || feed->ended)
			break;
	}
	if ((feed->offset - begin) % d->format->padding == 0)
		return 0;
	err_set(err, ERR_CORRUPT,
		"damaged: %" PRIu64 " zeros behind the data are no multiple of "
		"%u",
		feed->offset - begin, d->format->padding);
	return fail_here(d, err);
}

/* Reads all that is left, which lets the writer of a pipe finish. */
static int leave_out(struct decode *d, struct err *err)
{
	struct feed *feed = &d->feed;

	d->trailing.format = d->format->name;
	d->trailing.offset = feed->offset;
	while (feed_len(feed) > 0) {
		d->trailing.len += feed_len(feed);
		feed_take(feed, feed_len(feed));
		if (feed_need(feed, 1, err) < 0)
			return -1;
	}
	return 0;
}

/* Gets to the next member's first byte. Returns 1 if there is none. */
static int next_member(struct decode *d, struct err *err)
{
	struct feed *feed = &d->feed;
	enum match match = MATCH_NO;

	if (d->begun && d->format->padding > 0 && skip_padding(d, err) < 0)
		return -1;
	if (feed_need(feed, FORMAT_MATCH_MIN, err) < 0)
		return -1;
	if (d->begun && feed_len(feed) == 0)
		return 1;
	if (!d->begun || !d->format->is_single)
		match = d->format->match(feed->data + feed->begin,
					 feed_len(feed));
	if (match == MATCH_PART)
		return fail_cut(d, err);
	if (match == MATCH_NO)
		return leave_out(d, err) < 0 ? -1 : 1;
	if (d->decoder->ops->begin(d->decoder, err) < 0)
		return fail_here(d, err);
	d->in_member = true;
	d->begun = true;
	return 0;
}

/* Puts the place in front of a decoder's error. */
static int fail_run(const struct decode *d, struct err *err)
{
	uint64_t offset = d->feed.offset;

	if (d->spare)
		offset -= offset % PIECE_LEN;
	return fail_at(d, offset, err);
}

/* Decompresses some of a member into buf. */
static int run_member(struct decode *d, uint8_t *buf, size_t len, size_t *got,
		      struct err *err)
{
	struct feed *feed = &d->feed;
	size_t want = PIECE_LEN - feed->offset % PIECE_LEN;

	for (; want <= FEED_LEN; want += PIECE_LEN) {
		struct decoder_io io = { .out = buf, .out_len = len };
		size_t in_len;
		int ret;

		if (feed_need(feed, want, err) < 0)
			return -1;
		in_len = feed_len(feed) < want ? feed_len(feed) : want;
		io.in = feed->data + feed->begin;
		io.in_len = in_len;
		io.last = feed->ended && in_len == feed_len(feed);
		ret = d->decoder->ops->run(d->decoder, &io, err);
		*got = len - io.out_len;
		feed_take(feed, in_len - io.in_len);
		if (ret < 0)
			return fail_run(d, err);
		d->in_member = ret == 0;
		if (ret == 1 || *got > 0 || io.in_len < in_len)
			return 0;
		if (io.last)
			return fail_cut(d, err);
	}
	err_set(err, ERR_CORRUPT, "damaged: the decompressor cannot go on");
	return fail_run(d, err);
}

/* Gives what is left in the spare buffer. */
static size_t take_spare(struct decode *d, uint8_t *buf, size_t len)
{
	size_t n = d->spare_len - d->spare_used;

	if (n > len)
		n = len;
	if (n > 0)
		copy_bytes(buf, d->spare + d->spare_used, n);
	d->spare_used += n;
	return n;
}

/* *got may be 0 without being at the end. */
static int step(struct decode *d, uint8_t *buf, size_t len, size_t *got,
		struct err *err)
{
	int ret;

	*got = take_spare(d, buf, len);
	if (*got > 0)
		return 0;
	if (!d->in_member && d->frames) {
		frames_read(d->frames, &d->feed, buf, len, got);
		d->begun = d->begun || d->feed.offset > 0 || *got > 0;
		if (*got > 0)
			return 0;
	}
	if (!d->in_member) {
		ret = next_member(d, err);
		d->ended = ret == 1;
		return ret < 0 ? -1 : 0;
	}
	if (!d->spare)
		return run_member(d, buf, len, got, err);
	d->spare_used = 0;
	d->spare_len = 0;
	return run_member(d, d->spare, SPARE_LEN, &d->spare_len, err);
}

/* Going on may have to wait for input. */
static bool is_starved(const struct decode *d)
{
	const struct feed *feed = &d->feed;

	return !feed->ended && d->spare_used == d->spare_len &&
	       feed_len(feed) < PIECE_LEN - feed->offset % PIECE_LEN;
}

static int decode_read(struct stream *stream, void *buf, size_t len,
		       void *extra, size_t extra_len, size_t *got,
		       struct err *err)
{
	struct decode *d = (struct decode *)stream;
	size_t done = 0;

	(void)extra;
	(void)extra_len;
	if (len > DECODER_IO_MAX)
		len = DECODER_IO_MAX;
	while (done < len && !d->ended && !d->failed) {
		size_t n;

		/* What is there is not kept back for what may take long. */
		if (done > 0 && is_starved(d))
			break;
		if (step(d, (uint8_t *)buf + done, len - done, &n, &d->err) < 0)
			d->failed = true;
		done += n;
	}
	if (done == 0 && d->failed) {
		if (err)
			*err = d->err;
		return -1;
	}
	*got = done;
	return 0;
}

static bool decode_trailing(const struct stream *stream,
			    struct stream_trailing *out)
{
	const struct decode *d = (const struct decode *)stream;

	if (!d->ended || d->trailing.len == 0)
		return false;
	*out = d->trailing;
	return true;
}

static void decode_destroy(struct stream *stream)
{
	struct decode *d = (struct decode *)stream;

	frames_destroy(d->frames);
	decoder_destroy(d->decoder);
	feed_cleanup(&d->feed);
	free(d->spare);
	free(d);
}

static const struct stream_ops decode_ops = {
	.read = decode_read,
	.trailing = decode_trailing,
	.destroy = decode_destroy,
};

int decode_create(struct reader *reader, const struct format *format,
		  const struct decoder_options *options, struct stream **out,
		  struct err *err)
{
	struct decode *d = calloc(1, sizeof(*d));

	if (!d) {
		reader_destroy(reader);
		return err_nomem(err);
	}
	d->stream.ops = &decode_ops;
	d->format = format;
	if (feed_init(&d->feed, reader, err) < 0 ||
	    format->create(options, &d->decoder, err) < 0)
		goto failed;
	if (d->decoder->ops->is_vague) {
		d->spare = malloc(SPARE_LEN);
		if (!d->spare) {
			err_nomem(err);
			goto failed;
		}
	}
	if (format->has_frames && options->threads > 1 &&
	    reader_is_seekable(reader) &&
	    frames_create(reader, options, &d->frames, err) < 0)
		goto failed;
	*out = &d->stream;
	return 0;
failed:
	decode_destroy(&d->stream);
	return -1;
}
