/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "internal.h"

/*
 * What is done when all of an entry was worked on: attributes of files that
 * several workers wrote, hard links; and what came of it is counted and told.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "entry/entry.h"
#include "entry/source.h"

/* Remembers, for hard links to come, that a path is not there. */
static int note_missing(struct dir_sink *sink, const struct entry *entry,
			enum outcome why, struct err *err)
{
	struct digest digest;

	if (entry->type == ENTRY_DIR)
		return 0;
	hash128(&sink->key, entry->path, strlen(entry->path), &digest);
	if (digest_map_find(&sink->missing, &digest))
		return 0;
	return digest_map_add(&sink->missing, &digest, why, err);
}

/* What became of a path that is not there; OUTCOME_MADE if nothing is known. */
static enum outcome missing_as(const struct dir_sink *sink, const char *path)
{
	const uint64_t *found;
	struct digest digest;

	if (sink->missing.count == 0)
		return OUTCOME_MADE;
	hash128(&sink->key, path, strlen(path), &digest);
	found = digest_map_find(&sink->missing, &digest);
	return found ? (enum outcome)*found : OUTCOME_MADE;
}

/* Tells of an entry that is left out, once. */
int leave_out(struct dir_sink *sink, struct err *err)
{
	if (is_fatal(err))
		return -1;
	if (sink->has_failed)
		return 0;
	sink->has_failed = true;
	sink->stats.failed++;
	if (sink->options.failed)
		sink->options.failed(sink->options.arg, err);
	return 0;
}

/* The same for what the main thread found out, without the name in front. */
static int tell_failed(struct dir_sink *sink, const struct entry *entry,
		       struct err *why, struct err *err)
{
	char name[NAME_TEXT_LEN];

	if (is_fatal(why)) {
		*err = *why;
		return -1;
	}
	if (*entry->path)
		err_in(why, "%s",
		       name_text(entry->path, strlen(entry->path), name));
	if (entry->origin && entry->origin->name)
		err_in(why, "%s", entry->origin->name);
	return leave_out(sink, why);
}

/* Removes a shared file whose content could not be had. */
static void drop_shared(struct dir_sink *sink, struct made *made)
{
	shared_close(sink, made);
	shared_remove(sink, made);
	made->is_shared = false;
}

/* All pieces of a shared file are written. */
static int end_shared(struct dir_sink *sink, const struct entry *entry,
		      struct made *made, struct err *err)
{
	struct attrs attrs;
	struct err why;
	int ret = 0;

	if (sink->has_failed) {
		drop_shared(sink, made);
		return 0;
	}
	attrs_of(sink, entry, &attrs);
	if (!attrs.has_mode)
		attrs.mode = 0666 & ~sink->umask;
	attrs.has_mode = true;
	if (made->fd < 0) {
		ret = shared_open(&sink->walk, made, &made->fd, &why);
		sink->open_count += ret == 0;
	}
	if (ret < 0) {
		drop_shared(sink, made);
		return tell_failed(sink, entry, &why, err);
	}
	attrs_set(made->fd, false, &attrs, &made->losses);
	ret = close(made->fd);
	made->fd = -1;
	sink->open_count--;
	if (ret < 0) {
		out_failed(entry->path, &why, "close");
		drop_shared(sink, made);
		return tell_failed(sink, entry, &why, err);
	}
	made->outcome = OUTCOME_MADE;
	return 0;
}

static int end_link(struct dir_sink *sink, const struct entry *entry,
		    struct made *made, struct err *err)
{
	enum outcome target = missing_as(sink, entry->link);
	char text[NAME_TEXT_LEN];
	struct err why;

	switch (target) {
	case OUTCOME_LEFT_OUT:
		made->outcome = target;
		return 0;
	case OUTCOME_LOST:
		made->outcome = target;
		made->losses.device = ENOENT;
		return 0;
	case OUTCOME_FAILED:
		err_set(&why, ERR_IO, "hard link to %s, which was left out",
			name_text(entry->link, strlen(entry->link), text));
		break;
	default:
		if (make_link(sink, entry, &made->outcome, &why) == 0)
			return 0;
		break;
	}
	made->outcome = OUTCOME_FAILED;
	return tell_failed(sink, entry, &why, err);
}

static void count_made(struct dir_sink *sink, const struct entry *entry)
{
	struct dir_sink_stats *stats = &sink->stats;

	switch (entry->type) {
	case ENTRY_FILE:
		stats->files++;
		stats->bytes += entry->size;
		break;
	case ENTRY_DIR:
		stats->dirs++;
		break;
	case ENTRY_SYMLINK:
		stats->symlinks++;
		break;
	case ENTRY_HARDLINK:
		stats->hard_links++;
		break;
	case ENTRY_BLOCK_DEVICE:
	case ENTRY_CHAR_DEVICE:
		stats->devices++;
		break;
	case ENTRY_FIFO:
		stats->fifos++;
		break;
	case ENTRY_SOCKET:
		stats->sockets++;
		break;
	}
}

/* What is known about the entry by now is counted, and told. */
static int settle(struct dir_sink *sink, const struct entry *entry,
		  const struct made *made, struct err *err)
{
	enum outcome outcome = made->outcome;
	struct attrs attrs;

	if (sink->has_failed)
		outcome = OUTCOME_FAILED;
	switch (outcome) {
	case OUTCOME_KEPT:
		sink->stats.kept++;
		return 0;
	case OUTCOME_OPEN:
	case OUTCOME_MADE:
		count_made(sink, entry);
		break;
	case OUTCOME_FAILED:
	case OUTCOME_LEFT_OUT:
		return note_missing(sink, entry, outcome, err);
	case OUTCOME_LOST:
		if (note_missing(sink, entry, outcome, err) < 0)
			return -1;
		break;
	}
	attrs_of(sink, entry, &attrs);
	return losses_report(sink->options.warner, entry->path, &attrs,
			     &made->losses, err);
}

int end_entry(struct dir_sink *sink, const struct entry *entry,
	      struct made *made, struct err *err)
{
	int ret = 0;

	if (made->fault)
		ret = tell_failed(sink, entry, made->fault, err);
	else if (entry->type == ENTRY_HARDLINK)
		ret = end_link(sink, entry, made, err);
	else if (made->is_shared)
		ret = end_shared(sink, entry, made, err);
	return ret < 0 ? -1 : settle(sink, entry, made, err);
}
