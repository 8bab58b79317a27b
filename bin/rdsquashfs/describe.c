/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/message.h"
#include "common/quote.h"
#include "entry/entry.h"
#include "entry/source.h"
#include "rdsquashfs/options.h"
#include "rdsquashfs/view.h"
#include "unpack/unpack.h"
#include "util/account.h"
#include "util/err.h"

/*
 * -d: a description of all entries that a packer makes the same tree from.
 * Format: doc/describe.md.
 */

static const char *keyword(enum entry_type type)
{
	switch (type) {
	case ENTRY_FILE:
		return "file";
	case ENTRY_DIR:
		return "dir";
	case ENTRY_SYMLINK:
		return "slink";
	case ENTRY_HARDLINK:
		return "link";
	case ENTRY_BLOCK_DEVICE:
	case ENTRY_CHAR_DEVICE:
		return "nod";
	case ENTRY_FIFO:
		return "pipe";
	case ENTRY_SOCKET:
		return "sock";
	}
	return "";
}

static void put_path(const char *path)
{
	if (*path)
		quote_word(stdout, path, strlen(path), false);
	else
		putchar('/');
}

/* The source of a file: what -p says, and the path. ERR_NOMEM. */
static int put_source(const char *root, const char *path, struct err *err)
{
	struct buffer text = { .data = NULL };
	size_t len = strlen(root);
	int ret = -1;

	while (len > 1 && root[len - 1] == '/')
		len--;
	if (buffer_append(&text, root, len, err) == 0 &&
	    (root[len - 1] == '/' || buffer_append(&text, "/", 1, err) == 0) &&
	    buffer_append(&text, path, strlen(path), err) == 0) {
		putchar(' ');
		quote_word(stdout, (char *)text.data, text.len, false);
		ret = 0;
	}
	buffer_cleanup(&text);
	return ret;
}

static int put_entry(const struct entry *entry, const char *root,
		     struct err *err)
{
	int ret = 0;

	printf("%s ", keyword(entry->type));
	put_path(entry->path);
	if (entry->type == ENTRY_HARDLINK)
		fputs(" - - -", stdout);
	else
		printf(" 0%03o %" PRIu32 " %" PRIu32, entry->mode, entry->uid,
		       entry->gid);
	if (entry->type == ENTRY_HARDLINK || entry->type == ENTRY_SYMLINK) {
		putchar(' ');
		quote_word(stdout, entry->link, strlen(entry->link), false);
	}
	if (entry->type == ENTRY_BLOCK_DEVICE ||
	    entry->type == ENTRY_CHAR_DEVICE)
		printf(" %c %" PRIu32 " %" PRIu32,
		       entry->type == ENTRY_BLOCK_DEVICE ? 'b' : 'c',
		       entry->major, entry->minor);
	if (entry->type == ENTRY_FILE && root)
		ret = put_source(root, entry->path, err);
	putchar('\n');
	return ret;
}

/* What the language of old does not have, where it says anything. */
static void put_more(const struct entry *entry)
{
	if (entry->type == ENTRY_HARDLINK)
		return;
	if (entry->mtime != 0) {
		fputs("time ", stdout);
		put_path(entry->path);
		printf(" %" PRId64 "\n", entry->mtime);
	}
	for (size_t i = 0; i < entry->xattr_count; i++) {
		const struct xattr *xattr = &entry->xattrs[i];

		fputs("xattr ", stdout);
		put_path(entry->path);
		putchar(' ');
		quote_word(stdout, xattr->name, strlen(xattr->name), false);
		putchar(' ');
		quote_value(stdout, xattr->value, xattr->len);
		putchar('\n');
	}
}

int view_describe(struct view *view, struct err *err)
{
	const struct image_source_options options = {
		.warner = &view->message->warner,
	};
	struct source *source = NULL;
	struct entry *entry;
	int ret;

	ret = image_source_create(view->image, &options, &source, err);
	while (ret == 0) {
		ret = source_next(source, &entry, err);
		if (ret != 0)
			break;
		account_count(ACCOUNT_ENTRIES, 1);
		ret = put_entry(entry, view->options->root, err);
		put_more(entry);
		entry_destroy(entry);
		if (ret == 0)
			ret = view_output(err);
	}
	source_destroy(source);
	message_warnings_end(view->message);
	return ret < 0 ? -1 : 0;
}
