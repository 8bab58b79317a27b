/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef DIR_FILES_H
#define DIR_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct entry;
struct err;
struct files;
struct stat;

/*
 * Files of a file system whose content is read by workers, long after they were
 * looked at: each is opened by whoever reads it first, from the directory it
 * lies in and through no symlink. Few are open at any time, and each only as
 * long as it is being read. What is read must be what was looked at: doc/scan.md,
 * "While it changes".
 */
struct files_options {
	/*
	 * A file that changed while it was read, but could be read whole, is
	 * noted for files_changed; else it is an error.
	 */
	bool keep_changed;
};

/* ERR_NOMEM, ERR_IO. */
int files_create(const struct files_options *options, struct files **out,
		 struct err *err);

/*
 * Opens a directory that files are found from.
 *
 * from     a root that path is relative to, or FILES_CWD
 * root     its number; that of an earlier one if it is the same directory
 * fails    ERR_IO, with the path in front; ERR_NOMEM
 * thread   main, as all but files_read_at
 */
#define FILES_CWD (-1)
int files_add_root(struct files *files, int from, const char *path, int *root,
		   struct err *err);

/* Its descriptor, borrowed. */
int files_root_fd(const struct files *files, int root);

/* How a file is found, and what it was when it was looked at. */
struct files_place {
	int root;
	const char *path; /* from there */
	bool follow;	  /* the user's own path: symlinks and ".." count */
	bool is_named_once; /* other names of the inode do not matter */
	const struct stat *stat;
};

/*
 * Makes a file the content of an entry: sets size, extents and stored. Of an
 * entry of another type only notes which inode it is, for links_create.
 *
 * dir, name  where it can be opened now, to look for holes
 * fails      ERR_NOMEM
 */
int files_attach(struct files *files, const struct files_place *place, int dir,
		 const char *name, struct entry *entry, struct err *err);

/*
 * For source_ops.read_at. at is the offset in the file.
 *
 * fails    ERR_IO; ERR_CORRUPT: it is another, shorter or changed; ERR_NOMEM.
 *	    The text does not name the file.
 * thread   any, many at once
 */
int files_read_at(struct files *files, const struct entry *entry, uint64_t at,
		  void *buf, size_t len, struct err *err);

/*
 * Files that were noted as changed.
 *
 * paths    where they lie below their root, in the order of their bytes;
 *	    borrowed
 */
size_t files_changed(struct files *files, char *const **paths);

/*
 * True if the entry is of a file system and its inode has other names that
 * count; then id is set to what tells it from others.
 */
bool files_has_names(const struct entry *entry, uint64_t id[2]);

/* Closes all. Entries may live on, but are not read. files may be NULL. */
void files_destroy(struct files *files);

#endif
