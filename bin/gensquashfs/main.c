/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/message.h"
#include "common/standard.h"
#include "gensquashfs/help.h"
#include "gensquashfs/options.h"
#include "gensquashfs/pack.h"
#include "util/err.h"

static int run(int argc, char **argv, struct message *message, struct err *err)
{
	struct options options;
	bool input_closed;
	int ret;

	if (standard_init(&input_closed, err) < 0)
		return -1;
	ret = options_parse(argc, argv, &options, err);
	if (ret == 0) {
		if (help_print(&options))
			ret = standard_flush(err);
		else
			ret = pack_inputs(&options, message, input_closed, err);
	}
	options_cleanup(&options);
	return ret;
}

int main(int argc, char **argv)
{
	struct err err = { .code = ERR_NONE };
	struct message message;

	message_init(&message, "gensquashfs");
	if (run(argc, argv, &message, &err) < 0)
		return message_fail(&message, &err);
	return 0;
}
