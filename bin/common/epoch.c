/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/epoch.h"

#include <stdlib.h>

#include "util/err.h"
#include "util/parse.h"

int epoch_read(int64_t *out, struct err *err)
{
	const char *text = getenv("SOURCE_DATE_EPOCH");

	*out = -1;
	if (!text)
		return 0;

	/* parse_i64 is strictly decimal. */
	if (parse_i64(text, 0, UINT32_MAX, out, err) < 0)
		return err_in(err, "SOURCE_DATE_EPOCH");
	return 0;
}
