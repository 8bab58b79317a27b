/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ENTRY_CHANGE_H
#define ENTRY_CHANGE_H

struct entry;
struct err;
struct filter_options;

/*
 * Changes owner, mode, time and attributes of an entry. ERR_NOMEM; ERR_SKIPPED;
 * as contexts_apply.
 */
int change_entry(const struct filter_options *options, struct entry *entry,
		 struct err *err);

/* Adds the label and what a file says of the path. Fails the same way. */
int change_label(const struct filter_options *options, struct entry *entry,
		 struct err *err);

#endif
