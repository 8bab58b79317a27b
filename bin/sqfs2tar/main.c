/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "common/message.h"
#include "common/standard.h"
#include "sqfs2tar/help.h"
#include "sqfs2tar/options.h"
#include "sqfs2tar/write.h"
#include "util/err.h"

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
	if (ret == 0 && output_closed)
		ret = err_set(err, ERR_IO, "standard output is closed");
	else if (ret == 0 && help_print(&options))
		ret = standard_flush(err);
	else if (ret == 0)
		ret = write_archive(&options, message, input_closed, err);
	options_cleanup(&options);
	return ret;
}

int main(int argc, char **argv)
{
	struct err err = { .code = ERR_NONE };
	struct message message;

	message_init(&message, "sqfs2tar");
	if (run(argc, argv, &message, &err) < 0)
		return message_fail(&message, &err);
	return 0;
}
