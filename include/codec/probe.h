/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CODEC_PROBE_H
#define CODEC_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * True if a block of data looks as if no compressor could make it smaller by
 * more than a thousandth or two: compressed already, or encrypted. Takes
 * microseconds where that is not so, and else a fraction of what the faster
 * compressors take. Depends on the bytes alone.
 *
 * format   doc/codecs.md, "The probe"
 */
bool probe_is_dense(const uint8_t *data, size_t len);

#endif
