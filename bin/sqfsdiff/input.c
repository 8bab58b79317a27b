/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "sqfsdiff/input.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/message.h"
#include "diff/diff.h"
#include "dir/files.h"
#include "dir/source.h"
#include "entry/entry.h"
#include "entry/source.h"
#include "io/fd.h"
#include "io/input.h"
#include "io/reader.h"
#include "sqfs/image.h"
#include "sqfs/super.h"
#include "sqfsdiff/extract.h"
#include "sqfsdiff/options.h"
#include "tar/tar.h"
#include "util/err.h"
#include "util/hash.h"
#include "util/num.h"

#define HEAD_LEN 512 /* a header of a tar */
#define COPY_LEN (256 * 1024)

enum input_kind { INPUT_IMAGE, INPUT_TAR, INPUT_UNKNOWN };

static bool has_image(int fd, uint64_t offset)
{
	uint8_t magic[4];
	size_t len;

	return fd_read_at(fd, offset, magic, sizeof(magic), &len, NULL) == 0 &&
	       len == sizeof(magic) && get_le32(magic) == SUPER_MAGIC;
}

/* A tar is told by its checksum, and so comes first. */
static int look(const struct image_file *file, const struct image_place *place,
		enum input_kind *out, struct err *err)
{
	uint8_t head[HEAD_LEN];
	const char *command;
	uint64_t at;
	size_t len;

	if (fd_read_at(file->fd, 0, head, sizeof(head), &len, err) < 0)
		return -1;
	if (tar_is_header(head, len))
		*out = INPUT_TAR;
	else if (place->is_auto ? image_find(file->fd, &at, NULL) == 0
				: has_image(file->fd, place->offset))
		*out = INPUT_IMAGE;
	else if (input_compressor(head, len, &command) ||
		 (len == sizeof(head) && mem_is_zero(head, len)))
		*out = INPUT_TAR;
	else
		*out = place->is_given ? INPUT_IMAGE : INPUT_UNKNOWN;
	return 0;
}

static int open_image(struct input *input, const struct options *options,
		      struct err *err)
{
	if (image_file_finish(&input->file, &options->place, err) < 0)
		return -1;
	input->unpack = (struct image_source_options){
		.no_xattrs = options->no_xattrs,
		.no_hard_links = true,
		.warner = &input->message.warner,
	};
	return image_source_create(input->file.image, &input->unpack,
				   &input->source, err);
}

/* Copies all that is left of a reader. */
static int copy_reader(struct reader *reader, int to, struct err *err)
{
	uint8_t *buf = malloc(COPY_LEN);
	size_t got = COPY_LEN;
	int ret = 0;

	if (!buf)
		return err_nomem(err);
	while (ret == 0 && got == COPY_LEN) {
		ret = reader_read(reader, buf, COPY_LEN, &got, err);
		if (ret == 0)
			ret = fd_write(to, buf, got, err);
	}
	free(buf);
	return ret;
}

/* Replaces the reader by one of a temporary copy, decompressed. */
static int unpack_reader(struct input *input, struct reader **reader,
			 struct err *err)
{
	struct reader *copy;
	const char *dir;

	if (temporary_create(&input->copy, &dir, err) < 0 ||
	    copy_reader(*reader, input->copy, err) < 0)
		return -1;
	if (lseek(input->copy, 0, SEEK_SET) < 0)
		return err_sys(err, "%s", dir);
	if (reader_create(input->copy, &copy, err) < 0)
		return -1;
	reader_destroy(*reader);
	*reader = copy;
	return 0;
}

static int open_tar(struct input *input, const struct options *options,
		    const struct input_wish *wish, struct err *err)
{
	const struct input_options read = {
		.is_plain = tar_is_header,
		.threads = wish->jobs,
	};
	const struct tar_options tar = {
		.warner = &input->message.warner,
		.no_xattr = options->no_xattrs,
	};
	struct reader *reader;

	/* A copy of a pipe stands at its end. */
	if (lseek(input->file.fd, 0, SEEK_SET) < 0)
		return err_sys(err, "opening it");
	if (reader_open(input->file.fd, &read, &reader, err) < 0)
		return -1;
	if (wish->again && !reader_is_seekable(reader) &&
	    unpack_reader(input, &reader, err) < 0) {
		reader_destroy(reader);
		return -1;
	}
	return tar_source_create(reader, &tar, &input->source, err);
}

static int open_dir(const char *path, const struct options *options,
		    struct input *input, struct err *err)
{
	const struct files_options files = { .keep_changed = false };

	input->path = path;
	input->scan = (struct scan_options){
		.keep_time = true,
		.keep_xattrs = !options->no_xattrs,
		.prefix = "",
	};
	if (files_create(&files, &input->files, err) < 0)
		return -1;
	return dir_source_create(input->files, &input->path, 1, &input->scan,
				 &input->source, err);
}

static int open_file(const char *path, const struct options *options,
		     const struct input_wish *wish, struct input *input,
		     struct err *err)
{
	enum input_kind kind;
	struct stat st;

	if (strcmp(path, "-") != 0 && stat(path, &st) == 0 &&
	    S_ISDIR(st.st_mode))
		return open_dir(path, options, input, err);
	if (image_file_begin(path, wish->input_closed, &input->file, err) < 0 ||
	    look(&input->file, &options->place, &kind, err) < 0)
		return -1;
	if (kind == INPUT_TAR)
		return open_tar(input, options, wish, err);
	if (open_image(input, options, err) == 0)
		return 0;
	if (kind == INPUT_UNKNOWN && err->code == ERR_CORRUPT)
		return err_in(err, "no image, archive or directory");
	return -1;
}

int input_open(const char *path, const struct options *options,
	       const struct input_wish *wish, struct input *out,
	       struct err *err)
{
	char name[NAME_TEXT_LEN];

	*out = (struct input){
		.name = image_file_name(path),
		.file.fd = -1,
		.copy = -1,
	};
	message_init(&out->message, "sqfsdiff");
	out->message.input = out->name;
	/* No image is made that keeps what was replaced. */
	out->message.warner.silent = 1u << WARN_REPLACED;
	if (open_file(path, options, wish, out, err) == 0)
		return 0;
	return err_in(err, "%s", name_text(out->name, strlen(out->name), name));
}

void input_fill(struct input *input, struct diff_input *out)
{
	*out = (struct diff_input){
		.source = input->source,
		.image = input->file.image,
		.name = input->name,
		.warner = &input->message.warner,
	};
	if (!input->files)
		return;
	/* Failures have the name in front already. */
	out->name = NULL;
	out->has_names = files_has_names;
}

static int renew(struct input *input, struct scan *scan, struct entry **entry,
		 struct err *err)
{
	struct entry *new, *old = *entry;
	char name[NAME_TEXT_LEN];

	if (scan_one(scan, old->path, &new, err) != 0)
		return -1;
	if (new->type != ENTRY_FILE) {
		entry_destroy(new);
		return err_set(err, ERR_CORRUPT, "%s: is no file any more",
			       name_text(old->path, strlen(old->path), name));
	}
	entry_set_origin(new, input->source);
	new->next = old->next;
	*entry = new;
	entry_destroy(old);
	return 0;
}

int input_renew(struct input *input, struct extract_list *list,
		struct err *err)
{
	struct scan *scan = NULL;
	int root, ret;

	if (!input->files || !list->first)
		return 0;
	if (files_add_root(input->files, FILES_CWD, input->path, &root, err) <
	    0)
		return -1;
	ret = scan_create(input->files, root, &input->scan, &scan, err);
	for (struct entry **e = &list->first; ret == 0 && *e;
	     e = &(*e)->next) {
		ret = renew(input, scan, e, err);
		list->last = *e;
	}
	scan_destroy(scan);
	return ret;
}

void input_close(struct input *input)
{
	source_destroy(input->source);
	files_destroy(input->files);
	image_file_close(&input->file);
	if (input->copy >= 0)
		close(input->copy);
}
