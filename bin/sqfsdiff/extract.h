/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SQFSDIFF_EXTRACT_H
#define SQFSDIFF_EXTRACT_H

#include <stddef.h>
#include <stdint.h>

struct diff_change;
struct entry;
struct err;
struct message;

/* Files of one side that are to be written. All zero: none. */
struct extract_list {
	struct entry *first, *last;
};

struct extract {
	struct extract_list old, new;
};

/* Takes the files out of a change where they are not the same. */
void extract_add(struct extract *extract, struct diff_change *change);

struct extract_options {
	const char *dir; /* made if it is not there */
	struct message *message;
	uint32_t block_size; /* bytes of the longest block of an image */
	unsigned jobs;
	size_t backlog;
};

/*
 * Writes the files below old and new in the directory, in parallel, without
 * their attributes: what an image says about owners and modes is no reason to
 * make such files here. What is there under their names is replaced.
 *
 * fails    ERR_WRITE, ERR_IO, what reading content fails with
 */
int extract_run(struct extract *extract, const struct extract_options *options,
		struct err *err);

void extract_cleanup(struct extract *extract);

#endif
