/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMON_SIZE_TEXT_H
#define COMMON_SIZE_TEXT_H

#include <stdint.h>

#define SIZE_TEXT_LEN 32

/* "1023", "1.5k", "20.0M": bytes with one decimal and k, M, G, T, P or E, 1024
 * based, rounded down; returns out. */
const char *size_text(uint64_t bytes, char out[SIZE_TEXT_LEN]);

/* part of whole in percent, rounded down; 100 of nothing. */
unsigned percent_of(uint64_t part, uint64_t whole);

#endif
