/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef IO_WRITER_OUT_H
#define IO_WRITER_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct iovec;

/*
 * A descriptor that is written from where it stands; one that is not ready
 * (O_NONBLOCK) is waited for.
 */
struct writer_out {
	int fd;		/* borrowed */
	bool no_kernel; /* the system will not copy to it */
};

void writer_out_init(struct writer_out *out, int fd);

/* Writes all of it. ERR_WRITE. */
int writer_out_put(struct writer_out *out, const void *data, size_t len,
		   struct err *err);

/* Writes all of count pieces; changes them. ERR_WRITE. */
int writer_out_putv(struct writer_out *out, struct iovec *iov, int count,
		    struct err *err);

/*
 * Has the system copy from a file what it will, from the front. Never fails:
 * what is left the caller writes, and meets the reason.
 *
 * returns  bytes copied, up to len
 */
uint64_t writer_out_copy(struct writer_out *out, int fd, uint64_t at,
			 uint64_t len);

#endif
