/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "writer_codec.h"

/*
 * bzip2: streams of one block each. A block of level 9 holds 900,000 bytes less
 * a few; what makes four equal bytes five is left some room, so that a stream
 * has no second block of a few bytes.
 */

#include <bzlib.h>
#include <stdlib.h>

#include "util/err.h"

#define LEVEL_LEN 100000
#define SLACK	  1000

struct context {
	int level;
};

static size_t part_len(int level)
{
	return (size_t)level * LEVEL_LEN - SLACK;
}

static int create(int level, void **out, struct err *err)
{
	struct context *c = malloc(sizeof(*c));

	if (!c)
		return err_nomem(err);
	c->level = level;
	*out = c;
	return 0;
}

/* What the library promises. */
static size_t bound(size_t len)
{
	return len + len / 100 + 600;
}

static int compress_part(void *context, const uint8_t *src, size_t len,
			 uint8_t *dst, size_t cap, size_t *out_len,
			 struct err *err)
{
	const struct context *c = context;
	unsigned n = (unsigned)cap;

	if (BZ2_bzBuffToBuffCompress((char *)dst, &n, (char *)(uintptr_t)src,
				     (unsigned)len, c->level, 0, 0) != BZ_OK)
		return err_nomem(err);
	*out_len = n;
	return 0;
}

const struct part_codec writer_bzip2 = {
	.level_min = 1,
	.level_max = 9,
	.level_default = 9,
	.part_len = part_len,
	.create = create,
	.bound = bound,
	.compress = compress_part,
	.destroy = free,
};
