/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "util/huge.h"

#include <stdint.h>
#include <sys/mman.h>

#define HUGE_LEN ((uintptr_t)2 << 20) /* of most processors that have them */

void huge_pages(void *data, size_t len)
{
#ifdef MADV_HUGEPAGE
	uintptr_t begin = ((uintptr_t)data + HUGE_LEN - 1) & ~(HUGE_LEN - 1);
	uintptr_t end = ((uintptr_t)data + len) & ~(HUGE_LEN - 1);

	/* A wish: if it is not granted all is as before. */
	if (len >= HUGE_LEN && begin < end)
		madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
	(void)data;
	(void)len;
#endif
}
