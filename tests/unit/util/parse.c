/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/parse.h"

#include "check.h"
#include "util/err.h"

/* What is wrong as a number of any kind. */
static const char *const bad[] = {
	"",    " ",   "-",   "+",     "+1",   " 1",	  "1 ",
	"1\n", "a",   "1a",  "0x",    "0X",   "0xg",	  "1.5",
	"1e3", "--1", "0b1", "1,000", "0x1 ", "\xd9\xa1", "99999999999999999999"
};

#define BAD_COUNT (sizeof(bad) / sizeof(bad[0]))

static void check_refused(int ret, const struct err *err, const char *text)
{
	check(ret == -1);
	check_u64(err->code, ERR_USAGE);
	check(strchr(err->text, '\n') == NULL);
	if (ret != -1)
		fprintf(stderr, "  took \"%s\"\n", text);
}

static void test_u64(void)
{
	static const struct {
		const char *text;
		uint64_t value;
	} good[] = { { "0", 0 },
		     { "00", 0 },
		     { "010", 10 },
		     { "1234567890", 1234567890 },
		     { "18446744073709551615", UINT64_MAX },
		     { "0x0", 0 },
		     { "0xfF", 255 },
		     { "0XffffffffFFFFFFFF", UINT64_MAX } };
	struct err err = { 0 };
	uint64_t out;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		out = 42;
		check(parse_u64(good[i].text, 0, UINT64_MAX, &out, &err) == 0);
		check_u64(out, good[i].value);
	}
	out = 42;
	for (size_t i = 0; i < BAD_COUNT; i++)
		check_refused(parse_u64(bad[i], 0, UINT64_MAX, &out, &err),
			      &err, bad[i]);
	check_refused(
		parse_u64("18446744073709551616", 0, UINT64_MAX, &out, &err),
		&err, "2^64");
	check_refused(
		parse_u64("0x10000000000000000", 0, UINT64_MAX, &out, &err),
		&err, "0x2^64");
	check_refused(parse_u64("-1", 0, UINT64_MAX, &out, &err), &err, "-1");
	check_refused(parse_u64("4", 5, 7, &out, &err), &err, "4");
	check_refused(parse_u64("8", 5, 7, &out, &err), &err, "8");
	check(strstr(err.text, "\"8\"") && strstr(err.text, "5 to 7"));
	check_u64(out, 42);
	check(parse_u64("5", 5, 7, &out, &err) == 0 && out == 5);
	check(parse_u64("7", 5, 7, &out, &err) == 0 && out == 7);
}

static void test_i64(void)
{
	struct err err = { 0 };
	int64_t out = 42;

	for (size_t i = 0; i < BAD_COUNT; i++)
		check_refused(
			parse_i64(bad[i], INT64_MIN, INT64_MAX, &out, &err),
			&err, bad[i]);
	check_refused(parse_i64("9223372036854775808", INT64_MIN, INT64_MAX,
				&out, &err),
		      &err, "2^63");
	check_refused(parse_i64("-9223372036854775809", INT64_MIN, INT64_MAX,
				&out, &err),
		      &err, "-2^63-1");
	check_refused(parse_i64("-6", -5, 5, &out, &err), &err, "-6");
	check_refused(parse_i64("6", -5, 5, &out, &err), &err, "6");
	check_u64((uint64_t)out, 42);
	check(parse_i64("-5", -5, 5, &out, &err) == 0 && out == -5);
	check(parse_i64("5", -5, 5, &out, &err) == 0 && out == 5);
	check(parse_i64("-0", -5, 5, &out, &err) == 0 && out == 0);
	check(parse_i64("9223372036854775807", 0, INT64_MAX, &out, &err) == 0);
	check(out == INT64_MAX);
	check(parse_i64("-9223372036854775807", INT64_MIN, INT64_MAX, &out,
			&err) == 0);
	check(out == -INT64_MAX);
}

static void test_size(void)
{
	static const struct {
		const char *text;
		uint64_t value;
	} good[] = { { "0", 0 },
		     { "4096", 4096 },
		     { "4k", 4096 },
		     { "4K", 4096 },
		     { "1m", 1048576 },
		     { "1M", 1048576 },
		     { "3g", (uint64_t)3 << 30 },
		     { "3G", (uint64_t)3 << 30 },
		     { "0G", 0 },
		     { "17179869183G", 18446744072635809792u },
		     { "18446744073709551615", UINT64_MAX } };
	static const char *const worse[] = { "K",  "1kk", "1kB",  "1 K",
					     "1T", "-1K", "1.5M", "0x10K" };
	struct err err = { 0 };
	uint64_t out;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		out = 42;
		check(parse_size(good[i].text, 0, UINT64_MAX, &out, &err) == 0);
		check_u64(out, good[i].value);
	}
	out = 42;
	for (size_t i = 0; i < BAD_COUNT; i++)
		check_refused(parse_size(bad[i], 0, UINT64_MAX, &out, &err),
			      &err, bad[i]);
	for (size_t i = 0; i < sizeof(worse) / sizeof(worse[0]); i++)
		check_refused(parse_size(worse[i], 0, UINT64_MAX, &out, &err),
			      &err, worse[i]);
	check_refused(parse_size("17179869184G", 0, UINT64_MAX, &out, &err),
		      &err, "2^64");
	check_refused(parse_size("3K", 4096, 1048576, &out, &err), &err, "3K");
	check_refused(parse_size("2M", 4096, 1048576, &out, &err), &err, "2M");
	check_u64(out, 42);
	check(parse_size("1M", 4096, 1048576, &out, &err) == 0);
}

static void test_mode(void)
{
	static const char *const worse[] = {
		"8",   "0o755",	   "10000", "-755",
		"u+x", "00010000", "0x1ed", "7 55"
	};
	struct err err = { 0 };
	uint16_t out = 42;

	for (size_t i = 0; i < BAD_COUNT; i++)
		check_refused(parse_mode(bad[i], &out, &err), &err, bad[i]);
	for (size_t i = 0; i < sizeof(worse) / sizeof(worse[0]); i++)
		check_refused(parse_mode(worse[i], &out, &err), &err, worse[i]);
	check_u64(out, 42);
	check(parse_mode("755", &out, &err) == 0 && out == 0755);
	check(parse_mode("0644", &out, &err) == 0 && out == 0644);
	check(parse_mode("0", &out, &err) == 0 && out == 0);
	check(parse_mode("7777", &out, &err) == 0 && out == 07777);
	check(parse_mode("007777", &out, &err) == 0 && out == 07777);
}

int main(void)
{
	test_u64();
	test_i64();
	test_size();
	test_mode();
	return check_report();
}
