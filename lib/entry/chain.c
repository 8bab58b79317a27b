/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "entry/chain.h"

/*
 * Inputs one after the other. What stands for an input here outlives its
 * source, because entries point to it; it counts them, which tells when the
 * source can go.
 */
#include <stdlib.h>

#include "entry/entry.h"
#include "entry/source.h"
#include "util/err.h"

struct member {
	struct source source; /* first; the origin of entries */
	struct source *inner; /* owned; NULL before and after its turn */
};

struct chain {
	struct source source; /* first */
	struct chain_options options;
	struct member *members; /* one for each input */
	size_t at;		/* whose turn it is */
	size_t oldest;		/* all before it are closed */
	uint64_t done;		/* bytes of those whose turn is over */
};

static int member_read_at(const struct source *src, const struct entry *entry,
			  uint64_t at, void *buf, size_t len, struct err *err)
{
	const struct member *member = (const struct member *)src;

	return source_read_at(member->inner, entry, at, buf, len, err);
}

static int member_readv_at(const struct source *src, const struct entry *entry,
			   uint64_t at, struct iovec *iov, int count,
			   struct err *err)
{
	const struct member *member = (const struct member *)src;

	return source_readv_at(member->inner, entry, at, iov, count, err);
}

static int member_read(struct source *src, void *buf, size_t len,
		       struct err *err)
{
	return source_read(((struct member *)src)->inner, buf, len, err);
}

static const struct source_ops seekable_ops = {
	.read_at = member_read_at,
	.readv_at = member_readv_at,
};
static const struct source_ops forward_ops = { .read = member_read };

static void close_member(struct chain *chain, size_t index)
{
	struct member *member = &chain->members[index];

	if (!member->inner)
		return;
	source_destroy(member->inner);
	member->inner = NULL;
	if (chain->options.close)
		chain->options.close(chain->options.arg, index);
}

/* Closes what nobody reads any more of those whose turn is over. */
static void close_unused(struct chain *chain)
{
	for (size_t i = chain->oldest; i < chain->at; i++) {
		struct source *source = &chain->members[i].source;

		if (source->entry_count == 0 || !source->ops->read_at)
			close_member(chain, i);
		if (i == chain->oldest && !chain->members[i].inner)
			chain->oldest++;
	}
}

static int open_member(struct chain *chain, struct err *err)
{
	struct member *member = &chain->members[chain->at];

	close_unused(chain);
	if (chain->options.open(chain->options.arg, chain->at, &member->inner,
				err) < 0)
		return -1;
	member->source.ops =
		member->inner->ops->read_at ? &seekable_ops : &forward_ops;
	member->source.one_input = member->inner->one_input;
	if (chain->options.names)
		member->source.name = chain->options.names[chain->at];
	return 0;
}

static void enter(const struct chain *chain, const char *name)
{
	if (chain->options.enter)
		chain->options.enter(chain->options.arg, name);
}

/* Goes on to the next input. */
static void leave_member(struct chain *chain)
{
	const struct source *inner = chain->members[chain->at].inner;
	uint64_t done = 0, total = 0;

	if (inner->ops->progress)
		inner->ops->progress(inner, &done, &total);
	chain->done += total ? total : done;
	chain->at++;
}

static int chain_next(struct source *src, struct entry **out, struct err *err)
{
	struct chain *chain = (struct chain *)src;
	const char *const *names = chain->options.names;

	while (chain->at < chain->options.count) {
		struct member *member = &chain->members[chain->at];
		const char *name = names ? names[chain->at] : NULL;
		int ret = 0;

		enter(chain, name);
		if (!member->inner)
			ret = open_member(chain, err);
		if (ret == 0)
			ret = source_next(member->inner, out, err);
		enter(chain, NULL);
		if (ret == 0)
			entry_set_origin(*out, &member->source);
		if (ret < 0 && name)
			err_in(err, "%s", name);
		if (ret <= 0)
			return ret;
		leave_member(chain);
	}
	return 1;
}

static void chain_progress(const struct source *src, uint64_t *done,
			   uint64_t *total)
{
	const struct chain *chain = (const struct chain *)src;
	const struct source *inner = NULL;
	uint64_t here = 0, length = 0;

	*done = chain->done;
	*total = chain->options.total;
	if (chain->at < chain->options.count)
		inner = chain->members[chain->at].inner;
	if (!inner || !inner->ops->progress)
		return;
	inner->ops->progress(inner, &here, &length);
	*done += here;
	if (length == 0 || *done > *total)
		*total = 0; /* what is read is not what the files hold */
}

static void chain_destroy(struct source *src)
{
	struct chain *chain = (struct chain *)src;

	for (size_t i = chain->oldest; i < chain->options.count; i++)
		close_member(chain, i);
	free(chain->members);
	free(chain);
}

static const struct source_ops chain_ops = {
	.next = chain_next,
	.progress = chain_progress,
	.destroy = chain_destroy,
};

int chain_create(const struct chain_options *options, struct source **out,
		 struct err *err)
{
	struct chain *chain = calloc(1, sizeof(*chain));

	if (!chain)
		return err_nomem(err);
	chain->source.ops = &chain_ops;
	chain->options = *options;
	chain->members = calloc(options->count + 1, sizeof(*chain->members));
	if (!chain->members) {
		free(chain);
		return err_nomem(err);
	}
	*out = &chain->source;
	return 0;
}
