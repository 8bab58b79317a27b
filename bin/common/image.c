/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/image.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "codec/codec.h"
#include "common/codecs.h"
#include "common/epoch.h"
#include "util/err.h"
#include "util/parse.h"

/* Longer than any word of the lists that are taken apart here. */
#define WORD_LEN 64

void image_init(struct image_options *image)
{
	*image = (struct image_options){
		.block_size = IMAGE_BLOCK_SIZE,
		.pad_to = IMAGE_PAD,
		.plan = { .jobs = -1, .backlog = -1, .memory_limit = -1 },
		.set_uid = -1,
		.set_gid = -1,
		.uid = -1,
		.gid = -1,
		.mode = -1,
		.mtime = -1,
		.root_uid = -1,
		.root_gid = -1,
		.root_mode = -1,
		.root_mtime = -1,
		.probe = -1,
		.epoch = -1,
	};
}

int image_set_words(void *options, const char *text, struct err *err)
{
	struct image_options *image = options;

	return codecs_add_words(&image->codec_words, text, err);
}

int image_set_all_root(void *options, const char *text, struct err *err)
{
	struct image_options *image = options;

	(void)text;
	(void)err;
	image->set_uid = 0;
	image->set_gid = 0;
	return 0;
}

/* Copies the word of a comma list at *list to word and steps over it. */
static int next_word(const char **list, char word[WORD_LEN], struct err *err)
{
	size_t len = strcspn(*list, ",");
	char name[NAME_TEXT_LEN];

	if (len == 0)
		return err_set(err, ERR_USAGE, "an empty word in the list");
	if (len >= WORD_LEN)
		return err_set(err, ERR_USAGE, "\"%s\" is not known",
			       name_text(*list, len, name));
	memcpy(word, *list, len);
	word[len] = '\0';
	*list += len;
	if (**list == ',' && *++*list == '\0')
		return err_set(err, ERR_USAGE, "an empty word in the list");
	return 0;
}

/* Takes one KEY=VALUE of -d. */
static int set_default(struct image_options *image, char *word, struct err *err)
{
	char *value = strchr(word, '='), name[NAME_TEXT_LEN];
	uint16_t mode;
	int64_t *out;
	int ret;

	if (value)
		*value++ = '\0';
	if (strcmp(word, "uid") == 0)
		out = &image->uid;
	else if (strcmp(word, "gid") == 0)
		out = &image->gid;
	else if (strcmp(word, "mtime") == 0)
		out = &image->mtime;
	else if (strcmp(word, "mode") == 0)
		out = &image->mode;
	else
		return err_set(err, ERR_USAGE,
			       "\"%s\" is not uid, gid, mode or mtime",
			       name_text(word, strlen(word), name));
	if (!value)
		return err_set(err, ERR_USAGE, "%s needs a value: %s=N", word,
			       word);
	if (out == &image->mode) {
		ret = parse_mode(value, &mode, err);
		if (ret == 0)
			*out = mode;
	} else {
		ret = parse_i64(value, 0, UINT32_MAX, out, err);
	}
	return ret < 0 ? err_in(err, "%s", word) : 0;
}

int image_set_defaults(void *options, const char *text, struct err *err)
{
	char word[WORD_LEN];

	do {
		if (next_word(&text, word, err) < 0 ||
		    set_default(options, word, err) < 0)
			return -1;
	} while (*text);
	return 0;
}

int image_set_raw(void *options, const char *text, struct err *err)
{
	struct image_options *image = options;
	struct pack_raw raw = { 0 };
	char word[WORD_LEN], name[NAME_TEXT_LEN];

	do {
		if (next_word(&text, word, err) < 0)
			return -1;
		if (strcmp(word, "all") == 0)
			raw = (struct pack_raw){ true, true, true, true, true };
		else if (strcmp(word, "data") == 0)
			raw.data = true;
		else if (strcmp(word, "fragments") == 0)
			raw.fragments = true;
		else if (strcmp(word, "inodes") == 0)
			raw.inodes = true;
		else if (strcmp(word, "ids") == 0)
			raw.ids = true;
		else if (strcmp(word, "xattrs") == 0)
			raw.xattrs = true;
		else
			return err_set(err, ERR_USAGE,
				       "\"%s\" is not data, fragments, inodes,"
				       " ids, xattrs or all",
				       name_text(word, strlen(word), name));
	} while (*text);
	image->raw = raw;
	return 0;
}

int image_set_probe(void *options, const char *text, struct err *err)
{
	struct image_options *image = options;
	char name[NAME_TEXT_LEN];

	if (!text || strcmp(text, "on") == 0)
		image->probe = 1;
	else if (strcmp(text, "off") == 0)
		image->probe = 0;
	else
		return err_set(err, ERR_USAGE, "\"%s\" is not on or off",
			       name_text(text, strlen(text), name));
	return 0;
}

bool image_wants_codec_help(const struct image_options *image)
{
	return image->codec_words && strcmp(image->codec_words, "help") == 0;
}

int image_complete(struct image_options *image, struct err *err)
{
	uint64_t size = (uint64_t)image->block_size;

	if (codecs_find(image->codec_name, &image->codec, err) < 0)
		return -1;
	if (image_wants_codec_help(image))
		return 0;
	if (size & (size - 1))
		return err_set(err, ERR_USAGE,
			       "--block-size: must be a power of two");
	if (epoch_read(&image->epoch, err) < 0)
		return -1;
	if (image->mtime >= 0)
		image->default_mtime = (uint32_t)image->mtime;
	else if (image->epoch >= 0)
		image->default_mtime = (uint32_t)image->epoch;
	return 0;
}

/* The first that was given; else 0. */
static uint32_t first_given(int64_t a, int64_t b)
{
	if (a >= 0)
		return (uint32_t)a;
	return b >= 0 ? (uint32_t)b : 0;
}

int image_pack_options(const struct image_options *image,
		       struct pack_options *out, struct err *err)
{
	struct pack_options pack = {
		.codec = image->codec,
		.config.block_size = (uint32_t)image->block_size,
		.raw = image->raw,
		.no_fragments = image->no_fragments,
		.no_tail_packing = image->no_tail_packing,
		.no_duplicates = image->no_duplicates,
		.no_sparse = image->no_sparse,
		.exportable = image->exportable,
		.pad_to = (uint32_t)image->pad_to,
		.mkfs_time = image->default_mtime,
		.tree.defaults = {
			.mode = image->mode >= 0 ? (uint16_t)image->mode : 0755,
			.uid = first_given(image->set_uid, image->uid),
			.gid = first_given(image->set_gid, image->gid),
			.mtime = image->default_mtime,
		},
		.root_mode = (int32_t)image->root_mode,
		.root_uid = image->root_uid,
		.root_gid = image->root_gid,
		.root_mtime = image->root_mtime,
	};

	if (codec_config_parse(image->codec, image->codec_words, &pack.config,
			       err) < 0)
		return -1;
	pack.probe = image->probe >= 0
			     ? image->probe
			     : !image->codec->is_quick ||
				       !image->codec->is_quick(&pack.config);
	*out = pack;
	return 0;
}

int image_check_output(const char *output, const char *program,
		       struct err *err)
{
	if (!output)
		return err_set(err, ERR_USAGE,
			       "no output file is named; see %s --help",
			       program);
	if (!*output)
		return err_set(err, ERR_USAGE,
			       "the name of the output file is empty");
	if (strcmp(output, "-") == 0)
		return err_set(err, ERR_USAGE,
			       "-: an image cannot go to standard output: name"
			       " a file (./- is the file of that name)");
	return 0;
}

void image_cleanup(struct image_options *image)
{
	free(image->codec_words);
	image->codec_words = NULL;
	rules_cleanup(&image->rules);
}
