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
		return true;
	default:
		return false;
	}
}

int warn(struct warner *warner, enum warn_kind kind, struct err *err,
	 const char *fmt, ...)
{
	char text[sizeof(err->text)];
	va_list ap;

	if (!warner)
		return 0;
	warner->count[kind]++;

	bool fatal = warner->strict && warn_is_loss(kind);

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
