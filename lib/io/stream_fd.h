/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef STREAM_FD_H
#define STREAM_FD_H

struct stream;

/*
 * Makes reading fail as soon as there is something to read from a second
 * descriptor, so that a thread that waits for a pipe can be ended.
 *
 * stream   of stream_fd_create
 * stop     borrowed as long as the stream lives
 */
void stream_fd_set_stop(struct stream *stream, int stop);

#endif
