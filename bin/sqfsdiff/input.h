/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SQFSDIFF_INPUT_H
#define SQFSDIFF_INPUT_H

#include <stdbool.h>

#include "common/message.h"
#include "common/open.h"
#include "dir/scan.h"
#include "unpack/unpack.h"

struct diff_input;
struct err;
struct files;
struct options;
struct source;

/* One of the two that are compared: an image, a tar archive, a directory. */
struct input {
	const char *name;	/* for messages, borrowed */
	struct message message; /* for its warnings */
	struct image_file file;
	int copy; /* descriptor of an archive as it is unpacked, or -1 */
	struct image_source_options unpack;
	struct source *source;

	/* of a directory */
	const char *path;
	struct files *files;
	struct scan_options scan;
};

/* Not open: nothing for input_close to do. */
#define INPUT_NONE { .file.fd = -1, .copy = -1 }

struct input_wish {
	bool input_closed; /* standard input was not open at the begin */
	bool again;	   /* contents must be there to be read at any time */
	unsigned jobs;	   /* threads that may decompress an archive */
};

/*
 * Opens what a path names, whatever it is, which its first bytes tell.
 *
 * out      to be given to input_close in any case
 * fails    ERR_CORRUPT, ERR_UNSUPPORTED, ERR_IO, ERR_NOMEM, the name in front
 */
int input_open(const char *path, const struct options *options,
	       const struct input_wish *wish, struct input *out,
	       struct err *err);

/* The same as an input of diff_run; borrowed. */
void input_fill(struct input *input, struct diff_input *out);

/*
 * Replaces files of a directory by what they are now: each can be read but
 * once.
 */
struct extract_list;
int input_renew(struct input *input, struct extract_list *list,
		struct err *err);

void input_close(struct input *input);

#endif
