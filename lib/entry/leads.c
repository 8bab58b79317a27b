/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "leads.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "entry/entry.h"
#include "util/array.h"

/* What is known of a directory. */
struct lead {
	struct entry *held; /* or NULL */
	bool is_open;	    /* leads to what was handed on */
};

static int find_lead(struct leads *leads, const char *path, size_t len,
		     struct lead **out, struct err *err)
{
	uint64_t index;

	if (array_reserve(&leads->items, &leads->cap, leads->count + 1,
			  sizeof(*leads->items), err) < 0 ||
	    path_map_put(&leads->map, path, len, leads->count, &index, err) < 0)
		return -1;
	if (index == leads->count)
		leads->items[leads->count++] = (struct lead) { 0 };
	*out = &leads->items[index];
	return 0;
}

int leads_hold(struct leads *leads, struct entry **entry, struct err *err)
{
	const char *path = (*entry)->path;
	struct lead *lead;

	if (find_lead(leads, path, strlen(path), &lead, err) < 0)
		return -1;
	if (lead->is_open)
		return 0;
	entry_destroy(lead->held);
	lead->held = *entry;
	*entry = NULL;
	return 0;
}

int leads_open(struct leads *leads, const char *path, struct entry **out,
	       struct err *err)
{
	struct entry *list = NULL;
	size_t len = strlen(path);
	struct lead *lead;
	int ret = 0;

	/* From below, so that a directory that is open ends the way. */
	for (;;) {
		while (len > 0 && path[len - 1] != '/')
			len--;
		if (len == 0)
			break;
		len--;
		ret = find_lead(leads, path, len, &lead, err);
		if (ret < 0 || lead->is_open)
			break;
		lead->is_open = true;
		if (lead->held) {
			lead->held->next = list;
			list = lead->held;
			lead->held = NULL;
		}
	}
	*out = list;
	return ret;
}

void leads_cleanup(struct leads *leads)
{
	for (size_t i = 0; i < leads->count; i++)
		entry_destroy(leads->items[i].held);
	free(leads->items);
	path_map_cleanup(&leads->map);
	*leads = (struct leads) { 0 };
}
