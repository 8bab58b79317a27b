/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <unistd.h>

#include "common/message.h"
#include "common/standard.h"
#include "rdsquashfs/help.h"
#include "rdsquashfs/options.h"
#include "rdsquashfs/view.h"
#include "util/err.h"

static bool prints(const struct options *options)
{
	return options->operation != OPERATION_UNPACK || options->verbose;
}

/* 0, VIEW_FAULTS, VIEW_INCOMPLETE or -1. */
static int run(int argc, char **argv, struct message *message, struct err *err)
{
	/* Afterwards it is open, but goes nowhere. */
	bool output_closed = fcntl(STDOUT_FILENO, F_GETFD) < 0;
	struct options options;
	bool input_closed;
	int ret;

	if (standard_init(&input_closed, err) < 0)
		return -1;
	ret = options_parse(argc, argv, &options, err);
	if (ret == 0 && output_closed && prints(&options))
		ret = err_set(err, ERR_IO, "standard output is closed");
	else if (ret == 0 && !help_print(&options))
		ret = view_image(&options, message, input_closed, err);
	if (ret >= 0 && standard_flush(err) < 0)
		ret = -1;
	options_cleanup(&options);
	return ret;
}

int main(int argc, char **argv)
{
	struct err err = { .code = ERR_NONE };
	struct message message;
	int ret;

	message_init(&message, "rdsquashfs");
	ret = run(argc, argv, &message, &err);
	return ret < 0 ? message_fail(&message, &err) : ret;
}
