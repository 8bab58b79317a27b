/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tar/sink.h"

/*
 * Entries go through the flow into an archive and come back from it by the tar
 * source: all that a format holds is the same, and the rest is told or refused.
 */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "check.h"
#include "entry/entry.h"
#include "entry/sink.h"
#include "entry/source.h"
#include "flow/block.h"
#include "flow/flow.h"
#include "io/reader.h"
#include "io/writer.h"
#include "tar/tar.h"
#include "util/err.h"
#include "util/warn.h"

#define BLOCK 4096
#define GIB   (UINT64_C(1) << 30)

/*
 * Entries in memory; their content is made from where it lies.
 */

#define ENTRY_MAX 256

struct list {
	struct entry *entries[ENTRY_MAX];
	unsigned count;
	uint64_t at; /* in the input, of the next extent */
};

struct made_source {
	struct source source;
	struct list list;
	unsigned next;
	int plain_fd;	    /* that has the bytes, or -1 */
	uint64_t fail_read; /* what from here on cannot be read; 0: none */
};

static uint8_t byte_at(uint64_t at)
{
	return (uint8_t)(at * 7 + (at >> 9) + 1);
}

static int made_next(struct source *src, struct entry **out, struct err *err)
{
	struct made_source *s = (struct made_source *)src;

	(void)err;
	if (s->next == s->list.count)
		return 1;
	*out = s->list.entries[s->next];
	s->list.entries[s->next++] = NULL;
	return 0;
}

static int made_read_at(const struct source *src, const struct entry *entry,
			uint64_t at, void *buf, size_t len, struct err *err)
{
	const struct made_source *s = (const struct made_source *)src;
	uint8_t *p = buf;

	(void)entry;
	if (s->fail_read && at + len > s->fail_read)
		return err_set(err, ERR_IO, "bad sector");
	for (size_t i = 0; i < len; i++)
		p[i] = byte_at(at + i);
	return 0;
}

static int made_readv_at(const struct source *src, const struct entry *entry,
			 uint64_t at, struct iovec *iov, int count,
			 struct err *err)
{
	for (int i = 0; i < count; at += iov[i++].iov_len)
		if (made_read_at(src, entry, at, iov[i].iov_base,
				 iov[i].iov_len, err) < 0)
			return -1;
	return 0;
}

/* Every second block of the input lies in a file as it is. */
static bool made_plain(const struct source *src, const struct entry *entry,
		       uint64_t at, int *fd, uint64_t *fd_at, uint64_t *len)
{
	const struct made_source *s = (const struct made_source *)src;

	(void)entry;
	if (s->plain_fd < 0 || at / BLOCK % 4 == 0)
		return false;
	*fd = s->plain_fd;
	*fd_at = at;
	*len = BLOCK * 4 - at % (BLOCK * 4);
	return true;
}

static void list_cleanup(struct list *list)
{
	for (unsigned i = 0; i < list->count; i++)
		entry_destroy(list->entries[i]);
}

static void made_destroy(struct source *src)
{
	list_cleanup(&((struct made_source *)src)->list);
}

static const struct source_ops made_ops = {
	.next = made_next,
	.read_at = made_read_at,
	.readv_at = made_readv_at,
	.plain = made_plain,
	.destroy = made_destroy,
};

static struct entry *add(struct list *list, enum entry_type type,
			 const char *path, const char *link)
{
	struct entry *e;

	if (list->count == ENTRY_MAX ||
	    entry_create_named(path, strlen(path), link,
			       link ? strlen(link) : 0, &e, NULL) < 0)
		abort();
	e->type = type;
	e->mode = 0644;
	e->mtime = 1000000000;
	list->entries[list->count++] = e;
	return e;
}

static void extend(struct list *list, struct entry *e, uint64_t offset,
		   uint64_t len)
{
	/* Apart in the input, so that no two of them are one. */
	list->at += 1000;
	check(entry_add_extent(e, offset, list->at, len, NULL) == 0);
	list->at += len;
}

static struct entry *add_file(struct list *list, const char *path,
			      uint64_t size)
{
	struct entry *e = add(list, ENTRY_FILE, path, NULL);

	e->size = size;
	extend(list, e, 0, size);
	return e;
}

/* The bytes of a file from offset on, as they must come back. */
static void want_bytes(const struct entry *e, uint64_t offset, uint8_t *out,
		       size_t len)
{
	memset(out, 0, len);
	for (size_t i = 0; i < e->extent_count; i++) {
		const struct extent *x = &e->extents[i];
		uint64_t from = x->offset > offset ? x->offset : offset;
		uint64_t to = x->offset + x->len < offset + len
				      ? x->offset + x->len
				      : offset + len;

		for (; from < to; from++)
			out[from - offset] = byte_at(x->at + from - x->offset);
	}
}

/* A name of components of so many bytes each. */
static char *name_of(const unsigned *parts, char *out)
{
	char *p = out;

	for (; *parts; parts++) {
		if (p > out)
			*p++ = '/';
		memset(p, 'a' + (int)(*parts % 26), *parts);
		p += *parts;
	}
	*p = '\0';
	return out;
}

/*
 * Writing and reading back
 */

struct trial {
	struct tar_sink_options options;
	unsigned jobs;
	enum writer_codec codec;
	bool plain;
	uint64_t fail_read;

	int fd; /* the archive */
	struct warner warner;
	struct tar_sink_stats stats;
};

static int temp_file(void)
{
	char name[] = "/tmp/sinkXXXXXX";
	int fd = mkstemp(name);

	if (fd < 0)
		abort();
	unlink(name);
	return fd;
}

/* A file that has the bytes of the input. */
static int plain_file(uint64_t len)
{
	static uint8_t buf[1 << 16];
	int fd = temp_file();

	for (uint64_t at = 0; at < len; at += sizeof(buf)) {
		for (size_t i = 0; i < sizeof(buf); i++)
			buf[i] = byte_at(at + i);
		if (write(fd, buf, sizeof(buf)) != (ssize_t)sizeof(buf))
			abort();
	}
	return fd;
}

static int run_to(struct trial *t, void (*build)(struct list *), int fd,
		  struct err *err)
{
	struct flow_options flow = { .jobs = t->jobs, .backlog = 8 };
	struct writer_options options = { .codec = t->codec,
					  .level = WRITER_LEVEL_DEFAULT,
					  .threads = t->jobs };
	struct made_source src = { .source.ops = &made_ops,
				   .source.one_input = true,
				   .plain_fd = -1,
				   .fail_read = t->fail_read };
	struct writer *writer = NULL;
	struct sink *sink = NULL;
	int ret;

	build(&src.list);
	if (t->plain)
		src.plain_fd = plain_file(src.list.at);
	t->options.warner = &t->warner;
	if (!t->options.block_size)
		t->options.block_size = BLOCK;
	check(writer_create(fd, &options, &writer, err) == 0);
	check(tar_sink_create(writer, &t->options, &sink, err) == 0);
	ret = flow_run(&src.source, sink, &flow, err);
	/* Also of a failed one, so that what there is of it can be read. */
	if (writer_finish(writer, ret < 0 ? NULL : err) < 0)
		ret = -1;
	t->stats = *tar_sink_stats(sink);
	sink_destroy(sink);
	writer_destroy(writer);
	made_destroy(&src.source);
	if (src.plain_fd >= 0)
		close(src.plain_fd);
	return ret;
}

static int run(struct trial *t, void (*build)(struct list *), struct err *err)
{
	t->fd = temp_file();
	return run_to(t, build, t->fd, err);
}

static void compare_content(struct source *src, const struct entry *have,
			    const struct entry *want)
{
	static uint8_t buf[1 << 16], good[1 << 16];
	uint64_t wrong = 0, end = 0;
	size_t w = 0;

	for (size_t i = 0; i < have->extent_count; i++) {
		const struct extent *x = &have->extents[i];

		/* All that the file has lies in what came back. */
		while (w < want->extent_count &&
		       want->extents[w].offset >= x->offset &&
		       want->extents[w].offset + want->extents[w].len <=
			       x->offset + x->len)
			w++;
		check(i == 0 || x->offset > end);
		end = x->offset + x->len;
		for (uint64_t at = 0; at < x->len;) {
			size_t n = x->len - at < sizeof(buf)
					   ? (size_t)(x->len - at)
					   : sizeof(buf);

			check(source_read_at(src, have, x->at + at, buf, n,
					     NULL) == 0);
			want_bytes(want, x->offset + at, good, n);
			wrong += memcmp(buf, good, n) != 0;
			at += n;
		}
	}
	check_u64(w, want->extent_count);
	check_u64(wrong, 0);
}

static void compare(struct source *src, const struct entry *have,
		    const struct entry *want, bool with_xattrs)
{
	check_str(have->path, want->path);
	check_u64(have->type, want->type);
	check_u64(have->mode, want->mode);
	check_u64(have->uid, want->uid);
	check_u64(have->gid, want->gid);
	check_u64((uint64_t)have->mtime, (uint64_t)want->mtime);
	check_u64(have->major, want->major);
	check_u64(have->minor, want->minor);
	check_str(have->link ? have->link : "-", want->link ? want->link : "-");
	check_u64(have->size, want->size);
	compare_content(src, have, want);
	check_u64(have->xattr_count, with_xattrs ? want->xattr_count : 0);
	for (size_t i = 0; i < have->xattr_count && i < want->xattr_count;
	     i++) {
		const struct xattr *x = &have->xattrs[i];

		check_str(x->name, want->xattrs[i].name);
		check_u64(x->len, want->xattrs[i].len);
		if (x->len == want->xattrs[i].len)
			check_mem(x->value, want->xattrs[i].value, x->len);
	}
}

/* Reads the archive; the reader may have nothing to tell of it. */
static void read_back(const struct trial *t, void (*build)(struct list *))
{
	struct warner warner = { 0 };
	struct tar_options options = { .warner = &warner };
	struct list list = { .count = 0 };
	struct reader *reader;
	struct source *src;
	struct entry *entry;
	struct err err = { 0 };
	unsigned n = 0;
	int ret;

	build(&list);
	check(lseek(t->fd, 0, SEEK_SET) == 0);
	check(reader_create(t->fd, &reader, &err) == 0);
	check(tar_source_create(reader, &options, &src, &err) == 0);
	while ((ret = source_next(src, &entry, &err)) == 0) {
		while (n < list.count &&
		       (list.entries[n]->type == ENTRY_SOCKET ||
			(t->options.no_root && !*list.entries[n]->path)))
			n++;
		if (n < list.count)
			compare(src, entry, list.entries[n],
				t->options.format == TAR_FORMAT_PAX);
		n++;
		entry_destroy(entry);
	}
	check(ret == 1);
	if (ret < 0)
		fprintf(stderr, "%s\n", err.text);
	check_u64(n, list.count);
	for (unsigned i = 0; i < WARN_KIND_COUNT; i++)
		check_u64(warner.count[i], 0);
	source_destroy(src);
	list_cleanup(&list);
}

static uint8_t *load(int fd, size_t *len)
{
	off_t end = lseek(fd, 0, SEEK_END);
	uint8_t *data = malloc((size_t)end + 1);

	if (!data || pread(fd, data, (size_t)end, 0) != (ssize_t)end)
		abort();
	*len = (size_t)end;
	return data;
}

/* Two zero blocks, and before them what is none. */
static void check_end(const struct trial *t)
{
	size_t len, zeros = 0;
	uint8_t *data = load(t->fd, &len);

	check_u64(t->stats.bytes, len);
	check_u64(len % 512, 0);
	while (zeros < len && data[len - 1 - zeros] == 0)
		zeros++;
	check(zeros >= 1024);
	free(data);
}

static void round_trip(struct trial *t, void (*build)(struct list *))
{
	struct err err = { 0 };

	check(run(t, build, &err) == 0);
	if (err.code != ERR_NONE)
		fprintf(stderr, "%s\n", err.text);
	read_back(t, build);
	check_end(t);
	close(t->fd);
}

/*
 * What there is
 */

static void build_types(struct list *list)
{
	struct entry *e;

	add(list, ENTRY_DIR, "", NULL)->mode = 01777;
	add(list, ENTRY_DIR, "d", NULL)->mode = 0750;
	add_file(list, "d/empty", 0)->mode = 07777;
	for (unsigned i = 0; i < 40; i++) {
		static const uint64_t sizes[] = { 1,	511,  512,  513,
						  4095, 4096, 4097, 100000 };
		char name[16];

		snprintf(name, sizeof(name), "d/f%u", i);
		add_file(list, name, sizes[i % 8])->mode = (uint16_t)i;
	}
	add(list, ENTRY_SYMLINK, "d/l", "../a b\nc\\")->mode = 0777;
	e = add(list, ENTRY_HARDLINK, "d/h", "d/f3");
	e->uid = 7;
	e->gid = 8;
	e->mode = 0640;
	e = add(list, ENTRY_CHAR_DEVICE, "d/c", NULL);
	e->major = 4095;
	e->minor = 1048575;
	e = add(list, ENTRY_BLOCK_DEVICE, "d/b", NULL);
	e->major = 07777777;
	e->minor = 0;
	add(list, ENTRY_FIFO, "d/p", NULL);
}

static void test_types(void)
{
	for (int format = TAR_FORMAT_PAX; format <= TAR_FORMAT_USTAR; format++)
		for (unsigned set = 0; set < 8; set++) {
			struct trial t = { .jobs = set % 4, .plain = set & 1 };

			t.options.format = (enum tar_format)format;
			t.options.dot = set & 2;
			t.options.no_root = set & 4;
			round_trip(&t, build_types);
			check_u64(t.stats.entries, t.options.no_root ? 47 : 48);
			check_u64(t.stats.skipped, 0);
			check_u64(t.warner.count[WARN_FORMAT], 0);
		}
}

/* The bytes are those of one thread and no plain content. */
static void test_same(void)
{
	static const unsigned jobs[] = { 0, 1, 2, 8 };
	uint8_t *first = NULL;
	size_t first_len = 0;

	for (unsigned i = 0; i < 8; i++) {
		struct trial t = { .jobs = jobs[i / 2], .plain = i & 1 };
		struct err err = { 0 };
		uint8_t *data;
		size_t len;

		check(run(&t, build_types, &err) == 0);
		data = load(t.fd, &len);
		close(t.fd);
		if (!first) {
			first = data;
			first_len = len;
			continue;
		}
		check_u64(len, first_len);
		if (len == first_len)
			check_mem(data, first, len);
		free(data);
	}
	free(first);
}

/*
 * Names
 */

static const unsigned name_parts[][12] = {
	{ 99 },
	{ 100 },
	{ 101 },
	{ 255 },
	{ 1, 98 },
	{ 1, 99 },
	{ 1, 100 },
	{ 1, 101 },
	{ 155, 1 },
	{ 155, 99 },
	{ 155, 100 },
	{ 155, 101 },
	{ 156, 1 },
	{ 156, 99 },
	{ 156, 100 },
	{ 77, 77, 100 },
	{ 77, 78, 100 },
	{ 77, 77, 1, 98 },
	{ 155, 1, 98 },
	{ 50, 50, 155 },
	{ 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255 },
};

#define NAME_COUNT (sizeof(name_parts) / sizeof(*name_parts))

static void build_names(struct list *list)
{
	char name[4096], target[4096];

	for (size_t i = 0; i < NAME_COUNT; i++) {
		name_of(name_parts[i], name);
		add(list, ENTRY_DIR, name, NULL);
		name[0] = 'A';
		add_file(list, name, 3);
		name[0] = 'B';
		add(list, ENTRY_SYMLINK, name, name);
		name_of(name_parts[(i + 1) % NAME_COUNT], target);
		name[0] = 'C';
		add(list, ENTRY_HARDLINK, name, target);
	}
	memset(target, 't', 4095);
	target[4095] = '\0';
	add(list, ENTRY_SYMLINK, "long", target);
	add(list, ENTRY_SYMLINK, "short", "t");
}

static void build_odd_names(struct list *list)
{
	static const char *const odd[] = {
		"\xff\xfe",    "new\nline",    "a=b",		" ",
		"\\",	       "\"",	       "\x01\x7f",	"...",
		"caf\xc3\xa9", "12 path=x\n",  "././@LongLink", "PaxHeaders",
		"x.",	       "\xed\xa0\x80", "%41",
	};

	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		char name[512];

		snprintf(name, sizeof(name), "%u%s", (unsigned)i, odd[i]);
		add_file(list, name, 3);
		add(list, ENTRY_SYMLINK, "s", name);
		/* And as records, together with what fills up. */
		snprintf(name, sizeof(name), "%u%s%0120d", (unsigned)i, odd[i],
			 0);
		/* "././" is cleaned away when it is read. */
		if (strstr(odd[i], "./"))
			continue;
		add_file(list, name, 3);
		add(list, ENTRY_SYMLINK, name, name);
	}
}

static void test_names(void)
{
	for (int format = TAR_FORMAT_PAX; format <= TAR_FORMAT_GNU; format++)
		for (unsigned dot = 0; dot < 2; dot++) {
			struct trial t = { .options.dot = dot };

			t.options.format = (enum tar_format)format;
			round_trip(&t, build_names);
		}
}

static void build_odd(struct list *list)
{
	build_odd_names(list);
	/* What is cleaned when it is read is no name of an entry. */
	for (unsigned i = 0; i < list->count; i++)
		if (strstr(list->entries[i]->path, "./")) {
			entry_destroy(list->entries[i]);
			list->entries[i] = list->entries[--list->count];
		}
}

static void test_odd_names(void)
{
	for (int format = TAR_FORMAT_PAX; format <= TAR_FORMAT_GNU; format++) {
		struct trial t = { 0 };

		t.options.format = (enum tar_format)format;
		round_trip(&t, build_odd);
	}
}

/*
 * Numbers
 */

static void build_numbers(struct list *list)
{
	static const uint32_t ids[] = { 0,	    2097151,	2097152,
					0x7fffffff, 0x80000000, 0xffffffff };
	static const int64_t times[] = {
		0,	     -1,	   4294967295,
		4294967296,  8589934591,   8589934592,
		-4294967296, -62135596800, INT64_MAX / 2,
	};
	char name[16];

	for (unsigned i = 0; i < 6; i++) {
		struct entry *e;

		snprintf(name, sizeof(name), "id%u", i);
		e = add_file(list, name, 10);
		e->uid = ids[i];
		e->gid = ids[5 - i];
		snprintf(name, sizeof(name), "dev%u", i);
		e = add(list, ENTRY_CHAR_DEVICE, name, NULL);
		e->major = ids[i];
		e->minor = ids[5 - i];
	}
	for (unsigned i = 0; i < 9; i++) {
		snprintf(name, sizeof(name), "time%u", i);
		add(list, ENTRY_DIR, name, NULL)->mtime = times[i];
	}
}

static void test_numbers(void)
{
	for (int format = TAR_FORMAT_PAX; format <= TAR_FORMAT_GNU; format++) {
		struct trial t = { 0 };

		t.options.format = (enum tar_format)format;
		round_trip(&t, build_numbers);
	}
}

/*
 * Attributes
 */

static void build_xattrs(struct list *list)
{
	static uint8_t value[65536];
	struct entry *e = add(list, ENTRY_DIR, "", NULL);

	check(entry_set_xattr(e, "user.root", "r", 1, NULL) == 0);
	for (size_t i = 0; i < sizeof(value); i++)
		value[i] = (uint8_t)(i * 13);
	e = add_file(list, "f", 5000);
	check(entry_set_xattr(e, "user.a=b", "=", 1, NULL) == 0);
	check(entry_set_xattr(e, "user.a%3Db", "%", 1, NULL) == 0);
	check(entry_set_xattr(e, "user.%", "", 0, NULL) == 0);
	check(entry_set_xattr(e, "user.nul", "\0a\0\n\0", 5, NULL) == 0);
	check(entry_set_xattr(e, "user.\xff\n x", "1", 1, NULL) == 0);
	check(entry_set_xattr(e, "security.capability",
			      "\1\0\0\2\0\x0a\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20,
			      NULL) == 0);
	check(entry_set_xattr(e, "user.long", value, sizeof(value), NULL) == 0);
	/* Where one more digit of the length is needed. */
	for (size_t len = 70; len < 76; len++) {
		char name[16];

		snprintf(name, sizeof(name), "user.%u", (unsigned)len);
		check(entry_set_xattr(e, name, value, len, NULL) == 0);
	}
	for (size_t len = 970; len < 980; len++) {
		char name[16];

		snprintf(name, sizeof(name), "user.%u", (unsigned)len);
		check(entry_set_xattr(e, name, value, len, NULL) == 0);
	}
	e = add(list, ENTRY_SYMLINK, "l", "f");
	check(entry_set_xattr(e, "trusted.l", "v", 1, NULL) == 0);
}

static void test_xattrs(void)
{
	for (int format = TAR_FORMAT_PAX; format <= TAR_FORMAT_USTAR;
	     format++) {
		struct trial t = { 0 };

		t.options.format = (enum tar_format)format;
		round_trip(&t, build_xattrs);
		check_u64(t.warner.count[WARN_FORMAT],
			  format == TAR_FORMAT_PAX ? 0 : 3);
	}
}

/*
 * Holes
 */

static void build_sparse(struct list *list)
{
	struct entry *e;

	e = add(list, ENTRY_FILE, "all", NULL);
	e->size = 10 * BLOCK;
	e = add(list, ENTRY_FILE, "all_odd", NULL);
	e->size = 10 * BLOCK + 1;
	e = add(list, ENTRY_FILE, "less_than_a_unit", NULL);
	e->size = BLOCK - 1;
	e = add(list, ENTRY_FILE, "front", NULL);
	e->size = 9 * BLOCK;
	extend(list, e, 0, 5);
	e = add(list, ENTRY_FILE, "end", NULL);
	e->size = 9 * BLOCK;
	extend(list, e, 9 * BLOCK - 5, 5);
	e = add(list, ENTRY_FILE, "middle", NULL);
	e->size = 16 * BLOCK + 100;
	extend(list, e, 0, 100);
	extend(list, e, 8 * BLOCK + 1, 3);
	extend(list, e, 16 * BLOCK - 1, 101);
	e = add(list, ENTRY_FILE, "small_holes", NULL);
	e->size = 6 * BLOCK;
	for (unsigned i = 0; i < 6; i++)
		extend(list, e, i * BLOCK + 100, BLOCK - 200);
	/* Of 4, 5, 25, 26 segments, about as many as old maps hold. */
	for (unsigned count = 3; count < 28; count++) {
		char name[16];

		snprintf(name, sizeof(name), "many%u", count);
		e = add(list, ENTRY_FILE, name, NULL);
		e->size = (uint64_t)count * 4 * BLOCK + (count & 1);
		for (unsigned i = 0; i < count; i++)
			extend(list, e, (uint64_t)i * 4 * BLOCK, 10);
	}
	e = add(list, ENTRY_FILE, "long_map", NULL);
	e->size = UINT64_C(100) * 4 * BLOCK;
	for (unsigned i = 0; i < 100; i++)
		extend(list, e, (uint64_t)i * 4 * BLOCK + 2, 10);
	add_file(list, "none", 100);
}

/* Sizes that octal digits do not hold, of holes. */
static void build_huge(struct list *list)
{
	static const uint64_t sizes[] = { 8 * GIB - 1, 8 * GIB, 8 * GIB + 1,
					  (uint64_t)INT64_MAX };
	char name[160];

	for (unsigned i = 0; i < 4; i++) {
		struct entry *e;

		snprintf(name, sizeof(name), "huge%u", i);
		e = add(list, ENTRY_FILE, name, NULL);
		e->size = sizes[i];
		extend(list, e, sizes[i] - 1, 1);
		snprintf(name, sizeof(name), "hole%u%0120d", i, 0);
		e = add(list, ENTRY_FILE, name, NULL);
		e->size = sizes[i];
		check(entry_set_xattr(e, "user.k", "v", 1, NULL) == 0);
	}
}

static void test_sparse(void)
{
	static const uint64_t units[] = { 0, 1, BLOCK, 2 * BLOCK, 7 * BLOCK };

	for (int format = TAR_FORMAT_PAX; format <= TAR_FORMAT_USTAR; format++)
		for (unsigned i = 0; i < 5; i++) {
			struct trial t = { .jobs = i % 3, .plain = i & 1 };

			t.options.format = (enum tar_format)format;
			t.options.sparse = units[i];
			round_trip(&t, build_sparse);
		}
	for (int format = TAR_FORMAT_PAX; format <= TAR_FORMAT_GNU; format++) {
		struct trial t = { .options.sparse = 1 << 20 };

		t.options.format = (enum tar_format)format;
		round_trip(&t, build_huge);
		check(t.stats.bytes < 8 << 20);
	}
}

/* The map as it is meant: whole units inside the file and inside holes. */
static void build_map(struct list *list)
{
	struct entry *e = add(list, ENTRY_FILE, "f", NULL);

	e->size = 10 * BLOCK + 5;
	extend(list, e, BLOCK + 10, 10);
	extend(list, e, 6 * BLOCK, 10);
}

static void test_map(void)
{
	struct trial t = { .options.sparse = 2 * BLOCK };
	struct err err = { 0 };
	struct reader *reader;
	struct source *src;
	struct entry *e = NULL;

	check(run(&t, build_map, &err) == 0);
	check(lseek(t.fd, 0, SEEK_SET) == 0);
	check(reader_create(t.fd, &reader, &err) == 0);
	check(tar_source_create(reader, &(struct tar_options) { 0 }, &src,
				&err) == 0);
	check(source_next(src, &e, &err) == 0);
	check_u64(e->size, 10 * BLOCK + 5);
	check_u64(e->extent_count, 3);
	if (e->extent_count == 3) {
		check_u64(e->extents[0].offset, 0);
		check_u64(e->extents[0].len, 2 * BLOCK);
		check_u64(e->extents[1].offset, 6 * BLOCK);
		check_u64(e->extents[1].len, 2 * BLOCK);
		check_u64(e->extents[2].offset, 10 * BLOCK);
		check_u64(e->extents[2].len, 5);
	}
	entry_destroy(e);
	source_destroy(src);
	close(t.fd);
}

/* Of units that are no whole blocks readers think differently. */
static void test_odd_unit(void)
{
	static const uint64_t units[] = { 512, 1, 511 };
	uint8_t *first = NULL;
	size_t first_len = 0;

	for (unsigned i = 0; i < 3; i++) {
		struct trial t = { .options.sparse = units[i] };
		struct err err = { 0 };
		uint8_t *data;
		size_t len;

		check(run(&t, build_map, &err) == 0);
		data = load(t.fd, &len);
		close(t.fd);
		if (!first) {
			first = data;
			first_len = len;
			continue;
		}
		check_u64(len, first_len);
		if (len == first_len)
			check_mem(data, first, len);
		free(data);
	}
	free(first);
}

/* Extents as an image of longer blocks would have them. */
static void build_in_blocks(struct list *list, uint64_t block)
{
	struct entry *e = add(list, ENTRY_FILE, "f", NULL);
	static const uint64_t places[] = { 5, 21, 22, 37, 90 };

	/* All at one place of the input, so that the bytes are the same. */
	e->size = 100 * BLOCK + 9;
	for (unsigned i = 0; i < 5; i++) {
		uint64_t from = places[i] * BLOCK / block * block;

		if (i > 0 &&
		    from < e->extents[e->extent_count - 1].offset + block)
			continue;
		check(entry_add_extent(e, from, 1 + from, block, NULL) == 0);
	}
}

static void build_short_blocks(struct list *list)
{
	build_in_blocks(list, BLOCK);
}

static void build_long_blocks(struct list *list)
{
	build_in_blocks(list, 4 * BLOCK);
}

static void test_unit(void)
{
	struct trial a = { .options.sparse = 4 * BLOCK,
			   .options.block_size = BLOCK };
	struct trial b = { .options.sparse = 4 * BLOCK,
			   .options.block_size = 4 * BLOCK };
	struct err err = { 0 };
	size_t a_len, b_len;
	uint8_t *a_data, *b_data;

	check(run(&a, build_short_blocks, &err) == 0);
	check(run(&b, build_long_blocks, &err) == 0);
	a_data = load(a.fd, &a_len);
	b_data = load(b.fd, &b_len);
	check_u64(a_len, b_len);
	/* The maps, which stand in front of the content. */
	check_mem(a_data, b_data, 2048);
	free(a_data);
	free(b_data);
	close(a.fd);
	close(b.fd);
}

/* A size of 8 GiB that is stored needs a record; what follows cannot be read,
 * so that the test is short. */
static void build_stored(struct list *list)
{
	struct entry *e = add(list, ENTRY_FILE, "f", NULL);

	e->size = 8 * GIB;
	list->at = 1 << 20;
	extend(list, e, BLOCK, e->size - BLOCK);
}

static void test_stored_size(void)
{
	static const char record[] = "19 size=8589934592\n";
	struct trial t = { .fail_read = 1 << 20 };
	struct err err = { 0 };
	uint8_t *data;
	size_t len;

	check(run(&t, build_stored, &err) == -1);
	check_u64(err.code, ERR_IO);
	data = load(t.fd, &len);
	check(len >= 2048);
	if (len >= 2048) {
		check(data[156] == 'x');
		check_mem(data + 512, record, sizeof(record));
		check_mem(data + 1024 + 124, "77777777777", 12);
	}
	free(data);
	close(t.fd);

	t = (struct trial) { .fail_read = 1 << 20,
			     .options.format = TAR_FORMAT_GNU };
	check(run(&t, build_stored, &err) == -1);
	data = load(t.fd, &len);
	check(len >= 512);
	if (len >= 512)
		check_mem(data + 124, "\x80\0\0\0\0\0\0\2\0\0\0", 12);
	free(data);
	close(t.fd);

	t = (struct trial) { .fail_read = 1 << 20,
			     .options.format = TAR_FORMAT_USTAR };
	check(run(&t, build_stored, &err) == -1);
	check_u64(err.code, ERR_LIMIT);
	close(t.fd);
}

/*
 * What does not go in
 */

static void build_sockets(struct list *list)
{
	add_file(list, "a", 10);
	add(list, ENTRY_SOCKET, "s1", NULL);
	add(list, ENTRY_SOCKET, "s2", NULL);
	add_file(list, "b", 10);
}

static void test_sockets(void)
{
	struct trial t = { 0 };
	struct err err = { 0 };

	round_trip(&t, build_sockets);
	check_u64(t.warner.count[WARN_SOCKET], 2);
	check_u64(t.stats.entries, 2);
	check_u64(t.stats.skipped, 2);

	t = (struct trial) { .warner.strict = true };
	check(run(&t, build_sockets, &err) == -1);
	check_u64(err.code, ERR_SKIPPED);
	close(t.fd);
}

static unsigned refused;

/* One entry that ustar has no place for. */
static void build_refused(struct list *list)
{
	char name[600];

	memset(name, 'n', sizeof(name));
	name[101] = '\0';
	switch (refused) {
	case 0:
		add_file(list, name, 1);
		return;
	case 1:
		name[100] = '\0';
		add(list, ENTRY_DIR, name, NULL);
		return;
	case 2:
		add(list, ENTRY_SYMLINK, "l", name);
		return;
	case 3:
		add(list, ENTRY_HARDLINK, "l", name);
		return;
	case 4:
		add_file(list, "f", 1)->uid = 2097152;
		return;
	case 5:
		add_file(list, "f", 1)->gid = 0xffffffff;
		return;
	case 6:
		add(list, ENTRY_CHAR_DEVICE, "c", NULL)->major = 2097152;
		return;
	default:
		add(list, ENTRY_BLOCK_DEVICE, "b", NULL)->minor = 2097152;
	}
}

static void build_times(struct list *list)
{
	add_file(list, "old", 10)->mtime = -1;
	add_file(list, "new", 10)->mtime = 8589934592;
}

static void test_ustar(void)
{
	struct trial t = { .options.format = TAR_FORMAT_USTAR };
	struct err err = { 0 };
	uint8_t *data;
	size_t len;

	for (refused = 0; refused < 8; refused++) {
		err.code = ERR_NONE;
		check(run(&t, build_refused, &err) == -1);
		check_u64(err.code, ERR_LIMIT);
		close(t.fd);
	}
	check_u64(t.warner.count[WARN_FORMAT], 0);
	check(run(&t, build_times, &err) == 0);
	check_u64(t.warner.count[WARN_FORMAT], 2);
	data = load(t.fd, &len);
	check_mem(data + 136, "00000000000", 12);
	check_mem(data + 1024 + 136, "77777777777", 12);
	free(data);
	close(t.fd);
}

/* What a hard link brings along is its target's. */
static void build_linked(struct list *list)
{
	struct entry *e;

	add_file(list, "a", 10000);
	e = add(list, ENTRY_HARDLINK, "b", "a");
	e->size = 10000;
	extend(list, e, 0, 10000);
	add_file(list, "c", 10);
}

static void build_plain_link(struct list *list)
{
	add_file(list, "a", 10000);
	add(list, ENTRY_HARDLINK, "b", "a");
	list->at += 11000;
	add_file(list, "c", 10);
}

static void test_link_with_content(void)
{
	struct trial t = { 0 };
	struct err err = { 0 };

	check(run(&t, build_linked, &err) == 0);
	read_back(&t, build_plain_link);
	close(t.fd);
}

/* Content that is not as long as the entry said is never an archive. */
static void test_other_len(void)
{
	struct writer_options options = { .codec = WRITER_PLAIN };
	struct tar_sink_options tar = { .block_size = BLOCK };

	for (unsigned i = 0; i < 4; i++) {
		struct list list = { .count = 0 };
		struct entry *e = add_file(&list, "f", 100);
		uint8_t data[200] = { 1 };
		struct block b = { .data = data };
		struct piece piece = { .entry = e, .len = 40 + 30 * i };
		struct err err = { 0 };
		struct writer *writer;
		struct sink *sink;
		bool keep = false;
		int fd = temp_file(), ret;

		check(writer_create(fd, &options, &writer, &err) == 0);
		check(tar_sink_create(writer, &tar, &sink, &err) == 0);
		check(sink->ops->begin(sink, e, &err) == 0);
		ret = sink->ops->take(sink, &b, &piece, &keep, &err);
		check((ret == 0) == (piece.len <= 100));
		if (ret == 0)
			ret = sink->ops->end(sink, e, &err);
		check((ret == 0) == (piece.len == 100));
		check(ret == 0 || err.code == ERR_CORRUPT);
		sink_destroy(sink);
		writer_destroy(writer);
		list_cleanup(&list);
		close(fd);
	}
}

/*
 * Failing output
 */

static void test_write_fails(void)
{
	for (unsigned i = 0; i < 12; i++) {
		struct trial t = { .jobs = i % 3,
				   .plain = i & 1,
				   .codec =
					   i < 6 ? WRITER_PLAIN : WRITER_GZIP };
		struct err err = { 0 };
		int pipes[2], fd;

#if !defined(WITH_ZLIB) && !defined(WITH_LIBDEFLATE)
		t.codec = WRITER_PLAIN;
#endif
		fd = open("/dev/full", O_WRONLY);
		if (fd >= 0) {
			check(run_to(&t, build_types, fd, &err) == -1);
			check_u64(err.code, ERR_WRITE);
			check_u64((uint64_t)err.sys, ENOSPC);
			close(fd);
		}
		check(pipe(pipes) == 0);
		close(pipes[0]);
		err.code = ERR_NONE;
		check(run_to(&t, build_types, pipes[1], &err) == -1);
		check_u64(err.code, ERR_WRITE);
		check_u64((uint64_t)err.sys, EPIPE);
		close(pipes[1]);
	}
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	test_types();
	test_same();
	test_names();
	test_odd_names();
	test_numbers();
	test_xattrs();
	test_sparse();
	test_map();
	test_odd_unit();
	test_unit();
	test_stored_size();
	test_sockets();
	test_ustar();
	test_link_with_content();
	test_other_len();
	test_write_fails();
	return check_report();
}
