/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "io/fd.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/uio.h>
#include <unistd.h>

#include "util/err.h"

/* Some systems refuse more than this in one call. */
#define CALL_MAX ((size_t)1 << 30)

static int write_failed(struct err *err)
{
	if (err)
		err->code = ERR_WRITE;
	return -1;
}

static size_t call_len(size_t len)
{
	return len < CALL_MAX ? len : CALL_MAX;
}

int fd_read(int fd, void *buf, size_t len, size_t *got, struct err *err)
{
	size_t done = 0;

	while (done < len) {
		ssize_t n = read(fd, (char *)buf + done, call_len(len - done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_sys(err, "reading");
		if (n == 0)
			break;
		done += (size_t)n;
	}
	*got = done;
	return 0;
}

int fd_read_at(int fd, uint64_t at, void *buf, size_t len, size_t *got,
	       struct err *err)
{
	size_t done = 0;

	while (done < len) {
		ssize_t n = pread(fd, (char *)buf + done, call_len(len - done),
				  (off_t)(at + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_sys(err, "reading at byte %" PRIu64,
				       at + done);
		if (n == 0)
			break;
		done += (size_t)n;
	}
	*got = done;
	return 0;
}

int fd_readv_at(int fd, uint64_t at, struct iovec *iov, int count, size_t *got,
		struct err *err)
{
	size_t done = 0;

	while (count > 0) {
		ssize_t n = preadv(fd, iov, count, (off_t)(at + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_sys(err, "reading at byte %" PRIu64,
				       at + done);
		if (n == 0)
			break;
		done += (size_t)n;
		iov_advance(&iov, &count, (size_t)n);
	}
	*got = done;
	return 0;
}

int fd_write(int fd, const void *buf, size_t len, struct err *err)
{
	size_t done = 0;

	while (done < len) {
		ssize_t n = write(fd, (const char *)buf + done,
				  call_len(len - done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			err_sys(err, "writing");
			return write_failed(err);
		}
		done += (size_t)n;
	}
	return 0;
}

int fd_write_at(int fd, uint64_t at, const void *buf, size_t len,
		struct err *err)
{
	struct iovec iov = { .iov_base = (void *)(uintptr_t)buf,
			     .iov_len = len };

	return fd_writev_at(fd, at, &iov, 1, err);
}

void iov_advance(struct iovec **iov, int *count, size_t len)
{
	while (*count > 0 && len >= (*iov)->iov_len) {
		len -= (*iov)->iov_len;
		(*iov)++;
		(*count)--;
	}
	if (*count > 0) {
		(*iov)->iov_base = (char *)(*iov)->iov_base + len;
		(*iov)->iov_len -= len;
	}
}

int fd_writev_at(int fd, uint64_t at, struct iovec *iov, int count,
		 struct err *err)
{
	while (count > 0) {
		ssize_t n = pwritev(fd, iov, count, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			err_sys(err, "writing at byte %" PRIu64, at);
			return write_failed(err);
		}
		at += (uint64_t)n;
		iov_advance(&iov, &count, (size_t)n);
	}
	return 0;
}
