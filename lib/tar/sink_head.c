/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A header block, written. Format: doc/tar.md, "Headers". */
#include "sink_head.h"

#include <string.h>

#include "util/account.h"

#define MAGIC	  257
#define MAGIC_LEN 8
#define CHECKSUM  148

static const struct {
	uint16_t at;
	uint8_t width;
} places[] = {
	[FIELD_MODE] = { 100, 8 },   [FIELD_UID] = { 108, 8 },
	[FIELD_GID] = { 116, 8 },    [FIELD_SIZE] = { 124, 12 },
	[FIELD_MTIME] = { 136, 12 }, [FIELD_MAJOR] = { 329, 8 },
	[FIELD_MINOR] = { 337, 8 },
};

/* Octal digits that fill the field but for the NUL at its end. */
static void put_octal(uint8_t *field, size_t width, uint64_t value)
{
	size_t i = width - 1;

	field[i] = '\0';
	while (i-- > 0) {
		field[i] = (uint8_t)('0' + (value & 7));
		value >>= 3;
	}
}

static uint64_t octal_max(size_t width)
{
	return width == 8 ? HEAD_ID_MAX : HEAD_SIZE_MAX;
}

void head_number(uint8_t *field, size_t width, int64_t value)
{
	uint64_t bits = (uint64_t)value;

	if (value >= 0 && bits <= octal_max(width)) {
		put_octal(field, width, bits);
		return;
	}
	for (size_t i = width; i-- > 0;) {
		field[i] = (uint8_t)bits;
		bits >>= 8;
		if (value < 0)
			bits |= UINT64_C(0xff) << 56;
	}
	field[0] = value < 0 ? 0xff : 0x80;
}

static void put_number(uint8_t *block, enum header_field field, int64_t value,
		       enum tar_format format)
{
	uint8_t *at = block + places[field].at;
	size_t width = places[field].width;
	uint64_t max = octal_max(width);

	if (format != TAR_FORMAT_GNU)
		value = value < 0		? 0
			: (uint64_t)value > max ? (int64_t)max
						: value;
	head_number(at, width, value);
}

static void put_text(uint8_t *field, size_t width, const char *text, size_t len)
{
	if (text)
		copy_bytes(field, text, len < width ? len : width);
}

void head_encode(const struct head *head, enum tar_format format,
		 uint8_t block[TAR_BLOCK])
{
	const char *name = head->name;
	size_t len = head->name_len;

	memset(block, 0, TAR_BLOCK);
	if (head->prefix_len > 0) {
		put_text(block + HEADER_PREFIX, HEADER_PREFIX_LEN, name,
			 head->prefix_len);
		name += head->prefix_len + 1;
		len -= head->prefix_len + 1;
	}
	put_text(block + HEADER_NAME, HEADER_NAME_LEN, name, len);
	put_text(block + HEADER_LINK, HEADER_LINK_LEN, head->link,
		 head->link_len);
	block[HEADER_TYPE] = (uint8_t)head->type;
	memcpy(block + MAGIC,
	       format == TAR_FORMAT_GNU ? "ustar  \0" : "ustar\00000",
	       MAGIC_LEN);
	put_number(block, FIELD_MODE, head->mode, format);
	put_number(block, FIELD_UID, head->uid, format);
	put_number(block, FIELD_GID, head->gid, format);
	/* Of a size past 2^63 - 1 there is no file. */
	put_number(block, FIELD_SIZE, (int64_t)head->size, format);
	put_number(block, FIELD_MTIME, head->mtime, format);
	put_number(block, FIELD_MAJOR, head->major, format);
	put_number(block, FIELD_MINOR, head->minor, format);
}

void head_seal(uint8_t block[TAR_BLOCK])
{
	uint32_t sum = 0;

	memset(block + CHECKSUM, ' ', 8);
	for (size_t i = 0; i < TAR_BLOCK; i++)
		sum += block[i];
	/* Six digits, a NUL and the last of the blanks: as ever. */
	put_octal(block + CHECKSUM, 7, sum);
}

bool head_split(const char *name, size_t len, size_t *prefix_len)
{
	*prefix_len = 0;
	if (len <= HEADER_NAME_LEN)
		return true;

	/* A slash at the very end cannot split; the last that can leaves the
	 * shortest name, so if that does not fit none does. */
	for (size_t i = len - 2 < HEADER_PREFIX_LEN ? len - 2
						    : HEADER_PREFIX_LEN;
	     i > 0; i--) {
		if (name[i] != '/')
			continue;
		*prefix_len = i;
		return len - i - 1 <= HEADER_NAME_LEN;
	}
	return false;
}

bool head_time_fits(int64_t mtime)
{
	return mtime >= 0 && (uint64_t)mtime <= HEAD_SIZE_MAX;
}
