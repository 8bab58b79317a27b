/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * From one header to the next, and the end of the archive. Format: doc/tar.md,
 * "End of archive".
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "io/input.h"
#include "io/reader.h"
#include "io/stream.h"
#include "state.h"
#include "util/err.h"
#include "util/hash.h"

/* More than a block of what bzip2 or lz4 write. */
#define BLAME_LEN (UINT64_C(8) * 1024 * 1024)

/* The input does not begin with a header: says what it may be. */
static int fail_no_tar(const uint8_t *data, size_t len, struct err *err)
{
	const char *command, *name = input_compressor(data, len, &command);

	if (name)
		return err_set(err, ERR_UNSUPPORTED,
			       "%s-compressed input; decompress it first, as "
			       "in: %s < ARCHIVE | ...",
			       name, command);
	return err_set(err, ERR_CORRUPT, "not a tar archive");
}

bool tar_has_pending(const struct tar *tar)
{
	return tar->has_pax || tar->long_name.is_set || tar->long_link.is_set;
}

static int fail_pending(struct tar *tar, struct err *err)
{
	tar->place.offset = tar->first_offset;
	return err_set(err, ERR_CORRUPT, "extended header without an entry");
}

static int fail_checksum(struct tar *tar, const uint8_t *block, struct err *err)
{
	header_checksum_fail(block, err);
	if (tar->bodiless_size == 0)
		return -1;

	/* The likely cause, which the sums do not tell. */
	struct err sums;
	char why[160];

	snprintf(why, sizeof(why),
		 "the entry before has a size of %" PRIu64
		 ", for which its type brings no data",
		 tar->bodiless_size);
	sums = *err;
	return err_set(err, ERR_CORRUPT, "%.200s; %s", sums.text, why);
}

/* Skips all that is left; *count is what that was. */
static int skip_all(struct tar *tar, uint64_t *count, struct err *err)
{
	const uint64_t step = UINT64_C(1) << 40;
	uint64_t got;

	*count = 0;
	do {
		if (reader_skip(tar->reader, step, &got, err) < 0)
			return -1;
		*count += got;
	} while (got == step);
	return 0;
}

/*
 * Reads to the end, which lets a writer at the other end of a pipe finish and a
 * decompressor check its trailer. Returns 1.
 */
static int drain(struct tar *tar, struct err *err)
{
	const uint8_t *data;
	size_t got, at;
	uint64_t count;
	bool is_archive;

	tar->is_done = true;
	for (;;) {
		if (reader_peek(tar->reader, READER_PEEK_MAX, &data, &got,
				err) < 0)
			return -1;
		if (got == 0)
			return 1;
		if (!mem_is_zero(data, got))
			break;
		if (reader_skip(tar->reader, got, &count, err) < 0)
			return -1;
		/* A file that grows under us: its end was fixed before. */
		if (count == 0)
			return 1;
	}
	for (at = 0; data[at] == 0;)
		at++;

	const uint8_t *block = data + at / TAR_BLOCK * TAR_BLOCK;

	is_archive = got - (size_t)(block - data) >= TAR_BLOCK &&
		     header_is_valid(block);
	tar->place.offset = reader_offset(tar->reader) + at;
	tar->place.no_entry = true;
	if (skip_all(tar, &count, err) < 0)
		return -1;
	if (place_warn(&tar->place, WARN_TRAILING, err,
		       is_archive ? "another archive after the end of this "
				    "one is left out, %" PRIu64 " bytes"
				  : "data after the end of the archive is "
				    "left out, %" PRIu64 " bytes",
		       count > at ? count - at : 0) < 0)
		return -1;
	return 1;
}

/* What the first half of an end mark or the lack of one means. */
static int end_of_input(struct tar *tar, unsigned zeros, struct err *err)
{
	struct stream_trailing trailing;

	tar->place.no_entry = true;
	if (tar->place.offset == 0 && zeros == 0)
		return err_set(err, ERR_CORRUPT, "empty input");
	if (tar_has_pending(tar))
		return fail_pending(tar, err);
	tar->is_done = true;
	if (zeros == 0 && reader_trailing(tar->reader, &trailing))
		return err_set(err, ERR_CORRUPT,
			       "cut, or damaged: no end-of-archive marker, and "
			       "from byte %" PRIu64 " on the %s input holds "
			       "other data",
			       trailing.offset, trailing.format);
	if (zeros == 0 && !tar->options.ignore_missing_eof &&
	    place_warn(&tar->place, WARN_END, err, "no end-of-archive marker") <
		    0)
		return -1;
	return 1;
}

/*
 * Some decompressors give wrong bytes first and find the damage at the end of
 * a block. If that is so it is what is to be told; *err is replaced.
 */
static int blame_damage(struct tar *tar, struct err *err)
{
	struct err damage = { 0 };
	uint64_t got;

	if (err && err->code == ERR_CORRUPT &&
	    reader_is_decompressed(tar->reader) &&
	    reader_skip(tar->reader, BLAME_LEN, &got, &damage) < 0 &&
	    damage.code == ERR_CORRUPT)
		*err = damage;
	return -1;
}

/* Neither a header nor zeros: damage, or junk behind an end mark. */
static int not_a_header(struct tar *tar, const uint8_t *data, size_t len,
			unsigned zeros, struct err *err)
{
	bool has_magic = len == TAR_BLOCK &&
			 header_dialect(data) != DIALECT_V7 &&
			 header_dialect(data) != DIALECT_UNKNOWN;

	if (tar->place.offset == 0 && !has_magic) {
		tar->place.no_entry = true;
		return fail_no_tar(data, len, err);
	}
	/* Only --ignore-zeros comes here behind an end mark. */
	if (zeros >= 2)
		return drain(tar, err);
	if (len < TAR_BLOCK)
		return err_set(err, ERR_CORRUPT,
			       "truncated header: have %zu of %d bytes", len,
			       TAR_BLOCK);
	return fail_checksum(tar, data, err);
}

/* One of several zero blocks. Returns 1 if the archive ends with it. */
static int take_zeros(struct tar *tar, unsigned zeros, struct err *err)
{
	uint64_t skipped;

	if (tar_has_pending(tar))
		return fail_pending(tar, err);
	if (reader_skip(tar->reader, TAR_BLOCK, &skipped, err) < 0)
		return -1;
	if (zeros != 2)
		return 0;
	if (!tar->options.ignore_zeros)
		return drain(tar, err);

	/* The next archive begins without what this one's headers set. */
	pax_reset(&tar->global);
	attr_set_cleanup(&tar->global_attrs);
	return 0;
}

/* As scan_header, but leaves what follows compressed data untold. */
static int next_header(struct tar *tar, const uint8_t **block, struct err *err)
{
	const uint8_t *data;
	unsigned zeros = 0;
	size_t got;

	for (;;) {
		tar->place.offset = reader_offset(tar->reader);
		tar->place.name = NULL;
		if (reader_peek(tar->reader, TAR_BLOCK, &data, &got, err) < 0)
			return -1;
		if (got == TAR_BLOCK && header_is_valid(data)) {
			if (zeros == 1 && !tar->options.ignore_zeros &&
			    place_warn(&tar->place, WARN_END, err,
				       "lone zero block before this") < 0)
				return -1;
			*block = data;
			return 0;
		}

		bool is_zero = got == 0 || mem_is_zero(data, got);

		if (got == 0 || (got < TAR_BLOCK && is_zero && zeros > 0))
			return end_of_input(tar, zeros, err);
		if (got < TAR_BLOCK || !is_zero) {
			int ret = not_a_header(tar, data, got, zeros, err);

			return ret < 0 ? blame_damage(tar, err) : ret;
		}
		if (zeros < 3)
			zeros++;

		int ret = take_zeros(tar, zeros, err);

		if (ret != 0)
			return ret;
	}
}

/* The archive is complete: tells what stands behind it in compressed input. */
static int tell_trailing(struct tar *tar, struct err *err)
{
	struct stream_trailing trailing;

	if (!reader_trailing(tar->reader, &trailing))
		return 0;
	return warn(tar->place.warner, WARN_TRAILING, err,
		    "byte %" PRIu64 " of the %s input: %" PRIu64 " bytes after "
		    "the compressed data are left out",
		    trailing.offset, trailing.format, trailing.len);
}

int scan_header(struct tar *tar, const uint8_t **block, struct err *err)
{
	int ret = next_header(tar, block, err);

	if (ret == 1 && tell_trailing(tar, err) < 0)
		return -1;
	return ret;
}

bool tar_is_header(const uint8_t *data, size_t len)
{
	return len >= TAR_BLOCK && header_is_valid(data);
}
