/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "internal.h"

/*
 * Inodes, one record behind the other. A record with a wrong field is told and
 * kept; only one whose length cannot be told ends the walk. Names that lead
 * behind it let it begin again there. Format: doc/squashfs.md, "Inodes".
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sqfs/image.h"
#include "sqfs/meta.h"
#include "sqfs/super.h"
#include "util/num.h"

#define HEADER_LEN	16
#define FIXED_MAX	56
#define EXTENDED	7  /* added to a basic type */
#define NOT_LISTING	3  /* the size of a directory counts so much more */
#define INDEX_HEAD	12
#define INDEX_NAME_MAX	256
#define MODE_MASK	07777
#define WORDS_AT_ONCE	256
#define WORDS_MAX	(16u << 20) /* in memory, 64 MiB of them */

/* Bytes of a record without its lists, by type; of an extended symlink without
 * the index, too, which comes behind the target. */
static const uint8_t fixed_len[] = { 0,	 32, 32, 24, 24, 24, 20, 20,
				     40, 56, 24, 28, 28, 24, 24 };

struct record {
	uint64_t pos, next;
	uint8_t raw[FIXED_MAX];
	bool is_extended;
	uint32_t node; /* its own */
	uint64_t at;   /* byte of the image */
};

/* The segment that begins last of those at pos or before it; or the count. */
static size_t find_segment(const struct check *c, uint64_t pos)
{
	size_t low = 0, high = c->segment_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (c->segments[middle].pos <= pos)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? low - 1 : c->segment_count;
}

uint32_t find_node(struct check *c, uint64_t pos)
{
	const struct segment *s;
	uint32_t low, high;
	size_t i;

	/* Names mostly come in the order of the inodes. */
	for (i = c->last_node; i < c->last_node + 2 && i < c->node_count; i++)
		if (c->nodes[i].pos == pos) {
			c->last_node = i;
			return (uint32_t)i;
		}
	i = find_segment(c, pos);
	if (i == c->segment_count)
		return NONE;
	s = &c->segments[i];
	low = s->first;
	high = s->first + s->count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (c->nodes[middle].pos < pos)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == s->first + s->count || c->nodes[low].pos != pos)
		return NONE;
	c->last_node = low;
	return low;
}

/* Tells that the walk ends at a record. */
static int broken(struct check *c, const struct record *r, const char *what)
{
	fault(c, FAULT_INODE, r->at,
	      "inode table: record %zu at %" PRIu64 ":%u: %s; the records "
	      "behind it are found by their names only",
	      c->node_count, r->at - c->inodes.start,
	      (unsigned)(r->pos % META_LEN), what);
	return 1;
}

static int get(struct check *c, struct record *r, void *buf, size_t len,
	       struct err *err)
{
	int ret = stream_get(c, &c->inodes, r->next, buf, len, err);

	if (ret > 0)
		return broken(c, r, "the table cannot be read so far");
	r->next += len;
	return ret;
}

static struct node *node_of(struct check *c, const struct record *r)
{
	return &c->nodes[r->node];
}

static void record_fault(struct check *c, const struct record *r,
			 enum fault_kind kind, const char *what,
			 uint64_t value)
{
	node_fault(c, kind, r->node, r->at, "%s is %" PRIu64, what, value);
}

static void check_xattr(struct check *c, const struct record *r,
			uint32_t index)
{
	if (index != INODE_NO_XATTR && index >= c->xattr_count)
		node_fault(c, FAULT_XATTR, r->node, r->at,
			   "attribute set %" PRIu32 " is named, there are "
			   "%" PRIu32,
			   index, c->xattr_count);
}

/* Passes over the points of an index; their sense shows with the listing. */
static int pass_index(struct check *c, struct record *r, uint32_t count,
		      struct err *err)
{
	for (uint32_t i = 0; i < count; i++) {
		uint8_t head[INDEX_HEAD];
		int ret = get(c, r, head, sizeof(head), err);

		if (ret != 0)
			return ret;
		if (get_le32(head + 8) >= INDEX_NAME_MAX)
			return broken(c, r, "a name of its directory index is "
					    "too long");
		r->next += get_le32(head + 8) + (uint64_t)1;
	}
	return 0;
}

static int read_dir(struct check *c, struct record *r, struct err *err)
{
	const uint8_t *raw = r->raw;
	struct directory *dir;
	uint32_t size;

	if (array_reserve(&c->dirs, &c->dir_cap, c->dir_count + 1,
			  sizeof(*c->dirs), err) < 0)
		return -1;
	dir = &c->dirs[c->dir_count++];
	*dir = (struct directory){ .node = r->node };
	if (r->is_extended) {
		node_of(c, r)->nlink = get_le32(raw + 16);
		size = get_le32(raw + 20);
		dir->block = get_le32(raw + 24);
		dir->parent = get_le32(raw + 28);
		dir->index_count = get_le16(raw + 32);
		dir->offset = get_le16(raw + 34);
		check_xattr(c, r, get_le32(raw + 36));
	} else {
		dir->block = get_le32(raw + 16);
		node_of(c, r)->nlink = get_le32(raw + 20);
		size = get_le16(raw + 24);
		dir->offset = get_le16(raw + 26);
		dir->parent = get_le32(raw + 28);
	}
	if (size < NOT_LISTING)
		record_fault(c, r, FAULT_INODE,
			     "its size, which counts 3 besides the listing,",
			     size);
	else
		dir->len = size - NOT_LISTING;
	return pass_index(c, r, dir->index_count, err);
}

/* What a file says about its content. */
struct content {
	uint64_t start, size, sparse;
	uint32_t fragment, fragment_offset;
	uint64_t count;	  /* of words */
	uint64_t stored;  /* bytes of all blocks */
	bool is_faulty;	  /* one fault of its words was told */
};

static void check_word(struct check *c, const struct record *r,
		       struct content *f, uint64_t i, uint32_t word)
{
	uint32_t len = BLOCK_WORD_LEN(word);

	f->stored += len;
	if (((word & ~(BLOCK_WORD_RAW | 0xFFFFFFu)) == 0 &&
	     len <= c->super->block_size && word != BLOCK_WORD_RAW) ||
	    f->is_faulty)
		return;
	f->is_faulty = true;
	node_fault(c, FAULT_INODE, r->node, r->at,
		   "block %" PRIu64 ": its word is 0x%08" PRIx32, i, word);
}

/* Keeps words in memory as long as there is room for them. */
static bool keep_words(struct check *c, const uint8_t *raw, size_t count)
{
	if (c->word_count + count > WORDS_MAX ||
	    array_reserve(&c->words, &c->word_cap, c->word_count + count,
			  sizeof(*c->words), NULL) < 0)
		return false;
	for (size_t i = 0; i < count; i++)
		c->words[c->word_count++] = get_le32(raw + 4 * i);
	return true;
}

static int read_words(struct check *c, struct record *r, struct content *f,
		      struct run *run, struct err *err)
{
	uint8_t raw[WORDS_AT_ONCE * 4];
	uint64_t pos = r->next;

	*run = (struct run){ .start = f->start,
			     .words = c->word_count,
			     .count = f->count,
			     .owner = r->node };
	for (uint64_t i = 0; i < f->count;) {
		size_t n = f->count - i < WORDS_AT_ONCE
				   ? (size_t)(f->count - i)
				   : WORDS_AT_ONCE;
		int ret = get(c, r, raw, n * 4, err);

		if (ret != 0)
			return ret;
		for (size_t k = 0; k < n; k++)
			check_word(c, r, f, i + k, get_le32(raw + 4 * k));
		if (!run->in_table && !keep_words(c, raw, n)) {
			c->word_count = run->words;
			run->words = pos;
			run->in_table = true;
		}
		i += n;
	}
	return 0;
}

/* Notes the blocks for the end, if they are where data may be. */
static int note_run(struct check *c, const struct record *r,
		    const struct content *f, const struct run *run,
		    struct err *err)
{
	if (f->stored == 0) {
		if (!run->in_table)
			c->word_count = run->words;
		return 0;
	}
	if (f->start < c->data_start || f->start > c->super->inode_table ||
	    f->stored > c->super->inode_table - f->start)
		node_fault(c, FAULT_INODE, r->node, r->at,
			   "its %" PRIu64 " bytes of blocks from byte "
			   "%" PRIu64 " on are not within %" PRIu64
			   " to %" PRIu64,
			   f->stored, f->start, c->data_start,
			   c->super->inode_table);
	if (f->start < c->data_start)
		return 0;
	if (array_reserve(&c->runs, &c->run_cap, c->run_count + 1,
			  sizeof(*c->runs), err) < 0)
		return -1;
	c->runs[c->run_count] = *run;
	c->runs[c->run_count++].last_len =
		f->fragment != INODE_NO_FRAGMENT ||
				f->size % c->super->block_size == 0
			? c->super->block_size
			: (uint32_t)(f->size % c->super->block_size);
	return 0;
}

/* Notes how much of its fragment block the tail-end wants. */
static void note_tail_end(struct check *c, const struct record *r,
			  const struct content *f)
{
	uint64_t tail = f->size % c->super->block_size;
	uint64_t end = f->fragment_offset + tail;

	if (f->fragment == INODE_NO_FRAGMENT)
		return;
	if (f->fragment >= c->super->fragment_count)
		node_fault(c, FAULT_INODE, r->node, r->at,
			   "fragment block %" PRIu32 " of %" PRIu32
			   " is named",
			   f->fragment, c->super->fragment_count);
	else if (tail == 0)
		node_fault(c, FAULT_INODE, r->node, r->at,
			   "fragment block %" PRIu32
			   " is named, but no tail-end is left of %" PRIu64
			   " bytes",
			   f->fragment, f->size);
	else if (end > c->super->block_size)
		node_fault(c, FAULT_INODE, r->node, r->at,
			   "its tail-end reaches to byte %" PRIu64
			   " of fragment block %" PRIu32,
			   end, f->fragment);
	else if (f->fragment < c->need_count &&
		 c->need[f->fragment] < end)
		c->need[f->fragment] = (uint32_t)end;
}

static void decode_file(struct check *c, const struct record *r,
			struct content *f)
{
	const uint8_t *raw = r->raw;

	if (r->is_extended) {
		f->start = get_le64(raw + 16);
		f->size = get_le64(raw + 24);
		f->sparse = get_le64(raw + 32);
		node_of(c, r)->nlink = get_le32(raw + 40);
		f->fragment = get_le32(raw + 44);
		f->fragment_offset = get_le32(raw + 48);
		check_xattr(c, r, get_le32(raw + 52));
	} else {
		f->start = get_le32(raw + 16);
		node_of(c, r)->nlink = 1;
		f->fragment = get_le32(raw + 20);
		f->fragment_offset = get_le32(raw + 24);
		f->size = get_le32(raw + 28);
	}
	f->count = f->size / c->super->block_size;
	if (f->fragment == INODE_NO_FRAGMENT)
		f->count += f->size % c->super->block_size != 0;
}

static int read_file(struct check *c, struct record *r, struct err *err)
{
	struct content f = { 0 };
	struct run run;
	int ret;

	decode_file(c, r, &f);
	if (f.size > INT64_MAX)
		record_fault(c, r, FAULT_INODE, "its size", f.size);
	if (f.sparse > f.size)
		record_fault(c, r, FAULT_INODE,
			     "the size of its holes, more than its own,",
			     f.sparse);
	if (f.count > (c->inodes.len - r->next) / 4)
		return broken(c, r, "it has more blocks than words fit in the "
				    "table");
	note_tail_end(c, r, &f);
	ret = read_words(c, r, &f, &run, err);
	if (ret != 0) {
		if (!run.in_table)
			c->word_count = run.words;
		return ret;
	}
	return note_run(c, r, &f, &run, err);
}

static int read_symlink(struct check *c, struct record *r, struct err *err)
{
	uint32_t len = get_le32(r->raw + 20), left;
	uint8_t raw[1024];
	bool has_nul = false;
	int ret;

	node_of(c, r)->nlink = get_le32(r->raw + 16);
	if (len == 0 || len > IMAGE_TARGET_MAX)
		record_fault(c, r, FAULT_INODE, "the length of its target",
			     len);
	if (len > c->inodes.len - r->next)
		return broken(c, r, "its target is longer than the table");
	for (left = len; left > 0;) {
		size_t n = left < sizeof(raw) ? left : sizeof(raw);

		ret = get(c, r, raw, n, err);
		if (ret != 0)
			return ret;
		has_nul |= memchr(raw, '\0', n) != NULL;
		left -= (uint32_t)n;
	}
	if (has_nul)
		node_fault(c, FAULT_INODE, r->node, r->at,
			   "its target has a NUL in it");
	if (!r->is_extended)
		return 0;
	ret = get(c, r, raw, 4, err);
	if (ret == 0)
		check_xattr(c, r, get_le32(raw));
	return ret;
}

static void read_special(struct check *c, struct record *r, unsigned type)
{
	bool is_device = type == INODE_BLOCK_DEVICE ||
			 type == INODE_CHAR_DEVICE;

	node_of(c, r)->nlink = get_le32(r->raw + 16);
	if (r->is_extended)
		check_xattr(c, r, get_le32(r->raw + (is_device ? 24 : 20)));
}

/* What all inodes begin with. */
static void check_header(struct check *c, const struct record *r)
{
	const uint8_t *raw = r->raw;
	unsigned mode = get_le16(raw + 2);
	uint32_t number = get_le32(raw + 12);

	if (mode & ~(unsigned)MODE_MASK)
		node_fault(c, FAULT_INODE, r->node, r->at,
			   "its mode is 0%o, more than permissions", mode);
	for (int i = 0; i < 2; i++)
		if (get_le16(raw + 4 + 2 * i) >= c->super->id_count)
			record_fault(c, r, FAULT_INODE,
				     i == 0 ? "the index of its owner"
					    : "the index of its group",
				     get_le16(raw + 4 + 2 * i));
	if (number == 0 || number > c->super->inode_count)
		record_fault(c, r, FAULT_INODE, "its number", number);
}

/* Reads one record: 0 with r->next, 1 if its end cannot be told, -1. */
static int read_inode(struct check *c, struct record *r, struct err *err)
{
	unsigned type;
	int ret;

	r->next = r->pos;
	r->at = stream_at(&c->inodes, r->pos);
	ret = get(c, r, r->raw, HEADER_LEN, err);
	if (ret != 0)
		return ret;
	type = get_le16(r->raw);
	if (type < INODE_DIR || type > INODE_SOCKET + EXTENDED)
		return broken(c, r, "its type is unknown");
	ret = get(c, r, r->raw + HEADER_LEN, fixed_len[type] - HEADER_LEN,
		  err);
	if (ret != 0)
		return ret;
	r->is_extended = type > INODE_SOCKET;
	if (r->is_extended)
		type -= EXTENDED;
	if (c->node_count >= NONE ||
	    array_reserve(&c->nodes, &c->node_cap, c->node_count + 1,
			  sizeof(*c->nodes), err) < 0)
		return -1;
	r->node = (uint32_t)c->node_count++;
	c->nodes[r->node] = (struct node){ .pos = r->pos,
					   .number = get_le32(r->raw + 12),
					   .dir = NONE,
					   .type = (uint8_t)type };
	check_header(c, r);
	switch ((enum inode_type)type) {
	case INODE_DIR:
		return read_dir(c, r, err);
	case INODE_FILE:
		return read_file(c, r, err);
	case INODE_SYMLINK:
		return read_symlink(c, r, err);
	default:
		read_special(c, r, type);
		return 0;
	}
}

static int add_segment(struct check *c, uint64_t pos, uint64_t end,
		       uint32_t first, struct err *err)
{
	size_t i = find_segment(c, pos);

	if (array_reserve(&c->segments, &c->segment_cap, c->segment_count + 1,
			  sizeof(*c->segments), err) < 0)
		return -1;
	i = i == c->segment_count ? 0 : i + 1;
	memmove(c->segments + i + 1, c->segments + i,
		(c->segment_count - i) * sizeof(*c->segments));
	c->segments[i] = (struct segment){
		.pos = pos,
		.end = end,
		.first = first,
		.count = (uint32_t)(c->node_count - first)
	};
	c->segment_count++;
	return 0;
}

int walk_inodes(struct check *c, uint64_t pos, struct err *err)
{
	size_t i = find_segment(c, pos);
	uint64_t limit = c->inodes.len;
	uint32_t first = (uint32_t)c->node_count;
	struct record r = { .pos = pos };
	int ret = 0;

	if (pos >= limit ||
	    (i < c->segment_count && pos < c->segments[i].end))
		return 0; /* within known records, and begins none */
	i = i == c->segment_count ? 0 : i + 1;
	if (i < c->segment_count)
		limit = c->segments[i].pos;
	while (r.pos < limit && (ret = read_inode(c, &r, err)) == 0)
		r.pos = r.next;
	if (ret < 0)
		return -1;
	if (r.pos > limit)
		fault(c, FAULT_INODE, r.at,
		      "inode table: a record runs %" PRIu64
		      " bytes into the next one, or over the end",
		      r.pos - limit);
	if (ret > 0)
		c->is_broken = true;
	/* What breaks the walk is not to be tried again. */
	return add_segment(c, pos, r.pos + (ret > 0), first, err);
}
