/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/picks.h"

#include <string.h>

#include "common/message.h"
#include "common/rules.h"
#include "util/err.h"

int picks_init(struct picks *picks, const struct rules *rules, struct err *err)
{
	struct selection *s = &picks->selection;

	if (pattern_list_init(&s->exclude, rules->exclude.items,
			      rules->exclude.count, err) < 0)
		return -1;
	return pattern_list_init(&s->include, rules->include.items,
				 rules->include.count, err);
}

bool picks_are_any(const struct picks *picks)
{
	return picks->selection.exclude.count > 0 ||
	       picks->selection.include.count > 0;
}

bool picks_exclude(void *arg, const char *path, bool is_dir)
{
	struct picks *picks = arg;
	enum selected selected;

	if (selection_judge(&picks->selection, path, is_dir, &selected, NULL) <
	    0) {
		picks->is_failed = true;
		return true;
	}
	/* A directory that may lead somewhere comes when that shows. */
	return selected != SELECT_TAKE;
}

int picks_end(const struct picks *picks, struct message *message,
	      struct err *err)
{
	const struct pattern_list *include = &picks->selection.include;
	const struct pattern_list *exclude = &picks->selection.exclude;
	char name[NAME_TEXT_LEN];

	if (picks->is_failed)
		return err_nomem(err);
	for (size_t i = 0; i < include->count; i++) {
		const struct pattern *p = &include->patterns[i];

		if (!p->is_used)
			return err_set(err, ERR_USAGE,
				       "nothing in the image matches \"%s\", "
				       "which was to be included",
				       name_text(p->given, strlen(p->given),
						 name));
	}
	for (size_t i = 0; i < exclude->count; i++) {
		const struct pattern *p = &exclude->patterns[i];

		if (!p->is_used)
			message_warn(message,
				     "--exclude: \"%s\" matches nothing",
				     name_text(p->given, strlen(p->given),
					       name));
	}
	return 0;
}

void picks_cleanup(struct picks *picks)
{
	selection_cleanup(&picks->selection);
}
