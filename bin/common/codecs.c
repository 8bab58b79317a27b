/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "common/codecs.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/codec.h"
#include "util/err.h"

#ifdef WITH_LZO
#include "common/codec_lzo.h"
#endif

const struct codec_ops *const codecs_more[] = {
#ifdef WITH_LZO
	&codec_lzo,
#endif
	NULL,
};

const char *codecs_names(char out[CODECS_NAMES_LEN])
{
	const struct codec_ops *const *lists[] = { codec_builtin,
						   codecs_more };
	size_t used = 0;

	out[0] = '\0';
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		for (size_t k = 0; lists[i][k]; k++) {
			int len = snprintf(out + used, CODECS_NAMES_LEN - used,
					   "%s%s", used ? ", " : "",
					   lists[i][k]->name);

			if (len < 0 || (size_t)len >= CODECS_NAMES_LEN - used)
				return out;
			used += (size_t)len;
		}
	return out;
}

static bool is_known(const char *name)
{
	for (unsigned id = CODEC_GZIP; id <= CODEC_ZSTD; id++)
		if (strcmp(codec_id_name(id), name) == 0)
			return true;
	return false;
}

int codecs_find(const char *name, const struct codec_ops **out,
		struct err *err)
{
	char names[CODECS_NAMES_LEN], text[NAME_TEXT_LEN];

	if (!name) {
		*out = codec_builtin[0] ? codec_builtin[0] : codecs_more[0];
		if (*out)
			return 0;
		return err_set(err, ERR_USAGE, "no compressor is built in");
	}
	*out = codec_by_name(codecs_more, name);
	if (*out)
		return 0;
	return err_set(err, ERR_USAGE, "-c: \"%s\" is %s; there are %s",
		       name_text(name, strlen(name), text),
		       is_known(name) ? "not built in" : "no compressor",
		       codecs_names(names));
}

/* Length of the key in front of a word: to the "=", "," or the end. */
static size_t key_len(const char *word)
{
	return strcspn(word, "=,");
}

/* True if one of the words of list has the key of word. */
static bool has_key(const char *list, const char *word)
{
	size_t len = key_len(word);

	for (; *list; list += *list == ',') {
		if (key_len(list) == len && memcmp(list, word, len) == 0)
			return true;
		list += strcspn(list, ",");
	}
	return false;
}

int codecs_add_words(char **words, const char *text, struct err *err)
{
	const char *word = *words ? *words : "";
	char *out = malloc(strlen(word) + strlen(text) + 2);
	size_t used = 0;

	if (!out)
		return err_nomem(err);
	while (*word) {
		size_t len = strcspn(word, ",");

		if (!has_key(text, word)) {
			memcpy(out + used, word, len);
			used += len;
			out[used++] = ',';
		}
		word += len + (word[len] == ',');
	}
	strcpy(out + used, text);
	free(*words);
	*words = out;
	return 0;
}
