/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rdsquashfs/verbose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/quote.h"
#include "entry/entry.h"
#include "entry/source.h"
#include "util/err.h"

struct verbose {
	struct source source; /* first */
	struct source *inner; /* owned */
};

static int verbose_next(struct source *src, struct entry **out,
			struct err *err)
{
	struct source *inner = ((struct verbose *)src)->inner;
	int ret = source_next(inner, out, err);

	if (ret != 0)
		return ret;
	entry_set_origin(*out, inner);
	if (*(*out)->path)
		quote_listed(stdout, (*out)->path, strlen((*out)->path));
	else
		putchar('.');
	putchar('\n');
	return 0;
}

static void verbose_progress(const struct source *src, uint64_t *done,
			     uint64_t *total)
{
	const struct source *inner = ((const struct verbose *)src)->inner;

	inner->ops->progress(inner, done, total);
}

static void verbose_destroy(struct source *src)
{
	source_destroy(((struct verbose *)src)->inner);
	free(src);
}

/* Content is read from the origin of each entry. */
static const struct source_ops verbose_ops = {
	.next = verbose_next,
	.progress = verbose_progress,
	.destroy = verbose_destroy,
};

int verbose_create(struct source *inner, struct source **out, struct err *err)
{
	struct verbose *v = calloc(1, sizeof(*v));

	if (!v) {
		source_destroy(inner);
		return err_nomem(err);
	}
	v->source.ops = &verbose_ops;
	v->source.one_input = inner->one_input;
	v->inner = inner;
	*out = &v->source;
	return 0;
}
