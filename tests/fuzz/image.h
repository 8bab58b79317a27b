/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_FUZZ_IMAGE_H
#define TESTS_FUZZ_IMAGE_H

/* What the targets that read an image share. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/codecs.h"
#include "sqfs/image.h"
#include "util/err.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

/* A failure has a code and one line of text. */
static inline void require_told(const struct err *err)
{
	require(err->code != ERR_NONE && err->text[0], "a failure says why");
	require(!strchr(err->text, '\n'), "a failure is one line");
}

/* The image as a file in memory, made once and filled again. */
static inline int image_file(const uint8_t *data, size_t size)
{
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("image", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, 0) < 0)
		abort();
	for (size_t at = 0; at < size;) {
		ssize_t n = pwrite(fd, data + at, size - at, (off_t)at);

		if (n <= 0)
			abort();
		at += (size_t)n;
	}
	return fd;
}

/* Opens what lies in fd; NULL if that failed as it should. */
static inline struct image *open_image(int fd)
{
	const struct image_options options = { .codecs = codecs_more };
	struct image *image;
	struct err err = { 0 };

	if (image_open(fd, &options, &image, &err) == 0)
		return image;
	require_told(&err);
	require(err.code == ERR_CORRUPT || err.code == ERR_UNSUPPORTED,
		err.text);
	return NULL;
}

#endif
