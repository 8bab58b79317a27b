/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/size_text.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

const char *size_text(uint64_t bytes, char out[SIZE_TEXT_LEN])
{
	static const char units[] = "kMGTPE";
	int unit = -1;
	uint64_t rest = 0;

	while (bytes >= 1024 && units[unit + 1]) {
		rest = bytes % 1024;
		bytes /= 1024;
		unit++;
	}
	if (unit < 0)
		snprintf(out, SIZE_TEXT_LEN, "%" PRIu64, bytes);
	else
		snprintf(out, SIZE_TEXT_LEN, "%" PRIu64 ".%u%c", bytes,
			 (unsigned)(rest * 10 / 1024), units[unit]);
	return out;
}

unsigned percent_of(uint64_t part, uint64_t whole)
{
	if (whole == 0)
		return 100;

	double percent = (double)part * 100.0 / (double)whole;

	return percent < (double)UINT_MAX ? (unsigned)percent : UINT_MAX;
}
