/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "entry/contexts.h"

/*
 * Files of contexts, as selabel_file(5) has them: which label a path gets that
 * matches a regular expression. Of several that match the last one holds, where
 * patterns count as if they stood before all that is not one.
 *
 * A policy has thousands of lines, but few of them begin as a path does: sorted
 * by what every match begins with, those are found by walking along the path.
 * Format: doc/select.md, "SELinux labels".
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "context_spec.h"
#include "entry/lines.h"
#include "regex.h"
#include "util/array.h"
#include "util/err.h"

/* What lies beside the file, in the order in which it is read. */
#define FILE_COUNT 3
#define SUBS_COUNT 2
static const char *const file_suffixes[FILE_COUNT] = { "", ".homedirs",
						       ".local" };
static const char *const subs_suffixes[SUBS_COUNT] = { ".subs", ".subs_dist" };

static const char blanks[] = " \t\r\v\f";

/* A file that was read. */
struct part {
	char *path;
	struct lines lines;
};

/* What is at from, or below, has the labels of what is at to. */
struct sub {
	const char *from, *to; /* borrowed */
	size_t from_len, to_len;
};

/* Specs whose prefixes are equal: from next on the highest rank first. */
struct run {
	struct context_spec *const *next, *const *end;
};

struct contexts {
	struct part parts[FILE_COUNT + SUBS_COUNT];
	struct context_spec *specs;
	size_t spec_count, spec_cap;
	struct context_spec **by_prefix; /* spec_count of them */
	struct run *runs; /* room for as many as a path can have */
	struct {
		struct sub *items;
		size_t count, cap;
	} subs[SUBS_COUNT];
	struct buffer path; /* reused: the path that is looked for */
};

/* Cuts the next word off *text, in place; NULL if there is none. */
static char *take_word(char **text)
{
	char *word = *text + strspn(*text, blanks);
	size_t len = strcspn(word, blanks);

	if (len == 0 || *word == '#')
		return NULL;
	*text = word + len + (word[len] != '\0');
	word[len] = '\0';
	return word;
}

static int parse_type(const char *word, int *out, struct err *err)
{
	static const struct {
		const char *word;
		enum entry_type type;
	} types[] = {
		{ "--", ENTRY_FILE },	      { "-d", ENTRY_DIR },
		{ "-l", ENTRY_SYMLINK },      { "-b", ENTRY_BLOCK_DEVICE },
		{ "-c", ENTRY_CHAR_DEVICE },  { "-p", ENTRY_FIFO },
		{ "-s", ENTRY_SOCKET },
	};
	char name[NAME_TEXT_LEN];

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(word, types[i].word) == 0) {
			*out = (int)types[i].type;
			return 0;
		}
	return err_set(err, ERR_USAGE,
		       "\"%s\" is no type: --, -d, -l, -b, -c, -p or -s",
		       name_text(word, strlen(word), name));
}

/* A label is user:role:type, and perhaps more. */
static int parse_label(const char *word, const char **out, struct err *err)
{
	const char *role = strchr(word, ':');
	const char *type = role ? strchr(role + 1, ':') : NULL;
	char name[NAME_TEXT_LEN];

	*out = word;
	if (strcmp(word, "<<none>>") == 0)
		*out = NULL;
	else if (!type || role == word || type == role + 1 || !type[1])
		return err_set(err, ERR_USAGE,
			       "\"%s\" is no label: user:role:type or "
			       "<<none>>",
			       name_text(word, strlen(word), name));
	return 0;
}

/* Adds what the words of a line say. */
static int add_spec(struct contexts *c, struct context_spec *spec,
		    char *words[3], struct err *err)
{
	char name[NAME_TEXT_LEN];

	spec->regex = words[0];
	spec->type = -1;
	if (!words[1])
		return err_set(err, ERR_USAGE,
			       "\"%s\" is not followed by a label",
			       name_text(words[0], strlen(words[0]), name));
	if (words[2] && parse_type(words[1], &spec->type, err) < 0)
		return -1;
	if (parse_label(words[words[2] ? 2 : 1], &spec->label, err) < 0 ||
	    array_reserve(&c->specs, &c->spec_cap, c->spec_count + 1,
			  sizeof(*spec), err) < 0 ||
	    context_spec_init(spec, err) < 0)
		return -1;
	c->specs[c->spec_count++] = *spec;
	return 0;
}

static int parse_spec(struct contexts *c, const struct part *part, size_t index,
		      struct err *err)
{
	struct context_spec spec = { .file = part->path, .line = index + 1 };
	char *text = part->lines.items[index], *words[3], *more;
	char name[NAME_TEXT_LEN];

	for (int i = 0; i < 3; i++)
		words[i] = take_word(&text);
	if (!words[0])
		return 0;
	more = words[2] ? take_word(&text) : NULL;
	if (more)
		return err_set(err, ERR_USAGE, "\"%s\" is a word too many",
			       name_text(more, strlen(more), name));
	return add_spec(c, &spec, words, err);
}

static int parse_sub(struct contexts *c, const struct part *part, size_t index,
		     struct err *err)
{
	const size_t which = (size_t)(part - c->parts) - FILE_COUNT;
	char *text = part->lines.items[index];
	const char *from = take_word(&text), *to = NULL;
	char name[NAME_TEXT_LEN];
	struct sub *sub;

	if (!from)
		return 0;
	to = take_word(&text);
	if (!to)
		return err_set(err, ERR_USAGE,
			       "\"%s\" is not followed by a path",
			       name_text(from, strlen(from), name));
	if (array_reserve(&c->subs[which].items, &c->subs[which].cap,
			  c->subs[which].count + 1, sizeof(*sub), err) < 0)
		return -1;
	sub = &c->subs[which].items[c->subs[which].count++];
	*sub = (struct sub){ from, to, strlen(from), strlen(to) };
	return 0;
}

/* Reads one file; those beside the first need not be there. */
static int read_part(struct contexts *c, const char *path, size_t index,
		     struct err *err)
{
	struct part *part = &c->parts[index];
	const char *suffix = index < FILE_COUNT
				     ? file_suffixes[index]
				     : subs_suffixes[index - FILE_COUNT];
	char name[NAME_TEXT_LEN];
	struct err own;

	part->path = malloc(strlen(path) + strlen(suffix) + 1);
	if (!part->path)
		return err_nomem(err);
	strcpy(part->path, path);
	strcat(part->path, suffix);
	if (lines_read(part->path, &part->lines, &own) < 0) {
		if (index > 0 && own.code == ERR_IO && own.sys == ENOENT)
			return 0;
		if (err)
			*err = own;
		return -1;
	}
	for (size_t i = 0; i < part->lines.count; i++) {
		int ret = index < FILE_COUNT ? parse_spec(c, part, i, err)
					     : parse_sub(c, part, i, err);

		if (ret < 0)
			return err_in(err, "%s: line %zu",
				      name_text(part->path,
						strlen(part->path), name),
				      i + 1);
	}
	return 0;
}

/* Patterns in their order, and above them what is none. */
static void rank(struct contexts *c)
{
	size_t next = 0;

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < c->spec_count; i++)
			if (c->specs[i].is_pattern == (pass == 0))
				c->specs[i].rank = next++;
}

/* Ascending prefixes, a shorter one first; of equal ones the highest rank. */
static int compare_prefixes(const void *a, const void *b)
{
	const struct context_spec *x = *(struct context_spec *const *)a;
	const struct context_spec *y = *(struct context_spec *const *)b;
	int order = strcmp(x->prefix, y->prefix);

	if (order != 0)
		return order;
	return (x->rank < y->rank) - (x->rank > y->rank);
}

static int sort(struct contexts *c, struct err *err)
{
	size_t longest = 0;

	rank(c);
	c->by_prefix = malloc((c->spec_count + 1) * sizeof(*c->by_prefix));
	if (!c->by_prefix)
		return err_nomem(err);
	for (size_t i = 0; i < c->spec_count; i++) {
		c->by_prefix[i] = &c->specs[i];
		if (c->specs[i].prefix_len > longest)
			longest = c->specs[i].prefix_len;
	}
	qsort(c->by_prefix, c->spec_count, sizeof(*c->by_prefix),
	      compare_prefixes);
	c->runs = malloc((longest + 1) * sizeof(*c->runs));
	return c->runs ? 0 : err_nomem(err);
}

int contexts_read(const char *path, struct contexts **out, struct err *err)
{
	struct contexts *c;

	if (!regex_is_built_in())
		return err_set(err, ERR_UNSUPPORTED,
			       "files of contexts need PCRE2, which is not "
			       "built in");
	c = calloc(1, sizeof(*c));
	if (!c)
		return err_nomem(err);
	for (size_t i = 0; i < FILE_COUNT + SUBS_COUNT; i++)
		if (read_part(c, path, i, err) < 0) {
			contexts_destroy(c);
			return -1;
		}
	if (sort(c, err) < 0) {
		contexts_destroy(c);
		return -1;
	}
	*out = c;
	return 0;
}

/* The substitution for a path: the last line that fits, or NULL. */
static const struct sub *find_sub(const struct contexts *c, size_t which,
				  const char *path)
{
	for (size_t i = c->subs[which].count; i-- > 0;) {
		const struct sub *sub = &c->subs[which].items[i];

		if (strncmp(path, sub->from, sub->from_len) == 0 &&
		    (path[sub->from_len] == '/' || !path[sub->from_len]))
			return sub;
	}
	return NULL;
}

/* Replaces the front of c->path as one of the lists says, if it does. */
static int substitute(struct contexts *c, size_t which, struct err *err)
{
	const struct sub *sub =
		find_sub(c, which, (const char *)c->path.data);
	size_t skip, rest;
	uint8_t *p;

	if (!sub)
		return 0;
	skip = sub->from_len;
	if (c->path.data[skip] == '/' && strcmp(sub->to, "/") == 0)
		skip++;
	rest = c->path.len - skip;
	if (buffer_reserve(&c->path, sub->to_len + 1, err) < 0)
		return -1;
	p = c->path.data;
	memmove(p + sub->to_len, p + skip, rest + 1);
	memcpy(p, sub->to, sub->to_len);
	c->path.len = sub->to_len + rest;
	return 0;
}

/* Makes c->path the path that is compared, with a NUL behind it. */
static int set_path(struct contexts *c, const char *path, struct err *err)
{
	c->path.len = 0;
	if (buffer_append(&c->path, "/", 1, err) < 0 ||
	    buffer_append(&c->path, path, strlen(path) + 1, err) < 0)
		return -1;
	c->path.len--;
	for (size_t i = 0; i < SUBS_COUNT; i++)
		if (substitute(c, i, err) < 0)
			return -1;
	return 0;
}

/* The first in [low, high) whose byte at depth is not below byte. */
static struct context_spec *const *first_with(struct context_spec *const *low,
					      struct context_spec *const *high,
					      size_t depth, unsigned byte)
{
	while (low < high) {
		struct context_spec *const *middle = low + (high - low) / 2;

		if ((unsigned char)(*middle)->prefix[depth] < byte)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Finds the specs with which the path begins; returns how many runs. */
static size_t collect(struct contexts *c)
{
	struct context_spec *const *low = c->by_prefix;
	struct context_spec *const *high = low + c->spec_count;
	size_t count = 0;

	/* All in [low, high) begin as the path does, up to depth. */
	for (size_t depth = 0; low < high; depth++) {
		struct context_spec *const *longer =
			first_with(low, high, depth, 1);
		unsigned byte = depth < c->path.len ? c->path.data[depth] : 0;

		if (longer > low)
			c->runs[count++] = (struct run){ low, longer };
		if (byte == 0)
			break;
		low = first_with(longer, high, depth, byte);
		high = first_with(low, high, depth, byte + 1);
	}
	return count;
}

/* Takes the spec of the highest rank; NULL if none is left. */
static struct context_spec *take_highest(struct run *runs, size_t count)
{
	struct run *best = NULL;

	for (size_t i = 0; i < count; i++)
		if (runs[i].next < runs[i].end &&
		    (!best || (*runs[i].next)->rank > (*best->next)->rank))
			best = &runs[i];
	return best ? *best->next++ : NULL;
}

int contexts_find(struct contexts *c, const char *path, enum entry_type type,
		  const char **label, struct err *err)
{
	struct context_spec *spec;
	char name[NAME_TEXT_LEN];
	size_t count;

	if (type == ENTRY_HARDLINK)
		type = ENTRY_FILE;
	if (set_path(c, path, err) < 0)
		return -1;
	count = collect(c);
	while ((spec = take_highest(c->runs, count))) {
		int ret;

		if (spec->type >= 0 && spec->type != (int)type)
			continue;
		ret = context_spec_matches(spec, (const char *)c->path.data,
					   c->path.len, err);
		if (ret < 0)
			return err_in(err, "%s",
				      name_text(path, strlen(path), name));
		if (ret == 1) {
			*label = spec->label;
			return 0;
		}
	}
	*label = NULL;
	return 0;
}

int contexts_apply(struct contexts *contexts, struct entry *entry,
		   struct err *err)
{
	const char *label;

	if (entry->type == ENTRY_HARDLINK && entry->size == 0)
		return 0;
	if (contexts_find(contexts, entry->path, entry->type, &label, err) < 0)
		return -1;
	if (!label)
		return 0;
	return entry_set_xattr(entry, CONTEXTS_XATTR, label, strlen(label) + 1,
			       err) < 0
		       ? -1
		       : 0;
}

void contexts_destroy(struct contexts *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->spec_count; i++)
		context_spec_cleanup(&c->specs[i]);
	free(c->specs);
	free(c->by_prefix);
	free(c->runs);
	for (size_t i = 0; i < SUBS_COUNT; i++)
		free(c->subs[i].items);
	for (size_t i = 0; i < FILE_COUNT + SUBS_COUNT; i++) {
		free(c->parts[i].path);
		lines_cleanup(&c->parts[i].lines);
	}
	buffer_cleanup(&c->path);
	free(c);
}
