/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "util/array.h"

#include <stdlib.h>
#include <string.h>

#include "util/account.h"
#include "util/err.h"
#include "util/num.h"

/* From about this size on the C library has the system move pages instead. */
#define PAGES_MOVE (128 * 1024)

int array_reserve(void *items_ptr, size_t *cap, size_t count, size_t item_len,
		  struct err *err)
{
	void *items;
	size_t want = *cap, bytes;
	uintptr_t was;

	if (count <= *cap)
		return 0;
	if (!add_size(want, want / 2 + 8, &want) || want < count)
		want = count;
	if (!mul_size(want, item_len, &bytes))
		return err_nomem(err);
	memcpy(&items, items_ptr, sizeof(items));
	was = (uintptr_t)items;
	items = realloc(items, bytes);
	if (!items)
		return err_nomem(err);
	if ((uintptr_t)items != was && bytes < PAGES_MOVE)
		account_copied(*cap * item_len);
	memcpy(items_ptr, &items, sizeof(items));
	*cap = want;
	return 0;
}

int buffer_reserve(struct buffer *buffer, size_t extra, struct err *err)
{
	size_t want;

	if (!add_size(buffer->len, extra, &want))
		return err_nomem(err);
	return array_reserve(&buffer->data, &buffer->cap, want, 1, err);
}

int buffer_append(struct buffer *buffer, const void *data, size_t len,
		  struct err *err)
{
	if (len == 0)
		return 0;
	if (buffer_reserve(buffer, len, err) < 0)
		return -1;
	copy_bytes(buffer->data + buffer->len, data, len);
	buffer->len += len;
	return 0;
}

void buffer_cleanup(struct buffer *buffer)
{
	free(buffer->data);
	*buffer = (struct buffer){ 0 };
}
