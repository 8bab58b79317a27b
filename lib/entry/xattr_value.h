/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef LIB_ENTRY_XATTR_VALUE_H
#define LIB_ENTRY_XATTR_VALUE_H

#include <stddef.h>
#include <stdint.h>

struct err;

/*
 * Values of attributes as text, up to its NUL. A value is never longer than its
 * text. ERR_USAGE.
 */

/* Two hexadecimal digits a byte. */
int xattr_decode_hex(const char *text, uint8_t *value, size_t *len,
		     struct err *err);

/* Base64: four digits three bytes; "=" at the end may be left out. */
int xattr_decode_base64(const char *text, uint8_t *value, size_t *len,
			struct err *err);

#endif
