/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "io/stream.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "stream_fd.h"
#include "util/err.h"

struct fd_stream {
	struct stream stream;
	int fd;	  /* borrowed */
	int stop; /* borrowed, or -1 */
};

/* Waits until there is something to read, or the end; or until told to stop. */
static int wait_for_input(const struct fd_stream *s, struct err *err)
{
	struct pollfd fds[2] = {
		{ .fd = s->fd, .events = POLLIN },
		{ .fd = s->stop, .events = POLLIN },
	};
	int n;

	do {
		n = poll(fds, 2, -1);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return err_sys(err, "waiting for input");
	if (fds[1].revents)
		return err_set(err, ERR_IO, "reading was stopped");
	return 0;
}

static int fd_stream_read(struct stream *stream, void *buf, size_t len,
			  void *extra, size_t extra_len, size_t *got,
			  struct err *err)
{
	struct fd_stream *s = (struct fd_stream *)stream;
	struct iovec iov[2] = {
		{ .iov_base = buf, .iov_len = len },
		{ .iov_base = extra, .iov_len = extra_len },
	};
	ssize_t n;

	if (s->stop >= 0 && wait_for_input(s, err) < 0)
		return -1;
	while ((n = readv(s->fd, iov, extra_len ? 2 : 1)) < 0) {
		if (errno == EINTR)
			continue;
		/* The descriptor may have been made non-blocking elsewhere. */
		if (errno != EAGAIN && errno != EWOULDBLOCK)
			break;
		if (wait_for_input(s, err) < 0)
			return -1;
	}
	if (n < 0)
		return err_sys(err, "reading");
	*got = (size_t)n;
	return 0;
}

static void fd_stream_destroy(struct stream *stream)
{
	free(stream);
}

static const struct stream_ops fd_stream_ops = {
	.read = fd_stream_read,
	.destroy = fd_stream_destroy,
};

int stream_fd_create(int fd, struct stream **out, struct err *err)
{
	struct fd_stream *s = calloc(1, sizeof(*s));

	if (!s)
		return err_nomem(err);
	s->stream.ops = &fd_stream_ops;
	s->fd = fd;
	s->stop = -1;
	*out = &s->stream;
	return 0;
}

void stream_fd_set_stop(struct stream *stream, int stop)
{
	assert(stream->ops == &fd_stream_ops);
	((struct fd_stream *)stream)->stop = stop;
}
