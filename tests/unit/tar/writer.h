/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_UNIT_TAR_WRITER_H
#define TESTS_UNIT_TAR_WRITER_H

/*
 * Writes archives that may lie, and reads them by the tar source: once as a
 * file and once as a stream that comes in odd pieces.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "entry/entry.h"
#include "entry/source.h"
#include "io/reader.h"
#include "io/stream.h"
#include "tar/tar.h"
#include "util/array.h"
#include "util/err.h"
#include "util/warn.h"

#define USTAR "ustar\00000"
#define GNU   "ustar  \0"
#define V7    "\0\0\0\0\0\0\0\0"

static inline void put(struct buffer *tar, const void *data, size_t len)
{
	if (buffer_append(tar, data, len, NULL) < 0)
		abort();
}

static inline void put_pad(struct buffer *tar)
{
	static const uint8_t zeros[512];

	put(tar, zeros, -tar->len & 511);
}

static inline void put_zeros(struct buffer *tar, size_t blocks)
{
	static const uint8_t zeros[512];

	while (blocks-- > 0)
		put(tar, zeros, sizeof(zeros));
}

/* A header's text and numbers; what is NULL or 0 has a usual value. */
struct head {
	const char *name, *link, *prefix;
	size_t name_len;   /* 0: up to the NUL */
	char type;	   /* 0: '0' */
	const char *magic; /* 8 bytes, NULL: USTAR */
	unsigned mode, uid, gid;
	uint64_t size, mtime;
	unsigned major, minor;
};

static inline void set_checksum(uint8_t *block)
{
	char text[16];
	unsigned sum = 0;

	memset(block + 148, ' ', 8);
	for (size_t i = 0; i < 512; i++)
		sum += block[i];
	snprintf(text, sizeof(text), "%06o", sum);
	memcpy(block + 148, text, 7);
}

static inline void set_octal(uint8_t *at, size_t width, uint64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%0*" PRIo64, (int)width - 1, value);
	memcpy(at, text, width);
}

static inline void head_encode(const struct head *h, uint8_t block[512])
{
	const char *magic = h->magic ? h->magic : USTAR;

	memset(block, 0, 512);
	if (h->name)
		memcpy(block, h->name,
		       h->name_len ? h->name_len : strlen(h->name));
	set_octal(block + 100, 8, h->mode ? h->mode : 0644);
	set_octal(block + 108, 8, h->uid);
	set_octal(block + 116, 8, h->gid);
	set_octal(block + 124, 12, h->size);
	set_octal(block + 136, 12, h->mtime);
	block[156] = h->type ? (uint8_t)h->type : '0';
	if (h->link)
		memcpy(block + 157, h->link, strlen(h->link));
	memcpy(block + 257, magic, 8);
	if (memcmp(magic, V7, 8) != 0) {
		set_octal(block + 329, 8, h->major);
		set_octal(block + 337, 8, h->minor);
	}
	if (h->prefix)
		memcpy(block + 345, h->prefix, strlen(h->prefix));
	set_checksum(block);
}

static inline void put_head(struct buffer *tar, struct head h)
{
	uint8_t block[512];

	head_encode(&h, block);
	put(tar, block, sizeof(block));
}

/* A header whose bytes at at are data instead, with a right checksum. */
static inline void put_patched(struct buffer *tar, struct head h, size_t at,
			       const void *data, size_t len)
{
	uint8_t block[512];

	head_encode(&h, block);
	memcpy(block + at, data, len);
	set_checksum(block);
	put(tar, block, sizeof(block));
}

static inline void put_body(struct buffer *tar, struct head h, const void *data,
			    size_t len)
{
	h.size = len;
	put_head(tar, h);
	put(tar, data, len);
	put_pad(tar);
}

static inline void put_file(struct buffer *tar, const char *name,
			    const char *text)
{
	put_body(tar, (struct head) { .name = name }, text, strlen(text));
}

static inline void put_record(struct buffer *body, const char *key,
			      const void *value, size_t len)
{
	size_t rest = strlen(key) + len + 3, all = rest + 1;
	char digits[24];

	while (all !=
	       rest + (size_t)snprintf(digits, sizeof(digits), "%zu", all))
		all++;
	put(body, digits, strlen(digits));
	put(body, " ", 1);
	put(body, key, strlen(key));
	put(body, "=", 1);
	put(body, value, len);
	put(body, "\n", 1);
}

/* An extended header of type from a body. */
static inline void put_pax_body(struct buffer *tar, char type, const void *body,
				size_t len)
{
	put_body(tar, (struct head) { .name = "PaxHeaders/x", .type = type },
		 body, len);
}

/* Of one record of text. */
static inline void put_pax(struct buffer *tar, const char *key,
			   const char *value)
{
	struct buffer body = { 0 };

	put_record(&body, key, value, strlen(value));
	put_pax_body(tar, 'x', body.data, body.len);
	buffer_cleanup(&body);
}

static inline void put_global(struct buffer *tar, const char *key,
			      const char *value)
{
	struct buffer body = { 0 };

	put_record(&body, key, value, strlen(value));
	put_pax_body(tar, 'g', body.data, body.len);
	buffer_cleanup(&body);
}

/* A GNU long name or link, counting its NUL. */
static inline void put_long(struct buffer *tar, char type, const char *text)
{
	put_body(tar,
		 (struct head) {
			 .name = "././@LongLink", .type = type, .magic = GNU },
		 text, strlen(text) + 1);
}

/* An archive in memory as a stream of pieces of 1 to 1021 bytes. */
struct memory_stream {
	struct stream stream; /* first */
	const uint8_t *data;
	size_t len, at, step;
};

static inline int memory_read(struct stream *stream, void *buf, size_t len,
			      void *extra, size_t extra_len, size_t *got,
			      struct err *err)
{
	struct memory_stream *m = (struct memory_stream *)stream;
	size_t n = m->len - m->at;

	(void)extra;
	(void)extra_len;
	(void)err;
	m->step = m->step * 7 % 1021 + 1;
	if (n > len)
		n = len;
	if (n > m->step)
		n = m->step;
	if (n > 0)
		memcpy(buf, m->data + m->at, n);
	m->at += n;
	*got = n;
	return 0;
}

static inline void memory_destroy(struct stream *stream)
{
	free(stream);
}

static inline struct reader *memory_reader(const struct buffer *tar)
{
	static const struct stream_ops ops = { .read = memory_read,
						.destroy = memory_destroy };
	struct memory_stream *m = calloc(1, sizeof(*m));
	struct reader *reader;

	if (!m)
		abort();
	m->stream.ops = &ops;
	m->data = tar->data;
	m->len = tar->len;
	if (reader_create_stream(&m->stream, &reader, NULL) < 0)
		abort();
	return reader;
}

/* What came of reading an archive. */
struct result {
	struct entry *entries;	 /* chained, in order */
	struct buffer *contents; /* of each entry; holes are zeros */
	size_t count, cap, content_cap;
	int ret; /* 1: read to the end */
	struct err err;
	uint64_t warned[WARN_KIND_COUNT];
	char told[4096]; /* the warnings' texts, a line each */
};

#define CONTENT_MAX (1024 * 1024) /* larger files are not read */

static inline void tell(void *arg, enum warn_kind kind, const char *text)
{
	struct result *r = arg;
	size_t used = strlen(r->told);

	(void)kind;
	snprintf(r->told + used, sizeof(r->told) - used, "%s\n", text);
}

static inline int read_content(struct source *src, const struct entry *e,
			       struct buffer *out, struct err *err)
{
	if (e->size > CONTENT_MAX || e->size == 0)
		return 0;
	if (buffer_reserve(out, (size_t)e->size, err) < 0)
		abort();
	memset(out->data, 0, (size_t)e->size);
	out->len = (size_t)e->size;
	for (size_t i = 0; i < e->extent_count; i++) {
		const struct extent *x = &e->extents[i];
		void *at = out->data + x->offset;
		int ret;

		if (x->len > e->size || x->offset > e->size - x->len) {
			check(!"extent inside the file");
			return 0;
		}
		ret = src->ops->read_at
			      ? source_read_at(src, e, x->at, at,
					       (size_t)x->len, err)
			      : source_read(src, at, (size_t)x->len, err);
		if (ret < 0)
			return -1;
	}
	return 0;
}

static inline void walk(struct source *src, struct result *r)
{
	struct entry **tail = &r->entries;

	while ((r->ret = source_next(src, tail, &r->err)) == 0) {
		if (array_reserve(&r->contents, &r->content_cap, r->count + 1,
				  sizeof(*r->contents), NULL) < 0)
			abort();
		r->contents[r->count] = (struct buffer) { 0 };
		r->count++;
		if (read_content(src, *tail, &r->contents[r->count - 1],
				 &r->err) < 0) {
			r->ret = -1;
			break;
		}
		tail = &(*tail)->next;
	}
}

/* Reads all that reader gives; it is gone afterwards. */
static inline void read_by(struct reader *reader, struct tar_options options,
			   bool strict, struct result *r)
{
	struct warner warner = { .emit = tell, .arg = r, .strict = strict };
	struct source *src;

	memset(r, 0, sizeof(*r));
	options.warner = &warner;
	if (tar_source_create(reader, &options, &src, NULL) < 0)
		abort();
	walk(src, r);
	source_destroy(src);
	memcpy(r->warned, warner.count, sizeof(r->warned));
}

static inline void read_file(const struct buffer *tar,
			     struct tar_options options, bool strict,
			     struct result *r)
{
	FILE *f = tmpfile();
	struct reader *reader;

	if (!f || (tar->len > 0 && fwrite(tar->data, tar->len, 1, f) != 1) ||
	    fflush(f) != 0 || lseek(fileno(f), 0, SEEK_SET) != 0 ||
	    reader_create(fileno(f), &reader, NULL) < 0)
		abort();
	check(reader_is_seekable(reader));
	read_by(reader, options, strict, r);
	fclose(f);
}

static inline void result_cleanup(struct result *r)
{
	while (r->entries) {
		struct entry *e = r->entries;

		r->entries = e->next;
		entry_destroy(e);
	}
	for (size_t i = 0; i < r->count; i++)
		buffer_cleanup(&r->contents[i]);
	free(r->contents);
}

/* The entry of that index; ends the test where there is none. */
static inline const struct entry *entry_at(const struct result *r, size_t index)
{
	const struct entry *e = r->entries;

	if (index >= r->count) {
		fprintf(stderr, "only %zu entries; %s\n", r->count,
			r->ret < 0 ? r->err.text : "no error");
		exit(1);
	}
	while (index-- > 0)
		e = e->next;
	return e;
}

static inline bool same_entry(const struct entry *a, const struct entry *b)
{
	if (strcmp(a->path, b->path) != 0 || a->type != b->type ||
	    a->mode != b->mode || a->uid != b->uid || a->gid != b->gid ||
	    a->mtime != b->mtime || a->major != b->major ||
	    a->minor != b->minor || a->size != b->size ||
	    a->extent_count != b->extent_count ||
	    a->xattr_count != b->xattr_count ||
	    a->input_offset != b->input_offset || !a->link != !b->link ||
	    (a->link && strcmp(a->link, b->link) != 0))
		return false;
	for (size_t i = 0; i < a->extent_count; i++)
		if (memcmp(&a->extents[i], &b->extents[i],
			   sizeof(a->extents[i])) != 0)
			return false;
	return true;
}

/*
 * Reads tar as a file and as a stream and checks that both give the same. The
 * one exception: data that is cut off shows in a file before it is read.
 */
static inline void read_with(const struct buffer *tar,
			     struct tar_options options, bool strict,
			     struct result *r)
{
	struct result other;
	const struct entry *a, *b;
	bool same = true;

	read_file(tar, options, strict, r);
	read_by(memory_reader(tar), options, strict, &other);

	check_u64((uint64_t)(r->ret + 1), (uint64_t)(other.ret + 1));
	if (r->ret < 0 && other.ret < 0 &&
	    !strstr(r->err.text, "truncated data"))
		check_str(r->err.text, other.err.text);
	check(r->ret > 0 || r->err.code == other.err.code);
	check_str(r->told, other.told);
	for (a = r->entries, b = other.entries; a && b;
	     a = a->next, b = b->next)
		same = same && same_entry(a, b);
	for (size_t i = 0; i < r->count && i < other.count; i++)
		same = same && r->contents[i].len == other.contents[i].len &&
		       (r->contents[i].len == 0 ||
			memcmp(r->contents[i].data, other.contents[i].data,
			       r->contents[i].len) == 0);
	check(same);
	check(r->ret < 0 || r->count == other.count);
	result_cleanup(&other);
}

static inline void read_tar(const struct buffer *tar, struct result *r)
{
	read_with(tar, (struct tar_options) { 0 }, false, r);
}

/* Puts an end mark behind tar, reads it, wants success, and empties tar. */
static inline void accept_tar(struct buffer *tar, struct result *r)
{
	put_zeros(tar, 2);
	read_tar(tar, r);
	check(r->ret == 1);
	if (r->ret != 1)
		fprintf(stderr, "  %s\n", r->err.text);
	buffer_cleanup(tar);
}

/* The same, but wants an error of that code with want in its text. */
static inline void refuse_at(struct buffer *tar, enum err_code code,
			     const char *want, const char *file, int line)
{
	struct result r;

	put_zeros(tar, 2);
	read_tar(tar, &r);
	check_note(r.ret == -1, file, line, "refused");
	check_note(r.ret == -1 && r.err.code == code, file, line, "err.code");
	check_note(r.ret == -1 && strstr(r.err.text, want) != NULL, file, line,
		   want);
	if (r.ret == -1 && !strstr(r.err.text, want))
		fprintf(stderr, "  have \"%s\"\n", r.err.text);
	result_cleanup(&r);
	buffer_cleanup(tar);
}

#define refuse_tar(tar, code, want)                                            \
	refuse_at(tar, code, want, __FILE__, __LINE__)

/* True if the content of the entry of that index is text. */
static inline bool content_is(const struct result *r, size_t index,
			      const char *text)
{
	return index < r->count && r->contents[index].len == strlen(text) &&
	       (text[0] == '\0' ||
		memcmp(r->contents[index].data, text, strlen(text)) == 0);
}

#endif
