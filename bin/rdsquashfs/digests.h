/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RDSQUASHFS_DIGESTS_H
#define RDSQUASHFS_DIGESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sha256.h"

struct entry;
struct err;
struct source;
struct view;

/* An entry, and the hash of its content if it is a file. */
struct digested {
	const struct entry *entry;
	bool has_digest;
	uint8_t digest[SHA256_LEN];
};

struct digests_ops {
	/* In the order of the source. Thread: main. */
	int (*give)(void *arg, const struct digested *item, struct err *err);

	/* In place of give, for a file that cannot be read. Thread: main. */
	void (*failed)(void *arg, const struct err *err);
};

/*
 * Hashes the content of all entries of an image source, which knows no hard
 * links: the files in parallel, each by one worker. Content of several names is
 * hashed once.
 *
 * fails    what the source and give fail with
 */
int digests_run(const struct view *view, struct source *source,
		const struct digests_ops *ops, void *arg, struct err *err);

#endif
