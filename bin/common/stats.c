/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/stats.h"

#include <errno.h>
#include <inttypes.h>

#include "common/costs.h"
#include "common/json.h"
#include "common/size_text.h"
#include "pack/pack.h"
#include "util/err.h"

const char *const stats_formats[] = { "text", "json", NULL };

static void print_size(FILE *out, const char *label, uint64_t bytes)
{
	char text[SIZE_TEXT_LEN];

	fprintf(out, "%s: %s\n", label, size_text(bytes, text));
}

static void print_count(FILE *out, const char *label, uint64_t count)
{
	fprintf(out, "%s: %" PRIu64 "\n", label, count);
}

/* Scripts read these labels: they are those of squashfs-tools-ng. */
static void print_established(const struct pack_stats *stats, FILE *out)
{
	fputs("---------------------------------------------------\n", out);
	print_size(out, "Data bytes read", stats->bytes_read);
	print_size(out, "Data bytes written", stats->bytes_stored);
	fprintf(out, "Data compression ratio: %u%%\n\n",
		percent_of(stats->bytes_stored, stats->bytes_read));

	print_count(out, "Files", stats->files);
	print_count(out, "Directories", stats->dirs);
	print_count(out, "IPC files", stats->ipcs);
	print_count(out, "Device files", stats->devices);
	print_count(out, "Hard links", stats->hard_links);
	print_count(out, "Soft links", stats->symlinks);

	fputc('\n', out);
	print_count(out, "Data blocks written", stats->blocks);
	print_count(out, "Out of which were fragment blocks",
		    stats->fragment_blocks);
	print_count(out, "Duplicate blocks omitted", stats->duplicate_blocks);
	print_count(out, "Sparse blocks omitted", stats->sparse_blocks);

	fputc('\n', out);
	print_count(out, "Fragments actually written", stats->tail_ends);
	print_count(out, "Duplicated fragments omitted",
		    stats->duplicate_tail_ends);
	print_count(out, "Total number of inodes", stats->inodes);
	print_count(out, "Number of unique group/user IDs", stats->ids);
}

void stats_print(const struct pack_stats *stats, FILE *out)
{
	print_established(stats, out);
	fputc('\n', out);
	print_size(out, "Saved by duplicates",
		   stats->duplicate_bytes + stats->duplicate_tail_bytes);
	print_size(out, "Saved by holes", stats->sparse_bytes);
	print_count(out, "Blocks saved by fragments", stats->tail_blocks_saved);
	print_count(out, "Sets of extended attributes", stats->xattr_sets);
	print_size(out, "Inode table bytes", stats->inode_table_len);
	print_size(out, "Directory table bytes", stats->directory_table_len);
	print_size(out, "Image bytes", stats->image_len);
}

void stats_json(const struct pack_stats *stats, const struct costs *costs,
		FILE *out)
{
	const struct {
		const char *key;
		uint64_t value;
	} rows[] = {
		{ "bytes_read", stats->bytes_read },
		{ "bytes_stored", stats->bytes_stored },
		{ "image_bytes", stats->image_len },
		{ "files", stats->files },
		{ "directories", stats->dirs },
		{ "symlinks", stats->symlinks },
		{ "devices", stats->devices },
		{ "ipc_files", stats->ipcs },
		{ "hard_links", stats->hard_links },
		{ "blocks", stats->blocks },
		{ "fragment_blocks", stats->fragment_blocks },
		{ "duplicate_blocks", stats->duplicate_blocks },
		{ "duplicate_bytes", stats->duplicate_bytes },
		{ "sparse_blocks", stats->sparse_blocks },
		{ "sparse_bytes", stats->sparse_bytes },
		{ "tail_ends", stats->tail_ends },
		{ "duplicate_tail_ends", stats->duplicate_tail_ends },
		{ "duplicate_tail_bytes", stats->duplicate_tail_bytes },
		{ "blocks_saved_by_fragments", stats->tail_blocks_saved },
		{ "inodes", stats->inodes },
		{ "ids", stats->ids },
		{ "xattr_sets", stats->xattr_sets },
		{ "inode_table_bytes", stats->inode_table_len },
		{ "directory_table_bytes", stats->directory_table_len },
	};
	struct json json;

	json_init(&json, out);
	json_object(&json, NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		json_number(&json, rows[i].key, rows[i].value);
	costs_json(costs, &json);
	json_end(&json);
}

int stats_costs(enum stats_format format, const struct costs *costs,
		struct err *err)
{
	struct json json;

	errno = 0;
	switch (format) {
	case STATS_NONE:
		return 0;
	case STATS_TEXT:
		costs_text(costs, stderr);
		break;
	case STATS_JSON:
		json_init(&json, stderr);
		json_object(&json, NULL);
		costs_json(costs, &json);
		json_end(&json);
		break;
	}
	if (fflush(stderr) == 0 && !ferror(stderr))
		return 0;
	if (errno == 0)
		errno = EIO;
	return err_sys(err, "standard error");
}
