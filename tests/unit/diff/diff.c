/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diff/diff.h"

#include <stdarg.h>

#include "sqfs/image.h"
#include "unit/unpack/made.h"
#include "unpack/unpack.h"

/*
 * The same two trees in every form: images stored in several ways, and sources
 * that can be read anywhere or go by once. The differences are the same.
 */
#define MIB (UINT64_C(1) << 20)

/* A list as a source that can be told to fail, or goes forward only. */
struct listed {
	struct made_source made; /* first */
	uint64_t pos;	  /* of the content of the last entry */
	const char *fail_path; /* content that cannot be read, or NULL, */
	uint64_t fail_from;    /* from this offset on */
};

static int content(const struct listed *s, size_t i, uint64_t pos, void *buf,
		   size_t len, struct err *err)
{
	const struct made *m = &s->made.list[i];

	if (s->fail_path && strcmp(m->path, s->fail_path) == 0 &&
	    pos + len > s->fail_from)
		return err_set(err, ERR_IO, "planted");
	return made_read_at(&s->made.source, NULL, (uint64_t)i << 40 | pos, buf,
			    len, err);
}

static int listed_read_at(const struct source *src, const struct entry *entry,
			  uint64_t at, void *buf, size_t len, struct err *err)
{
	(void)entry;
	return content((const struct listed *)src, at >> 40,
		       at & ((UINT64_C(1) << 40) - 1), buf, len, err);
}

static int forward_next(struct source *src, struct entry **out, struct err *err)
{
	((struct listed *)src)->pos = 0;
	return made_next(src, out, err);
}

static int forward_read(struct source *src, void *buf, size_t len,
			struct err *err)
{
	struct listed *s = (struct listed *)src;

	if (content(s, s->made.next - 1, s->pos, buf, len, err) < 0)
		return -1;
	s->pos += len;
	return 0;
}

static const struct source_ops listed_ops = { .next = made_next,
					      .read_at = listed_read_at,
					      .destroy = made_nothing };
static const struct source_ops forward_ops = { .next = forward_next,
					       .read = forward_read,
					       .destroy = made_nothing };

enum form {
	IMAGE,
	IMAGE_RAW,
	IMAGE_LARGE,
	IMAGE_PLAIN,
	LISTED,
	FORWARD,
	FORMS
};

/* One of the two, in some form. */
struct opened {
	struct listed listed;
	struct image *image;
	struct image_source_options options;
	struct source *source;
};

/* The image of a list in some form, made once. */
static FILE *image_of(const struct made *list, size_t count, enum form form)
{
	static struct {
		const struct made *list;
		enum form form;
		FILE *file;
	} known[32];
	const struct made_how how = {
		.all_raw = form == IMAGE_RAW,
		.block_size = form == IMAGE_LARGE ? 32768 : 0,
		.no_fragments = form == IMAGE_PLAIN,
		.no_duplicates = form == IMAGE_PLAIN,
	};
	size_t i = 0;

	while (known[i].file &&
	       (known[i].list != list || known[i].form != form))
		i++;
	if (!known[i].file) {
		known[i].list = list;
		known[i].form = form;
		known[i].file = make_image(list, count, &how);
	}
	return known[i].file;
}

static void open_form(struct opened *o, const struct made *list, size_t count,
		      enum form form)
{
	const struct image_options image = { 0 };
	struct err err = { 0 };

	*o = (struct opened){ .options.no_hard_links = true };
	if (form == LISTED || form == FORWARD) {
		o->listed.made.list = list;
		o->listed.made.count = count;
		o->listed.made.source.ops =
			form == LISTED ? &listed_ops : &forward_ops;
		o->source = &o->listed.made.source;
		return;
	}
	check(image_open(fileno(image_of(list, count, form)), &image,
			 &o->image, &err) == 0);
	check(image_source_create(o->image, &o->options, &o->source, &err) ==
	      0);
	check_str(err.text, "");
}

static void close_form(struct opened *o)
{
	source_destroy(o->source);
	image_close(o->image);
}

/* What was told, a line for each. */
struct told {
	char text[1 << 16];
	size_t len;
	bool no_span; /* "differs" alone: where is not known to the byte */
	unsigned stop_after; /* or 0 */
	unsigned count;
	struct entry *taken[64];
	size_t taken_count;
};

static void say(struct told *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	t->len += (size_t)vsnprintf(t->text + t->len,
				    sizeof(t->text) - t->len, fmt, ap);
	va_end(ap);
	check(t->len < sizeof(t->text));
}

static int take(void *arg, struct diff_change *c, struct err *err)
{
	static const char *const words[] = { "type",	"mode",	  "owner",
					     "time",	"size",	  "content",
					     "target",	"device", "links",
					     "xattrs",	"number" };
	struct told *t = arg;

	(void)err;
	say(t, "%c %s", !c->new ? '-' : !c->old ? '+' : '~', c->path);
	for (size_t i = 0; i < 11; i++)
		if (c->what & 1u << i)
			say(t, " %s", words[i]);
	if (c->what & DIFF_CONTENT && !t->no_span)
		say(t, " %u", (unsigned)c->differs_at);
	if (c->what & DIFF_CONTENT && c->differs_span > 1)
		check(t->no_span && c->differs_at % 4096 == 0);
	if (c->what & DIFF_LINKS)
		say(t, " %s %s", c->old->first ? c->old->first : "none",
		    c->new->first ? c->new->first : "none");
	say(t, "\n");
	if (c->old_entry && t->taken_count < 64) {
		t->taken[t->taken_count++] = c->old_entry;
		c->old_entry = NULL;
	}
	return t->stop_after && ++t->count == t->stop_after;
}

static int run(struct diff_options *o, struct opened *old, struct opened *new,
	       struct told *told, struct diff_counts *counts, struct err *err)
{
	o->old = (struct diff_input){ .source = old->source,
				      .image = old->image,
				      .name = "old" };
	o->new = (struct diff_input){ .source = new->source,
				      .image = new->image,
				      .name = "new" };
	o->change = take;
	o->arg = told;
	return diff_run(o, counts, err);
}

static const struct made old_list[] = {
	{ "", ENTRY_DIR, 0, 0, NULL, NULL },
	{ "big", ENTRY_FILE, MIB + 77, 1, NULL, NULL },
	{ "d", ENTRY_DIR, 0, 0, NULL, "x" },
	{ "d-x", ENTRY_FILE, 10, 2, NULL, NULL },
	{ "d/a", ENTRY_FILE, 100000, 3, NULL, NULL },
	{ "d/dev", ENTRY_CHAR_DEVICE, 0, 0, NULL, NULL },
	{ "d/empty", ENTRY_FILE, 0, 0, NULL, NULL },
	{ "d/hole", ENTRY_FILE, 9000, 0, NULL, NULL },
	{ "d/link", ENTRY_HARDLINK, 0, 0, "d/a", NULL },
	{ "d/link2", ENTRY_HARDLINK, 0, 0, "d/a", NULL },
	{ "d/s", ENTRY_SYMLINK, 0, 0, "there", NULL },
	{ "d/t", ENTRY_FILE, 50, 4, NULL, "1" },
	{ "d/x", ENTRY_FILE, 4097, 5, NULL, NULL },
	{ "e", ENTRY_FIFO, 0, 0, NULL, NULL },
	{ "gone", ENTRY_DIR, 0, 0, NULL, NULL },
	{ "gone/too", ENTRY_FILE, 5, 5, NULL, NULL },
	{ "z", ENTRY_FILE, 5000, 6, NULL, NULL },
};

/* The same place has the same mode, owner and time. */
static const struct made new_list[] = {
	{ "", ENTRY_DIR, 0, 0, NULL, NULL },
	{ "big", ENTRY_FILE, MIB + 77, 1, NULL, NULL },
	{ "d", ENTRY_DIR, 0, 0, NULL, "y" },
	{ "d-x", ENTRY_FILE, 11, 2, NULL, NULL },
	{ "d/a", ENTRY_FILE, 100000, 30, NULL, NULL },
	{ "d/dev", ENTRY_BLOCK_DEVICE, 0, 0, NULL, NULL },
	{ "d/empty", ENTRY_FILE, 0, 0, NULL, NULL },
	{ "d/hole", ENTRY_FILE, 9000, 7, NULL, NULL },
	{ "d/link", ENTRY_HARDLINK, 0, 0, "d/a", NULL },
	{ "d/link2", ENTRY_HARDLINK, 0, 0, "d/t", NULL },
	{ "d/s", ENTRY_SYMLINK, 0, 0, "elsewhere", NULL },
	{ "d/t", ENTRY_FILE, 50, 4, NULL, NULL },
	{ "d/x", ENTRY_FILE, 4097, 5, NULL, NULL },
	{ "e", ENTRY_FIFO, 0, 0, NULL, NULL },
	{ "came", ENTRY_DIR, 0, 0, NULL, NULL },
	{ "came/too", ENTRY_FILE, 5, 5, NULL, NULL },
	{ "z", ENTRY_FILE, 5000, 8, NULL, NULL },
};
#define COUNT (sizeof(old_list) / sizeof(old_list[0]))

static uint64_t first_difference(unsigned a, unsigned b)
{
	uint64_t i = 0;

	while (made_byte(a, i) == made_byte(b, i))
		i++;
	return i;
}

/* d/link2 has the mode, owner and size of what it leads to. */
static const char *wanted(struct told *t)
{
	bool exact = !t->no_span;
	struct told *w = t;

	w->len = 0;
	say(w, "+ came\n+ came/too\n~ d xattrs\n~ d/a content");
	if (exact)
		say(w, " %u", (unsigned)first_difference(3, 30));
	say(w, "\n~ d/dev type\n~ d/hole content");
	if (exact)
		say(w, " %u", (unsigned)first_difference(0, 7));
	say(w, "\n~ d/link content");
	if (exact)
		say(w, " %u", (unsigned)first_difference(3, 30));
	say(w, "\n~ d/link2 mode owner time size links d/a none\n"
	       "~ d/s target\n~ d/t links xattrs none d/link2\n~ d-x size\n"
	       "- gone\n- gone/too\n~ z content");
	if (exact)
		say(w, " %u", (unsigned)first_difference(6, 8));
	say(w, "\n");
	return w->text;
}

static void check_forms(void)
{
	static struct told told, want;

	for (unsigned i = 0; i < FORMS * FORMS; i++) {
		enum form a = (enum form)(i / FORMS),
			  b = (enum form)(i % FORMS);
		struct diff_options o = { .times = true, .jobs = i % 5 };
		struct opened old, new;
		struct diff_counts counts;
		struct err err = { 0 };

		told = (struct told){ .no_span = a == FORWARD || b == FORWARD };
		want.no_span = told.no_span;
		open_form(&old, old_list, COUNT, a);
		open_form(&new, new_list, COUNT, b);
		check(run(&o, &old, &new, &told, &counts, &err) == 0);
		check_str(err.text, "");
		check_str(told.text, wanted(&want));
		check_u64(counts.paths, COUNT + 2);
		check_u64(counts.added, 2);
		check_u64(counts.removed, 2);
		check_u64(counts.changed, 10);
		close_form(&old);
		close_form(&new);
	}
}

static void check_same(void)
{
	static struct told told;

	for (unsigned i = 0; i < FORMS * FORMS; i += 3) {
		struct diff_options o = { .times = true, .jobs = i % 4 };
		struct opened old, new;
		struct diff_counts counts;
		struct err err = { 0 };

		told = (struct told){ .len = 0 };
		open_form(&old, old_list, COUNT, (enum form)(i / FORMS));
		open_form(&new, old_list, COUNT, (enum form)(i % FORMS));
		check(run(&o, &old, &new, &told, &counts, &err) == 0);
		check_str(err.text, "");
		check_str(told.text, "");
		check_u64(counts.paths, COUNT);
		check_u64(counts.added + counts.removed + counts.changed, 0);
		close_form(&old);
		close_form(&new);
	}
}

/* Options take away what they name, and nothing else. */
static enum diff_pick pick(void *arg, const char *path, bool is_dir)
{
	(void)arg;
	if (strcmp(path, "d") == 0) {
		check(is_dir);
		return DIFF_LEAVE;
	}
	return strncmp(path, "d/", 2) == 0 || strcmp(path, "z") == 0
		       ? DIFF_TAKE : DIFF_LEAVE_BELOW;
}

static void check_options(void)
{
	static struct told told;
	struct diff_options o = {
		.no_contents = true,
		.no_mode = true,
		.no_owner = true,
		.no_links = true,
		.no_xattrs = true,
		.pick = pick,
	};
	struct diff_counts counts;
	struct opened old, new;
	struct err err = { 0 };

	for (enum form form = IMAGE; form < FORMS; form++) {
		told = (struct told){ .len = 0 };
		open_form(&old, old_list, COUNT, form);
		open_form(&new, new_list, COUNT, IMAGE);
		check(run(&o, &old, &new, &told, &counts, &err) == 0);
		check_str(told.text, "~ d/dev type\n~ d/link2 size\n"
				     "~ d/s target\n");
		check_u64(counts.paths, 11);
		close_form(&old);
		close_form(&new);
	}
	told = (struct told){ .stop_after = 3 };
	open_form(&old, old_list, COUNT, IMAGE);
	open_form(&new, new_list, COUNT, IMAGE);
	o = (struct diff_options){ .numbers = true, .jobs = 2 };
	check(run(&o, &old, &new, &told, &counts, &err) == 1);
	check_str(told.text, "+ came\n+ came/too\n~ d xattrs number\n");
	close_form(&old);
	close_form(&new);
}

/* Files that were taken can be read after all is over. */
static void check_entries(enum form form)
{
	static struct told told;
	static uint8_t buf[100000];
	struct diff_options o = { .entries = true, .jobs = 2 };
	struct diff_counts counts;
	struct opened old, new;
	struct err err = { 0 };
	struct entry *e;

	told = (struct told){ .len = 0 };
	open_form(&old, old_list, COUNT, form);
	open_form(&new, new_list, COUNT, LISTED);
	check(run(&o, &old, &new, &told, &counts, &err) == 0);
	check_u64(told.taken_count, 8);
	e = told.taken[0];
	check_str(e->path, "d/a");
	check_u64(e->size, 100000);
	check_u64(e->extents[0].len + e->extents[e->extent_count - 1].len *
		  (e->extent_count > 1), 100000);
	check(source_read_at(e->origin, e, e->extents[0].at, buf,
			     e->extents[0].len, &err) == 0);
	for (size_t i = 0; i < e->extents[0].len; i++)
		if (buf[i] != made_byte(3, i)) {
			check(buf[i] == made_byte(3, i));
			break;
		}
	check_str(told.taken[7]->path, "z");
	for (size_t i = 0; i < told.taken_count; i++)
		entry_destroy(told.taken[i]);
	close_form(&old);
	close_form(&new);
}

/*
 * A failure comes after what lies before it and before what lies behind it;
 * behind a difference of the same file it does not count.
 */
static void check_failures(void)
{
	static struct told told;

	for (unsigned jobs = 0; jobs < 4; jobs++) {
		struct diff_options o = { .jobs = jobs };
		struct diff_counts counts;
		struct opened old, new;
		struct err err = { 0 };

		told = (struct told){ .len = 0 };
		open_form(&old, old_list, COUNT, IMAGE);
		open_form(&new, new_list, COUNT, LISTED);
		new.listed.fail_path = "d/x";
		check(run(&o, &old, &new, &told, &counts, &err) == -1);
		check_str(err.text, "new: d/x: planted");
		check(strstr(told.text, "~ d/t ") != NULL);
		check(strstr(told.text, "gone") == NULL);
		check(strstr(told.text, "d-x") == NULL);
		close_form(&old);
		close_form(&new);

		static const struct made a[] = {
			{ "f", ENTRY_FILE, 8 * MIB, 0, NULL, NULL },
			{ "g", ENTRY_FILE, 10, 5, NULL, NULL },
		};
		static const struct made b[] = {
			{ "f", ENTRY_FILE, 8 * MIB, 1, NULL, NULL },
			{ "g", ENTRY_FILE, 10, 6, NULL, NULL },
		};

		told = (struct told){ .len = 0 };
		open_form(&old, a, 2, IMAGE);
		open_form(&new, b, 2, LISTED);
		new.listed.fail_path = "f";
		new.listed.fail_from = MIB;
		check(run(&o, &old, &new, &told, &counts, &err) == 0);
		check(strncmp(told.text, "~ f content ", 12) == 0);
		check(strstr(told.text, "\n~ g content 0\n") != NULL);
		close_form(&old);
		close_form(&new);
	}
}

/* A source that fails is told of after all that it gave before. */
static void check_broken_source(void)
{
	static const struct made bad[] = {
		{ "a", ENTRY_FILE, 10, 1, NULL, NULL },
		{ "a/b", ENTRY_FILE, 10, 1, NULL, NULL },
	};
	static struct told told;
	struct diff_options o = { .jobs = 1 };
	struct diff_counts counts;
	struct opened old, new;
	struct err err = { 0 };

	told = (struct told){ .len = 0 };
	open_form(&old, old_list, COUNT, IMAGE);
	open_form(&new, bad, 2, FORWARD);
	check(run(&o, &old, &new, &told, &counts, &err) == -1);
	check(strncmp(err.text, "new: a/b: ", 10) == 0);
	check_str(told.text, "");
	close_form(&old);
	close_form(&new);
}

/* Many small files behind a large one, which are told of in their order. */
#define MANY 5000
static void check_many(void)
{
	static struct made old_many[MANY + 1], new_many[MANY + 1];
	static char names[MANY][8];
	static struct told told;
	size_t want = 0;

	old_many[0] = new_many[0] =
		(struct made){ "a", ENTRY_FILE, 2 * MIB, 9, NULL, NULL };
	for (unsigned i = 0; i < MANY; i++) {
		snprintf(names[i], sizeof(names[i]), "b%05u", i);
		old_many[i + 1] = (struct made){ names[i], ENTRY_FILE, 40,
						 i % 50 + 1, NULL, NULL };
		new_many[i + 1] = old_many[i + 1];
		new_many[i + 1].seed += i % 7 == 0;
		want += i % 7 == 0;
	}
	for (unsigned i = 0; i < 4; i++) {
		struct diff_options o = { .jobs = i };
		struct diff_counts counts;
		struct opened old, new;
		struct err err = { 0 };

		told = (struct told){ .no_span = true };
		open_form(&old, old_many, MANY + 1, IMAGE);
		open_form(&new, new_many, MANY + 1, i % 2 ? IMAGE : FORWARD);
		check(run(&o, &old, &new, &told, &counts, &err) == 0);
		check_str(err.text, "");
		check_u64(counts.changed, want);

		const char *p = told.text;

		for (unsigned k = 0; k < MANY && *p; k += 7) {
			check(strncmp(p + 2, names[k], 6) == 0);
			p = strchr(p, '\n') + 1;
		}
		check(*p == '\0');
		close_form(&old);
		close_form(&new);
	}
}

/* Files that take much memory to say do not wait in any number. */
static void check_large_lists(void)
{
	static struct made huge[9];
	static char names[9][4];
	static struct told told;

	for (unsigned i = 0; i < 9; i++) {
		snprintf(names[i], sizeof(names[i]), "f%u", i);
		huge[i] = (struct made){ names[i], ENTRY_FILE, 1024 * MIB, 0,
					 NULL, NULL };
	}
	huge[0] = (struct made){ "f0", ENTRY_FILE, 2 * MIB, 3, NULL, NULL };
	for (unsigned jobs = 0; jobs < 3; jobs++) {
		struct diff_options o = { .jobs = jobs };
		struct diff_counts counts;
		struct opened old, new;
		struct err err = { 0 };

		told = (struct told){ .len = 0 };
		open_form(&old, huge, 9, IMAGE);
		open_form(&new, huge, 9, jobs ? IMAGE : FORWARD);
		check(run(&o, &old, &new, &told, &counts, &err) == 0);
		check_str(err.text, "");
		check_str(told.text, "");
		check_u64(counts.paths, 10);
		close_form(&old);
		close_form(&new);
	}
}

/* Names of one inode all over a tree; of some the path begins as another. */
static void check_links(void)
{
	static const struct made a[] = {
		{ "a", ENTRY_DIR, 0, 0, NULL, NULL },
		{ "a/b", ENTRY_DIR, 0, 0, NULL, NULL },
		{ "a/b/x", ENTRY_FILE, 9, 1, NULL, NULL },
		{ "a/b-x", ENTRY_HARDLINK, 0, 0, "a/b/x", NULL },
		{ "a/bb", ENTRY_FILE, 9, 2, NULL, NULL },
		{ "a/c", ENTRY_HARDLINK, 0, 0, "a/bb", NULL },
		{ "d", ENTRY_HARDLINK, 0, 0, "a/b/x", NULL },
		{ "e", ENTRY_HARDLINK, 0, 0, "a/bb", NULL },
		{ "only", ENTRY_HARDLINK, 0, 0, "a/bb", NULL },
	};
	static const struct made b[] = {
		{ "a", ENTRY_DIR, 0, 0, NULL, NULL },
		{ "a/b", ENTRY_DIR, 0, 0, NULL, NULL },
		{ "a/b/x", ENTRY_FILE, 9, 1, NULL, NULL },
		{ "a/b-x", ENTRY_HARDLINK, 0, 0, "a/b/x", NULL },
		{ "a/bb", ENTRY_FILE, 9, 2, NULL, NULL },
		{ "a/c", ENTRY_HARDLINK, 0, 0, "a/b/x", NULL },
		{ "d", ENTRY_HARDLINK, 0, 0, "a/b/x", NULL },
		{ "e", ENTRY_HARDLINK, 0, 0, "a/bb", NULL },
		{ "a/a", ENTRY_HARDLINK, 0, 0, "a/b/x", NULL },
	};
	static struct told told;

	for (unsigned i = 0; i < 9; i++) {
		struct diff_options o = { .no_mode = true, .no_owner = true };
		struct diff_counts counts;
		struct opened old, new;
		struct err err = { 0 };

		told = (struct told){ .no_span = true };
		open_form(&old, a, 9, (enum form)(i / 3 * 2));
		open_form(&new, b, 9, (enum form)(i % 3 * 2 + 1));
		check(run(&o, &old, &new, &told, &counts, &err) == 0);
		/* What one side alone has makes no others differ. */
		check(strncmp(told.text, "+ a/a\n~ a/c content", 19) == 0);
		check(strstr(told.text, " links a/bb a/b/x\n- only\n") != NULL);
		check_u64(counts.changed, 1);
		close_form(&old);
		close_form(&new);
	}
}

int main(void)
{
	check_same();
	check_forms();
	check_options();
	check_entries(IMAGE);
	check_entries(LISTED);
	check_failures();
	check_broken_source();
	check_many();
	check_large_lists();
	check_links();
	return check_report();
}
