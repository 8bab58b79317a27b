/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#include "codec/codec.h"
#include "sqfs/image.h"
#include "sqfs/super.h"

int decoder_init(struct decoder *decoder, const struct image *image,
		 struct err *err)
{
	const struct codec_ops *ops = image_codec(image);
	struct codec_config config = {
		.block_size = image_super(image)->block_size
	};

	*decoder = (struct decoder){ .image = image };
	decoder->raw = malloc(CODEC_LEN_MAX(config.block_size));
	if (!decoder->raw)
		return err_nomem(err);
	ops->config_default(&config);
	return ops->create(&config, &decoder->codec, err);
}

void decoder_cleanup(struct decoder *decoder)
{
	codec_destroy(decoder->codec);
	free(decoder->raw);
}

int decoder_read(struct decoder *decoder, uint64_t at, uint32_t stored,
		 bool is_raw, uint8_t *buf, size_t cap, size_t *len,
		 struct err *err)
{
	if (is_raw) {
		if (stored > cap)
			return err_set(err, ERR_CORRUPT,
				       "more than %zu bytes", cap);
		*len = stored;
		return image_read(decoder->image, at, buf, stored, err);
	}
	if (image_read(decoder->image, at, decoder->raw, stored, err) < 0)
		return -1;
	return codec_decompress(decoder->codec, decoder->raw, stored, buf, cap,
				len, err);
}
