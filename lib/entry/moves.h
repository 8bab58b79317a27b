/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ENTRY_MOVES_H
#define ENTRY_MOVES_H

#include <stdbool.h>
#include <stdint.h>

struct entry;
struct err;
struct filter_options;

/* Where paths of the input go: up to a new root, then up by components, then
 * below a directory. */
struct moves {
	char *root;    /* cleaned, "" if the root stays what it is */
	char *target;  /* "/root/": what symlink targets begin with */
	char *prefix;  /* cleaned, "" for none */
	uint64_t strip; /* components that are taken away */
};

/* ERR_USAGE: root or prefix is no path; ERR_NOMEM. */
int moves_init(struct moves *moves, const struct filter_options *options,
	       struct err *err);
void moves_cleanup(struct moves *moves);

enum moved {
	MOVED,
	MOVED_OUTSIDE, /* is not below the new root */
	MOVED_AWAY     /* has no component left */
};

/* Moves a path up. tail  what is left of it, in path; "" is the root */
enum moved moves_up(const struct moves *moves, const char *path,
		    const char **tail);

/* Cuts off the front of a text in place: its address is what is freed. */
void keep_tail(char *text, const char *tail);

/* Makes "/root/x" "/x" if the entry is a symlink to it. */
void moves_retarget(const struct moves *moves, struct entry *entry);

/* Puts path, or link, of an entry below the prefix. ERR_NOMEM. */
int moves_below(const struct moves *moves, struct entry *entry, char **text,
		struct err *err);

#endif
