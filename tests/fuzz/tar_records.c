/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parsers behind the tar headers, without the frame that a fuzzer would
 * have to learn first: the first byte chooses what the rest is.
 */
#include "tar.h"

enum { PAX, GLOBAL, SPARSE_MAP, GNU_SPARSE, LONG_NAME, HEADER, KIND_COUNT };

static void put_sparse_map(struct buffer *tar, const uint8_t *data, size_t len)
{
	struct buffer body = { 0 };

	put_record(&body, "GNU.sparse.major", "1", 1);
	put_record(&body, "GNU.sparse.minor", "0", 1);
	put_record(&body, "GNU.sparse.name", "f", 1);
	put_record(&body, "GNU.sparse.realsize", "100000", 6);
	put_pax_body(tar, 'x', body.data, body.len);
	buffer_cleanup(&body);
	put_body(tar, (struct head){ .name = "f" }, data, len);
}

/* The fields of an old GNU sparse header, then its extension blocks. */
static void put_gnu_sparse(struct buffer *tar, const uint8_t *data, size_t len)
{
	struct head h = { .name = "f", .type = 'S', .magic = GNU, .size = 512 };
	size_t first = len < 109 ? len : 109;

	put_patched(tar, h, 386, data, first);
	put(tar, data + first, len - first);
	put_pad(tar);
	put_zeros(tar, 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const struct tar_options options = { .ignore_zeros = false };
	const struct head name = { .name = "././@LongLink", .type = 'L',
				   .magic = GNU };
	struct buffer tar = { 0 };
	unsigned kind;

	if (len < 2)
		return 0;
	kind = *data++ % KIND_COUNT;
	len--;
	if (kind == PAX || kind == GLOBAL)
		put_pax_body(&tar, kind == PAX ? 'x' : 'g', data, len);
	if (kind == SPARSE_MAP)
		put_sparse_map(&tar, data, len);
	if (kind == GNU_SPARSE)
		put_gnu_sparse(&tar, data, len);
	if (kind == LONG_NAME)
		put_body(&tar, name, data, len);
	if (kind == HEADER)
		put_patched(&tar, (struct head){ .name = "f" }, 0, data,
			    len < 512 ? len : 512);
	put_file(&tar, "after", "content");
	put_zeros(&tar, 2);
	read_both(&tar, &options, false);
	buffer_cleanup(&tar);
	return 0;
}
