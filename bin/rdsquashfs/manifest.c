/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/message.h"
#include "common/quote.h"
#include "entry/entry.h"
#include "entry/source.h"
#include "rdsquashfs/digests.h"
#include "rdsquashfs/options.h"
#include "rdsquashfs/view.h"
#include "unpack/unpack.h"
#include "util/err.h"

/*
 * --manifest: a line for each file or entry, with paths relative to where the
 * image is unpacked to or mounted.
 */

struct manifest {
	const struct view *view;
	bool has_failed;
};

static void put_digest(const uint8_t digest[SHA256_LEN])
{
	for (int i = 0; i < SHA256_LEN; i++)
		printf("%02x", digest[i]);
}

/* A line of sha256sum, which begins with a backslash if the name is quoted. */
static void print_sum(const struct digested *item)
{
	const char *path = item->entry->path;
	const size_t len = strlen(path);

	if (!item->has_digest)
		return;
	if (quote_sum_name(stdout, path, len, false))
		putchar('\\');
	put_digest(item->digest);
	fputs("  ./", stdout);
	quote_sum_name(stdout, path, len, true);
	putchar('\n');
}

static const char *mtree_type(enum entry_type type)
{
	switch (type) {
	case ENTRY_DIR:
		return "dir";
	case ENTRY_SYMLINK:
		return "link";
	case ENTRY_BLOCK_DEVICE:
		return "block";
	case ENTRY_CHAR_DEVICE:
		return "char";
	case ENTRY_FIFO:
		return "fifo";
	case ENTRY_SOCKET:
		return "socket";
	case ENTRY_FILE:
	case ENTRY_HARDLINK:
		break;
	}
	return "file";
}

/* A line of mtree(5). */
static void print_mtree(const struct digested *item)
{
	const struct entry *entry = item->entry;

	putchar('.');
	if (*entry->path) {
		putchar('/');
		quote_mtree(stdout, entry->path, strlen(entry->path));
	}
	printf(" type=%s mode=0%o uid=%" PRIu32 " gid=%" PRIu32
	       " nlink=%" PRIu32 " time=%" PRId64 ".0",
	       mtree_type(entry->type), entry->mode, entry->uid, entry->gid,
	       entry_stored(entry)->nlink, entry->mtime);
	if (entry->type == ENTRY_FILE)
		printf(" size=%" PRIu64, entry->size);
	if (entry->type == ENTRY_SYMLINK) {
		fputs(" link=", stdout);
		quote_mtree(stdout, entry->link, strlen(entry->link));
	}
	if (entry->type == ENTRY_BLOCK_DEVICE ||
	    entry->type == ENTRY_CHAR_DEVICE)
		printf(" device=native,%" PRIu32 ",%" PRIu32, entry->major,
		       entry->minor);
	if (item->has_digest) {
		fputs(" sha256digest=", stdout);
		put_digest(item->digest);
	}
	putchar('\n');
}

static int give(void *arg, const struct digested *item, struct err *err)
{
	const struct manifest *manifest = arg;

	if (manifest->view->options->manifest == MANIFEST_MTREE)
		print_mtree(item);
	else
		print_sum(item);
	return view_output(err);
}

static void failed(void *arg, const struct err *err)
{
	struct manifest *manifest = arg;

	view_tell(manifest->view, err);
	manifest->has_failed = true;
}

int view_manifest(struct view *view, struct err *err)
{
	static const struct digests_ops ops = { give, failed };
	const struct image_source_options options = {
		.no_xattrs = true,
		.no_hard_links = true,
	};
	struct manifest manifest = { .view = view };
	struct source *source = NULL;
	int ret;

	ret = image_source_create(view->image, &options, &source, err);
	if (ret == 0 && view->options->manifest == MANIFEST_MTREE)
		puts("#mtree");
	if (ret == 0)
		ret = digests_run(view, source, &ops, &manifest, err);
	source_destroy(source);
	if (ret < 0)
		return -1;
	return manifest.has_failed ? VIEW_FAULTS : 0;
}
