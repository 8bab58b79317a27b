/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef LIB_CODEC_TABLE_H
#define LIB_CODEC_TABLE_H

#include "codec/codec.h"

/* What lib/codec can hold; codec.c lists those that are built in. */
extern const struct codec_ops codec_gzip;
extern const struct codec_ops codec_lzma;
extern const struct codec_ops codec_xz;
extern const struct codec_ops codec_lz4;
extern const struct codec_ops codec_zstd;

#endif
