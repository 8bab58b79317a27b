/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pack/pack.h"

#include "check.h"
#include "entry/entry.h"
#include "entry/sink.h"
#include "entry/source.h"
#include "flow/flow.h"
#include "sqfs/super.h"
#include "util/err.h"
#include "util/num.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define BLOCK 4096

/*
 * A file whose content is told by a seed and a length: seed 0 is zeros, others
 * are bytes that compress a little; equal seeds give equal bytes.
 */
struct made_file {
	const char *path;
	uint64_t size;
	unsigned seed;
};

struct made_source {
	struct source source;
	const struct made_file *files;
	size_t count, next;
	uint64_t done; /* of the file before next: reading forward */
};

static uint8_t byte_of(unsigned seed, uint64_t i)
{
	uint64_t x = (i / 2 + 1) * (seed * 2654435761u + 12345);

	return seed ? (uint8_t)(x >> 7 ^ x >> 21 ^ x >> 33) : 0;
}

static int made_next(struct source *src, struct entry **out, struct err *err)
{
	struct made_source *s = (struct made_source *)src;
	struct entry *e;

	if (s->next == s->count)
		return 1;

	const struct made_file *f = &s->files[s->next];

	if (entry_create(&e, err) < 0)
		return -1;
	e->path = strdup(f->path);
	e->mode = 0644;
	e->size = f->size;
	if (f->size)
		entry_add_extent(e, 0, (uint64_t)s->next << 32, f->size, err);
	s->next++;
	s->done = 0;
	*out = e;
	return 0;
}

static int made_read_at(const struct source *src, const struct entry *entry,
			uint64_t at, void *buf, size_t len, struct err *err)
{
	const struct made_source *s = (const struct made_source *)src;
	const struct made_file *f = &s->files[at >> 32];

	(void)entry;
	(void)err;
	for (size_t i = 0; i < len; i++)
		((uint8_t *)buf)[i] = byte_of(f->seed,
					      (at & UINT32_MAX) + i);
	return 0;
}

static int made_read(struct source *src, void *buf, size_t len,
		     struct err *err)
{
	struct made_source *s = (struct made_source *)src;
	uint64_t at = ((uint64_t)(s->next - 1) << 32) + s->done;

	s->done += len;
	return made_read_at(src, NULL, at, buf, len, err);
}

static const struct source_ops at_ops = { .next = made_next,
					  .read_at = made_read_at };
static const struct source_ops forward_ops = { .next = made_next,
					       .read = made_read };

static const struct made_file files[] = {
	{ "empty", 0, 0 },
	{ "small", 100, 1 },
	{ "small.again", 100, 1 },
	{ "zero", 321, 0 },
	{ "zeros", 5 * BLOCK, 0 },
	{ "one", BLOCK, 2 },
	{ "one.again", BLOCK, 2 },
	{ "tail", 3 * BLOCK + 77, 3 },
	{ "tail.again", 3 * BLOCK + 77, 3 },
	{ "same.blocks", 3 * BLOCK + 78, 3 },
	{ "almost", BLOCK - 1, 4 },
	{ "other", BLOCK - 1, 5 },
	{ "third", BLOCK - 1, 6 },
	{ "d/e/f", 9 * BLOCK + 9, 7 },
	{ "d/e/f.again", 9 * BLOCK + 9, 7 },
	{ "replaced", BLOCK - 1, 8 },
	{ "replaced", BLOCK - 1, 9 },
	{ "replaced", BLOCK - 1, 10 },
	{ "replaced", BLOCK - 1, 11 },
	{ "last", 2 * BLOCK, 12 },
	{ "last.again", 2 * BLOCK, 12 },
};

/*
 * Files of all lengths with few different contents: duplicates whose tail-ends
 * are new, and the reverse, at every state of the open fragment block.
 */
enum { MANY = 500 };
static struct made_file many[MANY];

static void make_many(void)
{
	static char names[MANY][16];
	unsigned x = 1;

	for (unsigned i = 0; i < MANY; i++) {
		x = x * 1103515245 + 12345;
		snprintf(names[i], sizeof(names[i]), "m%u", i);
		many[i].path = names[i];
		many[i].size = (x >> 16) % 4 * BLOCK + (x >> 18) % BLOCK;
		many[i].seed = (x >> 20) % 8;
	}
}

struct setting {
	const struct codec_ops *codec;
	unsigned jobs;
	size_t backlog;
	bool forward, plain; /* plain: no fragments, duplicates, holes */
	bool many;
};

/* Packs into fd; returns flow_run's answer. */
static int pack_into(int fd, const struct setting *set,
		     struct pack_stats *stats, struct err *err)
{
	struct made_source src = {
		.source.ops = set->forward ? &forward_ops : &at_ops,
		.files = set->many ? many : files,
		.count = set->many ? MANY : sizeof(files) / sizeof(*files),
	};
	struct pack_options o = {
		.codec = set->codec,
		.config.block_size = BLOCK,
		.no_fragments = set->plain,
		.no_duplicates = set->plain,
		.no_sparse = set->plain,
		.pad_to = 4096,
		.tree.defaults.mode = 0755,
		.root_mode = -1,
		.root_uid = -1,
		.root_gid = -1,
		.root_mtime = -1,
	};
	struct flow_options flow = { .jobs = set->jobs,
				     .backlog = set->backlog };
	struct sink *sink;
	int ret;

	check(codec_config_parse(o.codec, NULL, &o.config, err) == 0);
	check(pack_create(fd, true, &o, &sink, err) == 0);
	ret = flow_run(&src.source, sink, &flow, err);
	*stats = *pack_stats(sink);
	sink_destroy(sink);
	return ret;
}

static size_t load(FILE *f, uint8_t *data, size_t cap)
{
	rewind(f);
	return fread(data, 1, cap, f);
}

#define IMAGE_MAX (4 << 20)

static void test_same_bytes(const struct codec_ops *codec, bool plain,
			    bool is_many)
{
	static uint8_t first[IMAGE_MAX], again[IMAGE_MAX];
	static const unsigned jobs[] = { 0, 1, 2, 8 };
	static const size_t backlogs[] = { 2, 3, 40 };
	struct pack_stats stats;
	struct err err = { 0 };
	size_t first_len = 0;

	for (unsigned i = 0; i < 24; i++) {
		struct setting set = { codec, jobs[i % 4], backlogs[i / 4 % 3],
				       i / 12, plain, is_many };
		FILE *f = tmpfile();

		check(pack_into(fileno(f), &set, &stats, &err) == 0);

		size_t len = load(f, i ? again : first, IMAGE_MAX);

		check_u64(len, stats.image_len);
		check_u64(len % 4096, 0);
		if (i == 0)
			first_len = len;
		else
			check(len == first_len &&
			      memcmp(first, again, len) == 0);
		fclose(f);
	}
	/* Four of the same name, one of them in the tree. */
	check_u64(stats.files, is_many ? MANY
				       : sizeof(files) / sizeof(*files) - 3);
}

static void test_stats(const struct codec_ops *codec)
{
	struct setting set = { codec, 2, 20, false, false, false };
	struct pack_stats s;
	struct err err = { 0 };
	FILE *f = tmpfile();
	uint8_t raw[SUPER_LEN];
	struct super super;

	check(pack_into(fileno(f), &set, &s, &err) == 0);
	check_u64(s.duplicate_blocks, 1 + 3 + 3 + 9 + 2);
	check_u64(s.duplicate_bytes, 18 * BLOCK);
	check_u64(s.duplicate_tail_ends, 3);
	check_u64(s.duplicate_tail_bytes, 100 + 77 + 9);
	check_u64(s.sparse_blocks, 1 + 5);
	check_u64(s.sparse_bytes, 321 + 5 * BLOCK);
	check_u64(s.dirs, 3); /* the root, d, d/e */
	check(load(f, raw, sizeof(raw)) == sizeof(raw));
	check(super_decode(raw, s.image_len, &super, &err) == 0);
	check_u64(super.inode_count, s.inodes);
	check_u64(super.id_count, 1);

	/* Blocks of the three replaced files are in no table. */
	check(super.fragment_count < s.fragment_blocks);
	check(super.fragment_count <= super.inode_count);
	fclose(f);
}

static void test_write_fails(const struct codec_ops *codec)
{
	static const unsigned jobs[] = { 0, 1, 2 };

	for (unsigned i = 0; i < 3; i++) {
		struct setting set = { codec, jobs[i], 4, false, false, false };
		struct pack_stats stats;
		struct err err = { 0 };
		int fd = open("/dev/full", O_WRONLY);

		if (fd < 0)
			continue;
		check(pack_into(fd, &set, &stats, &err) == -1);
		check_u64(err.code, ERR_WRITE);
		check(err.sys != 0);
		close(fd);
	}
}

/* The quickest of those that are built in. */
static const struct codec_ops *fast_codec(void)
{
	const struct codec_ops *lz4 = codec_by_name(NULL, "lz4");

	return lz4 ? lz4 : codec_builtin[0];
}

int main(void)
{
	make_many();
	for (size_t i = 0; codec_builtin[i]; i++) {
		test_same_bytes(codec_builtin[i], false, false);
		test_same_bytes(codec_builtin[i], true, false);
		test_stats(codec_builtin[i]);
	}
	test_same_bytes(fast_codec(), false, true);
	test_write_fails(codec_builtin[0]);
	return check_report();
}
