/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef FRAMES_H
#define FRAMES_H

#include <stddef.h>
#include <stdint.h>

struct decoder_options;
struct err;
struct feed;
struct frames;
struct reader;

/*
 * Reads zstd frames of a file in parallel: those of at most FRAMES_PART_MAX
 * bytes, of which the next begins where the header of each block says. A frame
 * that is none of these, or is damaged, is left to the decoder.
 */
#define FRAMES_PART_MAX (16 * 1024 * 1024)

/*
 * reader   seekable, borrowed
 * out      NULL if memory does not allow for two frames at once, or there are
 *	    no threads
 * fails    ERR_NOMEM
 */
int frames_create(struct reader *reader, const struct decoder_options *options,
		  struct frames **out, struct err *err);

/*
 * Goes on where the feed stands, in front of a frame.
 *
 * got      bytes put into buf; 0: the feed now stands where the decoder has to
 *	    go on
 */
void frames_read(struct frames *frames, struct feed *feed, uint8_t *buf,
		 size_t len, size_t *got);

/* frames may be NULL. */
void frames_destroy(struct frames *frames);

#endif
