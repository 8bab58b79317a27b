/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef FORMAT_H
#define FORMAT_H

#include <stdbool.h>

#include "decoder.h"

enum match {
	MATCH_NO,
	MATCH_PART, /* all bytes fit, but there are too few to tell */
	MATCH_YES
};

/* A compressed file format. Facts: doc/input.md. */
struct format {
	const char *name;
	const char *library; /* NULL: none that we use reads it */
	const char *command; /* decompresses */
	enum match (*match)(const uint8_t *data, size_t len);
	decoder_create_fn *create; /* NULL: not built in */
	unsigned padding; /* zeros come in this unit behind members; 0: never */
	bool is_single;	  /* nothing follows a member */
	bool has_frames;  /* see frames.h */
};

/*
 * Bytes to find a format by: an archive's first header, which is also enough
 * to look behind small skippable frames. For match alone fewer do.
 */
#define FORMAT_MATCH_LEN 512
#define FORMAT_MATCH_MIN 16

/* The format of data that begins so, built in or not, or NULL. */
const struct format *format_find(const uint8_t *data, size_t len);

#endif
