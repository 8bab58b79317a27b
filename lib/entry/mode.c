/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "entry/mode.h"

/*
 * Modes as chmod changes them. There is no umask: an image does not depend on
 * who packs it. Format: doc/select.md, "Modes".
 */
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/err.h"
#include "util/parse.h"

/* Bits of one class: read, write, execute; setuid and setgid; sticky. */
#define SET_ID 010
#define STICKY 020

enum who { WHO_USER = 4, WHO_GROUP = 2, WHO_OTHER = 1, WHO_ALL = 7 };

struct mode_rule {
	bool dirs, others;   /* what it is for */
	unsigned who;	     /* of enum who */
	char op;	     /* '+', '-', '='; 'o': octal */
	unsigned bits;	     /* 07 of each class, SET_ID, STICKY; or octal */
	bool execute_if_any; /* X */
	char copy;	     /* 'u', 'g', 'o': bits of that class; or 0 */
};

/* What bits of one class are in a mode. */
static uint16_t spread(unsigned who, unsigned bits)
{
	unsigned mode = 0, rwx = bits & 7;

	if (who & WHO_USER)
		mode |= rwx << 6 | ((bits & SET_ID) ? 04000u : 0);
	if (who & WHO_GROUP)
		mode |= rwx << 3 | ((bits & SET_ID) ? 02000u : 0);
	if (who & WHO_OTHER)
		mode |= rwx;
	if ((who & WHO_OTHER) && (bits & STICKY))
		mode |= 01000;
	return (uint16_t)mode;
}

static uint16_t apply_rule(const struct mode_rule *rule, uint16_t mode,
			   bool is_dir)
{
	unsigned bits = rule->bits;
	uint16_t clear, value;

	if (rule->op == 'o')
		return (uint16_t)rule->bits;
	if (rule->copy)
		bits = rule->copy == 'u'   ? mode >> 6 & 7u
		       : rule->copy == 'g' ? mode >> 3 & 7u
					   : mode & 7u;
	if (rule->execute_if_any && (is_dir || (mode & 0111)))
		bits |= 1;
	value = spread(rule->who, bits);
	if (rule->op == '+')
		return mode | value;
	if (rule->op == '-')
		return (uint16_t)(mode & ~value);
	clear = spread(rule->who, 7 | SET_ID | STICKY);
	return (uint16_t)((mode & ~clear) | value);
}

static int add_rule(struct mode_rules *rules, const struct mode_rule *rule,
		    struct err *err)
{
	if (array_reserve(&rules->rules, &rules->cap, rules->count + 1,
			  sizeof(*rule), err) < 0)
		return -1;
	rules->rules[rules->count++] = *rule;
	return 0;
}

/* The permissions behind an operator; *text goes behind them. */
static void take_bits(const char **text, struct mode_rule *rule)
{
	static const char letters[] = "xwrst";
	static const unsigned values[] = { 1, 2, 4, SET_ID, STICKY };
	const char *p = *text, *found;

	rule->bits = 0;
	rule->execute_if_any = false;
	rule->copy = 0;
	if (*p == 'u' || *p == 'g' || *p == 'o') {
		rule->copy = *p;
		*text = p + 1;
		return;
	}
	for (; *p; p++) {
		if (*p == 'X')
			rule->execute_if_any = true;
		else if ((found = strchr(letters, *p)))
			rule->bits |= values[found - letters];
		else
			break;
	}
	*text = p;
}

static void take_who(const char **text, struct mode_rule *rule)
{
	rule->who = 0;
	for (;; ++*text) {
		if (**text == 'u')
			rule->who |= WHO_USER;
		else if (**text == 'g')
			rule->who |= WHO_GROUP;
		else if (**text == 'o')
			rule->who |= WHO_OTHER;
		else if (**text == 'a')
			rule->who = WHO_ALL;
		else
			break;
	}
	if (rule->who == 0)
		rule->who = WHO_ALL;
}

/* One clause: u=rwX, go-w+x, D755. */
static int add_clause(struct mode_rules *rules, const char *clause,
		      struct err *err)
{
	struct mode_rule rule = { .dirs = true, .others = true };
	const char *p = clause;
	uint16_t octal;

	if (*p == 'D' || *p == 'F') {
		rule.dirs = *p == 'D';
		rule.others = *p == 'F';
		p++;
	}
	if (*p >= '0' && *p <= '9') {
		if (parse_mode(p, &octal, err) < 0)
			return -1;
		rule.op = 'o';
		rule.bits = octal;
		return add_rule(rules, &rule, err);
	}
	take_who(&p, &rule);
	do {
		if (*p != '+' && *p != '-' && *p != '=')
			return err_set(err, ERR_USAGE,
				       "\"%s\" is no change of a mode: octal, "
				       "or as u=rwX,go-w",
				       clause);
		rule.op = *p++;
		take_bits(&p, &rule);
		if (add_rule(rules, &rule, err) < 0)
			return -1;
	} while (*p);
	return 0;
}

#define CLAUSE_LEN 64

int mode_rules_add(struct mode_rules *rules, const char *text, struct err *err)
{
	char clause[CLAUSE_LEN], name[NAME_TEXT_LEN];

	for (;;) {
		size_t len = strcspn(text, ",");

		name_text(text, len, name);
		if (len >= CLAUSE_LEN || strlen(name) != len)
			return err_set(err, ERR_USAGE,
				       "\"%s\" is no change of a mode", name);
		memcpy(clause, text, len);
		clause[len] = '\0';
		if (add_clause(rules, clause, err) < 0)
			return -1;
		if (text[len] == '\0')
			return 0;
		text += len + 1;
	}
}

uint16_t mode_rules_apply(const struct mode_rules *rules, uint16_t mode,
			  bool is_dir)
{
	for (size_t i = 0; i < rules->count; i++) {
		const struct mode_rule *rule = &rules->rules[i];

		if (is_dir ? rule->dirs : rule->others)
			mode = apply_rule(rule, mode, is_dir);
	}
	return mode;
}

void mode_rules_cleanup(struct mode_rules *rules)
{
	free(rules->rules);
	*rules = (struct mode_rules) { 0 };
}
