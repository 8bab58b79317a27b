/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Extended attributes in both forms, and access control lists. */
#include "config.h"

#include "writer.h"

/* Records of one entry, put together. */
struct records {
	struct buffer body;
};

static void add(struct records *x, const char *key, const void *value,
		size_t len)
{
	put_record(&x->body, key, value, len);
}

static void add_text(struct records *x, const char *key, const char *value)
{
	add(x, key, value, strlen(value));
}

static void put_entry(struct buffer *tar, struct records *x, char type)
{
	put_pax_body(tar, type, x->body.data, x->body.len);
	if (type == 'x')
		put_head(tar, (struct head) { .name = "f" });
	buffer_cleanup(&x->body);
}

/* Whether an entry's attribute of that index is just this. */
static bool attr_is(const struct result *r, size_t entry, size_t index,
		    const char *name, const void *value, size_t len)
{
	const struct entry *e = entry_at(r, entry);

	return index < e->xattr_count &&
	       strcmp(e->xattrs[index].name, name) == 0 &&
	       e->xattrs[index].len == len &&
	       memcmp(e->xattrs[index].value, value, len) == 0 &&
	       e->xattrs[index].value[len] == 0;
}

static void test_schily(void)
{
	static const char capability[] = "\1\0\0\2\0\n=\0";
	struct buffer tar = { 0 };
	struct records x = { 0 };
	struct result r;

	add_text(&x, "SCHILY.xattr.user.z", "last");
	add(&x, "SCHILY.xattr.security.capability", capability, 8);
	add_text(&x, "SCHILY.xattr.user.empty", "");
	add_text(&x, "SCHILY.xattr.trusted.t", "25 SCHILY.xattr.user.k=v\n");
	add_text(&x, "SCHILY.xattr.user.a%3Db%25c%41%3d", "v");
	put_entry(&tar, &x, 'x');
	put_head(&tar, (struct head) { .name = "none" });
	accept_tar(&tar, &r);
	check_u64(entry_at(&r, 0)->xattr_count, 5);
	check(attr_is(&r, 0, 0, "security.capability", capability, 8));
	check(attr_is(&r, 0, 1, "trusted.t", "25 SCHILY.xattr.user.k=v\n", 25));
	check(attr_is(&r, 0, 2, "user.a=b%c%41%3d", "v", 1));
	check(attr_is(&r, 0, 3, "user.empty", "", 0));
	check(attr_is(&r, 0, 4, "user.z", "last", 4));
	check_u64(entry_at(&r, 1)->xattr_count, 0);
	check_str(r.told, "");
	result_cleanup(&r);
}

static void test_libarchive(void)
{
	struct buffer tar = { 0 };
	struct records x = { 0 };
	struct result r;

	add_text(&x, "LIBARCHIVE.xattr.user.bin", "AAo9CiU");
	add_text(&x, "LIBARCHIVE.xattr.user.%c3%A9%20%zz%", "YQ==");
	add_text(&x, "LIBARCHIVE.xattr.user.pad", "YWI_");
	add_text(&x, "LIBARCHIVE.xattr.user.none", "");
	add_text(&x, "LIBARCHIVE.xattr.user.all", "+/+/");
	put_entry(&tar, &x, 'x');
	accept_tar(&tar, &r);
	check(attr_is(&r, 0, 0, "user.all", "\xfb\xff\xbf", 3));
	check(attr_is(&r, 0, 1, "user.bin", "\0\n=\n%", 5));
	check(attr_is(&r, 0, 2, "user.none", "", 0));
	check(attr_is(&r, 0, 3, "user.pad", "ab", 2));
	check(attr_is(&r, 0, 4, "user.\xc3\xa9 %zz%", "a", 1));
	result_cleanup(&r);
}

static void test_both_forms(void)
{
	struct buffer tar = { 0 };
	struct records x = { 0 };
	struct result r;

	/* As bsdtar does it, which encodes more of the SCHILY name. */
	add_text(&x, "SCHILY.xattr.user.a", "same");
	add_text(&x, "SCHILY.xattr.user.%20b", "same");
	add_text(&x, "LIBARCHIVE.xattr.user.%20b", "c2FtZQ");
	add_text(&x, "LIBARCHIVE.xattr.user.a", "c2FtZQ");
	add_text(&x, "SCHILY.xattr.user.%20c", "only");
	put_entry(&tar, &x, 'x');
	accept_tar(&tar, &r);
	check_u64(entry_at(&r, 0)->xattr_count, 3);
	check(attr_is(&r, 0, 0, "user. b", "same", 4));
	check(attr_is(&r, 0, 1, "user.%20c", "only", 4));
	check(attr_is(&r, 0, 2, "user.a", "same", 4));
	check_str(r.told, "");
	result_cleanup(&r);

	add_text(&x, "LIBARCHIVE.xattr.user.a", "c2FtZQ");
	add_text(&x, "SCHILY.xattr.user.a", "other");
	put_entry(&tar, &x, 'x');
	accept_tar(&tar, &r);
	check_u64(entry_at(&r, 0)->xattr_count, 1);
	check(attr_is(&r, 0, 0, "user.a", "same", 4));
	check_u64(r.warned[WARN_XATTR], 1);
	result_cleanup(&r);
}

static void test_last_of_two_holds(void)
{
	struct buffer tar = { 0 };
	struct records x = { 0 };
	struct result r;

	add_text(&x, "SCHILY.xattr.user.a", "1");
	add_text(&x, "SCHILY.xattr.user.b", "2");
	add_text(&x, "SCHILY.xattr.user.a", "3");
	put_entry(&tar, &x, 'x');
	add_text(&x, "RHT.security.selinux", "label");
	add_text(&x, "SCHILY.xattr.security.selinux", "label");
	put_entry(&tar, &x, 'x');
	accept_tar(&tar, &r);
	check_u64(entry_at(&r, 0)->xattr_count, 2);
	check(attr_is(&r, 0, 0, "user.a", "3", 1));
	check(attr_is(&r, 0, 1, "user.b", "2", 1));
	check_u64(r.warned[WARN_XATTR], 1);
	check_u64(entry_at(&r, 1)->xattr_count, 1);
	check(attr_is(&r, 1, 0, "security.selinux", "label", 5));
	result_cleanup(&r);
}

static void test_what_squashfs_cannot_hold(void)
{
	static const char *const names[] = {
		"SCHILY.xattr.system.nfs4_acl", "SCHILY.xattr.lustre.lov",
		"SCHILY.xattr.user.",		"SCHILY.xattr.user",
		"LIBARCHIVE.xattr.btrfs.x",	"SCHILY.xattr.User.k"
	};
	struct buffer tar = { 0 };
	struct records x = { 0 };
	struct result r;

	for (size_t i = 0; i < 6; i++)
		add_text(&x, names[i], "AAAA");
	add_text(&x, "SCHILY.xattr.user.k", "v");
	put_entry(&tar, &x, 'x');
	put_zeros(&tar, 2);
	read_tar(&tar, &r);
	check(r.ret == 1);
	check_u64(entry_at(&r, 0)->xattr_count, 1);
	check_u64(r.warned[WARN_XATTR], 6);
	check(strstr(r.told, "entry \"f\""));
	result_cleanup(&r);

	read_with(&tar, (struct tar_options) { 0 }, true, &r);
	check(r.ret == -1 && r.err.code == ERR_SKIPPED);
	result_cleanup(&r);

	read_with(&tar, (struct tar_options) { .no_xattr = true }, true, &r);
	check(r.ret == 1);
	check_u64(entry_at(&r, 0)->xattr_count, 0);
	result_cleanup(&r);
	buffer_cleanup(&tar);
}

static void refuse_attr(const char *key, const char *value, size_t len,
			enum err_code code)
{
	struct buffer tar = { 0 };
	struct records x = { 0 };

	add(&x, key, value, len);
	put_entry(&tar, &x, 'x');
	refuse_tar(&tar, code, "attribute");
}

static void test_limits(void)
{
	static char value[TAR_XATTR_VALUE_MAX + 2];
	char key[400] = "SCHILY.xattr.user.";
	size_t prefix = strlen(key);
	struct buffer tar = { 0 };
	struct records x = { 0 };
	struct result r;

	memset(value, 'v', sizeof(value) - 1);
	refuse_attr("SCHILY.xattr.", "v", 1, ERR_CORRUPT);
	refuse_attr("LIBARCHIVE.xattr.", "AAAA", 4, ERR_CORRUPT);
	refuse_attr("LIBARCHIVE.xattr.user.a%00b", "AAAA", 4, ERR_CORRUPT);
	refuse_attr("LIBARCHIVE.xattr.user.a", "***!", 4, ERR_CORRUPT);
	refuse_attr("LIBARCHIVE.xattr.user.a", "AAAAA", 5, ERR_CORRUPT);
	refuse_attr("LIBARCHIVE.xattr.user.a", "AA\nA", 4, ERR_CORRUPT);
	refuse_attr("LIBARCHIVE.xattr.user.a", "AA=A", 4, ERR_CORRUPT);
	refuse_attr("SCHILY.xattr.user.a", value, TAR_XATTR_VALUE_MAX + 1,
		    ERR_LIMIT);
	memset(key + prefix, 'k', TAR_XATTR_NAME_MAX - 5 + 1);
	key[prefix + TAR_XATTR_NAME_MAX - 5 + 1] = '\0';
	refuse_attr(key, "v", 1, ERR_LIMIT);

	key[prefix + TAR_XATTR_NAME_MAX - 5] = '\0';
	add(&x, key, value, TAR_XATTR_VALUE_MAX);
	put_entry(&tar, &x, 'x');
	accept_tar(&tar, &r);
	check_u64(strlen(entry_at(&r, 0)->xattrs[0].name), TAR_XATTR_NAME_MAX);
	check_u64(entry_at(&r, 0)->xattrs[0].len, TAR_XATTR_VALUE_MAX);
	result_cleanup(&r);
}

static void test_many(void)
{
	struct buffer tar = { 0 };
	struct records x = { 0 };
	struct result r;
	char key[64];

	/* In falling order; one more than is allowed comes last. */
	for (int i = TAR_XATTR_COUNT_MAX - 1; i >= 0; i--) {
		snprintf(key, sizeof(key), "SCHILY.xattr.user.%05d", i);
		add_text(&x, key, "v");
	}
	put_pax_body(&tar, 'x', x.body.data, x.body.len);
	put_head(&tar, (struct head) { .name = "f" });
	accept_tar(&tar, &r);
	check_u64(entry_at(&r, 0)->xattr_count, TAR_XATTR_COUNT_MAX);
	check(attr_is(&r, 0, 0, "user.00000", "v", 1));
	check(attr_is(&r, 0, 65535, "user.65535", "v", 1));
	result_cleanup(&r);

	add_text(&x, "SCHILY.xattr.user.more", "v");
	put_entry(&tar, &x, 'x');
	refuse_tar(&tar, ERR_LIMIT, "65536");
}

static void test_globals(void)
{
	static char value[40000];
	struct buffer tar = { 0 };
	struct records x = { 0 };
	struct result r;

	add_text(&x, "SCHILY.xattr.user.a", "global");
	add_text(&x, "SCHILY.xattr.user.b", "global");
	put_entry(&tar, &x, 'g');
	add_text(&x, "SCHILY.xattr.user.a", "own");
	put_entry(&tar, &x, 'x');
	put_head(&tar, (struct head) { .name = "f" });
	add_text(&x, "SCHILY.xattr.user.c", "more");
	put_entry(&tar, &x, 'g');
	put_head(&tar, (struct head) { .name = "f" });
	accept_tar(&tar, &r);
	check_u64(entry_at(&r, 0)->xattr_count, 2);
	check(attr_is(&r, 0, 0, "user.a", "own", 3));
	check(attr_is(&r, 0, 1, "user.b", "global", 6));
	check(attr_is(&r, 1, 0, "user.a", "global", 6));
	check_u64(entry_at(&r, 2)->xattr_count, 3);
	check_str(r.told, "");
	result_cleanup(&r);

	memset(value, 'v', sizeof(value));
	add(&x, "SCHILY.xattr.user.a", value, sizeof(value));
	put_entry(&tar, &x, 'g');
	add(&x, "SCHILY.xattr.user.b", value, sizeof(value));
	put_entry(&tar, &x, 'g');
	refuse_tar(&tar, ERR_LIMIT, "global");
}

/* The mode of an entry with mode 0664 and one record. */
static unsigned mode_with(const char *key, const void *value, size_t len)
{
	struct buffer tar = { 0 };
	struct records x = { 0 };
	struct result r;
	unsigned mode;

	add(&x, key, value, len);
	put_pax_body(&tar, 'x', x.body.data, x.body.len);
	put_head(&tar, (struct head) { .name = "f", .mode = 0664 });
	accept_tar(&tar, &r);
	mode = entry_at(&r, 0)->mode;
	check_u64(r.warned[WARN_ACL] + r.warned[WARN_XATTR], len > 0);
	result_cleanup(&r);
	buffer_cleanup(&x.body);
	return mode;
}

static void test_acl_does_not_widen_the_mode(void)
{
	static const struct {
		const char *acl;
		unsigned mode;
	} cases[] = {
		{ "user::rw-\nuser:1:rw-\ngroup::r--\nmask::rw-\nother::r--\n",
		  0644 },
		{ "user::rw-,user:lisa:rw-:7,group::rwx,mask::r--,other::r--",
		  0644 },
		{ "mask:r-x,group::--x", 0614 },
		{ "group::---,mask::rwx", 0604 },
		{ " group::rw-,\tmask::rwx", 0664 },
		/* No mask, or not to be read: the mode stays. */
		{ "user::rw-,group::r--,other::r--", 0664 },
		{ "group::r,mask::rwx", 0664 },
		{ "group::xwr,mask::rwx", 0664 },
		{ "group:staff:r--,mask::rwx", 0664 },
		{ "nonsense", 0664 },
		{ "", 0664 },
	};
	static const char binary[] = "\2\0\0\0"
				     "\1\0\6\0\xff\xff\xff\xff"
				     "\4\0\4\0\xff\xff\xff\xff"
				     "\x10\0\6\0\xff\xff\xff\xff";

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_u64(mode_with("SCHILY.acl.access", cases[i].acl,
				    strlen(cases[i].acl)),
			  cases[i].mode);
	check_u64(mode_with("SCHILY.acl.default", "group::---,mask::---", 20),
		  0664);
	check_u64(mode_with("SCHILY.acl.ace", "owner@:rwx::allow", 17), 0664);
	check_u64(mode_with("SCHILY.xattr.system.posix_acl_access", binary, 28),
		  0644);
	for (size_t len = 1; len < 28; len++)
		check_u64(mode_with("SCHILY.xattr.system.posix_acl_access",
				    binary, len),
			  0664);
}

int main(void)
{
	test_schily();
	test_libarchive();
	test_both_forms();
	test_last_of_two_holds();
	test_what_squashfs_cannot_hold();
	test_limits();
	test_many();
	test_globals();
	test_acl_does_not_widen_the_mode();
	return check_report();
}
