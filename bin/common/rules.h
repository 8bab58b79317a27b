/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMON_RULES_H
#define COMMON_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "entry/filter.h"
#include "entry/ids.h"
#include "entry/lines.h"
#include "entry/mode.h"
#include "entry/order.h"
#include "entry/xattrs.h"

struct contexts;
struct err;
struct message;
struct source;
struct warner;
struct xattr_file;

/* Texts of the user's, borrowed. */
struct texts {
	const char **items;
	size_t count, cap;
};

/*
 * What is selected and changed between a source and a sink: the options that
 * all tools have which write an image, and those of selecting in others. All
 * zero changes nothing. doc/select.md.
 */
struct rules {
	struct texts exclude, include;
	struct texts exclude_dir; /* of packers */
	struct lines *files; /* of --exclude-from; file_count of them */
	size_t file_count, file_cap;
	int64_t strip;
	const char *prefix; /* or NULL */
	struct id_map uid_map, gid_map;
	struct mode_rules mode;
	struct texts xattrs_include, xattrs_exclude;
	struct xattr_rules xattrs;
	uint32_t silent, fatal; /* kinds of warnings: struct warner */
	struct contexts *contexts;     /* or NULL; owned */
	struct xattr_file *xattr_file; /* or NULL; owned */
	const char *xattr_file_name;
	const char *sort_file; /* or NULL */
	enum order_by order;
};

/*
 * For rows of the option table: the struct rules is the first member of what
 * options points to. ERR_USAGE, ERR_NOMEM, ERR_IO.
 */
int rules_add_exclude_dir(void *options, const char *text, struct err *err);
int rules_add_exclude(void *options, const char *text, struct err *err);
int rules_add_include(void *options, const char *text, struct err *err);
int rules_add_exclude_from(void *options, const char *text, struct err *err);
int rules_set_prefix(void *options, const char *text, struct err *err);
int rules_add_uid_map(void *options, const char *text, struct err *err);
int rules_add_gid_map(void *options, const char *text, struct err *err);
int rules_add_mode(void *options, const char *text, struct err *err);
int rules_add_xattrs_include(void *options, const char *text, struct err *err);
int rules_add_xattrs_exclude(void *options, const char *text, struct err *err);
int rules_add_xattr(void *options, const char *text, struct err *err);
int rules_set_selinux(void *options, const char *text, struct err *err);
int rules_set_xattr_file(void *options, const char *text, struct err *err);
int rules_set_acl(void *options, const char *text, struct err *err);
int rules_set_order(void *options, const char *text, struct err *err);

/* The rows that select by patterns. */
#define RULES_PATTERN_ROWS                                                     \
	{ .name = "exclude", .kind = OPT_CALL, .arg = "GLOB",                  \
	  .call = rules_add_exclude,                                           \
	  .help = "leave out what matches, with all below it:\n"               \
		  "* and ? stop at /, ** does not; a name without\n"           \
		  "/ matches at any depth; repeatable" },                      \
	{ .name = "exclude-from", .kind = OPT_CALL, .arg = "FILE",             \
	  .call = rules_add_exclude_from,                                      \
	  .help = "the same for each line of FILE; # begins a\n"               \
		  "comment; repeatable" },                                     \
	{ .name = "include", .kind = OPT_CALL, .arg = "GLOB",                  \
	  .call = rules_add_include,                                           \
	  .help = "take only what matches, with all below it,\n"               \
		  "unless it is excluded; repeatable" }

/* The rows that select; at is the offset of the struct rules. */
#define RULES_SELECT_ROWS(at_rules)                                            \
	{ .name = "exclude-dir", .letter = 'E', .kind = OPT_CALL,              \
	  .arg = "GLOB", .call = rules_add_exclude_dir,                        \
	  .help = "leave out entries whose path matches; * and ?\n"            \
		  "match / too; repeatable" },                                 \
	RULES_PATTERN_ROWS,                                                    \
	{ .name = "strip-components", .kind = OPT_NUMBER, .arg = "N",          \
	  .at = (at_rules) + offsetof(struct rules, strip),                    \
	  .max = UINT16_MAX,                                                   \
	  .help = "take N leading components from paths" },                    \
	{ .name = "prefix", .kind = OPT_CALL, .arg = "DIR",                    \
	  .call = rules_set_prefix, .help = "put everything below DIR" }

/* The rows about owners, modes and attributes. */
#define RULES_CHANGE_ROWS                                                      \
	{ .name = "uid-map", .kind = OPT_CALL, .arg = "FROM:TO:COUNT",         \
	  .call = rules_add_uid_map,                                           \
	  .help = "users from FROM on become those from TO on;\n"              \
		  "others stay; repeatable" },                                 \
	{ .name = "gid-map", .kind = OPT_CALL, .arg = "FROM:TO:COUNT",         \
	  .call = rules_add_gid_map, .help = "the same for groups" },          \
	{ .name = "chmod", .kind = OPT_CALL, .arg = "RULES",                   \
	  .call = rules_add_mode,                                              \
	  .help = "change modes: u=rwX,go-w or octal; D or F in\n"             \
		  "front: directories or others only; repeatable" },           \
	{ .name = "xattrs-include", .kind = OPT_CALL, .arg = "GLOB",           \
	  .call = rules_add_xattrs_include,                                    \
	  .help = "keep only attributes whose name matches" },                 \
	{ .name = "xattrs-exclude", .kind = OPT_CALL, .arg = "GLOB",           \
	  .call = rules_add_xattrs_exclude,                                    \
	  .help = "drop attributes whose name matches" },                      \
	{ .name = "xattr-add", .kind = OPT_CALL, .arg = "NAME=VALUE",          \
	  .call = rules_add_xattr,                                             \
	  .help = "add an attribute to every entry; 0x in front\n"             \
		  "of VALUE: hexadecimal, 0s: base64; repeatable" },           \
	{ .name = "acl", .kind = OPT_CALL, .arg = "HOW",                       \
	  .call = rules_set_acl,                                               \
	  .help = "access control lists, which cannot be stored:\n"            \
		  "warn, drop or fail; default warn" }

/*
 * The rows about attributes by path, with the letters they have in a tool, or
 * 0.
 */
#define RULES_LABEL_ROWS(selinux_letter, xattr_letter)                         \
	{ .name = "selinux", .letter = (selinux_letter), .kind = OPT_CALL,     \
	  .arg = "FILE", .call = rules_set_selinux,                            \
	  .help = "give everything the SELinux label that the file\n"          \
		  "of contexts FILE has for its path and type" },              \
	{ .name = "xattr-file", .letter = (xattr_letter), .kind = OPT_CALL,    \
	  .arg = "FILE", .call = rules_set_xattr_file,                         \
	  .help = "add attributes to the paths named in FILE, which\n"         \
		  "is as getfattr --dump prints them" }

/* The rows about where content lies. */
#define RULES_ORDER_ROWS(at_rules)                                             \
	{ .name = "sort-file", .kind = OPT_TEXT, .arg = "FILE",                \
	  .at = (at_rules) + offsetof(struct rules, sort_file),                \
	  .help = "priorities and flags of files, a line for each:\n"          \
		  "PRIORITY [FLAGS] PATH; lower ones come first" },            \
	{ .name = "order", .kind = OPT_CALL, .arg = "KEY",                     \
	  .call = rules_set_order,                                             \
	  .help = "order of content: tar (as it comes), path or\n"             \
		  "size; the last two need input that can seek" }

/* Sets which warnings are silent or errors. */
void rules_fill_warner(const struct rules *rules, struct warner *out);

/* Fills in what the rules say; borrowed from them. */
void rules_fill_filter(const struct rules *rules, struct filter_options *out);

/*
 * Puts a source that sorts behind another where the rules ask for it; else *out
 * is inner. inner is gone on failure.
 */
int rules_sort(const struct rules *rules, struct source *inner,
	       struct source **out, struct err *err);

/*
 * Warns of what matched nothing.
 *
 * filter  made by filter_create; sorted  what rules_sort gave
 */
void rules_warn_unused(const struct rules *rules, const struct source *filter,
		       const struct source *sorted, struct message *message);

void rules_cleanup(struct rules *rules);

#endif
