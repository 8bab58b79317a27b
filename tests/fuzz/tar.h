/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_FUZZ_TAR_H
#define TESTS_FUZZ_TAR_H

#include "config.h"

#include "../unit/tar/writer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void require(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

static int memory_file(const struct buffer *tar)
{
	FILE *f = tmpfile();
	int fd;

	if (!f || fwrite(tar->data, 1, tar->len, f) != tar->len || fflush(f))
		abort();
	fd = dup(fileno(f));
	fclose(f);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static void check_entry(const struct entry *e)
{
	uint64_t end = 0;

	require(e->path[0] != '/' && !strstr(e->path, "//"), "path is clean");
	for (size_t i = 0; i < e->extent_count; i++) {
		const struct extent *x = &e->extents[i];

		require(x->len > 0 && x->offset >= end, "extents ascend");
		require(x->offset <= e->size && x->len <= e->size - x->offset,
			"extents lie in the file");
		end = x->offset + x->len;
	}
	for (size_t i = 1; i < e->xattr_count; i++)
		require(strcmp(e->xattrs[i - 1].name, e->xattrs[i].name) < 0,
			"attributes ascend");
}

/*
 * Reads an archive as a stream and as a file: both must agree, and what comes
 * out must be in order.
 */
static void read_both(const struct buffer *tar,
		      const struct tar_options *options, bool strict)
{
	struct result stream, file;
	struct reader *reader;
	int fd;

	read_by(memory_reader(tar), *options, strict, &stream);
	fd = memory_file(tar);
	require(reader_create(fd, &reader, NULL) == 0, "reader");
	read_by(reader, *options, strict, &file);

	require((stream.ret < 0) == (file.ret < 0), "stream and file agree");
	if (stream.ret >= 0)
		require(stream.count == file.count &&
				strcmp(stream.told, file.told) == 0,
			"stream and file give the same");
	for (const struct entry *e = stream.entries; e; e = e->next)
		check_entry(e);
	result_cleanup(&stream);
	result_cleanup(&file);
	close(fd);
}

#endif
