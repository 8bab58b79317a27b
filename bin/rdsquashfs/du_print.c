/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/json.h"
#include "common/quote.h"
#include "rdsquashfs/du.h"
#include "rdsquashfs/options.h"
#include "rdsquashfs/view.h"

/* Lines of a table of kinds or owners; the rest is in one. */
#define ROWS_MAX 20

static void print_line(const struct usage *usage, const struct charge *charge,
		       bool has_counts)
{
	double percent = usage->total > 0 ? 100.0 * (double)charge->bytes /
						    (double)usage->total
					  : 0;

	printf("%14" PRIu64 " %5.1f%%", charge->bytes, percent);
	if (has_counts)
		printf(" %14" PRIu64 " %9" PRIu64, charge->shared,
		       charge->entries);
	fputs("  ", stdout);
}

static void print_table(const struct usage *usage, const struct tally *tally,
			const char *title, size_t max)
{
	struct charge others = { .bytes = 0 };

	printf("%14s %6s %14s %9s  %s\n", "bytes", "", "shared", "entries",
	       title);
	for (size_t i = 0; i < tally->count; i++) {
		const struct tally_row *row = &tally->rows[i];

		if (i >= max) {
			charge_add(&others, &row->charge);
			continue;
		}
		print_line(usage, &row->charge, true);
		if (tally == &usage->dirs || tally == &usage->files)
			putchar('/');
		quote_listed(stdout, row->key, row->key_len);
		putchar('\n');
	}
	if (tally->count > max && tally != &usage->files) {
		print_line(usage, &others, true);
		printf("(%zu others)\n", tally->count - max);
	}
	putchar('\n');
}

static void print_rest(const struct usage *usage, uint64_t bytes,
		       const char *what)
{
	const struct charge charge = { .bytes = bytes };

	print_line(usage, &charge, false);
	puts(what);
}

static uint64_t named_bytes(const struct usage *usage)
{
	for (size_t i = 0; i < usage->dirs.count; i++)
		if (usage->dirs.rows[i].key_len == 0)
			return usage->dirs.rows[i].charge.bytes;
	return 0;
}

static void print_text(const struct usage *usage)
{
	print_table(usage, &usage->dirs, "directory", SIZE_MAX);
	print_table(usage, &usage->kinds, "kind", ROWS_MAX);
	print_table(usage, &usage->owners, "owner", ROWS_MAX);
	print_table(usage, &usage->files, "file", DU_FILES);
	printf("%14s\n", "bytes");
	print_rest(usage, named_bytes(usage), "entries");
	print_rest(usage, usage->rest.super, "super block");
	print_rest(usage, usage->rest.tables,
		   "tables of fragments, export, ids and attributes");
	print_rest(usage, usage->rest.unnamed, "named by no entry");
	if (usage->rest.twice > 0)
		printf("%14s-%" PRIu64 " counted twice\n", "",
		       usage->rest.twice);
	print_rest(usage, usage->total, "in all");
}

static void put_table(struct json *json, const struct tally *tally,
		      const char *key, const char *name, size_t max)
{
	json_array(json, key);
	for (size_t i = 0; i < tally->count && i < max; i++) {
		const struct tally_row *row = &tally->rows[i];

		json_object(json, NULL);
		json_bytes(json, name, row->key, row->key_len);
		json_number(json, "bytes", row->charge.bytes);
		json_number(json, "shared", row->charge.shared);
		json_number(json, "entries", row->charge.entries);
		json_end(json);
	}
	json_end(json);
}

static void print_json(const struct usage *usage)
{
	struct json json;

	json_init(&json, stdout);
	json_object(&json, NULL);
	put_table(&json, &usage->dirs, "directories", "path", SIZE_MAX);
	put_table(&json, &usage->kinds, "kinds", "kind", SIZE_MAX);
	put_table(&json, &usage->owners, "owners", "owner", SIZE_MAX);
	put_table(&json, &usage->files, "files", "path", DU_FILES);
	json_number(&json, "entries", named_bytes(usage));
	json_number(&json, "super", usage->rest.super);
	json_number(&json, "tables", usage->rest.tables);
	json_number(&json, "unnamed", usage->rest.unnamed);
	json_number(&json, "twice", usage->rest.twice);
	json_number(&json, "total", usage->total);
	json_end(&json);
}

void usage_print(const struct view *view, struct usage *usage)
{
	tally_sort(&usage->dirs);
	tally_sort(&usage->kinds);
	tally_sort(&usage->owners);
	tally_sort(&usage->files);
	if (view->options->json)
		print_json(usage);
	else
		print_text(usage);
}
