/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "codec/codec.h"

#include <string.h>

#include "table.h"
#include "util/err.h"

/*
 * The table of what is built in, look-ups in it, and -X cut into words. What
 * a word means is the codec's matter.
 */

/* Bytes of the longest word of -X with its NUL. */
#define WORD_MAX 64

/* The order is that of preference: doc/codecs.md, "Which one". */
const struct codec_ops *const codec_builtin[] = {
#ifdef WITH_ZSTD
	&codec_zstd,
#endif
#ifdef WITH_LZMA
	&codec_xz,
#endif
#if defined(WITH_LIBDEFLATE) || defined(WITH_ZLIB)
	&codec_gzip,
#endif
#ifdef WITH_LZ4
	&codec_lz4,
#endif
#ifdef WITH_LZMA
	&codec_lzma,
#endif
	NULL
};

const struct codec_ops *codec_by_name(const struct codec_ops *const *more,
				      const char *name)
{
	for (const struct codec_ops *const *p = codec_builtin; *p; p++)
		if (strcmp((*p)->name, name) == 0)
			return *p;
	for (; more && *more; more++)
		if (strcmp((*more)->name, name) == 0)
			return *more;
	return NULL;
}

const struct codec_ops *codec_by_id(const struct codec_ops *const *more,
				    unsigned id)
{
	const char *name = codec_id_name(id);

	return name ? codec_by_name(more, name) : NULL;
}

const char *codec_id_name(unsigned id)
{
	switch (id) {
	case CODEC_GZIP:
		return "gzip";
	case CODEC_LZMA:
		return "lzma";
	case CODEC_LZO:
		return "lzo";
	case CODEC_XZ:
		return "xz";
	case CODEC_LZ4:
		return "lz4";
	case CODEC_ZSTD:
		return "zstd";
	default:
		return NULL;
	}
}

/* True if one of the words from text up to word has this key. */
static bool is_repeated(const char *text, const char *word, const char *key)
{
	size_t key_len = strlen(key);

	while (text < word) {
		size_t len = strcspn(text, "=,");

		if (len == key_len && memcmp(text, key, len) == 0)
			return true;
		text += strcspn(text, ",") + 1;
	}
	return false;
}

static int refuse(const struct codec_ops *ops, const char *word,
		  size_t word_len, const char *fault, struct err *err)
{
	char name[NAME_TEXT_LEN];

	return err_set(err, ERR_USAGE, "\"%s\" is %s; %s takes %s",
		       name_text(word, word_len, name), fault, ops->name,
		       ops->words);
}

/* Takes the word at the front of *at, which lies in text, and steps on. */
static int take_word(const struct codec_ops *ops, const char *text,
		     const char **at, struct codec_config *cfg,
		     struct err *err)
{
	const char *word = *at;
	size_t len = strcspn(word, ",");
	char copy[WORD_MAX], *value;
	int ret;

	*at = word[len] ? word + len + 1 : NULL;
	if (len == 0)
		return refuse(ops, word, len, "an empty word", err);
	if (len >= sizeof(copy))
		return refuse(ops, word, len, "too long", err);
	memcpy(copy, word, len);
	copy[len] = '\0';
	value = strchr(copy, '=');
	if (value)
		*value++ = '\0';
	if (is_repeated(text, word, copy))
		return refuse(ops, word, len, "given twice", err);

	ret = ops->config_word(cfg, copy, value, err);
	if (ret > 0)
		return refuse(ops, word, len, "unknown", err);
	return ret;
}

int codec_config_parse(const struct codec_ops *ops, const char *text,
		       struct codec_config *cfg, struct err *err)
{
	struct codec_config parsed = { .block_size = cfg->block_size };
	const char *at = text;

	ops->config_default(&parsed);
	while (at)
		if (take_word(ops, text, &at, &parsed, err) < 0)
			return err_in(err, "-X");
	if (ops->config_check && ops->config_check(&parsed, err) < 0)
		return err_in(err, "-X");
	*cfg = parsed;
	return 0;
}
