/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The whole tar source: the first byte of the input chooses options, the rest
 * is the archive.
 */
#include "tar.h"

enum { MEND_CHECKSUMS = 1, IGNORE_ZEROS = 2, NO_XATTR = 4, STRICT = 8 };

/* So that the fuzzer gets past them. */
static void mend_checksums(struct buffer *tar)
{
	for (size_t i = 0; i + 512 <= tar->len; i += 512)
		if (memcmp(tar->data + i + 257, "ustar", 5) == 0)
			set_checksum(tar->data + i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct buffer tar = { 0 };

	if (len < 2)
		return 0;
	put(&tar, data + 1, len - 1);
	if (data[0] & MEND_CHECKSUMS)
		mend_checksums(&tar);

	const struct tar_options options = {
		.ignore_zeros = data[0] & IGNORE_ZEROS,
		.no_xattr = data[0] & NO_XATTR,
	};

	read_both(&tar, &options, data[0] & STRICT);
	buffer_cleanup(&tar);
	return 0;
}
