/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/rules.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/message.h"
#include "entry/contexts.h"
#include "entry/path.h"
#include "entry/pattern.h"
#include "entry/source.h"
#include "entry/xattr_file.h"
#include "sqfs/xattr.h"
#include "util/array.h"
#include "util/err.h"
#include "util/warn.h"

static struct rules *rules_of(void *options)
{
	return options;
}

static int add_text(struct texts *texts, const char *text, struct err *err)
{
	if (array_reserve(&texts->items, &texts->cap, texts->count + 1,
			  sizeof(*texts->items), err) < 0)
		return -1;
	texts->items[texts->count++] = text;
	return 0;
}

/* Adds a pattern of paths, if it is one. */
static int add_pattern(struct texts *texts, const char *text, struct err *err)
{
	struct pattern pattern;

	if (pattern_init(&pattern, text, err) < 0)
		return -1;
	pattern_cleanup(&pattern);
	return add_text(texts, text, err);
}

int rules_add_exclude_dir(void *options, const char *text, struct err *err)
{
	return add_text(&rules_of(options)->exclude_dir, text, err);
}

int rules_add_exclude(void *options, const char *text, struct err *err)
{
	return add_pattern(&rules_of(options)->exclude, text, err);
}

int rules_add_include(void *options, const char *text, struct err *err)
{
	return add_pattern(&rules_of(options)->include, text, err);
}

int rules_add_exclude_from(void *options, const char *text, struct err *err)
{
	struct rules *rules = rules_of(options);
	struct lines *lines;
	char name[NAME_TEXT_LEN];

	if (array_reserve(&rules->files, &rules->file_cap,
			  rules->file_count + 1, sizeof(*rules->files),
			  err) < 0)
		return -1;
	lines = &rules->files[rules->file_count];
	if (lines_read(text, lines, err) < 0)
		return -1;
	rules->file_count++;
	for (size_t i = 0; i < lines->count; i++) {
		if (lines->items[i][0] == '\0')
			continue;
		if (add_pattern(&rules->exclude, lines->items[i], err) < 0)
			return err_in(err, "%s: line %zu",
				      name_text(text, strlen(text), name),
				      i + 1);
	}
	return 0;
}

int rules_set_prefix(void *options, const char *text, struct err *err)
{
	char *path = strdup(text), name[NAME_TEXT_LEN];
	int ret;

	if (!path)
		return err_nomem(err);
	ret = *text ? path_clean(path, NULL, NULL) : -1;
	free(path);
	if (ret < 0)
		return err_set(err, ERR_USAGE, "\"%s\" is no path",
			       name_text(text, strlen(text), name));
	rules_of(options)->prefix = text;
	return 0;
}

int rules_add_uid_map(void *options, const char *text, struct err *err)
{
	return id_map_add(&rules_of(options)->uid_map, text, err);
}

int rules_add_gid_map(void *options, const char *text, struct err *err)
{
	return id_map_add(&rules_of(options)->gid_map, text, err);
}

int rules_add_mode(void *options, const char *text, struct err *err)
{
	return mode_rules_add(&rules_of(options)->mode, text, err);
}

int rules_add_xattrs_include(void *options, const char *text, struct err *err)
{
	struct rules *rules = rules_of(options);

	if (add_text(&rules->xattrs_include, text, err) < 0)
		return -1;
	rules->xattrs.include = rules->xattrs_include.items;
	rules->xattrs.include_count = rules->xattrs_include.count;
	return 0;
}

int rules_add_xattrs_exclude(void *options, const char *text, struct err *err)
{
	struct rules *rules = rules_of(options);

	if (add_text(&rules->xattrs_exclude, text, err) < 0)
		return -1;
	rules->xattrs.exclude = rules->xattrs_exclude.items;
	rules->xattrs.exclude_count = rules->xattrs_exclude.count;
	return 0;
}

int rules_add_xattr(void *options, const char *text, struct err *err)
{
	struct xattr_rules *xattrs = &rules_of(options)->xattrs;
	const struct xattr *added;

	if (xattr_rules_add(xattrs, text, err) < 0)
		return -1;
	added = &xattrs->added[xattrs->added_count - 1];
	if (!xattr_name_is_storable(added->name))
		return err_set(err, ERR_USAGE,
			       "the name has to begin with user., trusted. or "
			       "security.");
	if (added->len > XATTR_VALUE_MAX ||
	    strlen(added->name) > XATTR_NAME_MAX)
		return err_set(err, ERR_USAGE,
			       "the name may have %d bytes and the value %d",
			       XATTR_NAME_MAX, XATTR_VALUE_MAX);
	return 0;
}

int rules_set_selinux(void *options, const char *text, struct err *err)
{
	struct rules *rules = rules_of(options);
	struct contexts *contexts;

	if (contexts_read(text, &contexts, err) < 0)
		return -1;
	contexts_destroy(rules->contexts);
	rules->contexts = contexts;
	return 0;
}

int rules_set_xattr_file(void *options, const char *text, struct err *err)
{
	struct rules *rules = rules_of(options);
	struct xattr_file *file;

	if (xattr_file_read(text, &file, err) < 0)
		return -1;
	xattr_file_destroy(rules->xattr_file);
	rules->xattr_file = file;
	rules->xattr_file_name = text;
	return 0;
}

int rules_set_acl(void *options, const char *text, struct err *err)
{
	const uint32_t bit = UINT32_C(1) << WARN_ACL;
	struct rules *rules = rules_of(options);
	char name[NAME_TEXT_LEN];

	rules->silent = strcmp(text, "drop") == 0 ? bit : 0;
	rules->fatal = strcmp(text, "fail") == 0 ? bit : 0;
	if (rules->silent || rules->fatal || strcmp(text, "warn") == 0)
		return 0;
	return err_set(err, ERR_USAGE, "\"%s\" is not warn, drop or fail",
		       name_text(text, strlen(text), name));
}

int rules_set_order(void *options, const char *text, struct err *err)
{
	static const char *const words[] = {
		[ORDER_INPUT] = "tar",
		[ORDER_PATH] = "path",
		[ORDER_SIZE] = "size",
	};
	char name[NAME_TEXT_LEN];

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(text, words[i]) == 0) {
			rules_of(options)->order = (enum order_by)i;
			return 0;
		}
	return err_set(err, ERR_USAGE, "\"%s\" is not tar, path or size",
		       name_text(text, strlen(text), name));
}

void rules_fill_warner(const struct rules *rules, struct warner *out)
{
	out->silent = rules->silent;
	out->fatal = rules->fatal;
}

static struct filter_list list_of(const struct texts *texts)
{
	return (struct filter_list) { texts->items, texts->count };
}

void rules_fill_filter(const struct rules *rules, struct filter_options *out)
{
	out->exclude_dir = list_of(&rules->exclude_dir);
	out->strip = (uint64_t)rules->strip;
	out->exclude = list_of(&rules->exclude);
	out->include = list_of(&rules->include);
	out->prefix = rules->prefix;
	out->uid_map = &rules->uid_map;
	out->gid_map = &rules->gid_map;
	out->mode = &rules->mode;
	out->xattrs = &rules->xattrs;
	out->contexts = rules->contexts;
	out->xattr_file = rules->xattr_file;
}

int rules_sort(const struct rules *rules, struct source *inner,
	       struct source **out, struct err *err)
{
	if (rules->order == ORDER_INPUT && !rules->sort_file) {
		*out = inner;
		return 0;
	}
	return order_create(inner, rules->order, rules->sort_file, out, err);
}

/* Warns of sort lines, one by name. */
static void warn_of_lines(const struct rules *rules,
			  const struct source *sorted, struct message *message)
{
	char name[NAME_TEXT_LEN];
	size_t line, count = order_unused(sorted, &line);

	if (count == 0)
		return;
	name_text(rules->sort_file, strlen(rules->sort_file), name);
	if (count == 1)
		message_warn(message,
			     "--sort-file: %s: line %zu matches no file", name,
			     line);
	else
		message_warn(message,
			     "--sort-file: %s: line %zu and %zu more match no "
			     "file",
			     name, line, count - 1);
}

/* Warns of paths in the file of attributes. */
static void warn_of_sections(const struct rules *rules,
			     struct message *message)
{
	char name[NAME_TEXT_LEN];
	size_t line, count = xattr_file_unused(rules->xattr_file, &line);

	if (count == 0)
		return;
	name_text(rules->xattr_file_name, strlen(rules->xattr_file_name),
		  name);
	if (count == 1)
		message_warn(message,
			     "--xattr-file: %s: line %zu: no entry has that "
			     "path",
			     name, line);
	else
		message_warn(message,
			     "--xattr-file: %s: line %zu and %zu more: no entry "
			     "has that path",
			     name, line, count - 1);
}

void rules_warn_unused(const struct rules *rules, const struct source *filter,
		       const struct source *sorted, struct message *message)
{
	uint64_t stripped = filter_stripped(filter);
	char name[NAME_TEXT_LEN];

	for (size_t i = 0; i < rules->exclude_dir.count; i++) {
		const char *text = filter_unused_exclude_dir(filter, i);

		if (text)
			message_warn(message, "-E: \"%s\" matches nothing",
				     name_text(text, strlen(text), name));
	}
	for (size_t i = 0; i < rules->exclude.count; i++) {
		const char *text = filter_unused_exclude(filter, i);

		if (text)
			message_warn(message,
				     "--exclude: \"%s\" matches nothing",
				     name_text(text, strlen(text), name));
	}
	if (stripped > 0)
		message_warn(message,
			     "--strip-components: left out for too few "
			     "components, besides directories: %" PRIu64,
			     stripped);
	if (rules->sort_file)
		warn_of_lines(rules, sorted, message);
	if (rules->xattr_file)
		warn_of_sections(rules, message);
}

void rules_cleanup(struct rules *rules)
{
	for (size_t i = 0; i < rules->file_count; i++)
		lines_cleanup(&rules->files[i]);
	free(rules->files);
	free(rules->exclude_dir.items);
	free(rules->exclude.items);
	free(rules->include.items);
	free(rules->xattrs_include.items);
	free(rules->xattrs_exclude.items);
	id_map_cleanup(&rules->uid_map);
	id_map_cleanup(&rules->gid_map);
	mode_rules_cleanup(&rules->mode);
	xattr_rules_cleanup(&rules->xattrs);
	contexts_destroy(rules->contexts);
	xattr_file_destroy(rules->xattr_file);
	*rules = (struct rules) { 0 };
}
