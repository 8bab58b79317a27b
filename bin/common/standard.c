/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "common/standard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "util/err.h"

int standard_init(bool *input_closed, struct err *err)
{
	*input_closed = false;
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
			continue;
		if (fd == STDIN_FILENO)
			*input_closed = true;

		/* The lowest free number is fd itself. */
		if (open("/dev/null", O_RDWR) != fd)
			return err_sys(err, "/dev/null");
	}
	signal(SIGPIPE, SIG_IGN);
#ifdef SIGXFSZ
	signal(SIGXFSZ, SIG_IGN);
#endif
	return 0;
}

int standard_flush(struct err *err)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return 0;
	if (errno == 0)
		errno = EIO;
	return err_sys(err, "standard output");
}
