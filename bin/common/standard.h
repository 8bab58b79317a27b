/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMON_STANDARD_H
#define COMMON_STANDARD_H

#include <stdbool.h>

struct err;

/*
 * Makes sure that descriptors 0 to 2 are open, on /dev/null if they were not,
 * so that no file that is opened later gets one of these numbers and the
 * messages with it. Writing to a closed pipe, or over the file size limit,
 * becomes an error instead of a signal.
 *
 * input_closed  true if standard input was not open
 * fails	 ERR_IO
 */
int standard_init(bool *input_closed, struct err *err);

/*
 * Sends out what was printed to standard output. ERR_IO if some of it could
 * not be written.
 */
int standard_flush(struct err *err);

#endif
