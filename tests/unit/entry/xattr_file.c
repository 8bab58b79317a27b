/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "entry/xattr_file.h"

#include <stdint.h>

#include "check.h"
#include "entry/entry.h"
#include "file.h"
#include "util/err.h"

static struct xattr_file *read_text(const char *text, size_t len,
				    struct err *err)
{
	struct xattr_file *file = NULL;
	char path[FILE_PATH_LEN];
	int fd = file_make(text, len, path);

	if (xattr_file_read(path, &file, err) < 0)
		file = NULL;
	close(fd);
	return file;
}

static struct entry *make_entry(const char *path, enum entry_type type,
				const char *link)
{
	struct entry *entry;

	if (entry_create_named(path, strlen(path), link, link ? strlen(link) : 0,
			       &entry, NULL) < 0)
		abort();
	entry->type = type;
	return entry;
}

/* What getfattr makes of a value between quotes. */
static size_t quote(char *out, const uint8_t *value, size_t len)
{
	size_t n = 0;

	out[n++] = '"';
	for (size_t i = 0; i < len; i++) {
		if (value[i] == '"' || value[i] == '\\')
			n += (size_t)sprintf(out + n, "\\%c", value[i]);
		else if (value[i] == '\n' || value[i] == '\r' || !value[i])
			n += (size_t)sprintf(out + n, "\\%03o", value[i]);
		else
			out[n++] = (char)value[i];
	}
	out[n++] = '"';
	return n;
}

static size_t hex(char *out, const uint8_t *value, size_t len)
{
	size_t n = (size_t)sprintf(out, "0x");

	for (size_t i = 0; i < len; i++)
		n += (size_t)sprintf(out + n, i % 2 ? "%02x" : "%02X", value[i]);
	return n;
}

static size_t base64(char *out, const uint8_t *value, size_t len)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t n = (size_t)sprintf(out, "0s");

	for (size_t i = 0; i < len; i += 3) {
		uint32_t bits = (uint32_t)value[i] << 16;

		bits |= i + 1 < len ? (uint32_t)value[i + 1] << 8 : 0;
		bits |= i + 2 < len ? value[i + 2] : 0;
		out[n++] = digits[bits >> 18];
		out[n++] = digits[bits >> 12 & 63];
		out[n++] = i + 1 < len ? digits[bits >> 6 & 63] : '=';
		out[n++] = i + 2 < len ? digits[bits & 63] : '=';
	}
	return n;
}

/* Any bytes come back, in all three forms. */
static void test_round(void)
{
	static size_t (*const forms[])(char *, const uint8_t *, size_t) = {
		quote, hex, base64
	};
	uint8_t value[300];
	char text[2048];

	for (size_t len = 0; len <= sizeof(value); len += len < 20 ? 1 : 70)
		for (size_t form = 0; form < 3; form++) {
			struct entry *entry = make_entry("p", ENTRY_FILE, NULL);
			struct xattr_file *file;
			struct err err = { 0 };
			size_t n;

			for (size_t i = 0; i < len; i++)
				value[i] = (uint8_t)(i * 37 + form);
			n = (size_t)sprintf(text, "# file: p\nuser.k=");
			n += forms[form](text + n, value, len);
			text[n++] = '\n';
			file = read_text(text, n, &err);
			check_str(err.text, "");
			if (!file)
				return;
			check(xattr_file_apply(file, entry, &err) == 0);
			check_u64(entry->xattr_count, 1);
			check_str(entry->xattrs[0].name, "user.k");
			check_u64(entry->xattrs[0].len, len);
			check_mem(entry->xattrs[0].value, value, len);
			entry_destroy(entry);
			xattr_file_destroy(file);
		}
}

static void test_sections(void)
{
	static const char text[] = "# file: a\nuser.x=\"1\"\nuser.y\n"
				   "# file: /a/\nuser.x=\"2\"\n"
				   "# file: hard\nuser.x=\"3\"\n"
				   "# file: alone\nuser.x=\"4\"\n"
				   "# file: b\\057c\\134d\\12\n"
				   "user.\\075=5\n";
	struct xattr_file *file = read_text(text, sizeof(text) - 1, NULL);
	struct entry *a = make_entry("a", ENTRY_FILE, NULL);
	struct entry *hard = make_entry("hard", ENTRY_HARDLINK, "a");
	struct entry *alone = make_entry("alone", ENTRY_HARDLINK, "other");
	struct entry *odd = make_entry("b/c\\d\\12", ENTRY_DIR, NULL);
	size_t line = 0;

	check(file != NULL);
	if (!file)
		return;
	check_u64(xattr_file_unused(file, &line), 4);
	check_u64(line, 1);
	check(xattr_file_apply(file, a, NULL) == 0);
	check_u64(a->xattr_count, 2);
	check_mem(a->xattrs[0].value, "2", 2);
	check_u64(a->xattrs[1].len, 0);
	check(xattr_file_apply(file, hard, NULL) == 0);
	check_u64(hard->xattr_count, 0);
	check_u64(xattr_file_unused(file, &line), 2);
	check_u64(line, 8);
	check(xattr_file_apply(file, alone, NULL) == 0);
	check_u64(xattr_file_unused(file, &line), 2);
	alone->size = 1;
	check(xattr_file_apply(file, alone, NULL) == 0);
	check_u64(alone->xattr_count, 1);
	check_u64(xattr_file_unused(file, &line), 1);
	check_u64(line, 10);
	check(xattr_file_apply(file, odd, NULL) == 0);
	check_u64(odd->xattr_count, 1);
	check_str(odd->xattrs[0].name, "user.=");
	check_u64(xattr_file_unused(file, &line), 0);
	entry_destroy(a);
	entry_destroy(hard);
	entry_destroy(alone);
	entry_destroy(odd);
	xattr_file_destroy(file);
	xattr_file_destroy(NULL);
}

/* Cut at every byte a text is read, or refused with the line. */
static void test_cut(void)
{
	static const char text[] = "# file: a\nuser.x=\"a\\012\\\\\\\"\"\n"
				   "user.y=0x001f\n\n# comment\nuser.z=0sAAECAw==\n"
				   "user.none\n# file: d/e\nuser.x=text\n";

	for (size_t len = 0; len < sizeof(text); len++) {
		struct err err = { 0 };
		struct xattr_file *file = read_text(text, len, &err);

		check((file == NULL) == (err.code == ERR_USAGE));
		if (!file)
			check(strstr(err.text, ": line ") != NULL);
		xattr_file_destroy(file);
	}
}

/* Lengths at their edges. */
static void test_limits(void)
{
	const size_t max = XATTR_FILE_VALUE_MAX;
	char *text = malloc(2 * max + 1000);

	for (size_t extra = 0; extra < 2; extra++) {
		size_t n = (size_t)sprintf(text, "# file: a\nuser.x=0x");
		struct err err = { 0 };
		struct xattr_file *file;

		memset(text + n, '0', (max + extra) * 2);
		n += (max + extra) * 2;
		file = read_text(text, n, &err);
		check_u64(err.code, extra ? ERR_LIMIT : ERR_NONE);
		xattr_file_destroy(file);

		n = (size_t)sprintf(text, "# file: a\n");
		memset(text + n, 'n', XATTR_FILE_NAME_MAX + extra);
		n += XATTR_FILE_NAME_MAX + extra;
		file = read_text(text, n, &err);
		check_u64(err.code, extra ? ERR_LIMIT : ERR_NONE);
		xattr_file_destroy(file);
	}
	free(text);
}

int main(void)
{
	struct xattr_file *file;
	struct err err = { 0 };

	check(xattr_file_read("/nonexistent/file", &file, &err) < 0);
	check_u64(err.code, ERR_IO);
	check(read_text("a\0b", 3, &err) == NULL);
	check_u64(err.code, ERR_USAGE);
	check(read_text("# file: ..\n", 11, NULL) == NULL);
	test_round();
	test_sections();
	test_cut();
	test_limits();
	return check_report();
}
