/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "sqfsdiff/extract.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/message.h"
#include "diff/diff.h"
#include "dir/dir.h"
#include "entry/entry.h"
#include "entry/sink.h"
#include "entry/source.h"
#include "flow/flow.h"
#include "util/err.h"

static void append(struct extract_list *list, struct entry **entry)
{
	struct entry *e = *entry;

	if (!e)
		return;
	e->next = NULL;
	if (list->last)
		list->last->next = e;
	else
		list->first = e;
	list->last = e;
	*entry = NULL;
}

void extract_add(struct extract *extract, struct diff_change *change)
{
	const unsigned what = DIFF_TYPE | DIFF_SIZE | DIFF_CONTENT;

	if (change->old && change->new && !(change->what & what))
		return;
	append(&extract->old, &change->old_entry);
	append(&extract->new, &change->new_entry);
}

/* A source of the entries of a list, which they leave. */
struct list_source {
	struct source source; /* first */
	struct extract_list *list;
};

static int list_next(struct source *src, struct entry **out, struct err *err)
{
	struct extract_list *list = ((struct list_source *)src)->list;
	struct entry *entry = list->first;

	(void)err;
	if (!entry)
		return 1;
	list->first = entry->next;
	if (!list->first)
		list->last = NULL;
	entry->next = NULL;
	*out = entry;
	return 0;
}

/* The entries have an origin, which reads their content. */
static int list_read_at(const struct source *src, const struct entry *entry,
			uint64_t at, void *buf, size_t len, struct err *err)
{
	(void)src;
	return source_read_at(entry->origin, entry, at, buf, len, err);
}

static void list_destroy(struct source *src)
{
	(void)src;
}

static const struct source_ops list_ops = {
	.next = list_next,
	.read_at = list_read_at,
	.destroy = list_destroy,
};

static int failed(struct err *err, const char *fmt, const char *name)
{
	char text[NAME_TEXT_LEN];

	err_sys(err, fmt, name_text(name, strlen(name), text));
	err->code = ERR_WRITE;
	return -1;
}

/* Opens a directory, made if it is not there. */
static int open_dir(int at, const char *name, bool follow, int *out,
		    struct err *err)
{
	int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

	if (mkdirat(at, name, 0777) < 0 && errno != EEXIST)
		return failed(err, "%s: making the directory", name);
	*out = openat(at, name, flags | (follow ? 0 : O_NOFOLLOW));
	if (*out < 0)
		return failed(err, "%s: opening the directory", name);
	return 0;
}

static void tell_failed(void *arg, const struct err *err)
{
	message_warn(arg, "%s", err->text);
}

static int write_list(struct extract_list *list, int root,
		      const struct extract_options *options, struct err *err)
{
	const struct dir_sink_options dir = {
		.block_size = options->block_size,
		.existing = DIR_EXISTING_OVERWRITE,
		.failed = tell_failed,
		.arg = options->message,
		.warner = &options->message->warner,
	};
	const struct flow_options flow = {
		.jobs = options->jobs,
		.backlog = options->backlog,
	};
	struct list_source source = {
		.source = { .ops = &list_ops },
		.list = list,
	};
	struct sink *sink = NULL;
	int ret;

	if (dir_sink_create(root, &dir, &sink, err) < 0)
		return -1;
	ret = flow_run(&source.source, sink, &flow, err);
	if (ret == 0 && dir_sink_stats(sink)->failed > 0)
		ret = err_set(err, ERR_WRITE,
			      "%" PRIu64 " files could not be written",
			      dir_sink_stats(sink)->failed);
	sink_destroy(sink);
	return ret;
}

static int write_side(struct extract_list *list, int dir, const char *name,
		      const struct extract_options *options, struct err *err)
{
	int root = -1, ret;

	if (!list->first)
		return 0;
	ret = open_dir(dir, name, false, &root, err);
	if (ret == 0)
		ret = write_list(list, root, options, err);
	if (root >= 0)
		close(root);
	return ret;
}

int extract_run(struct extract *extract, const struct extract_options *options,
		struct err *err)
{
	char name[NAME_TEXT_LEN];
	int dir = -1, ret;

	if (open_dir(AT_FDCWD, options->dir, true, &dir, err) < 0)
		return -1;
	ret = write_side(&extract->old, dir, "old", options, err);
	if (ret == 0)
		ret = write_side(&extract->new, dir, "new", options, err);
	close(dir);
	if (ret < 0)
		err_in(err, "%s",
		       name_text(options->dir, strlen(options->dir), name));
	return ret;
}

static void list_cleanup(struct extract_list *list)
{
	struct entry *entry;

	while ((entry = list->first)) {
		list->first = entry->next;
		entry_destroy(entry);
	}
	list->last = NULL;
}

void extract_cleanup(struct extract *extract)
{
	list_cleanup(&extract->old);
	list_cleanup(&extract->new);
}
