/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMON_OPEN_H
#define COMMON_OPEN_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct image;

/* Where in its file an image begins: --offset. All zero: at the front. */
struct image_place {
	uint64_t offset;
	bool is_given; /* by the user */
	bool is_auto;  /* to be looked for; offset is 0 then */
};

/* "auto", or a size with K, M or G. ERR_USAGE. */
int image_place_parse(const char *text, struct image_place *out,
		      struct err *err);

/* An image named on the command line. All zero: none is open. */
struct image_file {
	struct image *image;
	int fd;
	bool is_ours; /* fd is to be closed */
};

/* What the image is called in messages: its path or "standard input". */
const char *image_file_name(const char *path);

/*
 * Opens an image. What can only be read from front to back, as a pipe, is
 * copied to a temporary file without a name, in TMPDIR or /tmp.
 *
 * path          "-" is standard input, from where it stands
 * place         not needed afterwards
 * input_closed  standard input was not open when the program began
 * out           to be given to image_file_close in any case
 * fails         what image_open and image_find fail with; ERR_IO; ERR_USAGE:
 *	         standard input is a terminal. The name is in front of the
 *	         text, and where an image lies further behind that is told.
 */
int image_file_open(const char *path, const struct image_place *place,
		    bool input_closed, struct image_file *out,
		    struct err *err);

/*
 * The same in two steps, for what need not be an image: the first opens the
 * file, to be read at offsets, the second the image in it. Neither puts the
 * name in front.
 */
int image_file_begin(const char *path, bool input_closed,
		     struct image_file *out, struct err *err);
int image_file_finish(struct image_file *file, const struct image_place *place,
		      struct err *err);

/*
 * Makes a temporary file that has no name, in TMPDIR or /tmp.
 *
 * dir      where, for messages; borrowed
 * fails    ERR_IO, with dir in front; ERR_NOMEM
 */
int temporary_create(int *fd, const char **dir, struct err *err);

void image_file_close(struct image_file *file);

#endif
