/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/err.h"

#include <errno.h>

#include "check.h"

static void test_set(void)
{
	struct err err = { 0 };

	check(err_set(&err, ERR_LIMIT, "%d of %s", 3, "four") == -1);
	check_u64(err.code, ERR_LIMIT);
	check_u64((uint64_t)err.sys, 0);
	check_str(err.text, "3 of four");

	errno = ENOENT;
	check(err_sys(&err, "opening %s", "x") == -1);
	check_u64(err.code, ERR_IO);
	check_u64((uint64_t)err.sys, ENOENT);
	check(strncmp(err.text, "opening x: ", 11) == 0);
	check(strlen(err.text) > 11);

	/* a later one replaces an earlier one, errno too */
	check(err_nomem(&err) == -1);
	check_u64(err.code, ERR_NOMEM);
	check_u64((uint64_t)err.sys, 0);
	check_str(err.text, "memory ran out");

	err_set(&err, ERR_CORRUPT, "a\nb\r\nc");
	check_str(err.text, "a b  c");

	check(err_set(NULL, ERR_LIMIT, "x") == -1);
	check(err_sys(NULL, "x") == -1);
	check(err_in(NULL, "x") == -1);
	check(err_nomem(NULL) == -1);
}

static void test_in(void)
{
	struct err err = { 0 };

	errno = EPERM;
	err_sys(&err, "y");
	check(err_in(&err, "entry %d", 7) == -1);
	check(err_in(&err, "file\nx") == -1);
	check_u64(err.code, ERR_IO);
	check_u64((uint64_t)err.sys, EPERM);
	check(strncmp(err.text, "file x: entry 7: y: ", 20) == 0);
}

/* Every length of place and fault: one line, terminated, the fault first. */
static void test_lengths(void)
{
	char place[1100], fault[1100];

	for (size_t p = 0; p < 1100; p += 23) {
		for (size_t f = 0; f < 1100; f += 19) {
			struct err err = { 0 };
			size_t kept = f < sizeof(err.text) - 3
					      ? f
					      : sizeof(err.text) - 3;
			size_t want = p + 2 + kept;

			memset(place, 'p', p);
			place[p] = '\0';
			memset(fault, 'f', f);
			fault[f] = '\0';
			err_set(&err, ERR_IO, "%s", fault);
			check_u64(strlen(err.text),
				  f < sizeof(err.text) ? f
						       : sizeof(err.text) - 1);
			err_in(&err, "%s", place);
			if (want > sizeof(err.text) - 1)
				want = sizeof(err.text) - 1;
			check_u64(strlen(err.text), want);
			check(memcmp(err.text + want - kept, fault, kept) == 0);
			check(memcmp(err.text + want - kept - 2, ": ", 2) == 0);
		}
	}
}

static void test_sys_length(void)
{
	struct err err = { 0 };
	char what[1000];

	memset(what, 'w', sizeof(what));
	what[999] = '\0';
	errno = ENOSPC;
	err_sys(&err, "%s", what);
	check(strlen(err.text) < sizeof(err.text));
	check(strstr(err.text, strerror(ENOSPC)) != NULL);
}

static void test_name(void)
{
	char out[NAME_TEXT_LEN];

	check_str(name_text("", 0, out), "");
	check(name_text("abc", 3, out) == out);
	check_str(out, "abc");
	check_str(name_text("abc", 2, out), "ab");
	check_str(name_text("a\nb\0c\x7f\x1f\\", 8, out),
		  "a\\012b\\000c\\177\\037\\134");
	check_str(name_text("\xc3\xa4 \x80\xff", 5, out), "\xc3\xa4 \x80\xff");
}

/* A long name keeps both ends, whole escapes, and never outgrows the room. */
static void test_long_name(void)
{
	char name[600] = "", out[NAME_TEXT_LEN];

	for (size_t len = 0; len < sizeof(name); len++) {
		const char *gap;

		for (size_t i = 0; i < len; i++)
			name[i] = (char)('a' + i % 26);
		name_text(name, len, out);
		if (len < NAME_TEXT_LEN) {
			check_u64(strlen(out), len);
			check_mem(out, name, len);
			continue;
		}
		check_u64(strlen(out), NAME_TEXT_LEN - 1);
		gap = strstr(out, "...");
		check(gap && gap - out > 50);
		check_mem(out, name, (size_t)(gap - out));
		check_mem(gap + 3, name + len - strlen(gap + 3),
			  strlen(gap + 3));
	}
	for (size_t len = 0; len < 300; len++) {
		size_t escapes = 0;

		memset(name, '\n', len);
		name_text(name, len, out);
		check(strlen(out) < NAME_TEXT_LEN);
		for (const char *p = out; *p; p += 4, escapes++) {
			if (strncmp(p, "...", 3) == 0)
				p += 3;
			check(strncmp(p, "\\012", 4) == 0);
		}
		check(len * 4 < NAME_TEXT_LEN ? escapes == len : escapes > 45);
	}
}

int main(void)
{
	test_set();
	test_in();
	test_lengths();
	test_sys_length();
	test_name();
	test_long_name();
	return check_report();
}
