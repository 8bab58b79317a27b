/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "io/input.h"

#include <sys/stat.h>

#include "ahead.h"
#include "decode.h"
#include "format.h"
#include "io/reader.h"
#include "io/stream.h"
#include "util/err.h"

static int refuse(const struct format *format, struct err *err)
{
	if (format->library)
		return err_set(err, ERR_UNSUPPORTED,
			       "%s-compressed input, and this program was built "
			       "without %s; decompress it first, as in: %s < "
			       "ARCHIVE | ...",
			       format->name, format->library, format->command);
	return err_set(err, ERR_UNSUPPORTED,
		       "%s-compressed input; decompress it first, as in: %s < "
		       "ARCHIVE | ...",
		       format->name, format->command);
}

/* Takes plain, also on failure. */
static int open_compressed(struct reader *plain, struct stream *source,
			   const struct format *format,
			   const struct input_options *options,
			   struct reader **out, struct err *err)
{
	struct decoder_options decoder = {
		.threads = options->threads > 0 ? options->threads : 1,
		.memory = options->memory ? options->memory : INPUT_MEMORY,
	};
	struct stream *stream;

	if (decoder.threads > INPUT_THREADS_MAX)
		decoder.threads = INPUT_THREADS_MAX;
	if (decode_create(plain, format, &decoder, &stream, err) < 0)
		return -1;
	if (options->threads > 0 &&
	    ahead_create(stream, source, &stream, err) < 0)
		return -1;
	return reader_create_stream(stream, out, err);
}

/*
 * Puts a decompressor in front of plain if that is compressed. Takes plain,
 * also on failure.
 *
 * source   what plain reads, if it may block; see ahead.h
 */
static int recognise(struct reader *plain, struct stream *source,
		     const struct input_options *options, struct reader **out,
		     struct err *err)
{
	const struct format *format;
	const uint8_t *data;
	size_t got;

	if (reader_peek(plain, FORMAT_MATCH_LEN, &data, &got, err) < 0)
		goto failed;
	format = format_find(data, got);
	if (!format || (options->is_plain && options->is_plain(data, got))) {
		*out = plain;
		return 0;
	}
	if (format->create)
		return open_compressed(plain, source, format, options, out,
				       err);
	refuse(format, err);
failed:
	reader_destroy(plain);
	return -1;
}

int reader_open(int fd, const struct input_options *options,
		struct reader **out, struct err *err)
{
	struct stream *source = NULL;
	struct reader *plain;
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_sys(err, "asking for the input's type");
	if (S_ISREG(st.st_mode)) {
		if (reader_create(fd, &plain, err) < 0)
			return -1;
	} else if (stream_fd_create(fd, &source, err) < 0 ||
		   reader_create_stream(source, &plain, err) < 0) {
		return -1;
	}
	return recognise(plain, source, options, out, err);
}

int reader_open_stream(struct stream *stream,
		       const struct input_options *options, struct reader **out,
		       struct err *err)
{
	struct reader *plain;

	if (reader_create_stream(stream, &plain, err) < 0)
		return -1;
	return recognise(plain, NULL, options, out, err);
}

const char *input_compressor(const uint8_t *data, size_t len,
			     const char **command)
{
	const struct format *format = format_find(data, len);

	if (!format)
		return NULL;
	*command = format->command;
	return format->name;
}
