/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The header block. Format: doc/tar.md, "Headers". */
#include "header.h"

#include <inttypes.h>
#include <string.h>

#include "number.h"
#include "util/err.h"

#define CHECKSUM     148
#define CHECKSUM_LEN 8
#define MAGIC	     257
#define MAGIC_LEN    8
#define STAR_MAGIC   508

static const struct {
	const char *name;
	uint16_t at;
	uint8_t len;
} fields[] = {
	[FIELD_MODE] = { "mode", 100, 8 },
	[FIELD_UID] = { "uid", 108, 8 },
	[FIELD_GID] = { "gid", 116, 8 },
	[FIELD_SIZE] = { "size", 124, 12 },
	[FIELD_MTIME] = { "mtime", 136, 12 },
	[FIELD_MAJOR] = { "devmajor", 329, 8 },
	[FIELD_MINOR] = { "devminor", 337, 8 },
	[FIELD_REAL_SIZE] = { "realsize", 483, 12 },
};

enum header_dialect header_dialect(const uint8_t block[TAR_BLOCK])
{
	const uint8_t *magic = block + MAGIC;

	if (memcmp(magic, "ustar", 5) == 0) {
		if (magic[5] != '\0')
			return DIALECT_GNU;
		/* The version is of no account: Java writes odd ones. */
		return memcmp(block + STAR_MAGIC, "tar", 4) == 0
			       ? DIALECT_STAR
			       : DIALECT_USTAR;
	}
	return memcmp(magic, "\0\0\0\0\0\0\0", MAGIC_LEN) == 0
		       ? DIALECT_V7
		       : DIALECT_UNKNOWN;
}

/*
 * The sum of all bytes, the checksum itself taken as blanks. Eight bytes are
 * added at once, in lanes of 16 bits that hold 64 times two bytes; compilers
 * make wider vectors of it.
 */
static uint32_t sum_unsigned(const uint8_t block[TAR_BLOCK])
{
	const uint64_t low = UINT64_C(0x00ff00ff00ff00ff);
	uint64_t lanes = 0, word;
	uint32_t sum;

	for (size_t i = 0; i < TAR_BLOCK; i += sizeof(word)) {
		memcpy(&word, block + i, sizeof(word));
		lanes += (word & low) + (word >> 8 & low);
	}
	sum = (uint32_t)((lanes & 0xffff) + (lanes >> 16 & 0xffff) +
			 (lanes >> 32 & 0xffff) + (lanes >> 48));
	for (size_t i = 0; i < CHECKSUM_LEN; i++)
		sum += ' ' - (uint32_t)block[CHECKSUM + i];
	return sum;
}

/* What is to be subtracted for the sum of signed bytes. */
static uint32_t sum_excess(const uint8_t block[TAR_BLOCK])
{
	uint32_t count = 0;

	for (size_t i = 0; i < TAR_BLOCK; i++)
		if (i < CHECKSUM || i >= CHECKSUM + CHECKSUM_LEN)
			count += block[i] >> 7;
	return 256 * count;
}

bool header_is_valid(const uint8_t block[TAR_BLOCK])
{
	int64_t stored;

	if (!number_octal(block + CHECKSUM, CHECKSUM_LEN, &stored))
		return false;

	int64_t sum = sum_unsigned(block);

	return stored == sum || stored == sum - (int64_t)sum_excess(block);
}

int header_checksum_fail(const uint8_t block[TAR_BLOCK], struct err *err)
{
	char text[NAME_TEXT_LEN];
	int64_t stored;

	if (!number_octal(block + CHECKSUM, CHECKSUM_LEN, &stored))
		return err_set(err, ERR_CORRUPT, "bad header checksum, \"%s\"",
			       name_text((const char *)block + CHECKSUM,
					 CHECKSUM_LEN, text));
	return err_set(err, ERR_CORRUPT,
		       "bad header checksum, stored %" PRId64
		       ", computed %" PRIu32,
		       stored, sum_unsigned(block));
}

size_t header_text_len(const uint8_t *field, size_t width)
{
	const uint8_t *end = memchr(field, '\0', width);

	return end ? (size_t)(end - field) : width;
}

int header_number(const uint8_t block[TAR_BLOCK], enum header_field field,
		  int64_t min, int64_t max, int64_t *out, struct err *err)
{
	const uint8_t *at = block + fields[field].at;
	char text[NAME_TEXT_LEN];
	int64_t value;

	if (!number_field(at, fields[field].len, &value))
		return err_set(
			err, ERR_CORRUPT,
			"bad number in the %s field, "
			"\"%s\"",
			fields[field].name,
			name_text((const char *)at, fields[field].len, text));
	if (value < min || value > max)
		return err_set(err, value < min ? ERR_CORRUPT : ERR_LIMIT,
			       "%s out of range, %" PRId64, fields[field].name,
			       value);
	*out = value;
	return 0;
}
