/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tar2sqfs/archives.h"

#include <stdlib.h>
#include <unistd.h>

#include "common/message.h"
#include "entry/chain.h"
#include "entry/source.h"
#include "io/input.h"
#include "io/reader.h"
#include "tar/tar.h"
#include "tar2sqfs/input.h"
#include "tar2sqfs/options.h"
#include "util/err.h"
#include "util/num.h"

struct archives {
	const struct options *options;
	struct message *message;
	struct input_options input;
	bool input_closed;
	const char **names; /* one for each */
	int *fds;	    /* one for each; -1: not open, or not ours */
};

static int open_archive(void *arg, size_t index, struct source **out,
			struct err *err)
{
	struct archives *archives = arg;
	const struct options *options = archives->options;
	const char *path = options->archives[index];
	const struct tar_options tar = {
		.warner = &archives->message->warner,
		.ignore_zeros = options->ignore_zeros,
		.ignore_missing_eof = options->ignore_missing_eof,
		.no_xattr = options->no_xattr,
	};
	struct reader *reader;
	int fd;

	if (input_open(path, archives->input_closed, &fd, err) < 0)
		return -1;
	if (path)
		archives->fds[index] = fd;
	if (reader_open(fd, &archives->input, &reader, err) < 0)
		return -1;
	return tar_source_create(reader, &tar, out, err);
}

static void close_archive(void *arg, size_t index)
{
	struct archives *archives = arg;

	if (archives->fds[index] >= 0)
		close(archives->fds[index]);
	archives->fds[index] = -1;
}

/* Warnings that come between two archives have no archive to name. */
static void enter_archive(void *arg, const char *name)
{
	((struct archives *)arg)->message->input = name;
}

/*
 * Looks at each archive before anything is written.
 *
 * total    bytes of all of them; 0 if that is not known
 */
static int check_archives(struct archives *archives, uint64_t *total,
			  struct err *err)
{
	const struct options *options = archives->options;
	bool is_known = true;

	*total = 0;
	for (size_t i = 0; i < options->archive_count; i++) {
		uint64_t size;

		if (input_check(options->archives[i], archives->input_closed,
				options->output, &size, err) < 0)
			return -1;
		if (size == 0 || !add_u64(*total, size, total))
			is_known = false;
		archives->names[i] = input_name(options->archives[i]);
	}
	if (!is_known)
		*total = 0;
	return 0;
}

static int make_chain(struct archives *archives, struct source **source,
		      struct err *err)
{
	const size_t count = archives->options->archive_count;
	struct chain_options chain = {
		.count = count,
		.open = open_archive,
		.close = close_archive,
		.arg = archives,
	};

	if (check_archives(archives, &chain.total, err) < 0)
		return -1;
	/* The name of a single one is in front of everything anyway. */
	if (count > 1) {
		chain.names = archives->names;
		chain.enter = enter_archive;
	}
	return chain_create(&chain, source, err);
}

int archives_create(const struct options *options, struct message *message,
		    const struct input_options *input, bool input_closed,
		    struct archives **out, struct source **source,
		    struct err *err)
{
	const size_t count = options->archive_count;
	struct archives *archives = calloc(1, sizeof(*archives));

	if (!archives)
		return err_nomem(err);
	archives->options = options;
	archives->message = message;
	archives->input = *input;
	archives->input.is_plain = tar_is_header;
	archives->input_closed = input_closed;
	archives->names = calloc(count, sizeof(*archives->names));
	archives->fds = calloc(count, sizeof(*archives->fds));
	if (!archives->names || !archives->fds) {
		archives_destroy(archives);
		return err_nomem(err);
	}
	for (size_t i = 0; i < count; i++)
		archives->fds[i] = -1;
	if (make_chain(archives, source, err) < 0) {
		archives_destroy(archives);
		return -1;
	}
	*out = archives;
	return 0;
}

void archives_destroy(struct archives *archives)
{
	if (!archives)
		return;
	for (size_t i = 0;
	     archives->fds && i < archives->options->archive_count; i++)
		close_archive(archives, i);
	free(archives->names);
	free(archives->fds);
	free(archives);
}
