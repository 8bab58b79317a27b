/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rdsquashfs/view.h"

#include <stdio.h>
#include <string.h>

#include "common/costs.h"
#include "common/machine.h"
#include "common/message.h"
#include "common/open.h"
#include "common/standard.h"
#include "common/stats.h"
#include "rdsquashfs/options.h"
#include "sqfs/image.h"
#include "sqfs/super.h"
#include "util/err.h"

static int run_operation(struct view *view, struct err *err)
{
	switch (view->options->operation) {
	case OPERATION_LIST:
		return view_list(view, err);
	case OPERATION_CAT:
		return view_cat(view, err);
	case OPERATION_XATTR:
		return view_xattrs(view, err);
	case OPERATION_STAT:
		return view_stat(view, err);
	case OPERATION_DESCRIBE:
		return view_describe(view, err);
	case OPERATION_UNPACK:
		return view_unpack(view, err);
	case OPERATION_MANIFEST:
		return view_manifest(view, err);
	case OPERATION_DU:
		return view_du(view, err);
	case OPERATION_CHECK:
		return view_check(view, err);
	case OPERATION_NONE:
		break;
	}
	return 0;
}

/* True if a failure is not about the image. */
static bool is_of_output(const struct err *err)
{
	return err->code == ERR_WRITE || err->code == ERR_USAGE ||
	       err->code == ERR_NOMEM || err->code == ERR_EXISTS;
}

static int run(struct view *view, struct err *err)
{
	const struct options *options = view->options;
	char name[NAME_TEXT_LEN];
	struct machine machine;
	int ret;

	machine_look("", &machine);
	if (plan_make(&options->plan, &machine,
		      image_super(view->image)->block_size, &view->plan,
		      err) < 0)
		return -1;
	ret = run_operation(view, err);
	if (ret >= 0 || is_of_output(err))
		return ret;
	return err_in(err, "%s", name_text(view->message->input,
					   strlen(view->message->input),
					   name));
}

int view_output(struct err *err)
{
	if (!ferror(stdout))
		return 0;
	standard_flush(err);
	err->code = ERR_WRITE;
	return -1;
}

void view_tell(const struct view *view, const struct err *err)
{
	const char *input = view->message->input;
	struct err told = *err;
	char name[NAME_TEXT_LEN];

	if (!is_of_output(err))
		err_in(&told, "%s", name_text(input, strlen(input), name));
	message_fail(view->message, &told);
}

int view_image(const struct options *options, struct message *message,
	       bool input_closed, struct err *err)
{
	struct view view = { .options = options, .message = message };
	struct image_file file;
	struct costs costs = { 0 };
	int ret;

	if (options->stats)
		costs_begin(&costs);
	message->input = image_file_name(options->image);
	ret = image_file_open(options->image, &options->place, input_closed,
			      &file, err);
	if (ret == 0) {
		view.image = file.image;
		ret = run(&view, err);
	}
	if (ret >= 0) {
		costs.threads = view.plan.jobs;
		costs.backlog = view.plan.backlog;
		if (stats_costs((enum stats_format)options->stats, &costs,
				err) < 0)
			ret = -1;
	}
	image_file_close(&file);
	return ret;
}
