/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "unpack/unpack.h"

/*
 * Stored blocks, decompressed. Each thread that is at it has a codec and a
 * buffer for the stored bytes of its own, which it takes from a list and puts
 * back: the readers do not know which worker they are, and the list is locked
 * for no longer than that takes.
 */
#include <inttypes.h>
#include <stdlib.h>
#ifdef WITH_PTHREAD
#include <pthread.h>
#endif

#include "codec/codec.h"
#include "sqfs/image.h"
#include "sqfs/super.h"
#include "util/err.h"

/* What one thread needs for one block. */
struct kit {
	struct kit *next;
	struct codec *codec;
	uint8_t stored[]; /* block size bytes */
};

struct unpacker {
	struct image *image; /* borrowed */
	uint32_t block_size;
	struct kit *free; /* guarded by the mutex */
#ifdef WITH_PTHREAD
	pthread_mutex_t mutex;
#endif
};

static void lock(struct unpacker *u)
{
#ifdef WITH_PTHREAD
	pthread_mutex_lock(&u->mutex);
#else
	(void)u;
#endif
}

static void unlock(struct unpacker *u)
{
#ifdef WITH_PTHREAD
	pthread_mutex_unlock(&u->mutex);
#else
	(void)u;
#endif
}

static int kit_create(const struct unpacker *u, struct kit **out,
		      struct err *err)
{
	const struct codec_ops *ops = image_codec(u->image);
	struct codec_config cfg = { .block_size = u->block_size };
	struct kit *kit = malloc(sizeof(*kit) + u->block_size);

	if (!kit)
		return err_nomem(err);
	ops->config_default(&cfg);
	if (ops->create(&cfg, &kit->codec, err) < 0) {
		free(kit);
		return -1;
	}
	*out = kit;
	return 0;
}

static int take_kit(struct unpacker *u, struct kit **out, struct err *err)
{
	struct kit *kit;

	lock(u);
	kit = u->free;
	if (kit)
		u->free = kit->next;
	unlock(u);
	if (!kit)
		return kit_create(u, out, err);
	*out = kit;
	return 0;
}

static void put_kit(struct unpacker *u, struct kit *kit)
{
	lock(u);
	kit->next = u->free;
	u->free = kit;
	unlock(u);
}

static int decompress(struct unpacker *u, uint64_t at, uint32_t stored,
		      void *buf, size_t cap, size_t *len, struct err *err)
{
	struct kit *kit = NULL;
	int ret;

	if (take_kit(u, &kit, err) < 0)
		return -1;
	ret = image_read(u->image, at, kit->stored, stored, err);
	if (ret == 0) {
		ret = codec_decompress(kit->codec, kit->stored, stored, buf,
				       cap, len, err);
		if (ret < 0)
			err_in(err, "byte %" PRIu64, at);
	}
	put_kit(u, kit);
	return ret;
}

int unpacker_read(struct unpacker *u, uint64_t at, uint32_t word, void *buf,
		  size_t cap, size_t *len, struct err *err)
{
	uint32_t stored = BLOCK_WORD_LEN(word);

	if (stored == 0 || stored > u->block_size)
		return err_set(err, ERR_CORRUPT,
			       "byte %" PRIu64 ": a block of %" PRIu32
			       " stored bytes",
			       at, stored);
	if (!(word & BLOCK_WORD_RAW))
		return decompress(u, at, stored, buf, cap, len, err);
	if (stored > cap)
		return err_set(err, ERR_CORRUPT,
			       "byte %" PRIu64 ": %" PRIu32
			       " bytes are stored, at most %zu fit",
			       at, stored, cap);
	*len = stored;
	return image_read(u->image, at, buf, stored, err);
}

int unpacker_create(struct image *image, struct unpacker **out,
		    struct err *err)
{
	struct unpacker *u = calloc(1, sizeof(*u));

	if (!u)
		return err_nomem(err);
	u->image = image;
	u->block_size = image_super(image)->block_size;
#ifdef WITH_PTHREAD
	pthread_mutex_init(&u->mutex, NULL);
#endif
	*out = u;
	return 0;
}

void unpacker_destroy(struct unpacker *u)
{
	struct kit *kit;

	if (!u)
		return;
	while ((kit = u->free)) {
		u->free = kit->next;
		codec_destroy(kit->codec);
		free(kit);
	}
#ifdef WITH_PTHREAD
	pthread_mutex_destroy(&u->mutex);
#endif
	free(u);
}
