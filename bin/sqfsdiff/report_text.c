/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sqfsdiff/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/quote.h"
#include "diff/diff.h"

/* Values of attributes are cut to so many bytes. */
#define VALUE_MAX 48

/* A line that is being written. */
struct line {
	bool has_items;
};

static void put_text(const char *text)
{
	quote_word(stdout, text, strlen(text), false);
}

static void put_path(const char *path, const struct diff_node *node)
{
	if (*path)
		put_text(path);
	if (!*path || node->type == ENTRY_DIR)
		putchar('/');
}

/* What stands in front of each item behind the path. */
static void begin(struct line *line, const char *what)
{
	printf("%s%s ", line->has_items ? ", " : ": ", what);
	line->has_items = true;
}

static void put_numbers(struct line *line, const char *what, uint64_t old,
			uint64_t new)
{
	begin(line, what);
	printf("%" PRIu64 " -> %" PRIu64, old, new);
}

static void put_first(const char *first)
{
	if (!first)
		fputs("none", stdout);
	else
		put_text(first);
}

static void put_value(const struct xattr *xattr)
{
	size_t len = xattr->len < VALUE_MAX ? xattr->len : VALUE_MAX;

	quote_value(stdout, xattr->value, len);
	if (len < xattr->len)
		printf("... (%zu bytes)", xattr->len);
}

static void put_xattr(void *arg, const struct xattr *old,
		      const struct xattr *new)
{
	begin(arg, "xattr");
	put_text(old ? old->name : new->name);
	putchar(' ');
	if (old)
		put_value(old);
	else
		fputs("none", stdout);
	fputs(" -> ", stdout);
	if (new)
		put_value(new);
	else
		fputs("none", stdout);
}

static void put_content(struct line *line, const struct diff_change *change)
{
	uint64_t at = change->differs_at, span = change->differs_span;

	begin(line, "content differs");
	if (span == 1)
		printf("from byte %" PRIu64, at);
	else
		printf("in bytes %" PRIu64 " to %" PRIu64, at, at + span - 1);
}

static void put_attributes(struct line *line, const struct diff_change *change)
{
	const struct diff_node *old = change->old, *new = change->new;
	char a[REPORT_TIME_LEN], b[REPORT_TIME_LEN];

	if (change->what & DIFF_MODE) {
		begin(line, "mode");
		printf("%04o -> %04o", old->mode, new->mode);
	}
	if (change->what & DIFF_OWNER) {
		begin(line, "owner");
		printf("%" PRIu32 ":%" PRIu32 " -> %" PRIu32 ":%" PRIu32,
		       old->uid, old->gid, new->uid, new->gid);
	}
	if (change->what & DIFF_TIME) {
		begin(line, "time");
		printf("%s -> %s", report_time(old->mtime, a),
		       report_time(new->mtime, b));
	}
	if (change->what & DIFF_XATTRS)
		report_xattrs(change, put_xattr, line);
	if (change->what & DIFF_NUMBER)
		put_numbers(line, "inode", old->number, new->number);
}

static void put_changes(const struct diff_change *change)
{
	const struct diff_node *old = change->old, *new = change->new;
	struct line line = { false };

	if (change->what & DIFF_TYPE) {
		begin(&line, "type");
		printf("%s -> %s", entry_type_name(old->type),
		       entry_type_name(new->type));
	}
	if (change->what & DIFF_SIZE)
		put_numbers(&line, "size", old->size, new->size);
	if (change->what & DIFF_CONTENT)
		put_content(&line, change);
	if (change->what & DIFF_TARGET) {
		begin(&line, "target");
		put_text(old->target);
		fputs(" -> ", stdout);
		put_text(new->target);
	}
	if (change->what & DIFF_DEVICE) {
		begin(&line, "device");
		printf("%" PRIu32 ":%" PRIu32 " -> %" PRIu32 ":%" PRIu32,
		       old->major, old->minor, new->major, new->minor);
	}
	if (change->what & DIFF_LINKS) {
		begin(&line, "hard link to");
		put_first(old->first);
		fputs(" -> ", stdout);
		put_first(new->first);
	}
	put_attributes(&line, change);
}

void report_text(const struct diff_change *change)
{
	putchar(!change->new ? '-' : !change->old ? '+' : '~');
	putchar(' ');
	put_path(change->path, !change->new ? change->old : change->new);
	if (change->old && change->new)
		put_changes(change);
	putchar('\n');
}
