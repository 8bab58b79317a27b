/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMON_CLEANUP_H
#define COMMON_CLEANUP_H

#include <signal.h>

/*
 * Removing what was begun when the program is interrupted, hung up or told to
 * end. It then ends by that signal, as if nothing had been done about it.
 */

/*
 * Holds these signals back, so that none comes between making a file and
 * naming it here. Thread: main, before there are others.
 *
 * old      what was held back before, for cleanup_release
 */
void cleanup_hold(sigset_t *old);

/*
 * Lets the signals through again, which from now on remove path and make the
 * file behind fd empty first.
 *
 * path     NULL: nothing is removed. Longer than PATH_MAX: as NULL, for
 *	    then the file could not have been made.
 * fd       -1: nothing is made empty
 */
void cleanup_release(const sigset_t *old, const char *path, int fd);

#endif
