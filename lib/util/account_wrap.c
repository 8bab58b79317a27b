/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "util/account.h"

/*
 * What a linker that knows --wrap puts in place of the C library's functions,
 * in the programs that are linked so. The names are the linker's.
 */
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t len);
void *__real_calloc(size_t count, size_t len);
void *__real_realloc(void *p, size_t len);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t len);

void *__wrap_malloc(size_t len);
void *__wrap_calloc(size_t count, size_t len);
void *__wrap_realloc(void *p, size_t len);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t len);

static void allocated(size_t len)
{
	account_add(ACCOUNT_ALLOCATIONS, 1);
	account_add(ACCOUNT_ALLOCATED, len);
}

void *__wrap_malloc(size_t len)
{
	if (account_is_on)
		allocated(len);
	return __real_malloc(len);
}

/* A product that does not fit fails below; what is counted does not matter. */
void *__wrap_calloc(size_t count, size_t len)
{
	if (account_is_on)
		allocated(count * len);
	return __real_calloc(count, len);
}

void *__wrap_realloc(void *p, size_t len)
{
	if (account_is_on)
		allocated(len);
	return __real_realloc(p, len);
}

char *__wrap_strdup(const char *text)
{
	if (account_is_on)
		allocated(strlen(text) + 1);
	return __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t len)
{
	if (account_is_on)
		allocated(strnlen(text, len) + 1);
	return __real_strndup(text, len);
}
