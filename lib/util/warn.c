/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "util/warn.h"

#include <stdarg.h>
#include <stdio.h>

bool warn_is_loss(enum warn_kind kind)
{
	switch (kind) {
	case WARN_TYPE:
	case WARN_XATTR:
	case WARN_ACL:
	case WARN_LINK:
	case WARN_SOCKET:
	case WARN_FORMAT:
	case WARN_OWNER:
	case WARN_MODE:
	case WARN_SET_TIME:
	case WARN_SET_XATTR:
	case WARN_DEVICE:
		return true;
	default:
		return false;
	}
}

_Static_assert(WARN_KIND_COUNT <= 32, "a bit for each kind");

static bool has_bit(uint32_t kinds, enum warn_kind kind)
{
	return kinds >> kind & 1;
}

bool warn_is_fatal(const struct warner *warner, enum warn_kind kind)
{
	if (has_bit(warner->silent, kind))
		return false;
	return has_bit(warner->fatal, kind) ||
	       (warner->strict && warn_is_loss(kind));
}

int warn(struct warner *warner, enum warn_kind kind, struct err *err,
	 const char *fmt, ...)
{
	char text[sizeof(err->text)];
	va_list ap;

	if (!warner || has_bit(warner->silent, kind))
		return 0;
	warner->count[kind]++;

	bool fatal = warn_is_fatal(warner, kind);

	if (!fatal && (warner->count[kind] > 1 || !warner->emit))
		return 0;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (fatal)
		return err_set(err, ERR_SKIPPED, "%s", text);
	warner->emit(warner->arg, kind, text);
	return 0;
}
