/* SPDX-License-Identifier: GPL-2.0-or-later */

/* What a filter leaves out and changes, over a source of made-up entries. */
#include "entry/filter.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "check.h"
#include "entry/entry.h"
#include "entry/source.h"
#include "util/err.h"
#include "util/warn.h"

struct item {
	const char *path;
	enum entry_type type;
	const char *link;
	uint64_t size;
};

struct list_source {
	struct source source; /* first */
	const struct item *items;
	size_t count, next;
	int *destroyed; /* counts */
};

static int list_next(struct source *src, struct entry **out, struct err *err)
{
	struct list_source *list = (struct list_source *)src;
	const struct item *item = &list->items[list->next];
	struct entry *e;

	if (list->next == list->count)
		return 1;
	list->next++;
	if (entry_create_named(item->path, strlen(item->path), item->link,
			       item->link ? strlen(item->link) : 0, &e,
			       err) < 0)
		return -1;
	e->type = item->type;
	e->size = item->size;
	e->uid = 1000;
	e->gid = 1001;
	e->mode = 0640;
	e->mtime = 5000;
	if (entry_set_xattr(e, "user.k", "v", 1, err) < 0)
		return -1;
	*out = e;
	return 0;
}

static int list_read_at(const struct source *src, const struct entry *entry,
			uint64_t at, void *buf, size_t len, struct err *err)
{
	(void)src;
	(void)entry;
	(void)err;
	memset(buf, (int)at, len);
	return 0;
}

static int list_readv_at(const struct source *src, const struct entry *entry,
			 uint64_t at, struct iovec *iov, int count,
			 struct err *err)
{
	for (int i = 0; i < count; i++)
		list_read_at(src, entry, at + (uint64_t)i, iov[i].iov_base,
			     iov[i].iov_len, err);
	return 0;
}

static int list_read(struct source *src, void *buf, size_t len, struct err *err)
{
	(void)src;
	(void)err;
	memset(buf, 'r', len);
	return 0;
}

static void list_destroy(struct source *src)
{
	struct list_source *list = (struct list_source *)src;

	(*list->destroyed)++;
	free(list);
}

static const struct source_ops seekable = { .next = list_next,
					    .read_at = list_read_at,
					    .readv_at = list_readv_at,
					    .destroy = list_destroy };
static const struct source_ops forward = { .next = list_next,
					   .read = list_read,
					   .destroy = list_destroy };

static int destroyed;

static struct source *list_create(const struct item *items, size_t count,
				  const struct source_ops *ops)
{
	struct list_source *list = calloc(1, sizeof(*list));

	list->source.ops = ops;
	list->source.one_input = true;
	list->items = items;
	list->count = count;
	list->destroyed = &destroyed;
	return &list->source;
}

/*
 * What comes out, as "path>link " for each; "!" behind it on failure. Borrowed
 * until the next call.
 */
static const char *walk(const struct item *items, size_t count,
			const struct filter_options *options, struct err *err)
{
	static char out[1024];
	struct source *src;
	struct entry *e;
	int ret;

	out[0] = '\0';
	if (filter_create(list_create(items, count, &seekable), options, &src,
			  err) < 0)
		return "create!";
	while ((ret = source_next(src, &e, err)) == 0) {
		size_t used = strlen(out);

		snprintf(out + used, sizeof(out) - used, "%s%s%s ", e->path,
			 e->link ? ">" : "", e->link ? e->link : "");
		entry_destroy(e);
	}
	if (ret < 0)
		strcat(out, "!");
	source_destroy(src);
	return out;
}

#define NONE                                                                   \
	{                                                                      \
		.uid = -1, .gid = -1                                           \
	}
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct item tree[] = {
	{ "", ENTRY_DIR, NULL, 0 },
	{ "a", ENTRY_DIR, NULL, 0 },
	{ "a/f", ENTRY_FILE, NULL, 3 },
	{ "a/sub", ENTRY_DIR, NULL, 0 },
	{ "a/sub/g", ENTRY_FILE, NULL, 3 },
	{ "ab", ENTRY_FILE, NULL, 3 },
	{ "a/l", ENTRY_SYMLINK, "/a/sub/g", 0 },
	{ "a/h", ENTRY_HARDLINK, "a/f", 0 },
	{ "b", ENTRY_FILE, NULL, 3 },
};

static void test_nothing(void)
{
	struct filter_options o = NONE;
	struct err err;

	check_str(walk(tree, COUNT(tree), &o, &err),
		  " a a/f a/sub a/sub/g ab a/l>/a/sub/g a/h>a/f b ");
	o.root = "/.//";
	check_str(walk(tree, COUNT(tree), &o, &err),
		  " a a/f a/sub a/sub/g ab a/l>/a/sub/g a/h>a/f b ");
}

static void test_exclude(void)
{
	static const struct {
		const char *pattern, *out;
	} cases[] = {
		{ "a", " ab b " },
		{ "/a/", " ab b " },
		{ "./a", " ab b " },
		{ "a/sub", " a a/f ab a/l>/a/sub/g a/h>a/f b " },
		{ "*", " " },
		{ "a*g", " a a/f a/sub ab a/l>/a/sub/g a/h>a/f b " },
		{ "?", " ab " },
		{ "[ab]", " ab " },
		{ "f", " a a/f a/sub a/sub/g ab a/l>/a/sub/g a/h>a/f b " },
		{ "*b", " a a/f a/l>/a/sub/g a/h>a/f " },
	};
	struct err err;

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct filter_options o = NONE;

		o.exclude_dir.items = &cases[i].pattern;
		o.exclude_dir.count = 1;
		check_str(walk(tree, COUNT(tree), &o, &err), cases[i].out);
	}
}

static void test_bad_words(void)
{
	static const char *const patterns[] = { "b", "/" };
	static const char *const roots[] = { "", "..", "a/../b" };
	struct filter_options o = NONE;
	struct err err;

	o.exclude_dir.items = patterns;
	o.exclude_dir.count = 2;
	check_str(walk(tree, COUNT(tree), &o, &err), "create!");
	check(err.code == ERR_USAGE);
	for (size_t i = 0; i < COUNT(roots); i++) {
		struct filter_options r = NONE;

		r.root = roots[i];
		check_str(walk(tree, COUNT(tree), &r, &err), "create!");
		check(err.code == ERR_USAGE);
	}
}

static void test_root(void)
{
	struct filter_options o = NONE;
	struct err err;

	o.root = "./a/";
	check_str(walk(tree, COUNT(tree), &o, &err),
		  " f sub sub/g l>/sub/g h>f ");
	o.no_symlink_retarget = true;
	check_str(walk(tree, COUNT(tree), &o, &err),
		  " f sub sub/g l>/a/sub/g h>f ");
	o.root = "a/sub";
	check_str(walk(tree, COUNT(tree), &o, &err), " g ");

	o.root = "nowhere";
	check_str(walk(tree, COUNT(tree), &o, &err), "!");
	check(err.code == ERR_USAGE && strstr(err.text, "\"nowhere\""));

	o.root = "a/f";
	check_str(walk(tree, COUNT(tree), &o, &err), "!");
	check(err.code == ERR_USAGE && strstr(err.text, "is a file"));
}

static void test_symlink_targets(void)
{
	static const struct item links[] = {
		{ "r/1", ENTRY_SYMLINK, "/r", 0 },
		{ "r/2", ENTRY_SYMLINK, "/r/", 0 },
		{ "r/3", ENTRY_SYMLINK, "/r//x", 0 },
		{ "r/4", ENTRY_SYMLINK, "/rx/y", 0 },
		{ "r/5", ENTRY_SYMLINK, "r/y", 0 },
		{ "r/6", ENTRY_SYMLINK, "/", 0 },
		{ "r/7", ENTRY_SYMLINK, "/q/r/y", 0 },
	};
	struct filter_options o = NONE;
	struct err err;

	o.root = "r";
	check_str(walk(links, COUNT(links), &o, &err),
		  "1>/ 2>/ 3>//x 4>/rx/y 5>r/y 6>/ 7>/q/r/y ");
}

static void test_hardlink_out_of_root(void)
{
	static const struct item dangling[] = {
		{ "out", ENTRY_FILE, NULL, 3 },
		{ "r/out", ENTRY_FILE, NULL, 3 },
		{ "r/h", ENTRY_HARDLINK, "out", 0 },
	};
	static const struct item brings[] = {
		{ "r/h", ENTRY_HARDLINK, "out", 7 },
	};
	static const char *const patterns[] = { "o*" };
	struct warner warner = { 0 };
	struct filter_options o = NONE;
	struct err err;

	/* The file of that name below the root is another one. */
	o.root = "r";
	check_str(walk(dangling, COUNT(dangling), &o, &err), "out !");
	check(err.code == ERR_CORRUPT && strstr(err.text, "\"out\""));
	check_str(walk(brings, COUNT(brings), &o, &err), "h ");

	o.exclude_dir.items = patterns;
	o.exclude_dir.count = 1;
	o.warner = &warner;
	check_str(walk(dangling, COUNT(dangling), &o, &err), "out ");
	check_u64(warner.count[WARN_LINK], 1);
	warner.strict = true;
	check_str(walk(dangling, COUNT(dangling), &o, &err), "out !");
	check(err.code == ERR_SKIPPED);
}

/* The first entry behind a filter. */
static struct entry *first(const struct filter_options *options)
{
	struct source *src;
	struct entry *e = NULL;
	struct err err;

	check(filter_create(list_create(tree, COUNT(tree), &seekable), options,
			    &src, &err) == 0);
	check(source_next(src, &e, &err) == 0);
	source_destroy(src);
	return e;
}

static void test_changes(void)
{
	struct filter_options o = NONE;
	struct entry *e = first(&o);

	check(e->uid == 1000 && e->gid == 1001 && e->mtime == 5000);
	check_u64(e->xattr_count, 1);
	entry_destroy(e);

	o.all_root = true;
	o.gid = UINT32_MAX;
	o.no_xattr = true;
	o.clamp_mtime = true;
	o.max_mtime = 4999;
	e = first(&o);
	check(e->uid == 0 && e->gid == UINT32_MAX && e->mtime == 4999);
	check_u64(e->xattr_count, 0);
	entry_destroy(e);

	o.all_root = false;
	o.uid = 7;
	o.max_mtime = 5001;
	e = first(&o);
	check(e->uid == 7 && e->mtime == 5000);
	entry_destroy(e);

	o.no_keep_time = true;
	o.default_mtime = 12;
	e = first(&o);
	check(e->mtime == 12);
	entry_destroy(e);
}

/* A filter over a list that was walked to its end. */
static struct source *walked(const struct item *items, size_t count,
			     const struct filter_options *options)
{
	struct source *src;
	struct entry *e;
	struct err err;

	check(filter_create(list_create(items, count, &seekable), options, &src,
			    &err) == 0);
	while (source_next(src, &e, &err) == 0)
		entry_destroy(e);
	return src;
}

static void test_is_excluded(void)
{
	static const struct item links[] = {
		{ "a/sub/f", ENTRY_FILE, NULL, 3 },
		{ "a/1", ENTRY_HARDLINK, "a/sub/f", 0 },
		{ "a/2", ENTRY_HARDLINK, "a/1", 0 },
		{ "a/3", ENTRY_HARDLINK, "b/c/d/e", 0 },
		{ "a/4", ENTRY_HARDLINK, "b", 0 },
	};
	static const char *const patterns[] = { "a/sub", "never" };
	struct filter_options o = NONE;
	struct warner warner = { 0 };
	struct source *src;

	o.exclude_dir.items = patterns;
	o.exclude_dir.count = 2;
	src = walked(links, COUNT(links), &o);
	check(filter_is_excluded(src, "a/sub/f"));
	check(!filter_is_excluded(src, "a/1"));
	check(!filter_is_excluded(src, "b/c/d/e"));
	check(!filter_is_excluded(src, "a/sub/g")); /* no link asks for it */
	check(filter_unused_exclude_dir(src, 0) == NULL);
	check_str(filter_unused_exclude_dir(src, 1), "never");
	source_destroy(src);

	/* Paths are told as they are behind the filter. */
	o.strip = 1;
	o.prefix = "/p//q/";
	o.warner = &warner;
	src = walked(links, COUNT(links), &o);
	check(filter_is_excluded(src, "p/q/sub/f"));
	check(!filter_is_excluded(src, "a/sub/f"));
	/* The target of this one has no path any more, so it goes, too. */
	check(filter_is_excluded(src, "p/q/4"));
	check_u64(warner.count[WARN_LINK], 1);
	source_destroy(src);
}

static void test_strip_and_prefix(void)
{
	static const struct item brings[] = {
		{ "f", ENTRY_FILE, NULL, 3 },
		{ "a/h", ENTRY_HARDLINK, "f", 3 },
	};
	struct warner warner = { 0 };
	struct filter_options o = NONE;
	struct source *src;
	struct err err;

	o.strip = 1;
	check_str(walk(tree, COUNT(tree), &o, &err),
		  "f sub sub/g l>/a/sub/g h>f ");
	o.strip = 2;
	o.warner = &warner;
	check_str(walk(tree, COUNT(tree), &o, &err), "g ");
	src = walked(tree, COUNT(tree), &o);
	check_u64(filter_stripped(src), 5); /* a/f ab a/l a/h b */
	source_destroy(src);
	o.strip = 0;
	o.prefix = "./p//q/";
	check_str(walk(tree, COUNT(tree), &o, &err),
		  "p/q p/q/a p/q/a/f p/q/a/sub p/q/a/sub/g p/q/ab "
		  "p/q/a/l>/a/sub/g p/q/a/h>p/q/a/f p/q/b ");
	o.root = "a";
	o.strip = 1;
	o.prefix = "p";
	check_str(walk(tree, COUNT(tree), &o, &err), "p/g ");

	/* A link that brings the content of what is gone is a file. */
	o = (struct filter_options)NONE;
	o.strip = 1;
	check_str(walk(brings, COUNT(brings), &o, &err), "h ");
	for (size_t i = 0; i < 2; i++) {
		o.prefix = i ? "" : "a/../b";
		check_str(walk(tree, COUNT(tree), &o, &err), "create!");
		check(err.code == ERR_USAGE);
	}
}

static void test_select(void)
{
	static const struct {
		const char *exclude[2], *include[2], *out;
	} cases[] = {
		{ { "g" }, { 0 }, " a a/f a/sub ab a/l>/a/sub/g a/h>a/f b " },
		{ { "/g" },
		  { 0 },
		  " a a/f a/sub a/sub/g ab a/l>/a/sub/g a/h>a/f b " },
		{ { "a*" }, { 0 }, " b " },
		{ { "sub/" }, { 0 }, " a a/f ab a/l>/a/sub/g a/h>a/f b " },
		{ { "f/" },
		  { 0 },
		  " a a/f a/sub a/sub/g ab a/l>/a/sub/g a/h>a/f b " },
		{ { "/*/*" }, { 0 }, " a ab b " },
		{ { "**/g", "b" },
		  { 0 },
		  " a a/f a/sub ab a/l>/a/sub/g "
		  "a/h>a/f " },
		{ { 0 }, { "b" }, " b " },
		{ { 0 }, { "a/sub" }, " a a/sub a/sub/g " },
		{ { 0 }, { "g", "b" }, " a a/sub a/sub/g b " },
		{ { "sub" }, { "a" }, " a a/f a/l>/a/sub/g a/h>a/f " },
		{ { 0 }, { "none" }, " !" },
		{ { "a" }, { "g" }, " " },
	};
	struct err err;

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct filter_options o = NONE;

		o.exclude.items = cases[i].exclude;
		while (o.exclude.count < 2 && cases[i].exclude[o.exclude.count])
			o.exclude.count++;
		o.include.items = cases[i].include;
		while (o.include.count < 2 && cases[i].include[o.include.count])
			o.include.count++;
		check_str(walk(tree, COUNT(tree), &o, &err), cases[i].out);
	}
}

/* Directories that lead to what is included come when that is known. */
static void test_leads(void)
{
	static const struct item late[] = {
		{ "a/b/x", ENTRY_FILE, NULL, 1 },
		{ "a", ENTRY_DIR, NULL, 0 },
		{ "c", ENTRY_DIR, NULL, 0 },
		{ "a/b", ENTRY_DIR, NULL, 0 },
		{ "c", ENTRY_DIR, NULL, 0 },
		{ "c/d", ENTRY_DIR, NULL, 0 },
		{ "c/d/y", ENTRY_FILE, NULL, 1 },
		{ "c/d/x", ENTRY_FILE, NULL, 1 },
		{ "c/d", ENTRY_DIR, NULL, 0 },
		{ "e", ENTRY_DIR, NULL, 0 },
	};
	static const char *const include[] = { "x" };
	struct filter_options o = NONE;
	struct err err;

	o.include = (struct filter_list) { include, 1 };
	check_str(walk(late, COUNT(late), &o, &err),
		  "a/b/x a a/b c c/d c/d/x c/d ");
	o.prefix = "p";
	check_str(walk(late, COUNT(late), &o, &err),
		  "p/a/b/x p/a p/a/b p/c p/c/d p/c/d/x p/c/d ");
}

/* What a pattern that decides nothing new has matched is no mistake. */
static void test_unused(void)
{
	static const char *const exclude[] = { "a", "a/f", "b", "c", "/a/**" };
	struct filter_options o = NONE;
	struct source *src;

	o.exclude = (struct filter_list) { exclude, COUNT(exclude) };
	src = walked(tree, COUNT(tree), &o);
	for (size_t i = 0; i < COUNT(exclude); i++)
		check((filter_unused_exclude(src, i) == NULL) == (i != 3));
	check_str(filter_unused_exclude(src, 3), "c");
	source_destroy(src);
}

static void test_content_passes(void)
{
	struct filter_options o = NONE;
	uint64_t done = 1, total = 1;
	struct source *src;
	struct err err;
	char buf[4];

	check(filter_create(list_create(tree, 0, &seekable), &o, &src, &err) ==
	      0);
	check(src->one_input && src->ops->read_at && !src->ops->read);
	check(source_read_at(src, NULL, 'x', buf, 4, &err) == 0);
	check_mem(buf, "xxxx", 4);
	check(source_readv_at(src, NULL, 'x',
			      (struct iovec[]){ { buf, 1 }, { buf + 1, 3 } },
			      2, &err) == 0);
	check_mem(buf, "xyyy", 4);
	src->ops->progress(src, &done, &total);
	check(done == 0 && total == 0);
	source_destroy(src);

	check(filter_create(list_create(tree, 0, &forward), &o, &src, &err) ==
	      0);
	check(!src->ops->read_at && src->ops->read);
	check(source_read(src, buf, 4, &err) == 0);
	check_mem(buf, "rrrr", 4);
	source_destroy(src);
}

int main(void)
{
	test_nothing();
	test_exclude();
	test_bad_words();
	test_root();
	test_symlink_targets();
	test_hardlink_out_of_root();
	test_changes();
	test_is_excluded();
	test_strip_and_prefix();
	test_select();
	test_leads();
	test_unused();
	test_content_passes();
	return check_report();
}
