/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/stats.h"

#include <inttypes.h>

#include "common/size_text.h"
#include "pack/pack.h"

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
