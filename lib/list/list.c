/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "list/list.h"

/*
 * The list is read whole and gone through twice. The first time every line is
 * understood, so that a mistake in any of them is told before anything is
 * packed, and it is noted where time and xattr lines stand. The second time
 * each line becomes an entry when it is asked for. Formats: doc/describe.md,
 * doc/scan.md.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/sysmacros.h>
#endif

#include "dir/files.h"
#include "entry/entry.h"
#include "entry/source.h"
#include "extras.h"
#include "glob.h"
#include "io/fd.h"
#include "line.h"
#include "seen.h"
#include "util/array.h"
#include "util/err.h"
#include "words.h"

#define READ_LEN 65536

struct list_source {
	struct source source; /* first */
	struct list_options options;
	int base; /* root of files */
	struct buffer text;
	size_t at;	 /* of the next line */
	uint32_t number; /* of the last one taken */
	struct words words;
	struct words extra_words;
	struct line line; /* of words */
	struct extras extras;
	struct seen seen;

	/* of the glob line that is being followed */
	struct scan *scan; /* or NULL */
	struct glob glob;
	char *prefix;
};

/* Puts the list's name and a line in front of a failure. */
static int in_line(const struct list_source *list, uint32_t number,
		   struct err *err)
{
	err_in(err, "line %u", number);
	return err_in(err, "%s", list->options.name);
}

static int read_text(struct list_source *list, int fd, struct err *err)
{
	size_t got;

	do {
		if (list->text.len > LIST_LEN_MAX)
			return err_set(err, ERR_LIMIT, "more than %d bytes",
				       LIST_LEN_MAX);
		if (buffer_reserve(&list->text, READ_LEN, err) < 0 ||
		    fd_read(fd, list->text.data + list->text.len, READ_LEN,
			    &got, err) < 0)
			return -1;
		list->text.len += got;
	} while (got == READ_LEN);
	return 0;
}

/*
 * Takes the line that begins at *at apart.
 *
 * returns  0; 1 it has no words; -1
 */
static int split_line(const struct list_source *list, size_t *at,
		      struct words *words, struct err *err)
{
	const char *begin = (const char *)list->text.data + *at;
	size_t left = list->text.len - *at, len;
	const char *end = memchr(begin, '\n', left);

	len = end ? (size_t)(end - begin) : left;
	*at += len + (end != NULL);
	if (memchr(begin, '\0', len))
		return err_set(err, ERR_USAGE, "there is a NUL byte");
	if (words_split(begin, len, words, err) < 0)
		return -1;
	return words->count == 0;
}

/* Takes the next line that has words. Returns 0, 1 at the end, -1. */
static int take_line(struct list_source *list, struct err *err)
{
	while (list->at < list->text.len) {
		int ret = split_line(list, &list->at, &list->words, err);

		list->number++;
		if (ret == 0)
			ret = line_parse(&list->words, &list->line, err);
		if (ret < 0)
			return in_line(list, list->number, err);
		if (ret == 0)
			return 0;
	}
	return 1;
}

/* Goes through all lines once. */
static int check_lines(struct list_source *list, struct err *err)
{
	struct line *line = &list->line;
	int ret;

	for (;;) {
		size_t at = list->at; /* of empty lines, and then of it */

		ret = take_line(list, err);
		if (ret != 0)
			break;
		if (line->kind == LINE_GLOB) {
			struct glob glob;

			ret = glob_parse(&list->words, line, &glob, err);
			glob_cleanup(&glob);
		} else if (line->kind != LINE_ENTRY) {
			ret = extras_add(&list->extras, line->path, at,
					 list->number, err);
		}
		if (ret < 0)
			return in_line(list, list->number, err);
	}
	list->at = 0;
	list->number = 0;
	return ret < 0 ? -1 : 0;
}

/* Does what time and xattr lines say about an entry. */
static int apply_extras(struct list_source *list, struct entry *entry,
			struct err *err)
{
	const struct extra *extra = extras_find(&list->extras, entry->path);

	for (; extra; extra = extras_next(&list->extras, extra)) {
		struct line line;
		size_t at = extra->at;
		int ret;

		do
			ret = split_line(list, &at, &list->extra_words, err);
		while (ret == 1);
		if (ret == 0)
			ret = line_parse(&list->extra_words, &line, err);
		if (ret == 0)
			ret = extra_apply(&list->extra_words, &line, entry,
					  err);
		if (ret < 0)
			return in_line(list, extra->line, err);
	}
	return 0;
}

/* An empty file may be asked for by the device that reads as one. */
static bool is_null_device(const struct stat *st)
{
#ifdef __linux__
	return S_ISCHR(st->st_mode) && st->st_rdev == makedev(1, 3);
#else
	(void)st;
	return false;
#endif
}

static int attach_source(struct list_source *list, struct entry *entry,
			 struct err *err)
{
	const struct line *line = &list->line;
	const char *path = line->source ? line->source : line->path;
	int dir = files_root_fd(list->options.files, list->base);
	struct stat st;
	struct files_place place = {
		.root = list->base,
		.path = path,
		.follow = true,
		.is_named_once = true,
		.stat = &st,
	};

	if (fstatat(dir, path, &st, 0) < 0)
		return err_sys(err, "looking at its source");
	if (is_null_device(&st))
		st.st_size = 0;
	else if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_USAGE, "the source is no file");
	return files_attach(list->options.files, &place, dir, path, entry, err);
}

/*
 * Attaches the content. Returns 0, 1 if the entry is left out for want of it,
 * -1 with the line in front.
 */
static int find_source(struct list_source *list, struct entry *entry,
		       struct err *err)
{
	const struct scan_options *scan = &list->options.scan;

	if (attach_source(list, entry, err) == 0)
		return 0;
	words_in(&list->words, list->line.source ? 5 : 1, err);
	in_line(list, list->number, err);
	if (err->code == ERR_NOMEM || err->code == ERR_USAGE || !scan->fault ||
	    scan->fault(scan->arg, err) < 0)
		return -1;
	return 1;
}

/* The entry of a line, not yet of its content. */
static int make_entry(const struct list_source *list, struct entry **out,
		      struct err *err)
{
	const struct line *line = &list->line;
	struct entry *entry;

	if (entry_create_named(line->path, strlen(line->path), line->target,
			       line->target ? strlen(line->target) : 0, &entry,
			       err) < 0)
		return -1;
	entry->type = line->type;
	entry->mtime = list->options.default_mtime;
	entry->major = line->major;
	entry->minor = line->minor;
	if (entry->type != ENTRY_HARDLINK) {
		entry->mode = (uint16_t)line->mode;
		entry->uid = (uint32_t)line->uid;
		entry->gid = (uint32_t)line->gid;
	}
	if (entry->type == ENTRY_SYMLINK)
		entry->mode = 0777;
	*out = entry;
	return 0;
}

/* Completes an entry. Returns 0, 1 if it is left out, -1. */
static int complete(struct list_source *list, struct entry *entry,
		    enum seen_how how, struct err *err)
{
	int ret = seen_add(&list->seen, entry, how, list->number, err);
	char name[NAME_TEXT_LEN];

	if (ret < 0 && how == SEEN_NAMED)
		words_in(&list->words, 1, err);
	else if (ret < 0)
		err_in(err, "%s",
		       name_text(entry->path, strlen(entry->path), name));
	if (ret < 0)
		return in_line(list, list->number, err);
	if (ret == 0 && how == SEEN_NAMED && entry->type == ENTRY_FILE)
		ret = find_source(list, entry, err);
	if (apply_extras(list, entry, err) < 0)
		return -1;
	return ret;
}

static bool takes(void *arg, const struct entry *entry)
{
	const struct list_source *list = arg;

	return glob_takes(&list->glob, entry) &&
	       seen_has_parent(&list->seen, entry->path);
}

/* What goes wrong in a scan is told with the line that asked for it. */
static int glob_fault(void *arg, const struct err *err)
{
	struct list_source *list = arg;
	struct err told = *err;

	in_line(list, list->number, &told);
	return list->options.scan.fault(list->options.scan.arg, &told);
}

static void glob_skipped(void *arg, const char *path)
{
	struct list_source *list = arg;

	list->options.scan.skipped(list->options.scan.arg, path);
}

static void end_scan(struct list_source *list)
{
	scan_destroy(list->scan);
	list->scan = NULL;
	glob_cleanup(&list->glob);
	free(list->prefix);
	list->prefix = NULL;
}

/* Begins to follow a glob line. */
static int begin_scan(struct list_source *list, struct err *err)
{
	const struct line *line = &list->line;
	struct scan_options scan = list->options.scan;
	int root;

	if (glob_parse(&list->words, line, &list->glob, err) < 0)
		return -1;
	list->prefix = strdup(line->path);
	if (!list->prefix)
		return err_nomem(err);
	if (seen_add_way(&list->seen, line->path, strlen(line->path),
			 list->number, err) < 0)
		return words_in(&list->words, 1, err);
	scan.prefix = list->prefix;
	scan.no_root = true;
	scan.keep_time |= list->glob.keep_time;
	scan.one_file_system |= list->glob.one_file_system;
	scan.no_hard_links |= list->glob.no_hard_links;
	scan.no_recursion = list->glob.no_recursion;
	scan.default_mtime = list->options.default_mtime;
	scan.take = takes;
	scan.fault = scan.fault ? glob_fault : NULL;
	scan.skipped = scan.skipped ? glob_skipped : NULL;
	scan.arg = list;
	if (files_add_root(list->options.files, list->base, list->glob.location,
			   &root, err) < 0)
		return -1;
	return scan_create(list->options.files, root, &scan, &list->scan, err);
}

/* What a glob line says about all that it finds. */
static void set_attributes(const struct line *line, struct entry *entry)
{
	if (line->mode >= 0 && entry->type != ENTRY_SYMLINK)
		entry->mode = (uint16_t)line->mode;
	if (line->uid >= 0)
		entry->uid = (uint32_t)line->uid;
	if (line->gid >= 0)
		entry->gid = (uint32_t)line->gid;
}

/* Next of the glob line. Returns 0, 1 at its end, 2 if left out, -1. */
static int next_found(struct list_source *list, struct entry **out,
		      struct err *err)
{
	int ret = scan_next(list->scan, out, err);

	if (ret < 0)
		return in_line(list, list->number, err);
	if (ret > 0) {
		end_scan(list);
		return 1;
	}
	set_attributes(&list->line, *out);
	ret = complete(list, *out, SEEN_FOUND, err);
	if (ret != 0)
		entry_destroy(*out);
	return ret > 0 ? 2 : ret;
}

/* Next line. Returns 0 with an entry, 1 at the end, 2 if it has none, -1. */
static int next_line(struct list_source *list, struct entry **out,
		     struct err *err)
{
	int ret = take_line(list, err);

	if (ret != 0)
		return ret;
	if (list->line.kind == LINE_GLOB) {
		if (begin_scan(list, err) < 0) {
			end_scan(list);
			return in_line(list, list->number, err);
		}
		return 2;
	}
	if (list->line.kind != LINE_ENTRY)
		return 2;
	if (make_entry(list, out, err) < 0)
		return in_line(list, list->number, err);
	ret = complete(list, *out, SEEN_NAMED, err);
	if (ret != 0)
		entry_destroy(*out);
	return ret > 0 ? 2 : ret;
}

/* What names nothing is a mistake. */
static int check_end(const struct list_source *list, struct err *err)
{
	uint32_t number = extras_unused(&list->extras);

	if (number == 0)
		return 1;
	err_set(err, ERR_USAGE, "no line makes the path that it names");
	return in_line(list, number, err);
}

static int list_next(struct source *src, struct entry **out, struct err *err)
{
	struct list_source *list = (struct list_source *)src;
	int ret = 2;

	while (ret == 2) {
		if (list->scan) {
			ret = next_found(list, out, err);
			ret = ret == 1 ? 2 : ret;
		} else {
			ret = next_line(list, out, err);
		}
	}
	if (ret == 1)
		return check_end(list, err);
	if (ret == 0)
		entry_set_origin(*out, &list->source);
	return ret;
}

static int list_read_at(const struct source *src, const struct entry *entry,
			uint64_t at, void *buf, size_t len, struct err *err)
{
	const struct list_source *list = (const struct list_source *)src;

	return files_read_at(list->options.files, entry, at, buf, len, err);
}

static void list_prune(struct source *src)
{
	struct list_source *list = (struct list_source *)src;

	/* What is said about something below it is not to be a mistake. */
	if (list->scan && list->extras.count == 0)
		scan_prune(list->scan);
}

static void list_destroy(struct source *src)
{
	struct list_source *list = (struct list_source *)src;

	end_scan(list);
	buffer_cleanup(&list->text);
	words_cleanup(&list->words);
	words_cleanup(&list->extra_words);
	extras_cleanup(&list->extras);
	seen_cleanup(&list->seen);
	free(list);
}

static const struct source_ops list_ops = {
	.next = list_next,
	.read_at = list_read_at,
	.prune = list_prune,
	.destroy = list_destroy,
};

int list_source_create(int fd, const struct list_options *options,
		       struct source **out, struct err *err)
{
	struct list_source *list = calloc(1, sizeof(*list));

	if (!list)
		return err_nomem(err);
	list->source.ops = &list_ops;
	list->source.name = options->name;
	list->options = *options;
	if (extras_init(&list->extras, err) < 0 ||
	    seen_init(&list->seen, err) < 0 ||
	    files_add_root(options->files, FILES_CWD, options->base,
			   &list->base, err) < 0)
		goto failed;
	if (read_text(list, fd, err) < 0) {
		err_in(err, "%s", options->name);
		goto failed;
	}
	if (check_lines(list, err) < 0)
		goto failed;
	*out = &list->source;
	return 0;
failed:
	list_destroy(&list->source);
	return -1;
}
