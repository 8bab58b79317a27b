/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TAR_PLACE_H
#define TAR_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/err.h"
#include "util/warn.h"

/* What a message is about. */
struct place {
	struct warner *warner; /* borrowed, or NULL */
	uint64_t offset;       /* of the header or record in question */
	const char *name;      /* borrowed, name_len bytes; NULL: not known */
	size_t name_len;
	bool no_entry; /* it is about the archive, not about an entry */
};

/* Puts the place in front of an error. Returns -1. */
int place_fail(const struct place *place, struct err *err);

/* As warn, with the place in front of what is told, but not of an error. */
int place_warn(const struct place *place, enum warn_kind kind, struct err *err,
	       const char *fmt, ...) ERR_PRINTF(4, 5);

#endif
