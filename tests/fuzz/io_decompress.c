/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

/*
 * Compressed input. The low bits of the first byte say which magic to put in
 * front of the rest, none at 0; the next whether it comes as a stream or as a
 * file, which is read by threads.
 */
#include "io/input.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/reader.h"
#include "io/stream.h"
#include "util/err.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CONTENT_MAX ((uint64_t)64 << 20) /* enough of a bomb */

#define KIND_MASK 15
#define FILE_FLAG 16

static const struct {
	const char *text;
	size_t len;
} magics[] = {
	{ "", 0 },
	{ "\x1f\x8b\x08", 3 },
	{ "\xfd\x37zXZ\0", 6 },
	{ "\x28\xb5\x2f\xfd", 4 },
	{ "BZh9", 4 },
	{ "\x04\x22\x4d\x18", 4 },
	{ "\x02\x21\x4c\x18", 4 },
	{ "LZIP\1", 5 },
	{ "\x5d\0\0", 3 },
	{ "\x50\x2a\x4d\x18", 4 },
};

#define MAGIC_COUNT (sizeof(magics) / sizeof(magics[0]))

struct memory {
	struct stream stream;
	const uint8_t *data;
	size_t len;
};

static int memory_read(struct stream *stream, void *buf, size_t len,
		       void *extra, size_t extra_len, size_t *got,
		       struct err *err)
{
	struct memory *m = (struct memory *)stream;

	(void)extra;
	(void)extra_len;
	(void)err;
	*got = len < m->len ? len : m->len;
	if (*got)
		memcpy(buf, m->data, *got);
	m->data += *got;
	m->len -= *got;
	return 0;
}

static void memory_destroy(struct stream *stream)
{
	free(stream);
}

static const struct stream_ops memory_ops = { .read = memory_read,
					      .destroy = memory_destroy };

static int open_memory(const uint8_t *data, size_t len, struct reader **out,
		       struct err *err)
{
	const struct input_options options = { .threads = 0 };
	struct memory *m = calloc(1, sizeof(*m));

	if (!m)
		abort();
	*m = (struct memory){ { &memory_ops }, data, len };
	return reader_open_stream(&m->stream, &options, out, err);
}

static int open_file(FILE *f, const uint8_t *data, size_t len,
		     struct reader **out, struct err *err)
{
	const struct input_options options = { .threads = 3,
					       .memory = 128 << 20 };

	if (!f || fwrite(data, 1, len, f) != len || fflush(f) != 0)
		abort();
	rewind(f);
	return reader_open(fileno(f), &options, out, err);
}

static void read_all(struct reader *reader)
{
	static uint8_t buf[100000];
	struct stream_trailing trailing;
	uint64_t total = 0;
	struct err err = { 0 };
	size_t got;

	do {
		if (reader_read_some(reader, buf, sizeof(buf), &got, &err) <
		    0) {
			if (err.code == ERR_NONE || !err.text[0])
				abort();
			return;
		}
		total += got;
	} while (got > 0 && total < CONTENT_MAX);
	if (got == 0 && reader_trailing(reader, &trailing) &&
	    trailing.len == 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct reader *reader;
	struct err err = { 0 };
	FILE *f = NULL;
	uint8_t *in;
	size_t magic;
	int ret;

	if (size == 0)
		return 0;
	magic = (data[0] & KIND_MASK) % MAGIC_COUNT;
	in = malloc(magics[magic].len + size);
	if (!in)
		abort();
	memcpy(in, magics[magic].text, magics[magic].len);
	memcpy(in + magics[magic].len, data + 1, size - 1);
	size += magics[magic].len - 1;

	if (data[0] & FILE_FLAG) {
		f = tmpfile();
		ret = open_file(f, in, size, &reader, &err);
	} else {
		ret = open_memory(in, size, &reader, &err);
	}
	if (ret == 0) {
		read_all(reader);
		reader_destroy(reader);
	} else if (err.code == ERR_NONE) {
		abort();
	}
	if (f)
		fclose(f);
	free(in);
	return 0;
}
