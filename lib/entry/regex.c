/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "regex.h"

#include "util/err.h"

#ifdef WITH_PCRE2

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>

struct regex {
	pcre2_code *code;
	pcre2_match_data *match; /* of no use but that PCRE2 wants one */
};

/* Bytes of the longest message of PCRE2 that is kept. */
#define MESSAGE_LEN 160

bool regex_is_built_in(void)
{
	return true;
}

int regex_create(const char *text, struct regex **out, struct err *err)
{
	const uint32_t options =
		PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_DOTALL;
	struct regex *regex = calloc(1, sizeof(*regex));
	PCRE2_UCHAR message[MESSAGE_LEN];
	PCRE2_SIZE at;
	int fault;

	if (!regex)
		return err_nomem(err);
	regex->code = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED,
				    options, &fault, &at, NULL);
	if (!regex->code) {
		free(regex);
		if (fault == PCRE2_ERROR_HEAP_FAILED)
			return err_nomem(err);
		pcre2_get_error_message(fault, message, sizeof(message));
		return err_set(err, ERR_USAGE, "byte %zu: %s", (size_t)at,
			       (const char *)message);
	}
	regex->match = pcre2_match_data_create(1, NULL);
	if (!regex->match) {
		regex_destroy(regex);
		return err_nomem(err);
	}
	*out = regex;
	return 0;
}

int regex_match(const struct regex *regex, const char *text, size_t len,
		struct err *err)
{
	PCRE2_UCHAR message[MESSAGE_LEN];
	int ret = pcre2_match(regex->code, (PCRE2_SPTR)text, len, 0, 0,
			      regex->match, NULL);

	if (ret >= 0)
		return 1;
	if (ret == PCRE2_ERROR_NOMATCH)
		return 0;
	pcre2_get_error_message(ret, message, sizeof(message));
	return err_set(err, ERR_USAGE, "%s", (const char *)message);
}

void regex_destroy(struct regex *regex)
{
	if (!regex)
		return;
	pcre2_match_data_free(regex->match);
	pcre2_code_free(regex->code);
	free(regex);
}

#else

bool regex_is_built_in(void)
{
	return false;
}

int regex_create(const char *text, struct regex **out, struct err *err)
{
	(void)text;
	(void)out;
	return err_set(err, ERR_UNSUPPORTED, "built without PCRE2");
}

int regex_match(const struct regex *regex, const char *text, size_t len,
		struct err *err)
{
	(void)regex;
	(void)text;
	(void)len;
	return err_set(err, ERR_UNSUPPORTED, "built without PCRE2");
}

void regex_destroy(struct regex *regex)
{
	(void)regex;
}

#endif
