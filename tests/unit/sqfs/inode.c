/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sqfs/inode.h"

#include <stdbool.h>

#include "check.h"
#include "util/array.h"
#include "util/err.h"
#include "util/num.h"

static struct inode base(enum inode_type type)
{
	return (struct inode){ .type = type,
			       .mode = 0644,
			       .mtime = 1000000000,
			       .number = 7,
			       .nlink = 1,
			       .xattr = INODE_NO_XATTR };
}

static struct inode base_file(void)
{
	struct inode inode = base(INODE_FILE);

	inode.u.file.fragment = INODE_NO_FRAGMENT;
	return inode;
}

/* Compares the stored form, behind bytes that are there already. */
static void check_bytes(const struct inode *inode, const void *want,
			size_t len, int line)
{
	struct buffer out = { 0 };

	check(buffer_append(&out, "abc", 3, NULL) == 0);
	check(inode_encode(inode, &out, NULL) == 0);
	check_note(out.len == 3 + len &&
			   memcmp(out.data, "abc", 3) == 0 &&
			   memcmp(out.data + 3, want, len) == 0,
		   __FILE__, line, "stored form");
	buffer_cleanup(&out);
}

#define check_form(inode, ...)                                        \
	do {                                                          \
		static const uint8_t want_[] = { __VA_ARGS__ };       \
		check_bytes((inode), want_, sizeof(want_), __LINE__); \
	} while (0)

static void test_example(void)
{
	struct inode inode = base_file();

	inode.number = 1;
	inode.xattr = 0;
	inode.u.file.size = 6;
	inode.u.file.fragment = 0;
	check_form(&inode, 9, 0, 0xA4, 1, 0, 0, 0, 0, 0, 0xCA, 0x9A, 0x3B, 1,
		   0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0,
		   0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		   0, 0, 0);

	inode = base(INODE_SYMLINK);
	inode.mode = 0777;
	inode.number = 2;
	inode.u.symlink.target = "a";
	inode.u.symlink.target_len = 1;
	check_form(&inode, 3, 0, 0xFF, 1, 0, 0, 0, 0, 0, 0xCA, 0x9A, 0x3B, 2,
		   0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 'a');

	inode = base(INODE_DIR);
	inode.mode = 0755;
	inode.number = 3;
	inode.nlink = 2;
	inode.xattr = 0;
	inode.u.dir.parent_number = 4;
	check_form(&inode, 8, 0, 0xED, 1, 0, 0, 0, 0, 0, 0xCA, 0x9A, 0x3B, 3,
		   0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0,
		   0, 0, 0, 0, 0, 0, 0);

	inode = base(INODE_DIR);
	inode.mode = 0755;
	inode.number = 4;
	inode.nlink = 3;
	inode.u.dir.listing_len = 41;
	inode.u.dir.parent_number = 5;
	check_form(&inode, 1, 0, 0xED, 1, 0, 0, 0, 0, 0, 0xCA, 0x9A, 0x3B, 4,
		   0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0x2C, 0, 0, 0, 5, 0, 0, 0);
}

/* Every field of the extended forms, each byte its own. */
static void test_extended(void)
{
	static const uint32_t words[] = { 0x01020000, 0, 0x44434241 };
	static const struct dir_index index[] = {
		{ 0x11121314, 0x21222324, "name", 4 },
		{ 0x31323334, 0x41424344, "x", 1 },
	};
	struct inode inode = base_file();

	inode.mode = 0107777;
	inode.uid_index = 0x0201;
	inode.gid_index = 0x0403;
	inode.nlink = 0x08070605;
	inode.xattr = 0x0C0B0A09;
	inode.u.file.start = UINT64_C(0x1817161514131211);
	inode.u.file.size = UINT64_C(0x2827262524232221);
	inode.u.file.sparse = UINT64_C(0x3837363534333231);
	inode.u.file.fragment = 0x54535251;
	inode.u.file.fragment_offset = 0x64636261;
	inode.u.file.words = words;
	inode.u.file.word_count = 3;
	check_form(&inode, 9, 0, 0xFF, 0x0F, 1, 2, 3, 4, 0, 0xCA, 0x9A, 0x3B,
		   7, 0, 0, 0, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18,
		   0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x31, 0x32,
		   0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 5, 6, 7, 8, 0x51, 0x52,
		   0x53, 0x54, 0x61, 0x62, 0x63, 0x64, 9, 10, 11, 12, 0, 0, 2,
		   1, 0, 0, 0, 0, 0x41, 0x42, 0x43, 0x44);

	inode = base(INODE_DIR);
	inode.nlink = 0x08070605;
	inode.u.dir.listing_block = 0x14131211;
	inode.u.dir.listing_offset = 0x1F21;
	inode.u.dir.listing_len = 0x34333231 - 3;
	inode.u.dir.parent_number = 0x44434241;
	inode.u.dir.index = index;
	inode.u.dir.index_count = 2;
	check_form(&inode, 8, 0, 0xA4, 1, 0, 0, 0, 0, 0, 0xCA, 0x9A, 0x3B, 7,
		   0, 0, 0, 5, 6, 7, 8, 0x31, 0x32, 0x33, 0x34, 0x11, 0x12,
		   0x13, 0x14, 0x41, 0x42, 0x43, 0x44, 2, 0, 0x21, 0x1F, 0xFF,
		   0xFF, 0xFF, 0xFF, 0x14, 0x13, 0x12, 0x11, 0x24, 0x23, 0x22,
		   0x21, 3, 0, 0, 0, 'n', 'a', 'm', 'e', 0x34, 0x33, 0x32,
		   0x31, 0x44, 0x43, 0x42, 0x41, 0, 0, 0, 0, 'x');

	/* The attributes of a symlink come behind its target. */
	inode = base(INODE_SYMLINK);
	inode.xattr = 0x0C0B0A09;
	inode.u.symlink.target = "to";
	inode.u.symlink.target_len = 2;
	check_form(&inode, 10, 0, 0xA4, 1, 0, 0, 0, 0, 0, 0xCA, 0x9A, 0x3B, 7,
		   0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 't', 'o', 9, 10, 11, 12);
}

static void test_devices_and_ipc(void)
{
	struct inode inode = base(INODE_BLOCK_DEVICE);

	inode.u.device.major = 0xABC;
	inode.u.device.minor = 0xFEDCB;
	check_form(&inode, 4, 0, 0xA4, 1, 0, 0, 0, 0, 0, 0xCA, 0x9A, 0x3B, 7,
		   0, 0, 0, 1, 0, 0, 0, 0xCB, 0xBC, 0xDA, 0xFE);
	inode.type = INODE_CHAR_DEVICE;
	inode.u.device.major = INODE_MAJOR_MAX;
	inode.u.device.minor = INODE_MINOR_MAX;
	inode.xattr = 1;
	check_form(&inode, 12, 0, 0xA4, 1, 0, 0, 0, 0, 0, 0xCA, 0x9A, 0x3B, 7,
		   0, 0, 0, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0);

	inode = base(INODE_FIFO);
	inode.nlink = 3;
	check_form(&inode, 6, 0, 0xA4, 1, 0, 0, 0, 0, 0, 0xCA, 0x9A, 0x3B, 7,
		   0, 0, 0, 3, 0, 0, 0);
	inode.type = INODE_SOCKET;
	inode.xattr = 2;
	check_form(&inode, 14, 0, 0xA4, 1, 0, 0, 0, 0, 0, 0xCA, 0x9A, 0x3B, 7,
		   0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0);
}

/* The stored type and the length without lists. */
static void check_type(const struct inode *inode, unsigned type, size_t len,
		       int line)
{
	struct buffer out = { 0 };

	check(inode_encode(inode, &out, NULL) == 0);
	check_note(out.len >= 2 && get_le16(out.data) == type &&
			   out.len == len,
		   __FILE__, line, "type and length");
	buffer_cleanup(&out);
}

static void test_file_edges(void)
{
	struct inode inode = base_file();

	check_type(&inode, 2, 32, __LINE__);
	inode.u.file.size = UINT32_MAX;
	inode.u.file.start = UINT32_MAX;
	check_type(&inode, 2, 32, __LINE__);
	inode.u.file.size = UINT64_C(1) << 32;
	check_type(&inode, 9, 56, __LINE__);
	inode.u.file.size = 0;
	inode.u.file.start = UINT64_C(1) << 32;
	check_type(&inode, 9, 56, __LINE__);
	inode.u.file.start = 0;
	inode.u.file.sparse = 1;
	check_type(&inode, 9, 56, __LINE__);
	inode.u.file.sparse = 0;
	inode.nlink = 2;
	check_type(&inode, 9, 56, __LINE__);
	inode.nlink = 1;
	inode.xattr = 0;
	check_type(&inode, 9, 56, __LINE__);
}

static void test_dir_edges(void)
{
	struct dir_index point = { 8000, 0, "p", 1 };
	struct inode inode = base(INODE_DIR);

	inode.u.dir.listing_len = 65532;
	check_type(&inode, 1, 32, __LINE__);
	inode.u.dir.listing_len = 65533;
	check_type(&inode, 8, 40, __LINE__);
	inode.u.dir.listing_len = 9000;
	inode.u.dir.index = &point;
	inode.u.dir.index_count = 1;
	check_type(&inode, 8, 53, __LINE__);
}

int main(void)
{
	test_example();
	test_extended();
	test_devices_and_ipc();
	test_file_edges();
	test_dir_edges();
	return check_report();
}
