/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef AHEAD_H
#define AHEAD_H

struct err;
struct stream;

/*
 * A stream that a thread of its own reads ahead of its user, AHEAD_COUNT
 * buffers of AHEAD_LEN bytes far. Data, failures and the end come in the order
 * in which they were met. Without threads, or where none can be started, it is
 * read when its user asks.
 *
 * inner    the stream's from then on, also on failure
 * source   of stream_fd_create if inner reads it and it may block for long,
 *	    so that destroy need not wait for it; else NULL
 */
#define AHEAD_COUNT 4
#define AHEAD_LEN   (256 * 1024)
int ahead_create(struct stream *inner, struct stream *source,
		 struct stream **out, struct err *err);

#endif
