/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "common/open.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/codecs.h"
#include "io/fd.h"
#include "sqfs/image.h"
#include "sqfs/super.h"
#include "util/err.h"
#include "util/num.h"
#include "util/parse.h"

/* Bytes copied from a pipe at once. */
#define COPY_LEN (256 * 1024)

/* An image that was not asked for is looked for in files up to this. */
#define HINT_FILE_MAX (UINT64_C(4) * 1024 * 1024 * 1024)

int image_place_parse(const char *text, struct image_place *out,
		      struct err *err)
{
	struct image_place place = { .is_given = true };

	if (strcmp(text, "auto") == 0)
		place.is_auto = true;
	else if (parse_size(text, 0, INT64_MAX, &place.offset, err) < 0)
		return err_in(err, "neither auto nor a number of bytes");
	*out = place;
	return 0;
}

static bool is_standard(const char *path)
{
	return strcmp(path, "-") == 0;
}

const char *image_file_name(const char *path)
{
	return is_standard(path) ? "standard input" : path;
}

/* Makes a file in dir that has no name. */
static int make_nameless(const char *dir, int *out, struct err *err)
{
	static const char name[] = "/sqfskit.XXXXXX";
	char *path;
	int fd;

#ifdef O_TMPFILE
	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0) {
		*out = fd;
		return 0;
	}
	/* Not every file system has it, and old kernels take it for more. */
#endif
	path = malloc(strlen(dir) + sizeof(name));
	if (!path)
		return err_nomem(err);
	strcpy(path, dir);
	strcat(path, name);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	free(path);
	if (fd < 0)
		return err_sys(err, "making a temporary file");
	*out = fd;
	return 0;
}

int temporary_create(int *fd, const char **dir, struct err *err)
{
	*dir = getenv("TMPDIR");
	if (!*dir || !**dir)
		*dir = "/tmp";
	if (make_nameless(*dir, fd, err) < 0)
		return err_in(err, "%s", *dir);
	return 0;
}

/* Copies what is left behind from to the front of to. */
static int copy_rest(int from, int to, const char *dir, struct err *err)
{
	uint8_t *buf = malloc(COPY_LEN);
	size_t got = COPY_LEN;
	int ret = 0;

	if (!buf)
		return err_nomem(err);
	while (ret == 0 && got == COPY_LEN) {
		ret = fd_read(from, buf, COPY_LEN, &got, err);
		if (ret < 0 || fd_write(to, buf, got, err) == 0)
			continue;
		ret = err_in(err, "%s: temporary copy of the image (TMPDIR can"
				  " name another folder)", dir);
	}
	free(buf);
	return ret;
}

/* Replaces the descriptor by that of a temporary copy. */
static int spool(struct image_file *file, struct err *err)
{
	const char *dir;
	int copy;

	if (temporary_create(&copy, &dir, err) < 0)
		return -1;
	if (copy_rest(file->fd, copy, dir, err) < 0) {
		close(copy);
		return -1;
	}
	if (file->is_ours)
		close(file->fd);
	file->fd = copy;
	file->is_ours = true;
	return 0;
}

/* Spools what is not read at offsets, and refuses what holds no image. */
static int make_seekable(struct image_file *file, struct err *err)
{
	struct stat st;

	if (fstat(file->fd, &st) < 0)
		return err_sys(err, "opening it");
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return err_sys(err, "opening it");
	}
	/* Flash is one, and has an end; what has none holds no image. */
	if (S_ISCHR(st.st_mode) && lseek(file->fd, 0, SEEK_END) <= 0)
		return err_set(err, ERR_UNSUPPORTED,
			       "is a character device, which holds no image");
	if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode))
		return spool(file, err);

	/* Someone may have read part of what standard input is. */
	if (!file->is_ours && S_ISREG(st.st_mode) &&
	    lseek(file->fd, 0, SEEK_CUR) > 0)
		return spool(file, err);
	return 0;
}

int image_file_begin(const char *path, bool input_closed,
		     struct image_file *file, struct err *err)
{
	*file = (struct image_file){ .fd = STDIN_FILENO };
	if (!is_standard(path)) {
		file->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
		if (file->fd < 0)
			return err_sys(err, "opening it");
		file->is_ours = true;
	} else if (input_closed) {
		return err_set(err, ERR_IO, "is closed");
	} else if (isatty(STDIN_FILENO)) {
		return err_set(err, ERR_USAGE,
			       "is a terminal: name an image or send one");
	}
	return make_seekable(file, err);
}

/* Says where an image is instead of what is wrong with the first bytes. */
static int hint(const struct image_file *file, struct err *err)
{
	uint8_t magic[4];
	struct stat st;
	uint64_t at;
	size_t got;

	if (fstat(file->fd, &st) < 0 || !S_ISREG(st.st_mode) ||
	    (uint64_t)st.st_size > HINT_FILE_MAX)
		return -1;
	if (fd_read_at(file->fd, 0, magic, sizeof(magic), &got, NULL) < 0 ||
	    got < sizeof(magic) || get_le32(magic) == SUPER_MAGIC ||
	    image_find(file->fd, &at, NULL) < 0)
		return -1;
	return err_set(err, ERR_CORRUPT,
		       "does not begin with an image, but there is one at byte"
		       " %" PRIu64 ": use --offset %" PRIu64
		       " or --offset auto", at, at);
}

int image_file_finish(struct image_file *file, const struct image_place *place,
		      struct err *err)
{
	struct image_options options = {
		.offset = place->offset,
		.codecs = codecs_more,
	};

	if (place->is_auto && image_find(file->fd, &options.offset, err) < 0)
		return -1;
	if (image_open(file->fd, &options, &file->image, err) == 0)
		return 0;
	if (place->is_given || err->code != ERR_CORRUPT)
		return -1;
	return hint(file, err);
}

int image_file_open(const char *path, const struct image_place *place,
		    bool input_closed, struct image_file *out, struct err *err)
{
	char name[NAME_TEXT_LEN];

	if (image_file_begin(path, input_closed, out, err) == 0 &&
	    image_file_finish(out, place, err) == 0)
		return 0;
	path = image_file_name(path);
	return err_in(err, "%s", name_text(path, strlen(path), name));
}

void image_file_close(struct image_file *file)
{
	image_close(file->image);
	if (file->is_ours)
		close(file->fd);
	*file = (struct image_file){ .fd = -1 };
}
