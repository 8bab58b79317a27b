/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * Extended attributes. Two ways of writing them are in use, some archives have
 * both for each attribute. Everything is collected first, then sorted and
 * thinned out, so that many attributes cost no more than their sorting.
 * Format: doc/tar.md, "Attributes".
 */
#include "attr.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "entry/entry.h"
#include "pax.h"
#include "place.h"
#include "tar/tar.h"
#include "util/account.h"
#include "util/err.h"

/* Of equal names the item of the highest rank stays, then the last. */
enum rank { RANK_BASE, RANK_SCHILY, RANK_LIBARCHIVE };

struct item {
	struct xattr attr; /* owned */
	enum rank rank;
	size_t order;
};

struct list {
	struct item *items; /* heap, room for all that may come */
	size_t count;
};

static void item_cleanup(struct item *item)
{
	free(item->attr.name);
	free(item->attr.value);
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/* The byte that "%XX" at the front of text stands for, or -1. */
static int percent_byte(const char *text, size_t len)
{
	if (len < 3 || text[0] != '%')
		return -1;

	int high = hex_digit(text[1]), low = hex_digit(text[2]);

	return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/*
 * Undoes what writers do to "=" and "%" in names; with all, to any byte.
 * Returns heap memory, NUL-terminated; *out_len is its length.
 */
static char *decode_name(const struct pax_text *text, bool all, size_t *out_len)
{
	char *out = malloc(text->len + 1);
	size_t used = 0;

	if (!out)
		return NULL;
	for (size_t i = 0; i < text->len; i++) {
		const char *at = text->data + i;
		int byte = percent_byte(at, text->len - i);

		if (byte >= 0 && !all && memcmp(at, "%3D", 3) != 0 &&
		    memcmp(at, "%25", 3) != 0)
			byte = -1;
		out[used++] = byte >= 0 ? (char)byte : *at;
		if (byte >= 0)
			i += 2;
	}
	out[used] = '\0';
	*out_len = used;
	return out;
}

static int base64_digit(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* out has room for 3/4 of text. False if text is no base 64. */
static bool base64_decode(const struct pax_text *text, uint8_t *out,
			  size_t *out_len)
{
	size_t len = text->len, used = 0;
	uint32_t bits = 0;
	unsigned bit_count = 0;

	while (len > 0 &&
	       (text->data[len - 1] == '=' || text->data[len - 1] == '_'))
		len--;
	if (len % 4 == 1)
		return false;
	for (size_t i = 0; i < len; i++) {
		int digit = base64_digit(text->data[i]);

		if (digit < 0)
			return false;
		bits = bits << 6 | (uint32_t)digit;
		bit_count += 6;
		if (bit_count >= 8) {
			bit_count -= 8;
			out[used++] = (uint8_t)(bits >> bit_count);
		}
	}
	*out_len = used;
	return true;
}

/* True if SquashFS has a place for a name. */
static bool is_storable(const char *name)
{
	static const char *const prefixes[] = { "user.", "trusted.",
						"security." };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t len = strlen(prefixes[i]);

		if (strncmp(name, prefixes[i], len) == 0 && name[len] != '\0')
			return true;
	}
	return false;
}

/* Tells of an attribute that no image can hold; text is its name. */
static int tell_of_lost(const char *name, const char *text,
			const struct place *place, struct err *err)
{
	if (strncmp(name, "system.posix_acl_", 17) == 0)
		return place_warn(place, WARN_ACL, err,
				  "access control list is left out, \"%s\"",
				  text);
	return place_warn(place, WARN_XATTR, err,
			  "attribute that SquashFS cannot hold is left out, "
			  "\"%s\"",
			  text);
}

/* Fills item's name. Returns 1 if the attribute is left out. */
static int take_name(const struct pax_attr *record, const struct place *place,
		     struct item *item, struct err *err)
{
	char text[NAME_TEXT_LEN];
	size_t len;

	item->attr.name = decode_name(
		&record->name, record->form == PAX_FORM_LIBARCHIVE, &len);
	if (!item->attr.name)
		return err_nomem(err);
	if (len == 0)
		return err_set(err, ERR_CORRUPT, "attribute without a name");
	name_text(item->attr.name, len, text);
	if (strlen(item->attr.name) != len)
		return err_set(err, ERR_CORRUPT,
			       "attribute with a NUL in its name, \"%s\"",
			       text);
	if (!is_storable(item->attr.name))
		return tell_of_lost(item->attr.name, text, place, err) < 0 ? -1
									   : 1;
	if (len > TAR_XATTR_NAME_MAX)
		return err_set(err, ERR_LIMIT,
			       "name of an attribute is longer than %d bytes, "
			       "\"%s\"",
			       TAR_XATTR_NAME_MAX, text);
	return 0;
}

static int take_value(const struct pax_attr *record, struct item *item,
		      struct err *err)
{
	const struct pax_text *raw = &record->value;
	char text[NAME_TEXT_LEN];

	item->attr.len = raw->len;
	item->attr.value = malloc(raw->len + 1);
	if (!item->attr.value)
		return err_nomem(err);
	if (record->form == PAX_FORM_SCHILY)
		copy_bytes(item->attr.value, raw->data, raw->len);
	else if (!base64_decode(raw, item->attr.value, &item->attr.len))
		return err_set(err, ERR_CORRUPT,
			       "value of the attribute \"%s\" is no base 64",
			       name_text(item->attr.name,
					 strlen(item->attr.name), text));
	item->attr.value[item->attr.len] = '\0';
	if (item->attr.len > TAR_XATTR_VALUE_MAX)
		return err_set(err, ERR_LIMIT,
			       "value of the attribute \"%s\" is longer than "
			       "%d bytes, %zu",
			       name_text(item->attr.name,
					 strlen(item->attr.name), text),
			       TAR_XATTR_VALUE_MAX, item->attr.len);
	return 0;
}

static int compare_items(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	int order = strcmp(x->attr.name, y->attr.name);

	if (order != 0)
		return order;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static int compare_name(const void *key, const void *b)
{
	return strcmp(key, ((const struct item *)b)->attr.name);
}

/*
 * libarchive encodes more of a SCHILY name than others do. If the name with all
 * of it decoded is among the first count items, it is meant.
 */
static int find_encoded(const struct list *list, size_t count,
			const struct pax_attr *record, struct item *item,
			struct err *err)
{
	size_t len;
	char *full;

	if (count == 0 ||
	    !memchr(item->attr.name, '%', strlen(item->attr.name)))
		return 0;
	full = decode_name(&record->name, true, &len);
	if (!full)
		return err_nomem(err);
	if (strlen(full) == len &&
	    bsearch(full, list->items, count, sizeof(*list->items),
		    compare_name)) {
		free(item->attr.name);
		item->attr.name = full;
	} else {
		free(full);
	}
	return 0;
}

/* Adds all records of one form. */
static int decode_form(struct list *list, enum pax_form form,
		       const struct pax_attr *records, size_t record_count,
		       const struct place *place, struct err *err)
{
	size_t before = list->count;

	for (size_t i = 0; i < record_count; i++) {
		struct item item = { .order = i,
				     .rank = form == PAX_FORM_SCHILY
						     ? RANK_SCHILY
						     : RANK_LIBARCHIVE };
		int ret;

		if (records[i].form != form)
			continue;
		ret = take_name(&records[i], place, &item, err);
		if (ret == 0)
			ret = take_value(&records[i], &item, err);
		if (ret == 0 && form == PAX_FORM_SCHILY)
			ret = find_encoded(list, before, &records[i], &item,
					   err);
		if (ret == 0)
			list->items[list->count++] = item;
		else
			item_cleanup(&item);
		if (ret < 0)
			return -1;
	}
	return 0;
}

static int copy_base(struct list *list, const struct attr_set *base,
		     struct err *err)
{
	for (size_t i = 0; i < base->count; i++) {
		const struct xattr *from = &base->items[i];
		struct item item = { .rank = RANK_BASE, .order = i };
		size_t name_size = strlen(from->name) + 1;

		item.attr.len = from->len;
		item.attr.name = malloc(name_size);
		item.attr.value = malloc(from->len + 1);
		if (!item.attr.name || !item.attr.value) {
			item_cleanup(&item);
			return err_nomem(err);
		}
		copy_bytes(item.attr.name, from->name, name_size);
		copy_bytes(item.attr.value, from->value, from->len + 1);
		list->items[list->count++] = item;
	}
	return 0;
}

/* Tells of an item that gives way to the next, of the same name. */
static int tell_dropped(const struct item *lost, const struct item *kept,
			const struct place *place, struct err *err)
{
	bool same =
		lost->attr.len == kept->attr.len &&
		memcmp(lost->attr.value, kept->attr.value, kept->attr.len) == 0;
	char text[NAME_TEXT_LEN];

	/* The other form of the same, or a global one: nothing is lost. */
	if (lost->rank == RANK_BASE || (lost->rank != kept->rank && same))
		return 0;
	name_text(kept->attr.name, strlen(kept->attr.name), text);
	if (lost->rank != kept->rank)
		return place_warn(place, WARN_XATTR, err,
				  "two forms of the attribute \"%s\" differ",
				  text);
	return place_warn(place, same ? WARN_HEADER : WARN_XATTR, err,
			  "attribute \"%s\" is given twice, the last holds",
			  text);
}

/* Keeps the last of each run of equal names. */
static int drop_doubles(struct list *list, const struct place *place,
			struct err *err)
{
	size_t kept = 0;
	int ret = 0;

	for (size_t i = 0; i < list->count; i++) {
		struct item *item = &list->items[i], *next = item + 1;

		if (ret == 0 && i + 1 < list->count &&
		    strcmp(item->attr.name, next->attr.name) == 0) {
			ret = tell_dropped(item, next, place, err);
			item_cleanup(item);
		} else {
			list->items[kept++] = *item;
		}
	}
	list->count = kept;
	return ret;
}

static int hand_over(struct list *list, struct attr_set *out, struct err *err)
{
	struct xattr *items = NULL;

	if (list->count > 0) {
		items = malloc(list->count * sizeof(*items));
		if (!items)
			return err_nomem(err);
	}
	for (size_t i = 0; i < list->count; i++)
		items[i] = list->items[i].attr;
	*out = (struct attr_set) { items, list->count };
	list->count = 0;
	return 0;
}

static void sort(struct list *list)
{
	if (list->count > 1)
		qsort(list->items, list->count, sizeof(*list->items),
		      compare_items);
}

int attr_set_build(const struct pax_attr *records, size_t record_count,
		   const struct attr_set *base, const struct place *place,
		   struct attr_set *out, struct err *err)
{
	struct list list = { NULL, 0 };
	int ret = -1;

	/* Both counts are limited: no overflow. */
	list.items =
		calloc(record_count + base->count + 1, sizeof(*list.items));
	if (!list.items)
		return err_nomem(err);
	if (decode_form(&list, PAX_FORM_LIBARCHIVE, records, record_count,
			place, err) < 0)
		goto out;
	sort(&list);
	if (decode_form(&list, PAX_FORM_SCHILY, records, record_count, place,
			err) < 0 ||
	    copy_base(&list, base, err) < 0)
		goto out;
	sort(&list);
	if (drop_doubles(&list, place, err) < 0)
		goto out;
	ret = hand_over(&list, out, err);
out:
	for (size_t i = 0; i < list.count; i++)
		item_cleanup(&list.items[i]);
	free(list.items);
	return ret;
}

size_t attr_set_len(const struct attr_set *set)
{
	size_t len = 0;

	for (size_t i = 0; i < set->count; i++)
		len += strlen(set->items[i].name) + set->items[i].len;
	return len;
}

void attr_set_cleanup(struct attr_set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		free(set->items[i].name);
		free(set->items[i].value);
	}
	free(set->items);
	*set = (struct attr_set) { NULL, 0 };
}
