/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef IO_FD_H
#define IO_FD_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct iovec;

/*
 * Whole reads and writes on a descriptor: interrupted and short calls are
 * continued. Reading fails with ERR_IO, writing with ERR_WRITE, and errno.
 */

/* Reads up to len bytes; *got is less than len only at the end. */
int fd_read(int fd, void *buf, size_t len, size_t *got, struct err *err);
int fd_read_at(int fd, uint64_t at, void *buf, size_t len, size_t *got,
	       struct err *err);

/* Reads into count pieces one behind the other; changes the pieces. */
int fd_readv_at(int fd, uint64_t at, struct iovec *iov, int count, size_t *got,
		struct err *err);

/* Writes all of it. */
int fd_write(int fd, const void *buf, size_t len, struct err *err);
int fd_write_at(int fd, uint64_t at, const void *buf, size_t len,
		struct err *err);

/* Takes the first len bytes, which there are, away from count pieces. */
void iov_advance(struct iovec **iov, int *count, size_t len);

/* Writes all of count pieces one behind the other; changes the pieces. */
int fd_writev_at(int fd, uint64_t at, struct iovec *iov, int count,
		 struct err *err);

#endif
