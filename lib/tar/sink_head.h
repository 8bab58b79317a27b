/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TAR_SINK_HEAD_H
#define TAR_SINK_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "header.h"
#include "tar/sink.h"

/* The most that octal digits hold in fields of 8 and of 12 bytes. */
#define HEAD_ID_MAX   UINT64_C(07777777)
#define HEAD_SIZE_MAX UINT64_C(077777777777)

/* The fields of a header that is to be written; texts are borrowed. */
struct head {
	char type;
	const char *name; /* what does not fit is cut off */
	size_t name_len;
	size_t prefix_len; /* of the name, before the slash that splits it; 0:
			    * it is not split */
	const char *link;  /* or NULL; likewise cut off */
	size_t link_len;
	uint16_t mode;
	uint32_t uid, gid;
	uint64_t size;
	int64_t mtime;
	uint32_t major, minor;
};

/*
 * Numbers that do not fit are stored in binary where format is GNU's, else as
 * the nearest that does. The checksum is set by head_seal.
 *
 * format   doc/tar.md, "Headers"
 */
void head_encode(const struct head *head, enum tar_format format,
		 uint8_t block[TAR_BLOCK]);

/* Sets the checksum. */
void head_seal(uint8_t block[TAR_BLOCK]);

/* As head_encode stores a number of GNU's, in a field of width bytes. */
void head_number(uint8_t *field, size_t width, int64_t value);

/*
 * Where a name is to be split, so that both parts fit: *prefix_len is 0 if it
 * need not be. False: it does not fit either way.
 */
bool head_split(const char *name, size_t len, size_t *prefix_len);

/* True if a time fits into octal digits. */
bool head_time_fits(int64_t mtime);

#endif
