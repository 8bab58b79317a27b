/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "entry/xattrs.h"

/* Attributes that the user leaves out or adds. Format: doc/select.md. */
#include <fnmatch.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/err.h"
#include "entry/xattr_value.h"

static int decode_value(const char *text, uint8_t *value, size_t *len,
			struct err *err)
{
	if (strncmp(text, "0x", 2) == 0 || strncmp(text, "0X", 2) == 0)
		return xattr_decode_hex(text + 2, value, len, err);
	if (strncmp(text, "0s", 2) == 0 || strncmp(text, "0S", 2) == 0)
		return xattr_decode_base64(text + 2, value, len, err);
	*len = strlen(text);
	memcpy(value, text, *len);
	return 0;
}

int xattr_rules_add(struct xattr_rules *rules, const char *text,
		    struct err *err)
{
	const char *equals = strchr(text, '=');
	struct xattr added = { 0 };

	if (!equals || equals == text)
		return err_set(err, ERR_USAGE,
			       "needs a name and a value: "
			       "NAME=VALUE");
	if (array_reserve(&rules->added, &rules->added_cap,
			  rules->added_count + 1, sizeof(added), err) < 0)
		return -1;
	added.name = strndup(text, (size_t)(equals - text));
	added.value = malloc(strlen(equals) + 1);
	if (!added.name || !added.value)
		err_nomem(err);
	else if (decode_value(equals + 1, added.value, &added.len, err) == 0) {
		rules->added[rules->added_count++] = added;
		return 0;
	}
	free(added.name);
	free(added.value);
	return -1;
}

static bool matches_any(const char *const *globs, size_t count,
			const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (fnmatch(globs[i], name, 0) == 0)
			return true;
	return false;
}

static bool is_kept(const struct xattr_rules *rules, const char *name)
{
	if (rules->include_count > 0 &&
	    !matches_any(rules->include, rules->include_count, name))
		return false;
	return !matches_any(rules->exclude, rules->exclude_count, name);
}

static void drop(const struct xattr_rules *rules, struct entry *entry)
{
	size_t kept = 0;

	for (size_t i = 0; i < entry->xattr_count; i++) {
		struct xattr *x = &entry->xattrs[i];

		if (is_kept(rules, x->name)) {
			entry->xattrs[kept++] = *x;
			continue;
		}
		free(x->name);
		free(x->value);
	}
	entry->xattr_count = kept;
}

int xattr_rules_apply(const struct xattr_rules *rules, struct entry *entry,
		      struct err *err)
{
	const bool has_user =
		entry->type == ENTRY_FILE || entry->type == ENTRY_DIR;

	if (rules->include_count + rules->exclude_count > 0)
		drop(rules, entry);
	if (entry->type == ENTRY_HARDLINK && entry->size == 0)
		return 0;
	for (size_t i = 0; i < rules->added_count; i++) {
		const struct xattr *x = &rules->added[i];

		if (!has_user && entry->type != ENTRY_HARDLINK &&
		    strncmp(x->name, "user.", 5) == 0)
			continue;
		if (entry_set_xattr(entry, x->name, x->value, x->len, err) < 0)
			return -1;
	}
	return 0;
}

void xattr_rules_cleanup(struct xattr_rules *rules)
{
	for (size_t i = 0; i < rules->added_count; i++) {
		free(rules->added[i].name);
		free(rules->added[i].value);
	}
	free(rules->added);
	*rules = (struct xattr_rules) { 0 };
}
