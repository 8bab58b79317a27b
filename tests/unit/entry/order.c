/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Chains of sources, and the order of content, over made-up entries. */
#include "entry/order.h"

#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "entry/chain.h"
#include "entry/entry.h"
#include "entry/source.h"
#include "util/err.h"

/* A source of files "a0", "a1" ... of sizes 3, 2, 1, 0, 3 ... */
struct made {
	struct source source; /* first */
	char letter;
	unsigned count, next;
	bool is_open;
};

static struct made made[3];
static unsigned open_now, opened, closed;

static int made_next(struct source *src, struct entry **out, struct err *err)
{
	struct made *m = (struct made *)src;
	struct entry *e;
	char name[16];

	check(m->is_open);
	if (m->next == m->count)
		return 1;
	snprintf(name, sizeof(name), "%c%u", m->letter, m->next);
	if (entry_create_named(name, strlen(name), NULL, 0, &e, err) < 0)
		return -1;
	e->size = 3 - m->next % 4;
	if (entry_add_extent(e, 0, m->next, e->size, err) < 0)
		return -1;
	if (m->next == 2 && m->letter == 'x')
		e->type = ENTRY_DIR;
	m->next++;
	*out = e;
	return 0;
}

static int made_read_at(const struct source *src, const struct entry *entry,
			uint64_t at, void *buf, size_t len, struct err *err)
{
	(void)entry;
	(void)at;
	(void)err;
	check(((const struct made *)src)->is_open);
	memset(buf, ((const struct made *)src)->letter, len);
	return 0;
}

static int made_read(struct source *src, void *buf, size_t len, struct err *err)
{
	return made_read_at(src, NULL, 0, buf, len, err);
}

static void made_destroy(struct source *src)
{
	((struct made *)src)->is_open = false;
	open_now--;
}

static const struct source_ops seekable = { .next = made_next,
					    .read_at = made_read_at,
					    .destroy = made_destroy };
static const struct source_ops forward = { .next = made_next,
					   .read = made_read,
					   .destroy = made_destroy };

static int open_made(void *arg, size_t index, struct source **out,
		     struct err *err)
{
	const char *kinds = arg;

	if (kinds[index] == '!')
		return err_set(err, ERR_IO, "no such input");
	made[index] = (struct made) {
		.source = { .ops = kinds[index] == 'f' ? &forward : &seekable },
		.letter = (char)('x' + index),
		.count = 5,
		.is_open = true,
	};
	opened++;
	open_now++;
	*out = &made[index].source;
	return 0;
}

static void close_made(void *arg, size_t index)
{
	(void)arg;
	check(!made[index].is_open);
	closed++;
}

static const char *const names[] = { "one", "two", "three" };

/* kinds: 's' seekable, 'f' forward, '!' cannot be opened, one each. */
static struct source *chain(char *kinds)
{
	const struct chain_options options = {
		.count = strlen(kinds),
		.names = names,
		.open = open_made,
		.close = close_made,
		.arg = kinds,
	};
	struct source *src = NULL;
	struct err err;

	opened = closed = open_now = 0;
	check(chain_create(&options, &src, &err) == 0);
	return src;
}

static void test_chain(void)
{
	char kinds[] = "sfs", buf[4] = { 0 };
	struct source *src = chain(kinds);
	struct entry *kept = NULL, *e;
	unsigned count = 0;
	struct err err;

	check_u64(opened, 0);
	while (source_next(src, &e, &err) == 0) {
		count++;
		check_str(e->origin->name, names[e->path[0] - 'x']);
		check(!e->origin->ops->read_at == (e->path[0] == 'y'));
		if (e->path[0] == 'y')
			check(source_read(e->origin, buf, 3, &err) == 0);
		else
			check(source_read_at(e->origin, e, 0, buf, 3, &err) ==
			      0);
		check(buf[0] == e->path[0]);
		if (!kept)
			kept = e;
		else
			entry_destroy(e);
	}
	check_u64(count, 15);
	check_u64(opened, 3);
	/* The first is still asked for, the second cannot be. */
	check(made[0].is_open && !made[1].is_open);
	check(source_read_at(kept->origin, kept, 0, buf, 1, &err) == 0);
	entry_destroy(kept);
	source_destroy(src);
	check_u64(open_now, 0);
	check_u64(closed, 3);
}

static void test_chain_closes(void)
{
	char kinds[] = "sss";
	struct source *src = chain(kinds);
	unsigned most = 0;
	struct entry *e;
	struct err err;

	while (source_next(src, &e, &err) == 0) {
		most = open_now > most ? open_now : most;
		entry_destroy(e);
	}
	check_u64(most, 1);
	source_destroy(src);
	check_u64(closed, 3);
}

static void test_chain_fails(void)
{
	char kinds[] = "s!s";
	struct source *src = chain(kinds);
	struct entry *e;
	struct err err;
	int ret;

	while ((ret = source_next(src, &e, &err)) == 0)
		entry_destroy(e);
	check(ret == -1);
	check_str(err.text, "two: no such input");
	source_destroy(src);
	check_u64(open_now, 0);
}

/* All that comes out: "-x0" without its content, "+x0" the content alone. */
static const char *walk(struct source *src, struct err *err)
{
	static char out[512];
	char buf[4];
	struct entry *e;
	int ret;

	out[0] = '\0';
	while ((ret = source_next(src, &e, err)) == 0) {
		const char *mark = "";

		if (e->flags & ENTRY_CONTENT_LATER) {
			mark = "-";
			check(e->size == 0 && e->extent_count == 0);
		}
		if (e->flags & ENTRY_IS_CONTENT) {
			mark = "+";
			check(e->size > 0 && e->extent_count == 1);
			check_u64(e->extents[0].at,
				  (uint64_t)(e->path[1] - '0'));
			check(source_read_at(e->origin, e, 0, buf, 1, err) ==
			      0);
			check(buf[0] == e->path[0]);
		}
		strcat(strcat(strcat(out, mark), e->path), " ");
		if (e->flags & ENTRY_NO_COMPRESS)
			strcat(out, "! ");
		entry_destroy(e);
	}
	source_destroy(src);
	if (ret < 0)
		strcat(out, "fails");
	return out;
}

/* Writes a sort file; its name, borrowed. */
static const char *sort_file(const char *text)
{
	static char path[] = "/tmp/sqfskit-order-XXXXXX";
	static bool made_it;
	FILE *f;

	if (!made_it) {
		int fd = mkstemp(path);

		check(fd >= 0);
		close(fd);
		made_it = true;
	}
	if (!text) {
		unlink(path);
		return NULL;
	}
	f = fopen(path, "w");
	check(f && fputs(text, f) >= 0);
	if (f)
		fclose(f);
	return path;
}

static const char *ordered(const char *kinds, enum order_by by,
			   const char *sort, struct err *err)
{
	static char copy[4];
	struct source *src = NULL;

	strcpy(copy, kinds);
	if (order_create(chain(copy), by, sort ? sort_file(sort) : NULL, &src,
			 err) < 0)
		return "bad";
	return walk(src, err);
}

static void test_order(void)
{
	struct err err;

	check_str(ordered("s", ORDER_INPUT, NULL, &err), "x0 x1 x2 x3 x4 ");
	check_str(ordered("s", ORDER_PATH, NULL, &err),
		  "-x0 -x1 x2 x3 -x4 +x0 +x1 +x4 ");
	check_str(ordered("ss", ORDER_SIZE, NULL, &err),
		  "-x0 -x1 x2 x3 -x4 -y0 -y1 -y2 y3 -y4 "
		  "+y2 +x1 +y1 +x0 +x4 +y0 +y4 ");
	check_str(ordered("s", ORDER_INPUT, "1 x0\n-1 [dont_compress] x4\n",
			  &err),
		  "-x0 -x1 x2 x3 -x4 ! +x4 ! +x1 +x0 ");
	check_str(ordered("f", ORDER_INPUT, "0 [dont_compress] x1\n", &err),
		  "x0 x1 ! x2 x3 x4 ");
	check_str(ordered("f", ORDER_PATH, NULL, &err), "fails");
	check(err.code == ERR_USAGE &&
	      strncmp(err.text, "one: --order", 12) == 0);
	check_str(ordered("sf", ORDER_INPUT, "7 none\n", &err),
		  "-x0 -x1 x2 x3 -x4 fails");
	check(err.code == ERR_USAGE &&
	      strncmp(err.text, "two: a prio", 11) == 0);
	check_str(ordered("s", ORDER_INPUT, "7 none\nx\n", &err), "bad");
	check(err.code == ERR_USAGE && strstr(err.text, ": line 2: "));
	check_u64(open_now, 0);
}

/* A line for each of many files costs no more than the files. */
static void test_many_lines(void)
{
	struct source *src = NULL;
	size_t line = 0, len = 0;
	char kinds[] = "s", *text = malloc(100000 * 16);
	struct err err;

	for (unsigned i = 0; i < 100000; i++)
		len += (size_t)sprintf(text + len, "%u f%u\n", i, i);
	check(order_create(chain(kinds), ORDER_INPUT, sort_file(text), &src,
			   &err) == 0);
	check_u64(order_unused(src, &line), 100000);
	check_u64(line, 1);
	source_destroy(src);
	free(text);
}

int main(void)
{
	test_chain();
	test_chain_closes();
	test_chain_fails();
	test_order();
	test_many_lines();
	sort_file(NULL);
	return check_report();
}
