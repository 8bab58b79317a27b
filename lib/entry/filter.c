/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/*
 * What the user wants left out or changed, between any source and its sink.
 * Format: doc/select.md.
 */
#include "entry/filter.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "change.h"
#include "entry/entry.h"
#include "entry/select.h"
#include "entry/source.h"
#include "implied.h"
#include "leads.h"
#include "moves.h"
#include "path_map.h"
#include "util/err.h"
#include "util/warn.h"

/* A glob whose stars match slashes. */
struct dir_glob {
	char *text; /* without slashes at its ends */
	bool is_used;
};

struct filter {
	struct source source;	       /* first */
	struct source *inner;	       /* owned */
	struct filter_options options; /* texts are not used */
	struct dir_glob *globs;
	size_t glob_count;
	struct moves moves;
	struct selection selection;
	struct leads leads;
	struct implied implied;
	struct entry *ready;	  /* to be handed on, the first first */
	struct path_map left_out; /* filter_is_excluded */
	bool has_matched;	  /* something was at root or below */
	uint64_t stripped;
};

/* Whether a glob matches path, which is a whole path. */
static bool globs_match(struct filter *f, char *path)
{
	bool found = false;

	for (size_t i = 0; i < f->glob_count; i++)
		if (fnmatch(f->globs[i].text, path, 0) == 0) {
			f->globs[i].is_used = true;
			found = true;
		}
	return found;
}

/* Tries path and all directories above it; the root is never left out. */
static bool is_excluded_dir(struct filter *f, char *path)
{
	if (f->glob_count == 0 || path[0] == '\0')
		return false;
	for (char *slash = strchr(path, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';

		bool found = globs_match(f, path);

		*slash = '/';
		if (found)
			return true;
	}
	return globs_match(f, path);
}

/* Remembers a path of the output that a hard link may find missing. */
static int note_left_out(struct filter *f, const char *path, struct err *err)
{
	uint64_t unused;

	return path_map_put(&f->left_out, path, strlen(path), 0, &unused, err);
}

/*
 * For a hard link whose target cannot be told in the output: what brings its
 * content is a file, else it is left out.
 *
 * returns  0, 1 if it is left out, -1
 */
static int lose_target(struct filter *f, struct entry *entry, struct err *err)
{
	char path[NAME_TEXT_LEN], target[NAME_TEXT_LEN];

	if (entry->size > 0) {
		entry->type = ENTRY_FILE;
		entry_free_part(entry, entry->link);
		entry->link = NULL;
		return 0;
	}
	if (warn(f->options.warner, WARN_LINK, err,
		 "%s: hard link to \"%s\" is left out as its target is",
		 name_text(entry->path, strlen(entry->path), path),
		 name_text(entry->link, strlen(entry->link), target)) < 0)
		return -1;
	return 1;
}

static int refuse_target(const struct filter *f, const struct entry *entry,
			 struct err *err)
{
	char path[NAME_TEXT_LEN], target[NAME_TEXT_LEN];

	return err_set(err, ERR_CORRUPT,
		       "%s: target of the hard link, \"%s\", is not below the "
		       "new root \"%s\"",
		       name_text(entry->path, strlen(entry->path), path),
		       name_text(entry->link, strlen(entry->link), target),
		       f->moves.root);
}

/*
 * Moves the target of a hard link as its own entry was moved, or not.
 *
 * returns  0, 1 if the entry is left out, -1
 */
static int move_target(struct filter *f, struct entry *entry, struct err *err)
{
	bool excluded = is_excluded_dir(f, entry->link);
	enum selected selected;
	const char *tail;

	switch (moves_up(&f->moves, entry->link, &tail)) {
	case MOVED_OUTSIDE:
		if (entry->size == 0 && !excluded)
			return refuse_target(f, entry, err);
		return lose_target(f, entry, err);
	case MOVED_AWAY:
		return lose_target(f, entry, err);
	case MOVED:
		break;
	}
	if (selection_judge(&f->selection, tail, false, &selected, err) < 0)
		return -1;
	keep_tail(entry->link, tail);
	if (moves_below(&f->moves, entry, &entry->link, err) < 0)
		return -1;
	if (excluded || selected != SELECT_TAKE)
		return note_left_out(f, entry->link, err);
	return 0;
}

/* Moves an entry up to a new root. Returns 0, 1 if it is left out, -1. */
static int move_up(struct filter *f, struct entry *entry, const char **tail,
		   struct err *err)
{
	switch (moves_up(&f->moves, entry->path, tail)) {
	case MOVED_OUTSIDE:
		return 1;
	case MOVED_AWAY:
		f->has_matched = true;
		f->stripped += entry->type != ENTRY_DIR;
		return 1;
	case MOVED:
		break;
	}
	f->has_matched = true;
	if (*tail[0] == '\0' && entry->type != ENTRY_DIR &&
	    f->moves.root[0] != '\0')
		return err_set(err, ERR_USAGE,
			       "\"%s\" cannot become the root: it is a %s",
			       f->moves.root, entry_type_name(entry->type));
	return 0;
}

/* What lies below a directory that is excluded need not come. Returns 1. */
static int prune(const struct filter *f, const struct entry *entry)
{
	if (entry->type == ENTRY_DIR && f->inner->ops->prune)
		f->inner->ops->prune(f->inner);
	return 1;
}

/*
 * Decides about an entry and changes it. Returns 0 if it is handed on, 1 if it
 * is left out, 2 if it was kept back, -1.
 */
static int treat(struct filter *f, struct entry *entry, struct err *err)
{
	enum selected selected;
	const char *tail;
	int ret, target = 0;

	if (is_excluded_dir(f, entry->path))
		return prune(f, entry);
	ret = move_up(f, entry, &tail, err);
	if (ret != 0)
		return ret;
	if (selection_judge(&f->selection, tail, entry->type == ENTRY_DIR,
			    &selected, err) < 0)
		return -1;
	if (selected == SELECT_LEAVE)
		return prune(f, entry);
	if (entry->type == ENTRY_HARDLINK)
		target = move_target(f, entry, err);
	else if (!f->options.no_symlink_retarget)
		moves_retarget(&f->moves, entry);
	if (target < 0)
		return -1;
	keep_tail(entry->path, tail);
	if (moves_below(&f->moves, entry, &entry->path, err) < 0)
		return -1;
	if (target == 1)
		return note_left_out(f, entry->path, err) < 0 ? -1 : 1;
	if (change_entry(&f->options, entry, err) < 0)
		return -1;
	return selected == SELECT_MAYBE ? 2 : 0;
}

/* Hands on an entry behind the directories that lead to it. */
static int hand_on(struct filter *f, struct entry *entry, struct err *err)
{
	struct entry **last = &f->ready;

	if (f->options.include.count > 0 &&
	    leads_open(&f->leads, entry->path, &f->ready, err) < 0)
		return -1;
	while (*last)
		last = &(*last)->next;
	*last = entry;
	entry->next = NULL;
	return 0;
}

/* Takes one entry of the inner source. Returns 0, 1 at its end, -1. */
static int take_one(struct filter *f, struct err *err)
{
	struct entry *entry;
	int ret = source_next(f->inner, &entry, err);

	if (ret != 0)
		return ret;
	ret = treat(f, entry, err);
	if (ret == 2) {
		ret = leads_hold(&f->leads, &entry, err);
		if (ret == 0 && !entry)
			return 0;
	}
	if (ret == 0)
		ret = hand_on(f, entry, err);
	if (ret == 0)
		return 0;
	entry_destroy(entry);
	return ret < 0 ? -1 : 0;
}

/* What had to match something, and did not, is a mistake. */
static int check_end(const struct filter *f, struct err *err)
{
	const struct pattern_list *include = &f->selection.include;
	char name[NAME_TEXT_LEN];

	if (f->moves.root[0] != '\0' && !f->has_matched)
		return err_set(err, ERR_USAGE,
			       "nothing in the input lies below \"%s\", which "
			       "was to become the root",
			       f->moves.root);
	for (size_t i = 0; i < include->count; i++) {
		const char *text = include->patterns[i].given;

		if (!include->patterns[i].is_used)
			return err_set(err, ERR_USAGE,
				       "nothing in the input matches \"%s\", "
				       "which was to be included",
				       name_text(text, strlen(text), name));
	}
	return 1;
}

/*
 * Puts a directory that is to have a label, and that no entry has named, in
 * front of what is ready.
 */
static int add_implied(struct filter *f, struct err *err)
{
	struct entry *entry;

	if (!f->options.contexts && !f->options.xattr_file)
		return 0;
	if (implied_next(&f->implied, f->ready, &entry, err) < 0)
		return -1;
	if (!entry)
		return 0;
	if (f->ready->origin)
		entry_set_origin(entry, f->ready->origin);
	entry->next = f->ready;
	f->ready = entry;
	return change_label(&f->options, entry, err);
}

static int filter_next(struct source *src, struct entry **out, struct err *err)
{
	struct filter *f = (struct filter *)src;

	while (!f->ready) {
		int ret = take_one(f, err);

		if (ret < 0)
			return -1;
		if (ret == 1)
			return check_end(f, err);
	}
	if (add_implied(f, err) < 0)
		return -1;
	*out = f->ready;
	f->ready = f->ready->next;
	(*out)->next = NULL;
	return 0;
}

static int filter_read_at(const struct source *src, const struct entry *entry,
			  uint64_t at, void *buf, size_t len, struct err *err)
{
	const struct filter *f = (const struct filter *)src;

	return source_read_at(f->inner, entry, at, buf, len, err);
}

static int filter_readv_at(const struct source *src, const struct entry *entry,
			   uint64_t at, struct iovec *iov, int count,
			   struct err *err)
{
	const struct filter *f = (const struct filter *)src;

	return source_readv_at(f->inner, entry, at, iov, count, err);
}

static int filter_read(struct source *src, void *buf, size_t len,
		       struct err *err)
{
	return source_read(((struct filter *)src)->inner, buf, len, err);
}

static void filter_progress(const struct source *src, uint64_t *done,
			    uint64_t *total)
{
	const struct source *inner = ((const struct filter *)src)->inner;

	*done = 0;
	*total = 0;
	if (inner->ops->progress)
		inner->ops->progress(inner, done, total);
}

static void filter_destroy(struct source *src)
{
	struct filter *f = (struct filter *)src;

	while (f->ready) {
		struct entry *entry = f->ready;

		f->ready = entry->next;
		entry_destroy(entry);
	}
	leads_cleanup(&f->leads);
	implied_cleanup(&f->implied);
	source_destroy(f->inner);
	for (size_t i = 0; i < f->glob_count; i++)
		free(f->globs[i].text);
	free(f->globs);
	moves_cleanup(&f->moves);
	selection_cleanup(&f->selection);
	path_map_cleanup(&f->left_out);
	free(f);
}

static const struct source_ops seekable_ops = {
	.next = filter_next,
	.read_at = filter_read_at,
	.readv_at = filter_readv_at,
	.progress = filter_progress,
	.destroy = filter_destroy,
};

static const struct source_ops forward_ops = {
	.next = filter_next,
	.read = filter_read,
	.progress = filter_progress,
	.destroy = filter_destroy,
};

static int add_glob(struct filter *f, const char *text, struct err *err)
{
	struct dir_glob *p = &f->globs[f->glob_count];
	size_t len;

	text += strncmp(text, "./", 2) == 0 ? 2 : 0;
	text += strspn(text, "/");
	len = strlen(text);
	while (len > 0 && text[len - 1] == '/')
		len--;
	if (len == 0)
		return err_set(err, ERR_USAGE,
			       "a pattern that leaves out nothing but the "
			       "root");
	p->text = malloc(len + 1);
	if (!p->text)
		return err_nomem(err);
	memcpy(p->text, text, len);
	p->text[len] = '\0';
	f->glob_count++;
	return 0;
}

static int add_globs(struct filter *f, const struct filter_list *list,
		     struct err *err)
{
	f->globs = calloc(list->count + 1, sizeof(*f->globs));
	if (!f->globs)
		return err_nomem(err);
	for (size_t i = 0; i < list->count; i++)
		if (add_glob(f, list->items[i], err) < 0)
			return -1;
	return 0;
}

int filter_create(struct source *inner, const struct filter_options *options,
		  struct source **out, struct err *err)
{
	struct filter *f = calloc(1, sizeof(*f));

	if (!f) {
		source_destroy(inner);
		return err_nomem(err);
	}
	f->source.ops = inner->ops->read_at ? &seekable_ops : &forward_ops;
	f->source.one_input = inner->one_input;
	f->inner = inner;
	f->options = *options;
	if (add_globs(f, &options->exclude_dir, err) < 0 ||
	    moves_init(&f->moves, options, err) < 0 ||
	    pattern_list_init(&f->selection.exclude, options->exclude.items,
			      options->exclude.count, err) < 0 ||
	    pattern_list_init(&f->selection.include, options->include.items,
			      options->include.count, err) < 0 ||
	    path_map_init(&f->left_out, err) < 0 ||
	    path_map_init(&f->leads.map, err) < 0 ||
	    path_map_init(&f->implied.known, err) < 0) {
		filter_destroy(&f->source);
		return -1;
	}
	*out = &f->source;
	return 0;
}

bool filter_is_excluded(const struct source *filter, const char *path)
{
	const struct filter *f = (const struct filter *)filter;

	return path_map_find(&f->left_out, path, strlen(path)) != NULL;
}

const char *filter_unused_exclude_dir(const struct source *filter, size_t index)
{
	const struct filter *f = (const struct filter *)filter;

	return f->globs[index].is_used ? NULL : f->globs[index].text;
}

const char *filter_unused_exclude(const struct source *filter, size_t index)
{
	const struct filter *f = (const struct filter *)filter;
	const struct pattern *p = &f->selection.exclude.patterns[index];

	return p->is_used ? NULL : p->given;
}

uint64_t filter_stripped(const struct source *filter)
{
	return ((const struct filter *)filter)->stripped;
}
