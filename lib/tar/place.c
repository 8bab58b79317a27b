/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "place.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#define BLOCK_LEN 512

#define PLACE_TEXT_LEN (NAME_TEXT_LEN + 96)

static const char *place_text(const struct place *place, char *out)
{
	char name[NAME_TEXT_LEN] = "(unnamed)";
	int used = snprintf(out, PLACE_TEXT_LEN,
			    "offset %" PRIu64 " (block %" PRIu64 ")",
			    place->offset, place->offset / BLOCK_LEN);

	if (place->name)
		name_text(place->name, place->name_len, name);
	if (!place->no_entry)
		snprintf(out + used, PLACE_TEXT_LEN - (size_t)used,
			 ": entry \"%s\"", name);
	return out;
}

int place_fail(const struct place *place, struct err *err)
{
	char text[PLACE_TEXT_LEN];

	return err_in(err, "%s", place_text(place, text));
}

int place_warn(const struct place *place, enum warn_kind kind, struct err *err,
	       const char *fmt, ...)
{
	struct warner *warner = place->warner;
	char what[sizeof(err->text)], text[PLACE_TEXT_LEN];
	va_list ap;

	if (!warner)
		return 0;

	bool fatal = warn_is_fatal(warner, kind);

	/* Of each kind only the first is told: the rest cost no text. */
	if (!fatal && warner->count[kind] > 0)
		return warn(warner, kind, err, "%s", fmt);
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	if (fatal)
		return warn(warner, kind, err, "%s", what);
	return warn(warner, kind, err, "%s: %s", place_text(place, text), what);
}
