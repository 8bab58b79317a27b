/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * Counts the allocations of a whole process, to check what a program counts of
 * itself: LD_PRELOAD=.../mallocs.so MALLOCS_OUT=FILE PROGRAM... writes to FILE
 *
 *	program CALLS BYTES
 *	libc CALLS BYTES
 *	libraries CALLS BYTES
 *
 * by who called: the program itself, the C library for it (streams, listings of
 * directories), or any other library, which are the compressors. A caller is
 * known by the address that the call returns to, so a program that links its
 * compressors statically has theirs counted as its own.
 *
 * For glibc, whose functions have a second name that can be called from here.
 */
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

extern void *__libc_malloc(size_t len);
extern void *__libc_calloc(size_t count, size_t len);
extern void *__libc_realloc(void *p, size_t len);
extern void *__libc_memalign(size_t align, size_t len);

enum caller { PROGRAM, LIBC, LIBRARIES, CALLER_COUNT };

static const char *const names[] = { "program", "libc", "libraries" };

/* The code of the program and of the C library; set before main. */
static struct range {
	uintptr_t begin, end;
} ranges[LIBC + 1];

static struct {
	_Atomic uint64_t calls, bytes;
} counts[CALLER_COUNT];

static void count(const void *from, size_t len)
{
	uintptr_t at = (uintptr_t)from;
	int caller = PROGRAM;

	while (caller < LIBRARIES &&
	       (at < ranges[caller].begin || at >= ranges[caller].end))
		caller++;
	atomic_fetch_add_explicit(&counts[caller].calls, 1,
				  memory_order_relaxed);
	atomic_fetch_add_explicit(&counts[caller].bytes, len,
				  memory_order_relaxed);
}

#define COUNT(len) count(__builtin_return_address(0), (len))

EXPORT void *malloc(size_t len)
{
	COUNT(len);
	return __libc_malloc(len);
}

EXPORT void *calloc(size_t n, size_t len)
{
	COUNT(n * len);
	return __libc_calloc(n, len);
}

EXPORT void *realloc(void *p, size_t len)
{
	COUNT(len);
	return __libc_realloc(p, len);
}

EXPORT void *memalign(size_t align, size_t len)
{
	COUNT(len);
	return __libc_memalign(align, len);
}

EXPORT void *aligned_alloc(size_t align, size_t len)
{
	COUNT(len);
	return __libc_memalign(align, len);
}

EXPORT int posix_memalign(void **out, size_t align, size_t len)
{
	COUNT(len);
	*out = __libc_memalign(align, len);
	return *out ? 0 : 12; /* ENOMEM */
}

/* Here, so that they count as the caller's and not as the C library's. */
static char *copy(const char *text, size_t len)
{
	char *p = __libc_malloc(len + 1);

	if (p) {
		memcpy(p, text, len);
		p[len] = '\0';
	}
	return p;
}

EXPORT char *strdup(const char *text)
{
	COUNT(strlen(text) + 1);
	return copy(text, strlen(text));
}

EXPORT char *strndup(const char *text, size_t max)
{
	size_t len = strnlen(text, max);

	COUNT(len + 1);
	return copy(text, len);
}

/* The first object is the program; the C library is where write is. */
static int look(struct dl_phdr_info *info, size_t size, void *arg)
{
	int *index = arg;
	struct range code = { UINTPTR_MAX, 0 };

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
		uintptr_t end = begin + info->dlpi_phdr[i].p_memsz;

		if (info->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		code.begin = begin < code.begin ? begin : code.begin;
		code.end = end > code.end ? end : code.end;
	}
	if ((*index)++ == 0)
		ranges[PROGRAM] = code;
	else if (strstr(info->dlpi_name, "/libc.so") ||
		 strstr(info->dlpi_name, "/libc-"))
		ranges[LIBC] = code;
	return 0;
}

__attribute__((constructor)) static void begin(void)
{
	int index = 0;

	dl_iterate_phdr(look, &index);
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("MALLOCS_OUT");
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
	char text[256];
	int len = 0;

	if (fd < 0)
		return;
	for (int i = 0; i < CALLER_COUNT; i++)
		len += snprintf(text + len, sizeof(text) - (size_t)len,
				"%s %llu %llu\n", names[i],
				(unsigned long long)counts[i].calls,
				(unsigned long long)counts[i].bytes);
	if (write(fd, text, (size_t)len) != len)
		unlink(path);
	close(fd);
}
