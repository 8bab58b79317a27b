/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "feed.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "io/reader.h"
#include "util/account.h"
#include "util/err.h"

int feed_init(struct feed *feed, struct reader *reader, struct err *err)
{
	*feed = (struct feed){ .reader = reader,
			       .offset = reader_offset(reader) };
	feed->data = malloc(FEED_LEN);
	if (!feed->data) {
		feed_cleanup(feed);
		return err_nomem(err);
	}
	return 0;
}

void feed_cleanup(struct feed *feed)
{
	reader_destroy(feed->reader);
	free(feed->data);
	*feed = (struct feed){ 0 };
}

int feed_fill(struct feed *feed, struct err *err)
{
	size_t got;

	move_bytes(feed->data, feed->data + feed->begin, feed_len(feed));
	feed->end -= feed->begin;
	feed->begin = 0;
	assert(feed->end < FEED_LEN);
	if (reader_read_some(feed->reader, feed->data + feed->end,
			     FEED_LEN - feed->end, &got, err) < 0)
		return -1;
	feed->ended = got == 0;
	feed->end += got;
	return 0;
}

int feed_need(struct feed *feed, size_t len, struct err *err)
{
	while (feed_len(feed) < len && !feed->ended)
		if (feed_fill(feed, err) < 0)
			return -1;
	return 0;
}

void feed_take(struct feed *feed, size_t n)
{
	assert(n <= feed_len(feed));
	feed->begin += n;
	feed->offset += n;
}

void feed_seek(struct feed *feed, uint64_t offset)
{
	if (offset == feed->offset)
		return;
	reader_seek(feed->reader, offset);
	feed->begin = feed->end = 0;
	feed->offset = offset;
	feed->ended = false;
}
