/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "check/check.h"

#include "images.h"
#include "sqfs/image.h"
#include "sqfs/super.h"
#include "util/num.h"

/* An image in a file, and what a check of it said. */
static int file = -1;

struct found {
	int ret; /* of opening, then of the check */
	struct err err;
	struct check_stats stats;
	enum fault_kind kinds[64]; /* of the first faults */
	uint64_t places[64];
	size_t count, len;
	char text[65536]; /* all of them, a line each */
};

static void note(void *arg, enum fault_kind kind, uint64_t at,
		 const char *text)
{
	struct found *f = arg;
	int n;

	check(strlen(text) > 0 && !strchr(text, '\n'));
	check(kind < FAULT_KIND_COUNT && *fault_kind_name(kind));
	if (f->count < 64) {
		f->kinds[f->count] = kind;
		f->places[f->count] = at;
	}
	f->count++;
	n = snprintf(f->text + f->len, sizeof(f->text) - f->len,
		     "%s %lld: %s\n", fault_kind_name(kind), (long long)at,
		     text);
	if (n > 0 && f->len + (size_t)n < sizeof(f->text))
		f->len += (size_t)n;
}

static struct image *open_image(const uint8_t *data, size_t len,
				struct found *f)
{
	const struct image_options options = { 0 };
	struct image *image = NULL;

	if (file < 0)
		file = memfd_create("image", MFD_CLOEXEC);
	if (ftruncate(file, 0) < 0 ||
	    pwrite(file, data, len, 0) != (ssize_t)len)
		abort();
	f->ret = image_open(file, &options, &image, &f->err);
	return image;
}

static void run(const uint8_t *data, size_t len, unsigned jobs,
		struct found *f)
{
	const struct check_options options = { .jobs = jobs,
					       .fault = note,
					       .arg = f };
	struct image *image;

	f->err.code = ERR_NONE;
	f->count = f->len = 0;
	f->text[0] = '\0';
	image = open_image(data, len, f);
	if (!image)
		return;
	f->ret = check_image(image, &options, &f->stats, &f->err);
	if (f->ret == 0)
		check_u64(f->stats.faults, f->count);
	image_close(image);
}

static uint8_t image[IMAGE_MAX];
static size_t image_len;
static struct found found;

#define TREE_COUNT (sizeof(tree) / sizeof(*tree))

static void make(const struct codec_ops *codec, bool raw, bool exportable)
{
	const struct shape shape = { .codec = codec,
				     .raw = raw,
				     .exportable = exportable,
				     .count = TREE_COUNT };

	image_len = make_image(&shape, image);
}

static void expect_none(unsigned jobs)
{
	run(image, image_len, jobs, &found);
	check_u64((uint64_t)found.ret, 0);
	check_str(found.text, "");
}

static void test_good(const struct codec_ops *codec)
{
	for (unsigned i = 0; i < 16; i++) {
		const struct shape shape = { .codec = codec,
					     .raw = i & 1,
					     .no_fragments = i & 2,
					     .exportable = i & 4,
					     .no_duplicates = i & 8,
					     .count = TREE_COUNT,
					     .extra = i == 5 ? 700 : 0 };

		image_len = make_image(&shape, image);
		expect_none(i % 3);
		check_u64(found.stats.inodes,
			  TREE_COUNT + (i == 5 ? 1 + 700 : 0));
		check_u64(found.stats.directories, i == 5 ? 4 : 3);
		check_u64(found.stats.entries,
			  TREE_COUNT + (i == 5 ? 1 + 700 : 0));
		check(found.stats.unpacked >= 3 * BLOCK);
		check_u64(found.stats.unused, 0);
		if (i & 2)
			check_u64(found.stats.fragments, 0);
		else
			check(found.stats.fragments > 0);
	}
}

static void test_empty(const struct codec_ops *codec)
{
	const struct shape shape = { .codec = codec };

	image_len = make_image(&shape, image);
	expect_none(0);
	check_u64(found.stats.inodes, 1);
	check_u64(found.stats.entries, 0);
}

/* ------------------------------------------------------- finding one's way */

static struct super super;

static void read_super(void)
{
	struct err err = { 0 };

	check(super_decode(image, image_len, &super, &err) == 0);
}

/* The byte of the image at a place of a table that is one raw block. */
static uint64_t place(uint64_t table, struct meta_ref ref)
{
	return table + ref.block + 2 + ref.offset;
}

/* The byte where the inode of a path begins. */
static uint64_t inode_of(const char *path)
{
	struct image *im = open_image(image, image_len, &found);
	struct meta_ref ref = { 0 };

	check(im && image_lookup(im, path, &ref, NULL) == 0);
	image_close(im);
	return place(super.inode_table, ref);
}

/* The byte where the entry of a name in a directory begins. */
static uint64_t entry_of(const char *dir, const char *name)
{
	struct image *im = open_image(image, image_len, &found);
	struct inode_space space = { 0 };
	struct dir_reader reader;
	struct meta_ref ref;
	struct dir_item item;
	struct inode inode;
	uint64_t at = 0;

	check(image_lookup(im, dir, &ref, NULL) == 0);
	check(inode_decode(im, ref, &inode, &space, NULL, NULL) == 0);
	check(dir_open(im, &inode, &reader, NULL) == 0);
	while (dir_next(&reader, &item, NULL) == 0)
		if (strcmp(item.name, name) == 0)
			at = place(super.directory_table, reader.at) - 8 -
			     item.name_len;
	check(at != 0);
	inode_space_cleanup(&space);
	image_close(im);
	return at;
}

/* ----------------------------------------------------------- single faults */

/* Changes bytes, checks, and puts them back. */
static void damage(uint64_t at, const void *bytes, size_t len)
{
	uint8_t before[512];

	memcpy(before, image + at, len);
	memcpy(image + at, bytes, len);
	run(image, image_len, 0, &found);
	memcpy(image + at, before, len);
}

static void damage32(uint64_t at, uint32_t value)
{
	uint8_t raw[4];

	put_le32(raw, value);
	damage(at, raw, sizeof(raw));
}

static void damage16(uint64_t at, uint16_t value)
{
	uint8_t raw[2];

	put_le16(raw, value);
	damage(at, raw, sizeof(raw));
}

/* One of the faults has this kind, place and text. */
static bool has(enum fault_kind kind, uint64_t at, const char *text)
{
	char want[512];

	snprintf(want, sizeof(want), "%s %lld: %s", fault_kind_name(kind),
		 (long long)at, text);
	if (found.ret == 0 && strstr(found.text, want))
		return true;
	fprintf(stderr, "want %s\nhave %d %s\n%s", want, found.ret,
		found.err.text, found.text);
	return false;
}

/* It is the only one. */
static bool only(enum fault_kind kind, uint64_t at, const char *text)
{
	return has(kind, at, text) & (found.count == 1);
}

static void test_super(void)
{
	uint16_t flags = get_le16(image + 24);

	damage32(4, super.inode_count + 1);
	check(has(FAULT_SUPER, 4, "super block: 15 inodes are told, 14 are"));
	damage16(24, flags & (uint16_t)~SUPER_EXPORTABLE);
	check(only(FAULT_SUPER, 24, "super block: flags"));
	damage16(24, flags | SUPER_NO_XATTRS);
	check(only(FAULT_SUPER, 24, "super block: flags"));
	damage16(24, flags | SUPER_NO_FRAGMENTS);
	check(only(FAULT_SUPER, 24, "super block: flags"));
	damage32(32, (uint32_t)(inode_of("link") - super.inode_table - 2));
	check(has(FAULT_SUPER, 32, "super block: the root inode"));
}

static void test_tables(void)
{
	uint64_t index = get_le64(image + super.id_table);

	damage32(super.id_table, (uint32_t)index - 1);
	check(found.ret < 0); /* the ids are read when it is opened */
	damage32(super.export_table,
		 get_le32(image + super.export_table) + 1);
	check(has(FAULT_TABLE, super.export_table, "export table: metadata "
						   "block 0 at byte"));
	damage32(get_le64(image + super.export_table) + 2 + 8, 1);
	check(only(FAULT_TABLE, get_le64(image + super.export_table),
		   "export table: inode 2 is not at"));
	damage16(super.inode_table, 0x8000);
	check(has(FAULT_TABLE, super.inode_table,
		  "inode table: metadata block 0 of 0 bytes"));
	damage16(super.directory_table,
		 (uint16_t)(get_le16(image + super.directory_table) - 1));
	check(has(FAULT_TABLE,
		  super.directory_table + 1 +
			  (get_le16(image + super.directory_table) & 0x7FFF),
		  "directory table: "));
}

static void test_inodes(void)
{
	uint64_t block = super.inode_table;
	uint64_t small = inode_of("d/e/small"), tail = inode_of("d/tail");
	uint64_t blocks = inode_of("d/blocks");

	damage16(small + 2, 0100644);
	check(only(FAULT_INODE, block, "d/e/small: its mode is 0100644"));
	damage16(small + 4, 99);
	check(only(FAULT_INODE, block, "d/e/small: the index of its owner"));
	damage32(small + 12, get_le32(image + blocks + 12));
	check(has(FAULT_INODE, block, "d/blocks: its number"));
	check(strstr(found.text, "is that of another inode"));
	damage32(small + 12, 77);
	check(has(FAULT_INODE, block, "d/e/small: its number is 77"));
	damage32(small + 20, 5);
	check(only(FAULT_INODE, block, "d/e/small: fragment block 5"));
	damage32(small + 24, BLOCK);
	check(only(FAULT_INODE, block, "d/e/small: its tail-end reaches"));
	damage32(blocks + 32, 0x02000000u | BLOCK);
	check(only(FAULT_INODE, block, "d/blocks: block 0: its word is"));
	damage32(blocks + 16, 50);
	check(has(FAULT_INODE, block, "d/blocks: its 12288 bytes"));
	damage32(inode_of("link") + 20, 0);
	check(has(FAULT_INODE, block, "link: the length of its target is 0"));
	damage(inode_of("link") + 24, "", 1);
	check(only(FAULT_INODE, block, "link: its target has a NUL"));
	damage16(small, 77);
	check(has(FAULT_INODE, block, "inode table: record "));
	damage32(tail + 52, 9); /* a hard link, and so extended */
	check(only(FAULT_XATTR, block, "d/tail: attribute set 9"));
}

static void test_directories(void)
{
	uint64_t inodes = super.inode_table, block = super.directory_table;
	uint64_t same = entry_of("d", "same"), e = inode_of("d/e");

	damage16(same + 4, INODE_SYMLINK);
	check(only(FAULT_DIRECTORY, block, "d: name \"same\": the entry has "
					   "the type 3, its inode 2"));
	damage16(same + 2, (uint16_t)(get_le16(image + same + 2) + 1));
	check(only(FAULT_DIRECTORY, block, "d: name \"same\": the entry has "
					   "the number"));
	damage16(same, (uint16_t)(get_le16(image + same) + 1));
	check(has(FAULT_DIRECTORY, block, "d: name \"same\" leads to"));
	check(has(FAULT_LINKS, inodes, "inode "));
	damage(same + 8, "aaaa", 4);
	check(only(FAULT_DIRECTORY, block, "d: name \"aaaa\" is out of"));
	damage(same + 8, "more", 4);
	check(only(FAULT_DIRECTORY, block, "d: name \"more\" comes twice"));
	damage(same + 8, "s/me", 4);
	check(only(FAULT_DIRECTORY, block, "d: name \"s/me\" has a slash"));
	damage16(same + 6, 300);
	check(has(FAULT_DIRECTORY, block, "d: byte "));
	check(has(FAULT_LINKS, UINT64_MAX, "2 inodes lack names"));
	damage32(e + 28, 3);
	check(only(FAULT_DIRECTORY, inodes, "d/e: it says that inode 3"));
	damage32(e + 20, 9);
	check(only(FAULT_LINKS, inodes, "d/e: it counts 9 links"));
	damage16(e + 24, 2);
	check(has(FAULT_INODE, inodes, "d/e: its size"));
	damage16(e + 26, (uint16_t)(get_le16(image + e + 26) + 3));
	check(has(FAULT_DIRECTORY, block, "d/e: "));
	damage32(inode_of("d/tail") + 40, 3);
	check(only(FAULT_LINKS, inodes, "d/tail: it counts 3 links, but has "
					"2 names"));
}

/* The entry of "d" is made to lead to "d" out of itself. */
static void test_circle(void)
{
	uint64_t e = entry_of("d", "e"), root = entry_of("", "d");
	uint64_t inodes = super.inode_table;

	damage(e, image + root, 2);
	check(has(FAULT_DIRECTORY, super.directory_table,
		  "root directory: name \"d\" leads to a directory that has a "
		  "name already"));
	check(has(FAULT_DIRECTORY, inodes, "inode "));
	check(strstr(found.text, "the directory is below itself"));
	check(has(FAULT_LINKS, inodes, "inode "));
}

static void test_xattrs(void)
{
	uint64_t pairs = get_le64(image + super.xattr_table);
	uint64_t sets = get_le64(image + super.xattr_table + 16);
	uint64_t pair = pairs + 2 + get_le16(image + sets + 2);
	uint32_t name_len = get_le16(image + pair + 2);

	damage16(pair, 3);
	check(only(FAULT_XATTR, pairs, "attribute set 0: a name has the "
						  "unknown type"));
	damage16(pair + 2, 0);
	check(has(FAULT_XATTR, pairs, "attribute set 0: a name is empty"));
	damage32(pair + 4 + name_len, 100000);
	check(has(FAULT_XATTR, pairs, "attribute set 0: a "));
	damage32(sets + 2 + 8, 0);
	check(only(FAULT_XATTR, sets, "attribute set 0: it has no pairs"));
	damage32(sets + 2 + 12, 0);
	check(only(FAULT_XATTR, sets, "attribute set 0: its size"));
	damage32(sets + 2, 99);
	check(has(FAULT_XATTR, pairs, "attribute set 0: "));
	damage32(super.xattr_table + 8, 0);
	check(has(FAULT_TABLE, super.xattr_table, "xattr table: it has no"));
	damage32(super.xattr_table, 97);
	check(has(FAULT_TABLE, super.xattr_table, "xattr table: pairs begin"));
}

static void test_data(void)
{
	uint64_t blocks = inode_of("d/blocks"), more = inode_of("d/more");
	uint64_t start = get_le32(image + blocks + 16);
	uint64_t fragments = get_le64(image + super.fragment_table);
	uint64_t fragment = get_le64(image + fragments + 2);

	damage32(blocks + 32, BLOCK_WORD_RAW | (BLOCK - 1));
	check(has(FAULT_DATA, start, "d/"));
	check(strstr(found.text, "it holds 4095 bytes, not 4096"));
	damage32(blocks + 32, BLOCK);
	check(has(FAULT_DATA, start, "d/"));
	damage32(more + 16, (uint32_t)start + 1);
	check(only(FAULT_DATA, start + 1, "d/more: block 0: it overlaps"));
	damage32(fragments + 2 + 8,
		 BLOCK_WORD_RAW | 10);
	check(only(FAULT_DATA, fragment, "fragment block 0: it holds 10 "
					 "bytes, tail-ends want"));
	damage32(fragments + 2 + 8, 0);
	check(only(FAULT_TABLE, fragments, "fragment table: entry 0: its "
					   "word"));
	damage32(fragments + 2, (uint32_t)super.inode_table - 1);
	check(only(FAULT_TABLE, fragments, "fragment table: entry 0: "));
}

/* An image with a directory that has an index. */
static void test_index(const struct codec_ops *codec)
{
	const struct shape shape = { .codec = codec,
				     .raw = true,
				     .extra = 250 };
	uint64_t many;

	image_len = make_image(&shape, image);
	read_super();
	many = inode_of("many");
	check(get_le16(image + many) == INODE_DIR + 7);
	check_u64(get_le16(image + many + 32), 1);

	uint64_t block = many - 2;
	uint32_t at = get_le32(image + many + 40);

	while (block > super.inode_table &&
	       (get_le16(image + block) & 0x8000) == 0)
		block--;
	expect_none(0);
	damage32(many + 40, at + 1);
	check_u64(found.count, 1);
	check(strstr(found.text, "many: directory index, point at byte"));
	check(strstr(found.text, "no header begins there"));
	damage32(many + 44, 7);
	check_u64(found.count, 1);
	check(strstr(found.text, "its metadata block is not that"));
	damage(many + 52, "O", 1);
	check_u64(found.count, 1);
	check(strstr(found.text, "its name is not that"));
}

/* ------------------------------------------------------------ every byte */

/* Marks bytes that a check cannot judge. */
static void mark(uint8_t *is_free, uint64_t at, uint64_t len)
{
	memset(is_free + at, 1, len);
}

/* Bytes of an inode, and of the first name that leads to it. */
static void mark_free_inode(uint8_t *is_free, const struct made *m)
{
	uint64_t at = inode_of(m->path);
	bool is_extended = get_le16(image + at) > INODE_SOCKET;
	const char *slash = strrchr(m->path, '/');
	const char *name = slash ? slash + 1 : m->path;
	char dir[64] = "";

	if (slash)
		memcpy(dir, m->path, (size_t)(slash - m->path));
	mark(is_free, entry_of(dir, name) + 8, strlen(name));
	mark(is_free, at + 2, 6); /* permissions, and other owners there are */
	mark(is_free, at + 8, 4); /* time */
	if (m->xattr) /* another set that is there */
		mark(is_free,
		     at + (m->type == ENTRY_DIR	      ? 36
			   : m->type == ENTRY_SYMLINK ? 24 + strlen(m->link)
			   : m->type == ENTRY_FIFO    ? 20
						      : 52),
		     1);
	if (m->type != ENTRY_FILE)
		return;
	if (m->size % BLOCK != 0) { /* another part of the fragment block */
		mark(is_free, at + 24, 8);
		if (is_extended)
			mark(is_free, at + 48, 4);
	}
	if (m->size < BLOCK || m->seed == 0) /* where no block is */
		mark(is_free, at + 16, is_extended ? 8 : 4);
	if (m->size % BLOCK == 0) /* no tail-end has no offset */
		mark(is_free, at + (is_extended ? 48 : 24), 4);
	if (is_extended)
		mark(is_free, at + 32, 2); /* bytes in holes */
}

/*
 * What may hold anything: content, names, times, owners, permissions, and
 * fields that readers pass over. doc/check.md lists them.
 */
static void mark_free(uint8_t *is_free)
{
	uint64_t ids = get_le64(image + super.id_table);
	uint64_t fragments = get_le64(image + super.fragment_table);
	uint64_t pairs = get_le64(image + super.xattr_table);
	uint64_t sets = get_le64(image + super.xattr_table + 16);

	mark(is_free, 8, 4);   /* time of the image */
	mark(is_free, 24, 2);  /* flags, some of which are checked above */
	mark(is_free, SUPER_LEN, super.inode_table - SUPER_LEN);
	mark(is_free, fragments + 2 + 12, 4);
	mark(is_free, ids + 2, super.id_count * (uint64_t)4);
	mark(is_free, super.xattr_table + 12, 4);
	mark(is_free, pairs, sets - pairs); /* names and values */
	for (uint32_t i = 0; i < 4; i++)
		mark(is_free, sets + 2 + i * 16 + 12, 4);
	mark(is_free, super.bytes_used, image_len - super.bytes_used);
	for (size_t i = 0; i < TREE_COUNT; i++)
		mark_free_inode(is_free, &tree[i]);
	mark(is_free, inode_of("") + 2, 6);
	mark(is_free, inode_of("") + 8, 4);
	mark(is_free, inode_of("") + 28, 4);	 /* above the root */
	mark(is_free, inode_of("null") + 20, 4); /* device number */
	mark(is_free, inode_of("link") + 24, 9); /* target */
}

static void test_every_byte(void)
{
	static const uint8_t changes[] = { 0x01, 0x80, 0xFF };
	static uint8_t is_free[IMAGE_MAX];
	unsigned long quiet = 0;

	mark_free(is_free);
	for (size_t k = 0; k < sizeof(changes); k++)
		for (size_t i = 0; i < image_len; i++) {
			if (i >= SUPER_LEN && i < super.inode_table &&
			    i % 997 != 0)
				continue; /* content */
			image[i] ^= changes[k];
			run(image, image_len, 0, &found);
			image[i] ^= changes[k];
			if (found.ret < 0) {
				check(found.err.text[0]);
				continue;
			}
			if (found.count > 0 || is_free[i])
				continue;
			fprintf(stderr, "byte %zu (inodes %llu, directories "
				"%llu): %02x by %02x: nothing found\n", i,
				(unsigned long long)(i - super.inode_table),
				(unsigned long long)(i - super.directory_table),
				image[i], changes[k]);
			quiet++;
		}
	check_u64(quiet, 0);
}

/* What the only block of a table holds. */
static size_t unpack(const struct codec_ops *ops, uint64_t table,
		     uint8_t out[8192])
{
	struct codec_config config = { .block_size = BLOCK };
	struct codec *codec = NULL;
	size_t len = 0;

	if (codec_config_parse(ops, NULL, &config, NULL) < 0 ||
	    ops->create(&config, &codec, NULL) < 0)
		abort();
	if (codec_decompress(codec, image + table + 2,
			     get_le16(image + table), out, 8192, &len, NULL) <
	    0)
		len = 0;
	codec_destroy(codec);
	return len;
}

/*
 * Blocks that end in a checksum, as those of gzip do: nothing stays hidden but
 * another way to say the same.
 */
static void test_every_packed_byte(const struct codec_ops *codec)
{
	static uint8_t before[8192], after[8192];
	uint64_t table;
	size_t len, end;

	make(codec, false, false);
	read_super();
	end = get_le64(image + super.fragment_table);
	check((get_le16(image + super.inode_table) & 0x8000) == 0);
	check((get_le16(image + super.directory_table) & 0x8000) == 0);
	for (size_t i = super.inode_table; i < end; i++) {
		table = i < super.directory_table ? super.inode_table
						  : super.directory_table;
		len = unpack(codec, table, before);
		image[i] ^= 0x01;
		run(image, image_len, 0, &found);
		if (found.ret == 0 && found.count == 0) {
			check_u64(unpack(codec, table, after), len);
			check_mem(before, after, len);
		}
		image[i] ^= 0x01;
	}
}

/* Cut anywhere: it is not opened, as bytes are missing that it says it has. */
static void test_cut(void)
{
	for (size_t len = 0; len < super.bytes_used; len += 1 + len / 40) {
		run(image, len, 0, &found);
		check(found.ret < 0 && found.err.text[0]);
	}
}

/* The file becomes shorter after it was opened, and nobody listens. */
static void test_shrunk(void)
{
	const struct check_options options = { .jobs = 2 };

	for (size_t i = 1; i < 8; i++) {
		size_t len = super.bytes_used * i / 8;
		struct image *im = open_image(image, image_len, &found);
		struct check_stats stats = { 0 };

		check(im && ftruncate(file, (off_t)len) == 0);
		check(check_image(im, &options, &stats, &found.err) == 0);
		check(stats.faults > 0);
		image_close(im);
	}
}

/* ------------------------------------------------------------- going on */

/* The header of the metadata block behind one that begins at a byte. */
static uint64_t block_behind(uint64_t at)
{
	return at + 2 + (get_le16(image + at) & 0x7FFF);
}

/*
 * Tables of several blocks, of which one in the middle cannot be read: what is
 * behind it is found and checked all the same.
 */
static void test_going_on(const struct codec_ops *codec)
{
	const struct shape shape = { .codec = codec,
				     .count = TREE_COUNT,
				     .extra = 1000 };
	uint64_t second, inodes;

	image_len = make_image(&shape, image);
	read_super();
	expect_none(0);
	inodes = found.stats.inodes;

	second = block_behind(super.inode_table);
	check(block_behind(block_behind(second)) < super.directory_table);
	memset(image + second + 2, 0xFF, 16);
	run(image, image_len, 0, &found);
	check(has(FAULT_TABLE, second, "inode table: metadata block 1: "));
	check(strstr(found.text, "inode table: record "));
	/* A block of 8192 bytes has 256 such inodes. */
	check(found.stats.inodes < inodes);
	check(found.stats.inodes >= inodes - 257);
	check_u64(found.stats.directories, 4);
	check(strstr(found.text, "many: name \"of-a-name-that-is-long-"));
	check(strstr(found.text, "where none is found"));
	check(!strstr(found.text, "no name leads to it"));

	image_len = make_image(&shape, image);
	second = block_behind(super.directory_table);
	check(block_behind(second) < get_le64(image + super.fragment_table));
	memset(image + second + 2, 0xFF, 16);
	run(image, image_len, 0, &found);
	check(has(FAULT_TABLE, second, "directory table: metadata block 1: "));
	check(strstr(found.text, "many: byte "));
	check(strstr(found.text, " inodes lack names; they may stand in"));
	check_u64(found.stats.inodes, inodes);
	check_u64(found.stats.directories, 4);
}

/* ------------------------------------------------------------------ order */

/* That a block overlaps another shows before workers have looked at that. */
static void test_turns(void)
{
	uint8_t *word = image + inode_of("d/blocks") + 32;
	uint8_t *place = image + inode_of("d/more") + 16;
	const uint32_t start = get_le32(image + inode_of("d/blocks") + 16);
	const uint32_t was = get_le32(word), more = get_le32(place);
	const char *of_worker, *of_main;

	put_le32(word, BLOCK_WORD_RAW | (BLOCK - 1));
	put_le32(place, start + 1);
	run(image, image_len, 1, &found);
	of_worker = strstr(found.text, "it holds 4095 bytes");
	of_main = strstr(found.text, "d/more: block 0: it overlaps");
	check(of_worker && of_main && of_worker < of_main);
	put_le32(word, was);
	put_le32(place, more);
}

/* Many faults: the same ones in the same order for any number of workers. */
static void test_order(const struct codec_ops *codec)
{
	static const unsigned jobs[] = { 0, 1, 2, 5 };
	static struct found first;
	const struct shape shape = { .codec = codec,
				     .no_duplicates = true,
				     .count = TREE_COUNT,
				     .extra = 400 };

	image_len = make_image(&shape, image);
	read_super();
	for (size_t i = SUPER_LEN + 40; i < super.inode_table; i += 900)
		image[i] ^= 0x55;
	image[super.inode_table + 20] ^= 0x55;
	run(image, image_len, 0, &first);
	check_u64((uint64_t)first.ret, 0);
	check(first.count > 5);
	for (size_t i = 1; i < sizeof(jobs) / sizeof(*jobs); i++) {
		run(image, image_len, jobs[i], &found);
		check_u64(found.count, first.count);
		check_str(found.text, first.text);
	}
}

int main(void)
{
	const struct codec_ops *codec = codec_by_name(NULL, "gzip");

	for (size_t i = 0; codec_builtin[i]; i++) {
		if (codec_builtin[i] == codec || !codec)
			test_good(codec_builtin[i]);
		test_empty(codec_builtin[i]);
		if (!codec)
			codec = codec_builtin[i];
	}
	if (!codec)
		return 77;
	make(codec, true, true);
	read_super();
	expect_none(0);
	test_super();
	test_tables();
	test_inodes();
	test_directories();
	test_circle();
	test_xattrs();
	test_data();
	test_turns();
	test_every_byte();
	test_cut();
	test_shrunk();
	if (strcmp(codec->name, "gzip") == 0)
		test_every_packed_byte(codec);
	test_index(codec);
	test_going_on(codec);
	test_order(codec);
	return check_report();
}
