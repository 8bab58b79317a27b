/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BIN_COMMON_CODEC_LZO_H
#define BIN_COMMON_CODEC_LZO_H

#include "codec/codec.h"

/*
 * lzo, for the look-ups of codec/codec.h. It is here and not in the library
 * because liblzo is under the GPL.
 */
extern const struct codec_ops codec_lzo;

#endif
