/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef UTIL_ARRAY_H
#define UTIL_ARRAY_H

#include <stddef.h>
#include <stdint.h>

struct err;

/*
 * Makes room for count items of item_len bytes in a heap array that grows by
 * half of its length. *items may be NULL, *cap is in items.
 *
 * returns  0; -1 with ERR_NOMEM, the array untouched
 */
int array_reserve(void *items_ptr, size_t *cap, size_t count, size_t item_len,
		  struct err *err);

/* Bytes that grow. All zero is an empty buffer. */
struct buffer {
	uint8_t *data; /* cap bytes, of which len are in use */
	size_t len;
	size_t cap;
};

/* Makes room for extra bytes behind len. ERR_NOMEM. */
int buffer_reserve(struct buffer *buffer, size_t extra, struct err *err);

/* Appends a copy of len bytes. ERR_NOMEM. */
int buffer_append(struct buffer *buffer, const void *data, size_t len,
		  struct err *err);

/* Frees the bytes; the buffer is empty and usable afterwards. */
void buffer_cleanup(struct buffer *buffer);

#endif
