/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/warn.h"

#include "check.h"

struct ear {
	unsigned count;
	enum warn_kind kind;
	char text[512];
};

static void hear(void *arg, enum warn_kind kind, const char *text)
{
	struct ear *ear = arg;

	ear->count++;
	ear->kind = kind;
	snprintf(ear->text, sizeof(ear->text), "%s", text);
}

static bool is_loss(enum warn_kind kind)
{
	static const enum warn_kind losses[] = {
		WARN_TYPE,  WARN_XATTR,	 WARN_ACL,	 WARN_LINK,
		WARN_SOCKET, WARN_FORMAT, WARN_OWNER,	 WARN_MODE,
		WARN_SET_TIME, WARN_SET_XATTR, WARN_DEVICE,
	};

	for (size_t i = 0; i < sizeof(losses) / sizeof(*losses); i++)
		if (losses[i] == kind)
			return true;
	return false;
}

/* The first of each kind is told, all are counted. */
static void test_first(void)
{
	struct ear ear = { 0 };
	struct warner warner = { .emit = hear, .arg = &ear };
	struct err err = { 0 };

	for (int kind = 0; kind < WARN_KIND_COUNT; kind++) {
		for (unsigned n = 0; n < 3; n++) {
			check(warn(&warner, kind, &err, "%s %u", "no", n) == 0);
			check_u64(ear.count, (uint64_t)kind + 1);
			check_u64(ear.kind, (uint64_t)kind);
			check_str(ear.text, "no 0");
			check_u64(warner.count[kind], n + 1);
		}
	}
	check_u64(err.code, ERR_NONE);
}

/* A loss is an error where that is asked for; what is only bent is not. */
static void test_strict(void)
{
	for (int kind = 0; kind < WARN_KIND_COUNT; kind++) {
		struct ear ear = { 0 };
		struct warner warner = { .emit = hear,
					 .arg = &ear,
					 .strict = true };

		check(warn_is_loss(kind) == is_loss(kind));
		for (unsigned n = 1; n < 3; n++) {
			struct err err = { 0 };
			int ret = warn(&warner, kind, &err, "x %u", n);

			check(ret == (is_loss(kind) ? -1 : 0));
			check_u64(err.code,
				  is_loss(kind) ? ERR_SKIPPED : ERR_NONE);
			check(!is_loss(kind) || err.text[2] == (char)('0' + n));
			check_u64(ear.count, is_loss(kind) ? 0 : 1);
		}
	}
}

static void test_deaf(void)
{
	struct warner warner = { .strict = false };
	struct err err = { 0 };
	char longer[2000];

	check(warn(NULL, WARN_LINK, &err, "x") == 0);
	check(warn(&warner, WARN_LINK, &err, "x") == 0);
	check_u64(warner.count[WARN_LINK], 1);
	check_u64(err.code, ERR_NONE);

	struct ear ear = { 0 };

	warner.emit = hear;
	warner.arg = &ear;
	memset(longer, 'w', sizeof(longer));
	longer[1999] = '\0';
	check(warn(&warner, WARN_NAME, NULL, "%s", longer) == 0);
	check(strlen(ear.text) > 200 && strlen(ear.text) < 512);
}

/* A kind by itself, whatever strict says. */
static void test_kinds(void)
{
	struct warner warner = {
		.strict = true,
		.silent = 1u << WARN_ACL,
		.fatal = 1u << WARN_TIME | 1u << WARN_ACL,
	};
	struct err err = { 0 };

	check(!warn_is_fatal(&warner, WARN_ACL));
	check(warn_is_fatal(&warner, WARN_TIME));
	check(warn_is_fatal(&warner, WARN_LINK));
	check(!warn_is_fatal(&warner, WARN_NAME));
	check(warn(&warner, WARN_ACL, &err, "x") == 0);
	check_u64(warner.count[WARN_ACL], 0);
	check(warn(&warner, WARN_TIME, &err, "late") == -1);
	check(err.code == ERR_SKIPPED);
	check_str(err.text, "late");
}

int main(void)
{
	test_kinds();
	test_first();
	test_strict();
	test_deaf();
	return check_report();
}
