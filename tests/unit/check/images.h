/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_UNIT_CHECK_IMAGES_H
#define TESTS_UNIT_CHECK_IMAGES_H

/* Small images, made by the packer, in memory so that they can be damaged. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "entry/entry.h"
#include "entry/sink.h"
#include "entry/source.h"
#include "flow/flow.h"
#include "pack/pack.h"
#include "util/err.h"

#define BLOCK	  4096u
#define IMAGE_MAX (4u << 20)

struct made {
	const char *path;
	enum entry_type type;
	uint64_t size;
	unsigned seed; /* of the content: 0 is zeros */
	const char *link;
	const char *xattr; /* value of user.k and trusted.long */
};

#define FILE_OF(path, size, seed, xattr)                                      \
	{ path, ENTRY_FILE, size, seed, NULL, xattr }
#define OTHER_OF(path, type, link, xattr)                                     \
	{ path, type, 0, 0, link, xattr }

static const struct made tree[] = {
	OTHER_OF("d", ENTRY_DIR, NULL, "v"),
	OTHER_OF("d/e", ENTRY_DIR, NULL, NULL),
	FILE_OF("d/e/small", 100, 1, NULL),
	FILE_OF("d/e/other", 50, 2, "another value"),
	FILE_OF("d/blocks", 3 * BLOCK, 3, NULL),
	FILE_OF("d/tail", BLOCK + 77, 4, NULL),
	FILE_OF("d/same", 3 * BLOCK, 3, NULL),
	FILE_OF("d/hole", 2 * BLOCK, 0, NULL),
	FILE_OF("d/more", 2 * BLOCK, 8, NULL),
	FILE_OF("empty", 0, 0, NULL),
	OTHER_OF("hard", ENTRY_HARDLINK, "d/tail", NULL),
	OTHER_OF("link", ENTRY_SYMLINK, "d/e/small", "linked"),
	OTHER_OF("null", ENTRY_CHAR_DEVICE, NULL, NULL),
	OTHER_OF("fifo", ENTRY_FIFO, NULL, "f"),
};

struct made_source {
	struct source source;
	size_t next, count, extra; /* files besides those of the tree */
};

static uint8_t byte_of(unsigned seed, uint64_t i)
{
	uint64_t x = (i / 4 + 1) * (seed * 2654435761u + 12345);

	return seed ? (uint8_t)(x >> 7 ^ x >> 21 ^ x >> 33) : 0;
}

static int make_entry(const struct made *m, struct entry **out,
		      struct err *err)
{
	char value[200];
	struct entry *e;

	if (entry_create_named(m->path, strlen(m->path), m->link,
			       m->link ? strlen(m->link) : 0, &e, err) < 0)
		return -1;
	e->type = m->type;
	e->mode = 0755;
	e->uid = m->seed;
	e->mtime = 1000000000;
	e->size = m->size;
	e->major = m->type == ENTRY_CHAR_DEVICE ? 1 : 0;
	e->minor = m->type == ENTRY_CHAR_DEVICE ? 3 : 0;
	if (m->size)
		entry_add_extent(e, 0, (uint64_t)m->seed << 32, m->size, err);
	if (m->xattr) {
		memset(value, 'l', sizeof(value));
		entry_set_xattr(e, "user.k", m->xattr, strlen(m->xattr), err);
		entry_set_xattr(e, "trusted.long", value, sizeof(value), err);
	}
	*out = e;
	return 0;
}

static int made_next(struct source *src, struct entry **out, struct err *err)
{
	struct made_source *s = (struct made_source *)src;
	size_t i = s->next++;
	char path[64];
	struct made extra = { path, ENTRY_FILE, 5, 9, NULL, NULL };

	if (i < s->count)
		return make_entry(&tree[i], out, err);
	if (i >= s->count + s->extra)
		return 1;
	snprintf(path, sizeof(path), "many/of-a-name-that-is-long-%05zu", i);
	return make_entry(&extra, out, err);
}

static int made_read_at(const struct source *src, const struct entry *entry,
			uint64_t at, void *buf, size_t len, struct err *err)
{
	(void)src;
	(void)entry;
	(void)err;
	for (size_t i = 0; i < len; i++)
		((uint8_t *)buf)[i] = byte_of((unsigned)(at >> 32),
					      (at & UINT32_MAX) + i);
	return 0;
}

static const struct source_ops made_ops = { .next = made_next,
					    .read_at = made_read_at };

struct shape {
	const struct codec_ops *codec;
	bool raw, no_fragments, exportable, no_duplicates;
	size_t count, extra; /* of the tree, and files besides */
};

/* Packs; returns the bytes used, without the zeros at the end. */
static size_t make_image(const struct shape *shape, uint8_t *out)
{
	struct made_source src = { .source.ops = &made_ops,
				   .count = shape->count,
				   .extra = shape->extra };
	struct pack_options o = {
		.codec = shape->codec,
		.config.block_size = BLOCK,
		.raw = { shape->raw, shape->raw, shape->raw, shape->raw,
			 shape->raw },
		.no_fragments = shape->no_fragments,
		.no_duplicates = shape->no_duplicates,
		.exportable = shape->exportable,
		.pad_to = 1024,
		.tree.defaults.mode = 0755,
		.root_mode = -1,
		.root_uid = -1,
		.root_gid = -1,
		.root_mtime = -1,
	};
	const struct flow_options flow = { .jobs = 0, .backlog = 2 };
	int fd = memfd_create("image", MFD_CLOEXEC);
	struct err err = { 0 };
	struct sink *sink;
	ssize_t len;

	if (codec_config_parse(o.codec, NULL, &o.config, &err) < 0 ||
	    pack_create(fd, true, &o, &sink, &err) < 0 ||
	    flow_run(&src.source, sink, &flow, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	sink_destroy(sink);
	len = pread(fd, out, IMAGE_MAX, 0);
	close(fd);
	return len > 0 ? (size_t)len : 0;
}

#endif
