/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "extras.h"

#include <stdlib.h>
#include <string.h>

#include "entry/entry.h"
#include "entry/xattr_value.h"
#include "util/array.h"
#include "util/err.h"

int extras_init(struct extras *extras, struct err *err)
{
	return hash_key_draw(&extras->key, err);
}

static struct extra_path *find(const struct extras *extras, const char *path,
			       struct digest *digest)
{
	const uint64_t *index;

	hash128(&extras->key, path, strlen(path), digest);
	index = digest_map_find(&extras->map, digest);
	return index ? &extras->paths[*index] : NULL;
}

static int add_path(struct extras *extras, const struct digest *digest,
		    struct extra_path **out, struct err *err)
{
	if (array_reserve(&extras->paths, &extras->path_cap,
			  extras->path_count + 1, sizeof(*extras->paths),
			  err) < 0 ||
	    digest_map_add(&extras->map, digest, extras->path_count, err) < 0)
		return -1;
	*out = &extras->paths[extras->path_count++];
	**out = (struct extra_path) { .first = 0 };
	return 0;
}

int extras_add(struct extras *extras, const char *path, size_t at,
	       uint32_t number, struct err *err)
{
	struct digest digest;
	struct extra_path *p = find(extras, path, &digest);

	if (extras->count >= UINT32_MAX - 1)
		return err_set(err, ERR_LIMIT, "too many lines");
	if (array_reserve(&extras->items, &extras->cap, extras->count + 1,
			  sizeof(*extras->items), err) < 0)
		return -1;
	if (!p && add_path(extras, &digest, &p, err) < 0)
		return -1;
	extras->items[extras->count++] =
		(struct extra) { .at = at, .line = number };
	if (p->last)
		extras->items[p->last - 1].next = (uint32_t)extras->count;
	else
		p->first = (uint32_t)extras->count;
	p->last = (uint32_t)extras->count;
	return 0;
}

static const struct extra *get(const struct extras *extras, uint32_t index)
{
	return index ? &extras->items[index - 1] : NULL;
}

const struct extra *extras_find(struct extras *extras, const char *path)
{
	struct digest digest;
	struct extra_path *p;

	if (extras->count == 0)
		return NULL;
	p = find(extras, path, &digest);
	if (!p)
		return NULL;
	p->is_used = true;
	return get(extras, p->first);
}

const struct extra *extras_next(const struct extras *extras,
				const struct extra *extra)
{
	return get(extras, extra->next);
}

/* Format: doc/describe.md, "Values of attributes". */
static int set_xattr(const struct words *words, const struct line *line,
		     struct entry *entry, struct err *err)
{
	const char *text = words_get(words, line->value);
	size_t len = words->items[line->value].len;
	uint8_t *value = NULL;
	int ret = 0;

	if (!words->items[line->value].is_quoted && text[0] == '0' &&
	    (text[1] == 'x' || text[1] == 's')) {
		value = malloc(len + 1);
		if (!value)
			return err_nomem(err);
		ret = text[1] == 'x'
			      ? xattr_decode_hex(text + 2, value, &len, err)
			      : xattr_decode_base64(text + 2, value, &len, err);
		if (ret < 0)
			words_in(words, line->value, err);
	}
	if (ret == 0 &&
	    entry_set_xattr(entry, line->name,
			    value ? (const void *)value : text, len, err) < 0)
		ret = -1;
	free(value);
	return ret;
}

int extra_apply(const struct words *words, const struct line *line,
		struct entry *entry, struct err *err)
{
	if (entry->type == ENTRY_HARDLINK) {
		err_set(err, ERR_USAGE,
			"is a hard link: name what it is a link to");
		return words_in(words, 1, err);
	}
	if (line->kind == LINE_XATTR)
		return set_xattr(words, line, entry, err);
	entry->mtime = line->time;
	return 0;
}

uint32_t extras_unused(const struct extras *extras)
{
	uint32_t first = 0;

	for (size_t i = 0; i < extras->path_count; i++) {
		const struct extra_path *p = &extras->paths[i];

		if (!p->is_used && (first == 0 || p->first < first))
			first = p->first;
	}
	return first ? extras->items[first - 1].line : 0;
}

void extras_cleanup(struct extras *extras)
{
	digest_map_cleanup(&extras->map);
	free(extras->paths);
	free(extras->items);
	*extras = (struct extras) { .count = 0 };
}
