/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sqfs2tar/starts.h"

#include <stdlib.h>
#include <string.h>

#include "sqfs/image.h"
#include "sqfs2tar/options.h"
#include "unpack/unpack.h"
#include "util/err.h"

bool starts_are_kept(const struct options *options)
{
	return options->keep_as_dir || options->subdir_count > 1;
}

static int find_type(struct image *image, const char *path,
		     enum inode_type *out, struct err *err)
{
	struct inode_space space = { 0 };
	struct inode inode;
	struct meta_ref ref;
	int ret = image_lookup(image, path, &ref, err);

	if (ret > 0)
		return err_set(err, ERR_IO, "is not in the image");
	if (ret < 0)
		return -1;
	ret = inode_decode(image, ref, &inode, &space, NULL, err);
	if (ret == 0)
		*out = inode.type;
	inode_space_cleanup(&space);
	return ret;
}

static int find_one(const struct options *options, struct image *image,
		    const char *path, struct image_start *out, struct err *err)
{
	char name[NAME_TEXT_LEN];
	enum inode_type type = INODE_DIR;
	const char *slash;

	if (find_type(image, path, &type, err) < 0)
		return err_in(err, "%s", name_text(path, strlen(path), name));
	out->path = path;
	out->as = path;
	if (starts_are_kept(options))
		return 0;

	/* What cannot become the root keeps its name. */
	slash = strrchr(path, '/');
	if (type == INODE_DIR)
		out->as = "";
	else if (slash)
		out->as = slash + 1;
	return 0;
}

int starts_find(const struct options *options, struct image *image,
		struct image_start **out, size_t *count, struct err *err)
{
	struct image_start *starts = NULL;

	if (options->subdir_count > 0) {
		starts = calloc(options->subdir_count, sizeof(*starts));
		if (!starts)
			return err_nomem(err);
	}
	for (size_t i = 0; i < options->subdir_count; i++)
		if (find_one(options, image, options->subdirs[i], &starts[i],
			     err) < 0) {
			free(starts);
			return -1;
		}
	*out = starts;
	*count = options->subdir_count;
	return 0;
}
