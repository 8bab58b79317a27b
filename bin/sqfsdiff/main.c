/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/message.h"
#include "common/standard.h"
#include "sqfsdiff/compare.h"
#include "sqfsdiff/help.h"
#include "sqfsdiff/options.h"
#include "util/err.h"

/* Differences have the status 1, so that all trouble is 2. */
#define TROUBLE 2

static int run(int argc, char **argv, struct message *message, struct err *err)
{
	struct options options;
	struct err flush_err;
	bool input_closed;
	int ret;

	if (standard_init(&input_closed, err) < 0)
		return -1;
	ret = options_parse(argc, argv, &options, err);
	if (ret == 0 && !help_print(&options))
		ret = compare(&options, message, input_closed, err);
	/* What was found before a failure is printed before it is told. */
	if (standard_flush(&flush_err) < 0 && ret >= 0) {
		*err = flush_err;
		ret = -1;
	}
	options_cleanup(&options);
	return ret;
}

int main(int argc, char **argv)
{
	struct err err = { .code = ERR_NONE };
	struct message message;
	int ret;

	message_init(&message, "sqfsdiff");
	ret = run(argc, argv, &message, &err);
	if (ret >= 0)
		return ret;
	message_fail(&message, &err);
	return TROUBLE;
}
