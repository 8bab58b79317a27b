/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef UTIL_HUGE_H
#define UTIL_HUGE_H

#include <stddef.h>

/*
 * Asks the system to back fresh memory, not yet written to, by huge pages where
 * it covers whole ones. With a million entries the processor's list of pages
 * holds a small part of ours, and most look-ups miss it besides the cache. Does
 * nothing for what is short, and where the system knows no such thing.
 */
void huge_pages(void *data, size_t len);

#endif
