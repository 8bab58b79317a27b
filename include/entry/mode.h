/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ENTRY_MODE_H
#define ENTRY_MODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct mode_rule;

/* Changes of permission bits, one after the other. All zero is none. */
struct mode_rules {
	struct mode_rule *rules;
	size_t count, cap;
};

/*
 * Adds the rules of a list, as of chmod: u=rwX,go-w or octal; D in front of one
 * is for directories only, F for all else. ERR_USAGE, ERR_NOMEM.
 *
 * format   doc/select.md, "Modes"
 */
int mode_rules_add(struct mode_rules *rules, const char *text,
		   struct err *err);

/* The mode of a directory or of something else after all rules. */
uint16_t mode_rules_apply(const struct mode_rules *rules, uint16_t mode,
			  bool is_dir);

void mode_rules_cleanup(struct mode_rules *rules);

#endif
