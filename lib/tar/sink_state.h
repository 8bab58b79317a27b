/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TAR_SINK_STATE_H
#define TAR_SINK_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "entry/sink.h"
#include "sink_map.h"
#include "tar/sink.h"
#include "util/array.h"
#include "util/hash.h"

struct entry;
struct err;
struct writer;

/* The archive being written. Main thread. */
struct tar_sink {
	struct sink sink; /* first: a sink is its archive */
	struct tar_sink_options options;
	struct tar_sink_stats stats;
	struct writer *writer; /* borrowed */

	/* paths of sockets, which are left out; the key is drawn with the
	 * first of them */
	struct digest_map sockets;
	struct hash_key key;

	/* of the open entry */
	bool drops;	     /* what comes of content is not written */
	struct sink_map map; /* of its content */
	size_t segment;	     /* the first whose content is not all there */
	uint64_t offset;     /* in the file, of what comes next */
	uint64_t stored;     /* bytes of content written */

	/* used again for each entry */
	struct buffer name, link; /* as they are written */
	struct buffer body;	  /* of an extended header */
	struct buffer map_text;	  /* the map, in front of the content */
};

/* Writes bytes, and counts them. ERR_WRITE. */
int tar_sink_put(struct tar_sink *s, const void *data, size_t len,
		 struct err *err);

/* Writes the zeros that fill up a block behind len bytes. */
int tar_sink_pad(struct tar_sink *s, uint64_t len, struct err *err);

/* Writes all that stands before an entry's content, whose map is made. */
int tar_sink_put_heads(struct tar_sink *s, const struct entry *entry,
		       struct err *err);

#endif
