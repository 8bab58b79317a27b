/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RDSQUASHFS_STAT_JSON_H
#define RDSQUASHFS_STAT_JSON_H

#include <stdint.h>

#include "common/json.h"

struct err;
struct image;
struct node;

/* A device number as inodes have it. */
static inline uint32_t device_word(uint32_t major, uint32_t minor)
{
	return (minor & 0xFF) | major << 8 | (minor & ~UINT32_C(0xFF)) << 12;
}

/* One inode as an object in an array; as image_fragment. */
int stat_print_json(struct json *json, struct image *image,
		    const struct node *node, struct err *err);

/* What -l and -s both say of an entry, as members of the open object. */
void json_node(struct json *json, const struct node *node);

#endif
