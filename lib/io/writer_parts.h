/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef IO_WRITER_PARTS_H
#define IO_WRITER_PARTS_H

#include <stddef.h>

struct err;
struct part_codec;
struct writer_out;
struct writer_parts;

/*
 * Compresses what is put in, part by part, and writes the members in order.
 * A fixed number of parts is there, two more than threads.
 *
 * out      borrowed
 * threads  that compress; 0: the caller's
 * fails    ERR_NOMEM
 */
int writer_parts_create(const struct part_codec *codec, int level,
			unsigned threads, struct writer_out *out,
			struct writer_parts **parts, struct err *err);

/* ERR_WRITE, ERR_NOMEM. */
int writer_parts_put(struct writer_parts *parts, const void *data, size_t len,
		     struct err *err);

/* Room for bytes of the open part, 1 or more, and how many. As put. */
int writer_parts_room(struct writer_parts *parts, void **room, size_t *len,
		      struct err *err);

/* Adds len bytes that were put into the room. As put. */
int writer_parts_filled(struct writer_parts *parts, size_t len,
			struct err *err);

/* Writes what is left; a member without content if there never was any. */
int writer_parts_finish(struct writer_parts *parts, struct err *err);

/* parts may be NULL. */
void writer_parts_destroy(struct writer_parts *parts);

#endif
