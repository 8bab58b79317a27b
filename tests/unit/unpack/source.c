/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unpack/unpack.h"

#include "made.h"

#include <unistd.h>

#include "flow/block.h"
#include "sqfs/image.h"
#include "sqfs/super.h"

/* Sorted as the source gives them: depth first, names ascending. */
static const struct made list[] = {
	{ "", ENTRY_DIR, 0, 0, NULL, "of the root" },
	{ "a", ENTRY_FILE, 0, 0, NULL, NULL },
	{ "b", ENTRY_FILE, 100, 1, NULL, "v" },
	{ "c", ENTRY_FILE, BLOCK, 2, NULL, NULL },
	{ "d", ENTRY_DIR, 0, 0, NULL, NULL },
	{ "d/deep", ENTRY_DIR, 0, 0, NULL, "w" },
	{ "d/deep/x", ENTRY_FILE, 3 * BLOCK + 5, 3, NULL, NULL },
	{ "d/deep/y", ENTRY_HARDLINK, 0, 0, "d/deep/x", NULL },
	{ "d/empty", ENTRY_DIR, 0, 0, NULL, NULL },
	{ "d/link", ENTRY_SYMLINK, 0, 0, "../no/where", NULL },
	{ "d/z", ENTRY_FILE, BLOCK - 1, 4, NULL, NULL },
	{ "e", ENTRY_BLOCK_DEVICE, 0, 0, NULL, NULL },
	{ "f", ENTRY_CHAR_DEVICE, 0, 0, NULL, "x" },
	{ "g", ENTRY_FIFO, 0, 0, NULL, NULL },
	{ "h", ENTRY_SOCKET, 0, 0, NULL, NULL },
	{ "hole", ENTRY_FILE, 40 * BLOCK + 1, 0, NULL, NULL },
	{ "large", ENTRY_FILE, 300 * BLOCK + 9, 5, NULL, NULL },
	{ "same", ENTRY_FILE, 3 * BLOCK + 5, 3, NULL, NULL },
	{ "tails", ENTRY_DIR, 0, 0, NULL, NULL },
	{ "tails/1", ENTRY_FILE, 2000, 6, NULL, NULL },
	{ "tails/2", ENTRY_FILE, 2001, 7, NULL, NULL },
	{ "tails/3", ENTRY_FILE, 2002, 8, NULL, NULL },
	{ "tails/4", ENTRY_FILE, 2003, 9, NULL, NULL },
};
#define COUNT (sizeof(list) / sizeof(*list))

static struct image *open_image(FILE *f)
{
	struct image_options o = { 0 };
	struct image *image = NULL;
	struct err err = { 0 };

	check(image_open(fileno(f), &o, &image, &err) == 0);
	check_str(err.text, "");
	return image;
}

/* A sink that compares what comes with the list. */
struct compare {
	struct sink sink;
	size_t at; /* of the list */
	uint64_t bytes, plain;
};

static int cmp_begin(struct sink *sink, const struct entry *e,
		     struct err *err)
{
	struct compare *c = (struct compare *)sink;
	const struct made *m = &list[c->at];
	size_t i = e->type == ENTRY_HARDLINK ? 6 : c->at;

	(void)err;
	check(c->at < COUNT);
	check_str(e->path, m->path);
	check_u64(e->type, m->type);
	check_u64(e->mode, made_mode(i));
	check_u64(e->uid, i % 4 * 1000);
	check_u64(e->gid, i % 3);
	check_u64(e->mtime, i * 1000003);
	check_u64(e->size, m->type == ENTRY_FILE ? m->size : 0);
	check_u64(e->xattr_count, m->xattr ? 1 : 0);
	if (e->xattr_count) {
		check_str(e->xattrs[0].name, "user.k");
		check_str((char *)e->xattrs[0].value, m->xattr);
	}
	if (m->link)
		check_str(e->link, m->link);
	if (m->type == ENTRY_BLOCK_DEVICE || m->type == ENTRY_CHAR_DEVICE) {
		check_u64(e->major, 4);
		check_u64(e->minor, i * 300);
	}
	c->bytes = 0;
	return 0;
}

static int cmp_take(struct sink *sink, struct block *b, struct piece *piece,
		    bool *keep, struct err *err)
{
	struct compare *c = (struct compare *)sink;
	const struct made *m = &list[c->at];
	uint8_t *data = b->data + piece->at, *heap = NULL;
	bool same = true;

	(void)keep;
	(void)err;
	check_u64(piece->offset, c->bytes);
	c->bytes += piece->len;
	if (piece->is_plain) {
		data = heap = malloc(piece->len);
		c->plain += piece->len;
		check(pread(piece->plain_fd, data, piece->len,
			    (off_t)piece->plain_at) == (ssize_t)piece->len);
	}
	for (uint64_t i = 0; i < piece->len && !piece->is_hole; i++)
		same &= data[i] == made_byte(m->seed, piece->offset + i);
	check(same);
	check(!piece->is_hole || m->seed == 0);
	free(heap);
	return 0;
}

static int cmp_end(struct sink *sink, const struct entry *e, struct err *err)
{
	struct compare *c = (struct compare *)sink;

	(void)err;
	check_u64(c->bytes, e->size);
	c->at++;
	return 0;
}

static int cmp_finish(struct sink *sink, struct err *err)
{
	(void)sink;
	(void)err;
	return 0;
}

static const struct sink_ops cmp_ops = {
	.begin = cmp_begin, .take = cmp_take, .end = cmp_end,
	.finish = cmp_finish,
};

/* All of it, by any number of workers, cut as the image is or otherwise. */
static void test_all(const struct made_how *how)
{
	static const unsigned jobs[] = { 0, 1, 2, 8 };
	FILE *f = make_image(list, COUNT, how);

	for (unsigned i = 0; i < 8; i++) {
		struct image *image = open_image(f);
		struct image_source_options o = { .cache_len = i % 2 };
		struct compare c = {
			.sink = { .ops = &cmp_ops,
				  .cut = { .block_size = i < 4 ? BLOCK
							       : 3 * BLOCK,
					   .tail_ends = true,
					   .long_tail_ends = true,
					   .holes = true,
					   .plain = i % 2 } }
		};
		struct flow_options flow = { .jobs = jobs[i % 4],
					     .backlog = 20 };
		struct source *src;
		struct err err = { 0 };

		check(image_source_create(image, &o, &src, &err) == 0);
		check(flow_run(src, &c.sink, &flow, &err) == 0);
		check_str(err.text, "");
		check_u64(c.at, COUNT);
		check((c.plain > 0) == (how->all_raw && i % 2));
		source_destroy(src);
		image_close(image);
	}
	fclose(f);
}

/* The paths that a source gives, with a space behind each. */
static const char *paths_of(FILE *f, struct image_source_options *o,
			    struct err *err)
{
	static char text[4096];
	struct image *image = open_image(f);
	struct source *src;
	struct entry *e;
	int ret;

	text[0] = '\0';
	check(image_source_create(image, o, &src, err) == 0);
	while ((ret = source_next(src, &e, err)) == 0) {
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "%s%s%s ", e->path,
			 e->type == ENTRY_HARDLINK ? "=" : "",
			 e->type == ENTRY_HARDLINK ? e->link : "");
		entry_destroy(e);
	}
	if (ret < 0)
		strcat(text, "!");
	source_destroy(src);
	image_close(image);
	return text;
}

static void test_starts(FILE *f)
{
	const struct image_start one[] = { { "d", "", NULL } };
	const struct image_start kept[] = { { "d/deep", "d/deep", NULL },
					    { "d/z", "d/z", NULL },
					    { "tails/2", "tails/2", NULL },
					    { "d/deep", "d/deep", NULL } };
	const struct image_start covered[] = { { "d/deep", "d/deep", NULL },
					       { "d", "d", NULL } };
	const struct image_start moved[] = { { "", "new/root", NULL } };
	const struct image_start none[] = { { "d/none", "", NULL } };
	const struct image_start through[] = { { "b/none", "", NULL } };
	struct image_source_options o = { .starts = one, .start_count = 1 };
	struct err err = { 0 };

	check_str(paths_of(f, &o, &err),
		  " deep deep/x deep/y=deep/x empty link z ");
	o = (struct image_source_options){ .starts = kept, .start_count = 4 };
	check_str(paths_of(f, &o, &err),
		  "d/deep d/deep/x d/deep/y=d/deep/x d/z tails/2 ");
	o.parents = true;
	check_str(paths_of(f, &o, &err),
		  " d d/deep d/deep/x d/deep/y=d/deep/x d/z tails tails/2 ");
	o = (struct image_source_options){ .starts = covered,
					   .start_count = 2 };
	check_str(paths_of(f, &o, &err), "d d/deep d/deep/x "
					 "d/deep/y=d/deep/x d/empty d/link "
					 "d/z ");
	o = (struct image_source_options){ .starts = moved, .start_count = 1 };
	check(strncmp(paths_of(f, &o, &err), "new/root new/root/a ", 20) == 0);
	check_str(err.text, "");

	o = (struct image_source_options){ .starts = none, .start_count = 1 };
	check_str(paths_of(f, &o, &err), "!");
	check_u64(err.code, ERR_USAGE);
	check(strstr(err.text, "d/none") != NULL);
	o = (struct image_source_options){ .starts = through,
					   .start_count = 1 };
	check_str(paths_of(f, &o, &err), "!");
	check_u64(err.code, ERR_USAGE);
}

/* A start whose inode is known is not looked up, so its path may be any. */
static void test_known_start(FILE *f)
{
	struct image *image = open_image(f);
	struct meta_ref ref = image_root(image);
	const struct image_start start[] = { { "any", "it", &ref } };
	struct image_source_options o = { .starts = start, .start_count = 1 };
	struct err err = { 0 };

	image_close(image);
	check(strncmp(paths_of(f, &o, &err), "it it/a ", 8) == 0);
	check_str(err.text, "");
}

static bool out_of_x(void *arg, const char *path, bool is_dir)
{
	(void)is_dir;
	return strcmp(path, arg) == 0;
}

static bool but_y(void *arg, const char *path, bool is_dir)
{
	(void)arg;
	(void)is_dir;
	return strcmp(path, "d/deep/y") != 0;
}

static void test_excluded(FILE *f)
{
	const struct image_start d[] = { { "d", "d", NULL } };
	struct image_source_options o = { .is_excluded = out_of_x,
					  .arg = (void *)(uintptr_t)"d/deep/x",
					  .starts = d,
					  .start_count = 1 };
	struct err err = { 0 };

	/* The first name is left out: the second has the content. */
	check_str(paths_of(f, &o, &err),
		  "d d/deep d/deep/y d/empty d/link d/z ");
	o = (struct image_source_options){ .is_excluded = but_y };
	check_str(paths_of(f, &o, &err), " d d/deep d/deep/y ");
	o = (struct image_source_options){ .no_hard_links = true,
					   .starts = d,
					   .start_count = 1 };
	check_str(paths_of(f, &o, &err), "d d/deep d/deep/x d/deep/y d/empty "
					 "d/link d/z ");
	check_str(err.text, "");
}

/* Reads the content of an entry by its extents. */
static int read_entry(const struct source *src, const struct entry *e,
		      struct err *err)
{
	static uint8_t buf[BLOCK];

	for (size_t i = 0; i < e->extent_count; i++) {
		const struct extent *x = &e->extents[i];

		for (uint64_t n = 0; n < x->len; n += BLOCK) {
			uint64_t left = x->len - n;

			if (source_read_at(src, e, x->at + n, buf,
					   left < BLOCK ? left : BLOCK,
					   err) < 0)
				return -1;
		}
	}
	return 0;
}

/* Reads everything; whatever happens, it ends with an answer. */
static int read_all(FILE *f, struct err *err)
{
	struct image_options io = { 0 };
	struct image_source_options o = { 0 };
	struct image *image;
	struct source *src;
	struct entry *e;
	int ret;

	if (image_open(fileno(f), &io, &image, err) < 0)
		return -1;
	check(image_source_create(image, &o, &src, err) == 0);
	while ((ret = source_next(src, &e, err)) == 0) {
		ret = read_entry(src, e, err);
		entry_destroy(e);
		if (ret < 0)
			break;
	}
	source_destroy(src);
	image_close(image);
	return ret < 0 ? -1 : 0;
}

static const struct made few[] = {
	{ "", ENTRY_DIR, 0, 0, NULL, "root" },
	{ "a", ENTRY_FILE, BLOCK + 50, 1, NULL, "v" },
	{ "b", ENTRY_HARDLINK, 0, 0, "a", NULL },
	{ "c", ENTRY_DIR, 0, 0, NULL, NULL },
	{ "c/s", ENTRY_SYMLINK, 0, 0, "x", NULL },
};
#define FEW (sizeof(few) / sizeof(*few))

/* Cut anywhere before its end, an image is refused at once. */
static void test_cut(void)
{
	struct made_how how = { 0 };
	FILE *f = make_image(few, FEW, &how);
	struct image *image = open_image(f);
	uint64_t used = image_super(image)->bytes_used;

	image_close(image);
	for (uint64_t len = 0; len <= used; len++) {
		struct err err = { 0 };
		FILE *g = tmpfile();
		uint8_t *data = malloc(used);

		check(pread(fileno(f), data, used, 0) == (ssize_t)used);
		check(write(fileno(g), data, len) == (ssize_t)len);
		check(read_all(g, &err) == (len == used ? 0 : -1));
		if (len < used)
			check_u64(err.code, ERR_CORRUPT);
		free(data);
		fclose(g);
	}
	fclose(f);
}

/* Any byte may be anything: no crash, no hang, and a word for a failure. */
static void test_flip(bool all_raw)
{
	struct made_how how = { .all_raw = all_raw, .exportable = true };
	FILE *f = make_image(few, FEW, &how);
	struct image *image = open_image(f);
	uint64_t used = image_super(image)->bytes_used;
	unsigned failed = 0;

	image_close(image);
	for (uint64_t at = 0; at < used; at++) {
		/* Of the data itself a few bytes will do. */
		if (at > 200 && at < 3000 && at % 97 != 0)
			continue;
		for (unsigned with = 1; with < 256; with = with * 5 + 3) {
			struct err err = { 0 };
			uint8_t was, now;

			check(pread(fileno(f), &was, 1, (off_t)at) == 1);
			now = (uint8_t)(was ^ with);
			check(pwrite(fileno(f), &now, 1, (off_t)at) == 1);
			if (read_all(f, &err) < 0) {
				failed++;
				check(err.text[0] != '\0');
			}
			check(pwrite(fileno(f), &was, 1, (off_t)at) == 1);
		}
	}
	check(failed > 100);
	fclose(f);
}

/* A sink that goes on after what could not be read. */
struct faulty {
	struct compare compare;
	unsigned faults;
	char text[512];
};

static int note_fault(struct sink *sink, const struct entry *e,
		      struct err *err)
{
	struct faulty *c = (struct faulty *)sink;

	(void)e;
	if (c->faults++ == 0)
		memcpy(c->text, err->text, sizeof(c->text));
	return 0;
}

static int pass(struct sink *sink, const struct entry *e, struct err *err)
{
	(void)sink;
	(void)e;
	(void)err;
	return 0;
}

static int pass_piece(struct sink *sink, struct block *b, struct piece *piece,
		      bool *keep, struct err *err)
{
	struct faulty *c = (struct faulty *)sink;

	(void)b;
	(void)keep;
	(void)err;
	c->compare.bytes += piece->len;
	return 0;
}

/* Where the content of an entry begins in an image. */
static uint64_t start_of(FILE *f, const char *path)
{
	const struct image_start starts[] = { { path, path, NULL } };
	struct image_source_options o = { .starts = starts,
					  .start_count = 1 };
	struct image *image = open_image(f);
	struct source *src;
	struct entry *e;
	struct err err = { 0 };
	uint64_t at = 0;

	check(image_source_create(image, &o, &src, &err) == 0);
	if (source_next(src, &e, &err) == 0) {
		at = entry_stored(e)->start;
		check(!(entry_stored(e)->words[0] & BLOCK_WORD_RAW));
		entry_destroy(e);
	}
	source_destroy(src);
	image_close(image);
	return at;
}

/* One damaged block: that piece alone is missing, wherever it is read. */
static void test_fault(void)
{
	static const struct sink_ops ops = {
		.begin = pass,
		.take = pass_piece, .fault = note_fault,  .end = pass,
		.finish = cmp_finish,
	};
	struct made_how how = { .no_fragments = true };
	FILE *f = make_image(list, COUNT, &how);
	uint64_t all = 0, at;
	char want[64];

	for (size_t i = 0; i < COUNT; i++)
		all += list[i].size;
	at = start_of(f, "c");
	check(pwrite(fileno(f), "\xff\xff\xff\xff\xff\xff", 6, (off_t)at) ==
	      6);
	snprintf(want, sizeof(want), "c: block 0: byte %" PRIu64 ": ", at);
	for (unsigned jobs = 0; jobs < 3; jobs++) {
		struct image *image = open_image(f);
		struct image_source_options o = { 0 };
		struct flow_options flow = { .jobs = jobs, .backlog = 8 };
		struct faulty c = {
			.compare.sink = { .ops = &ops,
					  .cut = { .block_size = BLOCK,
						   .tail_ends = true,
						   .long_tail_ends = true,
						   .holes = true } }
		};
		struct source *src;
		struct err err = { 0 };

		check(image_source_create(image, &o, &src, &err) == 0);
		check(flow_run(src, &c.compare.sink, &flow, &err) == 0);
		check_u64(c.faults, 1);
		check_u64(c.compare.bytes, all - BLOCK);
		check(strncmp(c.text, want, strlen(want)) == 0);
		source_destroy(src);
		image_close(image);
	}
	fclose(f);
}

int main(void)
{
	struct made_how how = { 0 };
	FILE *f;

	for (size_t i = 0; codec_builtin[i]; i++) {
		how.codec = codec_builtin[i];
		test_all(&how);
	}
	how.codec = NULL;
	how.no_fragments = true;
	test_all(&how);
	how.all_raw = true;
	how.no_fragments = false;
	test_all(&how);
	f = make_image(list, COUNT, &(struct made_how){ 0 });
	test_starts(f);
	test_known_start(f);
	test_excluded(f);
	fclose(f);
	test_cut();
	test_flip(true);
	test_flip(false);
	test_fault();
	return check_report();
}
