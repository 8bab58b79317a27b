/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef IO_OUTPUT_H
#define IO_OUTPUT_H

#include <stdbool.h>

struct err;
struct output;

/*
 * A file being made, which comes to stand under its name only when it is
 * complete. What happens depends on what the name stands for:
 *
 * nothing, or a regular file with content: a temporary file beside it is
 * written, and takes its place at the commit. Permissions are 0666 without the
 * umask, or those of the file it replaces, whose owner is kept where the
 * system allows it.
 *
 * an empty regular file: written itself, so that a program that made it to
 * draw a name, and kept its descriptor, finds the content there. Made empty
 * again by an abort.
 *
 * a device: written itself, never cut or removed.
 *
 * A symlink stands for what it points to.
 */

/*
 * force    what is there already may be replaced
 * out      the output, the caller's
 * fails    ERR_EXISTS without force; ERR_UNSUPPORTED: no seeking there;
 *	    ERR_IO, ERR_NOMEM. Texts name what failed, not the path, which
 *	    the caller adds.
 */
int output_open(const char *path, bool force, struct output **out,
		struct err *err);

/* Open for writing at offset 0; borrowed. */
int output_fd(const struct output *out);

/* True if the length of what is written may be set. */
bool output_is_regular(const struct output *out);

/*
 * The file to remove if the program is killed, or NULL if there is none.
 * Borrowed until commit or abort.
 */
const char *output_temporary(const struct output *out);

/*
 * Writes all through to the disk and puts the file under its name. out is gone
 * afterwards; after a failure as with output_abort.
 *
 * fails    ERR_IO; ERR_EXISTS: without force, something came to stand there
 *	    in the meantime. If only syncing the folder fails, the file stands
 *	    under its name all the same.
 */
int output_commit(struct output *out, struct err *err);

/* Removes what was begun and frees out, which may be NULL. */
void output_abort(struct output *out);

#endif
