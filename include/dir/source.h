/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef DIR_SOURCE_H
#define DIR_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "dir/scan.h"

struct err;
struct files;
struct source;

/*
 * A source of what lies in directories, one after the other: each becomes the
 * root, so the last one holds where several have the same path.
 *
 * files    reads the content; borrowed for the source's life
 * dirs     count paths, borrowed
 * options  of every tree, copied; paths in faults have the directory in front
 * fails    ERR_IO: a directory cannot be opened; ERR_NOMEM. next: as scan_next
 */
int dir_source_create(struct files *files, const char *const *dirs,
		      size_t count, const struct scan_options *options,
		      struct source **out, struct err *err);

/* Where the paths of dir_paths_source_create come from. */
struct dir_paths {
	/*
	 * The next path, borrowed until the next call, as it was written.
	 *
	 * place    where it stands, for messages; NAME_TEXT_LEN bytes
	 * returns  0, 1 at the end, -1 with the place in front
	 */
	int (*next)(void *arg, const char **path, char *place,
		    struct err *err);
	void *arg;
};

/*
 * A source of listed paths below a directory, in the order of the list, each
 * once, behind the directories that lead there. What lies in a directory does
 * not come along with it.
 *
 * paths    copied; slashes at the front do not count
 * fails    as dir_source_create. next: as scan_next, and ERR_USAGE: a path with
 *	    "..", with its place in front
 */
int dir_paths_source_create(struct files *files, const char *dir,
			    const struct dir_paths *paths,
			    const struct scan_options *options,
			    struct source **out, struct err *err);

/*
 * A source that hands on the entries of another, and makes hard links of the
 * names of one inode: of all but the first that comes by. To be put behind a
 * filter, which may leave out the first.
 *
 * inner    its entries' content was attached by files_attach, if at all; the
 *	    source's from then on, also on failure
 * fails    ERR_NOMEM, ERR_IO: no random key
 */
int links_source_create(struct source *inner, struct source **out,
			struct err *err);

#endif
