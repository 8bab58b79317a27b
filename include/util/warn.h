/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef UTIL_WARN_H
#define UTIL_WARN_H

#include <stdbool.h>
#include <stdint.h>

#include "util/err.h"

/*
 * What was lost or bent on the way and does not stop the run. The first of
 * each kind is handed on with its text, the rest are counted.
 */
enum warn_kind {
	WARN_END,	   /* odd or missing end of the archive */
	WARN_TRAILING,	   /* bytes after the end of the archive */
	WARN_TYPE,	   /* entry of an unknown type */
	WARN_HEADER,	   /* odd but readable header or extended header */
	WARN_KEYWORD,	   /* extended header keyword that is ignored */
	WARN_XATTR,	   /* attribute that SquashFS cannot hold */
	WARN_ACL,	   /* access control list that cannot be stored */
	WARN_TIME,	   /* time outside of 1970 to 2106 */
	WARN_NAME,	   /* name that was cleaned up */
	WARN_REPLACED,	   /* bytes of replaced files stay in the image */
	WARN_LINK,	   /* hard link that was left out */
	WARN_WHITEOUT,	   /* whiteouts of a container layer are plain files */
	WARN_SOCKET,	   /* a tar cannot hold sockets */
	WARN_FORMAT,	   /* what a format of tar cannot hold */
	WARN_OWNER,	   /* owner that could not be set */
	WARN_MODE,	   /* mode that could not be set */
	WARN_SET_TIME,	   /* time that could not be set */
	WARN_SET_XATTR,	   /* attribute that could not be set */
	WARN_DEVICE,	   /* device or other file that could not be made */
	WARN_KIND_COUNT
};

/* True for the kinds of which data, an entry or an attribute is lost. */
bool warn_is_loss(enum warn_kind kind);

struct warner {
	/* called for the first of a kind, or NULL; main thread */
	void (*emit)(void *arg, enum warn_kind kind, const char *text);
	void *arg;
	bool strict; /* a loss is an error */
	uint32_t silent; /* kinds, as bits, that are neither told nor counted */
	uint32_t fatal;	 /* kinds, as bits, that are errors */
	uint64_t count[WARN_KIND_COUNT];
};

/* True if one of that kind is an error. */
bool warn_is_fatal(const struct warner *warner, enum warn_kind kind);

/*
 * Tells of one thing that was lost or bent.
 *
 * warner   may be NULL: then nothing is told and 0 returned
 * returns  0; -1 with ERR_SKIPPED where the kind is fatal, or a loss and the
 *          warner strict; silent kinds never are
 * thread   main
 */
int warn(struct warner *warner, enum warn_kind kind, struct err *err,
	 const char *fmt, ...) ERR_PRINTF(4, 5);

#endif
