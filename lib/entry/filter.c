/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/*
 * What the user wants left out or changed, between any source and its sink.
 */
#include "entry/filter.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "entry/entry.h"
#include "entry/path.h"
#include "entry/source.h"
#include "util/err.h"
#include "util/warn.h"

struct pattern {
	char *text; /* without slashes at its ends */
	bool is_used;
};

struct filter {
	struct source source;	       /* first */
	struct source *inner;	       /* owned */
	struct filter_options options; /* exclude and root are not used */
	struct pattern *patterns;
	size_t pattern_count;
	char *root;   /* cleaned, "" if the root stays what it is */
	char *prefix; /* "/root/": what symlink targets begin with */
	char *joined; /* room for a path below root */
	size_t joined_cap;
	bool has_matched; /* something was at root or below */
};

/* Whether a pattern matches len bytes of path, which are a whole path. */
static bool matches(struct filter *f, char *path)
{
	bool found = false;

	for (size_t i = 0; i < f->pattern_count; i++)
		if (fnmatch(f->patterns[i].text, path, 0) == 0) {
			f->patterns[i].is_used = true;
			found = true;
		}
	return found;
}

/* Tries path and all directories above it; the root is never left out. */
static bool is_excluded(struct filter *f, char *path)
{
	if (f->pattern_count == 0 || path[0] == '\0')
		return false;
	for (char *slash = strchr(path, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';

		bool found = matches(f, path);

		*slash = '/';
		if (found)
			return true;
	}
	return matches(f, path);
}

/* Puts root in front of path, in f->joined. */
static int join(struct filter *f, const char *path, struct err *err)
{
	size_t root_len = strlen(f->root), path_len = strlen(path);
	size_t need = root_len + path_len + 2;

	if (need > f->joined_cap) {
		char *more = realloc(f->joined, need);

		if (!more)
			return err_nomem(err);
		f->joined = more;
		f->joined_cap = need;
	}
	memcpy(f->joined, f->root, root_len);
	if (root_len > 0 && path_len > 0)
		f->joined[root_len++] = '/';
	memcpy(f->joined + root_len, path, path_len + 1);
	return 0;
}

/* Cuts off the front of a text in place: its address is what is freed. */
static void keep_tail(char *text, const char *tail)
{
	memmove(text, tail, strlen(tail) + 1);
}

/* "/root/x" becomes "/x", "/root" becomes "/". */
static void retarget_symlink(const struct filter *f, struct entry *entry)
{
	size_t len = strlen(f->prefix) - 1;

	if (strncmp(entry->link, f->prefix, len) != 0)
		return;
	if (entry->link[len] == '/')
		keep_tail(entry->link, entry->link + len);
	else if (entry->link[len] == '\0')
		entry->link[1] = '\0';
}

/*
 * Moves the target of a hard link along. One outside of the root is not in the
 * image: what brings its content is a file, what was left out on purpose takes
 * its links along.
 *
 * returns  0, 1 if the entry is left out, -1
 */
static int retarget_hardlink(struct filter *f, struct entry *entry,
			     struct err *err)
{
	const char *tail = path_below(entry->link, f->root);
	char path[NAME_TEXT_LEN], target[NAME_TEXT_LEN];

	if (tail) {
		keep_tail(entry->link, tail);
		return 0;
	}
	if (entry->size > 0) {
		entry->type = ENTRY_FILE;
		entry_free_part(entry, entry->link);
		entry->link = NULL;
		return 0;
	}
	name_text(entry->path, strlen(entry->path), path);
	name_text(entry->link, strlen(entry->link), target);
	if (is_excluded(f, entry->link))
		return warn(f->options.warner, WARN_LINK, err,
			    "%s: hard link to \"%s\" is left out as its target "
			    "is",
			    path, target) < 0
			       ? -1
			       : 1;
	return err_set(err, ERR_CORRUPT,
		       "%s: target of the hard link, \"%s\", is not below the "
		       "new root \"%s\"",
		       path, target, f->root);
}

/* Makes root the root. Returns 0, 1 if the entry is left out, -1. */
static int move_up(struct filter *f, struct entry *entry, struct err *err)
{
	const char *tail = path_below(entry->path, f->root);
	int ret = 0;

	if (!tail)
		return 1;
	f->has_matched = true;
	if (tail[0] == '\0' && entry->type != ENTRY_DIR)
		return err_set(err, ERR_USAGE,
			       "\"%s\" cannot become the root: it is a %s",
			       f->root, entry_type_name(entry->type));
	if (entry->type == ENTRY_HARDLINK)
		ret = retarget_hardlink(f, entry, err);
	else if (entry->type == ENTRY_SYMLINK &&
		 !f->options.no_symlink_retarget)
		retarget_symlink(f, entry);
	if (ret == 0)
		keep_tail(entry->path, tail);
	return ret;
}

static void change(const struct filter_options *o, struct entry *entry)
{
	if (o->all_root)
		entry->uid = entry->gid = 0;
	if (o->uid >= 0)
		entry->uid = (uint32_t)o->uid;
	if (o->gid >= 0)
		entry->gid = (uint32_t)o->gid;
	if (o->no_xattr)
		entry_clear_xattrs(entry);
	if (o->no_keep_time)
		entry->mtime = o->default_mtime;
	if (o->clamp_mtime && entry->mtime > o->max_mtime)
		entry->mtime = o->max_mtime;
}

static int filter_next(struct source *src, struct entry **out, struct err *err)
{
	struct filter *f = (struct filter *)src;

	for (;;) {
		struct entry *entry;
		int ret = source_next(f->inner, &entry, err);

		if (ret < 0)
			return -1;
		if (ret == 1)
			break;
		ret = is_excluded(f, entry->path);
		if (ret == 0 && f->root[0] != '\0')
			ret = move_up(f, entry, err);
		if (ret == 0) {
			change(&f->options, entry);
			*out = entry;
			return 0;
		}
		entry_destroy(entry);
		if (ret < 0)
			return -1;
	}
	if (f->root[0] != '\0' && !f->has_matched)
		return err_set(err, ERR_USAGE,
			       "nothing in the input lies below \"%s\", which "
			       "was to become the root",
			       f->root);
	return 1;
}

static int filter_read_at(const struct source *src, const struct entry *entry,
			  uint64_t at, void *buf, size_t len, struct err *err)
{
	const struct filter *f = (const struct filter *)src;

	return source_read_at(f->inner, entry, at, buf, len, err);
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

	source_destroy(f->inner);
	for (size_t i = 0; i < f->pattern_count; i++)
		free(f->patterns[i].text);
	free(f->patterns);
	free(f->root);
	free(f->prefix);
	free(f->joined);
	free(f);
}

static const struct source_ops seekable_ops = {
	.next = filter_next,
	.read_at = filter_read_at,
	.progress = filter_progress,
	.destroy = filter_destroy,
};

static const struct source_ops forward_ops = {
	.next = filter_next,
	.read = filter_read,
	.progress = filter_progress,
	.destroy = filter_destroy,
};

static int add_pattern(struct filter *f, const char *text, struct err *err)
{
	struct pattern *p = &f->patterns[f->pattern_count];
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
	f->pattern_count++;
	return 0;
}

static int set_root(struct filter *f, const char *root, struct err *err)
{
	size_t len = root ? strlen(root) : 0;

	if (root && len == 0)
		return err_set(err, ERR_USAGE,
			       "the directory that becomes the root has no "
			       "name");
	f->root = malloc(len + 1);
	f->prefix = malloc(len + 3);
	if (!f->root || !f->prefix)
		return err_nomem(err);
	memcpy(f->root, root ? root : "", len + 1);
	if (path_clean(f->root, NULL, err) < 0) {
		/* The user's words, not an archive's. */
		char text[NAME_TEXT_LEN];

		return err_set(err, ERR_USAGE,
			       "\"%s\" cannot become the root: not a path",
			       name_text(root, len, text));
	}
	len = strlen(f->root);
	f->prefix[0] = '/';
	memcpy(f->prefix + 1, f->root, len);
	memcpy(f->prefix + 1 + len, "/", 2);
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
	f->patterns = calloc(options->exclude_count + 1, sizeof(*f->patterns));
	if (!f->patterns) {
		err_nomem(err);
		goto fail;
	}
	for (size_t i = 0; i < options->exclude_count; i++)
		if (add_pattern(f, options->exclude[i], err) < 0)
			goto fail;
	if (set_root(f, options->root, err) < 0)
		goto fail;
	*out = &f->source;
	return 0;
fail:
	filter_destroy(&f->source);
	return -1;
}

bool filter_is_excluded(const struct source *filter, const char *path)
{
	struct filter *f = (struct filter *)filter;

	if (f->pattern_count == 0 || join(f, path, NULL) < 0)
		return false;
	return is_excluded(f, f->joined);
}

const char *filter_unused(const struct source *filter, size_t index)
{
	const struct filter *f = (const struct filter *)filter;

	return f->patterns[index].is_used ? NULL : f->patterns[index].text;
}
