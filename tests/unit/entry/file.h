/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_UNIT_ENTRY_FILE_H
#define TESTS_UNIT_ENTRY_FILE_H

/* Files that the user wrote, for what reads them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define FILE_PATH_LEN 64

/*
 * Makes a file in memory, which is gone once it is closed; returns it. path is
 * how to open it.
 */
static inline int file_make(const void *data, size_t len,
			    char path[FILE_PATH_LEN])
{
	int fd = memfd_create("file", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, len) != (ssize_t)len)
		abort();
	snprintf(path, FILE_PATH_LEN, "/proc/self/fd/%d", fd);
	return fd;
}

#endif
