/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef DECODE_H
#define DECODE_H

struct decoder_options;
struct err;
struct format;
struct reader;
struct stream;

/*
 * A stream of what compressed data holds: all members up to the end, or to
 * what is none.
 *
 * reader   the stream's from then on, also on failure
 * format   one that is built in and begins where the reader stands
 */
int decode_create(struct reader *reader, const struct format *format,
		  const struct decoder_options *options, struct stream **out,
		  struct err *err);

#endif
