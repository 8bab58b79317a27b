/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMON_EPOCH_H
#define COMMON_EPOCH_H

#include <stdint.h>

struct err;

/*
 * Reads SOURCE_DATE_EPOCH from the environment.
 *
 * out      seconds from 1970, 0 to 2^32 - 1; -1 if it is not set
 * fails    ERR_USAGE: it is set to anything else, also to nothing
 */
int epoch_read(int64_t *out, struct err *err);

#endif
