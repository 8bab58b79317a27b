/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "gensquashfs/inputs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/message.h"
#include "dir/files.h"
#include "dir/source.h"
#include "entry/source.h"
#include "gensquashfs/options.h"
#include "list/list.h"
#include "util/err.h"

#define SKIP_MAX 2

struct inputs {
	const struct options *options;
	struct message *message;
	struct files *files;
	struct scan_skip skip[SKIP_MAX]; /* zero: nothing has that number */
	size_t skip_count;
	uint64_t left_out;

	FILE *list; /* of --files-from or -F, or NULL */
	char *base; /* the directory that the list of -F lies in; or NULL */

	/* of --files-from */
	char *path;
	size_t path_cap;
	uint64_t number;
};

/* The file of -F or --files-from, in messages. */
static const char *list_name(const struct options *options)
{
	const char *path =
		options->pack_file ? options->pack_file : options->files_from;

	return strcmp(path, "-") ? path : "standard input";
}

int inputs_fault(struct inputs *inputs, const struct err *err)
{
	if (!inputs->options->ignore_read_errors || err->code == ERR_NOMEM)
		return -1;
	inputs->left_out++;
	message_warn(inputs->message, "%s: left out", err->text);
	return 0;
}

static int scan_fault(void *arg, const struct err *err)
{
	return inputs_fault(arg, err);
}

static void scan_skipped(void *arg, const char *path)
{
	struct inputs *inputs = arg;
	char name[NAME_TEXT_LEN];

	message_warn(inputs->message,
		     "%s: is what the image replaces: left out",
		     name_text(path, strlen(path), name));
}

void inputs_skip(struct inputs *inputs, dev_t dev, ino_t ino, bool tell)
{
	if (inputs->skip_count == SKIP_MAX)
		return;
	inputs->skip[inputs->skip_count++] =
		(struct scan_skip) { (uint64_t)dev, (uint64_t)ino, !tell };
}

static void fill_scan(struct inputs *inputs, struct scan_options *out)
{
	const struct options *options = inputs->options;

	*out = (struct scan_options) {
		.keep_time = options->keep_time,
		.default_mtime = options->image.default_mtime,
		.keep_xattrs = options->keep_xattrs,
		.one_file_system = options->one_file_system,
		.no_hard_links = options->no_hard_links,
		.fault = scan_fault,
		.arg = inputs,
		.skip = inputs->skip,
		.skip_count = SKIP_MAX,
		.skipped = scan_skipped,
	};
}

/* The next path of the list that is not empty. */
static int next_path(void *arg, const char **path, char *place, struct err *err)
{
	struct inputs *inputs = arg;
	const char *name = list_name(inputs->options);
	const int end = inputs->options->is_null ? '\0' : '\n';
	ssize_t len;

	do {
		errno = 0;
		len = getdelim(&inputs->path, &inputs->path_cap, end,
			       inputs->list);
		if (len < 0 && ferror(inputs->list))
			return err_sys(err, "%s", name);
		if (len < 0)
			return feof(inputs->list) ? 1 : err_nomem(err);
		inputs->number++;
		if (inputs->path[len - 1] == end)
			inputs->path[--len] = '\0';
	} while (len == 0);
	snprintf(place, NAME_TEXT_LEN, "%.128s: %s %" PRIu64, name,
		 end ? "line" : "path", inputs->number);
	if (strlen(inputs->path) != (size_t)len)
		return err_set(err, ERR_USAGE, "%s: has a NUL byte; see --null",
			       place);
	*path = inputs->path;
	return 0;
}

static int open_list(struct inputs *inputs, bool input_closed, struct err *err)
{
	const struct options *options = inputs->options;
	const char *name = list_name(options);

	if (name == options->files_from || name == options->pack_file) {
		inputs->list = fopen(name, "re");
		return inputs->list ? 0 : err_sys(err, "%s", name);
	}
	if (input_closed)
		return err_set(err, ERR_IO, "%s: is closed", name);
	if (isatty(STDIN_FILENO))
		return err_set(err, ERR_USAGE,
			       "%s: is a terminal: name a file or send a list",
			       name);
	inputs->list = stdin;
	return 0;
}

/* The directory that sources lie in: that of -D, or of the list itself. */
static int find_base(struct inputs *inputs, const char **base, struct err *err)
{
	const struct options *options = inputs->options;
	const char *slash = strrchr(options->pack_file, '/');

	*base = ".";
	if (options->dir_count > 0) {
		*base = options->dirs[0];
	} else if (slash) {
		size_t len = (size_t)(slash - options->pack_file);

		inputs->base = strndup(options->pack_file, len ? len : 1);
		if (!inputs->base)
			return err_nomem(err);
		*base = inputs->base;
	}
	return 0;
}

/* Each location of a glob line takes a descriptor. */
static void raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit); /* or it stays as it is */
}

static int open_description(struct inputs *inputs, bool input_closed,
			    struct source **source, struct err *err)
{
	const struct options *options = inputs->options;
	struct list_options list = {
		.name = list_name(options),
		.files = inputs->files,
		.default_mtime = options->image.default_mtime,
	};

	raise_limit();
	fill_scan(inputs, &list.scan);
	if (open_list(inputs, input_closed, err) < 0 ||
	    find_base(inputs, &list.base, err) < 0)
		return -1;
	return list_source_create(fileno(inputs->list), &list, source, err);
}

static int open_source(struct inputs *inputs, bool input_closed,
		       struct source **source, struct err *err)
{
	const struct options *options = inputs->options;
	const struct dir_paths paths = { .next = next_path, .arg = inputs };
	struct scan_options scan;

	if (options->pack_file)
		return open_description(inputs, input_closed, source, err);
	fill_scan(inputs, &scan);
	if (!options->files_from)
		return dir_source_create(inputs->files, options->dirs,
					 options->dir_count, &scan, source,
					 err);
	if (open_list(inputs, input_closed, err) < 0)
		return -1;
	return dir_paths_source_create(inputs->files, options->dirs[0], &paths,
				       &scan, source, err);
}

int inputs_create(const struct options *options, struct message *message,
		  bool input_closed, struct inputs **out,
		  struct source **source, struct err *err)
{
	const struct files_options files = {
		.keep_changed = options->ignore_read_errors,
	};
	struct inputs *inputs = calloc(1, sizeof(*inputs));

	if (!inputs)
		return err_nomem(err);
	inputs->options = options;
	inputs->message = message;
	if (files_create(&files, &inputs->files, err) < 0 ||
	    open_source(inputs, input_closed, source, err) < 0) {
		inputs_destroy(inputs);
		return -1;
	}
	*out = inputs;
	return 0;
}

void inputs_report(struct inputs *inputs)
{
	char *const *paths, name[NAME_TEXT_LEN];
	size_t count = files_changed(inputs->files, &paths);

	for (size_t i = 0; i < count; i++)
		message_warn(inputs->message,
			     "%s: changed while it was packed: what was read"
			     " is kept",
			     name_text(paths[i], strlen(paths[i]), name));
	if (inputs->left_out > 0)
		message_warn(
			inputs->message,
			"left out because they could not be read: %" PRIu64,
			inputs->left_out);
}

void inputs_destroy(struct inputs *inputs)
{
	if (!inputs)
		return;
	files_destroy(inputs->files);
	if (inputs->list && inputs->list != stdin)
		fclose(inputs->list);
	free(inputs->base);
	free(inputs->path);
	free(inputs);
}
