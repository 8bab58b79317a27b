/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_UNIT_UNPACK_MADE_H
#define TESTS_UNIT_UNPACK_MADE_H

/*
 * An image made of a list, and what is read of it again. Content is told by a
 * seed: 0 is zeros; equal seeds give equal bytes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "codec/codec.h"
#include "entry/entry.h"
#include "entry/sink.h"
#include "entry/source.h"
#include "flow/flow.h"
#include "pack/pack.h"
#include "util/err.h"

#define BLOCK 4096

struct made {
	const char *path;
	enum entry_type type;
	uint64_t size; /* files; of symlinks nothing */
	unsigned seed;
	const char *link;
	const char *xattr; /* value of user.k, or NULL */
};

struct made_source {
	struct source source;
	const struct made *list;
	size_t count, next;
};

static uint8_t made_byte(unsigned seed, uint64_t i)
{
	uint64_t x = (i / 3 + 1) * (seed * UINT64_C(2654435761) + 12345);

	return seed ? (uint8_t)(x >> 7 ^ x >> 21 ^ x >> 33) : 0;
}

/* What an entry of the list has for owner and so on: told by its place. */
static uint16_t made_mode(size_t i)
{
	return (uint16_t)(0400 + i * 7 % 0400 + (i % 3) * 01000);
}

static int made_next(struct source *src, struct entry **out, struct err *err)
{
	struct made_source *s = (struct made_source *)src;
	size_t i = s->next;
	struct entry *e;

	if (i == s->count)
		return 1;

	const struct made *m = &s->list[i];

	if (entry_create_named(m->path, strlen(m->path), m->link,
			       m->link ? strlen(m->link) : 0, &e, err) < 0)
		return -1;
	e->type = m->type;
	e->mode = made_mode(i);
	e->uid = (uint32_t)(i % 4 * 1000);
	e->gid = (uint32_t)(i % 3);
	e->mtime = (int64_t)(i * 1000003);
	e->major = 4;
	e->minor = (uint32_t)(i * 300);
	e->size = m->type == ENTRY_FILE ? m->size : 0;
	if (e->size && m->seed)
		entry_add_extent(e, 0, (uint64_t)i << 40, e->size, err);
	if (m->xattr)
		entry_set_xattr(e, "user.k", m->xattr, strlen(m->xattr), err);
	s->next++;
	*out = e;
	return 0;
}

static int made_read_at(const struct source *src, const struct entry *entry,
			uint64_t at, void *buf, size_t len, struct err *err)
{
	const struct made_source *s = (const struct made_source *)src;
	const struct made *m = &s->list[at >> 40];

	(void)entry;
	(void)err;
	for (size_t i = 0; i < len; i++)
		((uint8_t *)buf)[i] = made_byte(
			m->seed, (at & ((UINT64_C(1) << 40) - 1)) + i);
	return 0;
}

static void made_nothing(struct source *src)
{
	(void)src;
}

static const struct source_ops made_ops = { .next = made_next,
					    .read_at = made_read_at,
					    .destroy = made_nothing };

/* How the image is made. */
struct made_how {
	const struct codec_ops *codec; /* NULL: the first built in */
	uint32_t block_size;	       /* 0: BLOCK */
	bool no_fragments, no_duplicates, no_sparse, exportable, all_raw;
};

/* The image, in a file that goes away when it is closed. */
static FILE *make_image(const struct made *list, size_t count,
			const struct made_how *how)
{
	struct made_source src = { .source.ops = &made_ops,
				   .list = list,
				   .count = count };
	struct pack_options o = {
		.codec = how->codec ? how->codec : codec_builtin[0],
		.config.block_size = how->block_size ? how->block_size : BLOCK,
		.no_fragments = how->no_fragments,
		.no_duplicates = how->no_duplicates,
		.no_sparse = how->no_sparse,
		.exportable = how->exportable,
		.pad_to = 4096,
		.tree.defaults.mode = 0755,
		.root_mode = -1,
		.root_uid = -1,
		.root_gid = -1,
		.root_mtime = -1,
	};
	struct flow_options flow = { .backlog = 20 };
	struct err err = { 0 };
	struct sink *sink;
	FILE *f = tmpfile();

	if (how->all_raw)
		o.raw = (struct pack_raw){ true, true, true, true, true };
	check(f != NULL);
	check(codec_config_parse(o.codec, NULL, &o.config, &err) == 0);
	check(pack_create(fileno(f), true, &o, &sink, &err) == 0);
	check(flow_run(&src.source, sink, &flow, &err) == 0);
	check_str(err.text, "");
	sink_destroy(sink);
	return f;
}

#endif
