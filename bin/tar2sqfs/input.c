/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tar2sqfs/input.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/err.h"

#define PIPE_LEN (1 << 20)

const char *input_name(const char *path)
{
	return path ? path : "standard input";
}

/* Checks standard input before it is read. */
static int check_standard(bool closed, struct err *err)
{
	if (closed)
		return err_set(err, ERR_IO, "standard input is closed");
	if (isatty(STDIN_FILENO))
		return err_set(err, ERR_USAGE,
			       "standard input is a terminal: name an archive"
			       " or send one; see tar2sqfs --help");
	return 0;
}

/* Refuses an output that is the input. */
static int check_output(const struct stat *in, const char *output,
			struct err *err)
{
	struct stat out;

	/* What is not there is not the input; what else fails shows later. */
	if (stat(output, &out) < 0)
		return 0;
	if (S_ISREG(in->st_mode) &&
	    (in->st_dev != out.st_dev || in->st_ino != out.st_ino))
		return 0;
	if (S_ISBLK(in->st_mode) &&
	    (!S_ISBLK(out.st_mode) || in->st_rdev != out.st_rdev))
		return 0;
	if (!S_ISREG(in->st_mode) && !S_ISBLK(in->st_mode))
		return 0;
	return err_set(err, ERR_USAGE, "%s: is the archive that is to be read",
		       output);
}

int input_check(const char *path, bool closed, const char *output,
		uint64_t *size, struct err *err)
{
	struct stat st;

	if (!path && check_standard(closed, err) < 0)
		return -1;
	if ((path ? stat(path, &st) : fstat(STDIN_FILENO, &st)) < 0 ||
	    (path && faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) < 0))
		return err_sys(err, "%s", input_name(path));
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return err_sys(err, "%s", input_name(path));
	}
	*size = S_ISREG(st.st_mode) && st.st_size > 0 ? (uint64_t)st.st_size
						      : 0;
	return check_output(&st, output, err);
}

int input_open(const char *path, bool closed, int *out, struct err *err)
{
	int fd = STDIN_FILENO;
	struct stat st;

	if (!path && check_standard(closed, err) < 0)
		return -1;
	if (path) {
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
		if (fd < 0)
			return err_sys(err, "opening it");
	}
	if (fstat(fd, &st) < 0) {
		err_sys(err, "opening it");
		goto failed;
	}
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		err_sys(err, "opening it");
		goto failed;
	}
#ifdef F_SETPIPE_SZ
	/* A limit of the user's may forbid it; then the pipe stays narrow. */
	if (S_ISFIFO(st.st_mode) && fcntl(fd, F_SETPIPE_SZ, PIPE_LEN) < 0)
		errno = 0;
#endif
	*out = fd;
	return 0;
failed:
	if (path)
		close(fd);
	return -1;
}
