/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec/word.h"

#include "util/err.h"
#include "util/parse.h"

int codec_word_number(const char *key, const char *value, int min, int max,
		      int *out, struct err *err)
{
	int64_t number;

	if (!value)
		return err_set(err, ERR_USAGE,
			       "%s needs a number from %d to %d, as in %s=%d",
			       key, min, max, key, max);
	if (parse_i64(value, min, max, &number, err) < 0)
		return err_in(err, "%s", key);
	*out = (int)number;
	return 0;
}

int codec_word_bare(const char *key, const char *value, struct err *err)
{
	if (!value)
		return 0;
	return err_set(err, ERR_USAGE, "%s takes no value", key);
}
