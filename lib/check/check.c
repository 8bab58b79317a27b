/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "check/check.h"

/*
 * A check of a whole image: first what leads to the inodes, then they and the
 * directories, then what is counted, at last the blocks, which take most of the
 * time and are the workers'. All but the blocks belongs to the main thread, so
 * that faults come in one order.
 *
 * The decoders of sqfs/image.h are not used for inodes and directories: they
 * stop at the first fault, which is where a check has to go on.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "sqfs/image.h"
#include "sqfs/super.h"
#include "util/account.h"

#define WINDOW_LEN 16384u
#define HELD_MAX   100000u /* then faults are given without waiting for paths */
#define AT_COUNT   4	   /* of inodes, in the super block */
#define AT_ROOT	   32

const char *fault_kind_name(enum fault_kind kind)
{
	static const char *const names[] = {
		[FAULT_SUPER] = "super block", [FAULT_TABLE] = "table",
		[FAULT_INODE] = "inode",       [FAULT_DIRECTORY] = "directory",
		[FAULT_LINKS] = "links",       [FAULT_XATTR] = "xattr",
		[FAULT_DATA] = "data"
	};

	return kind < FAULT_KIND_COUNT ? names[kind] : "";
}

bool is_damage(const struct err *err)
{
	return err->code == ERR_CORRUPT || err->code == ERR_LIMIT ||
	       err->code == ERR_UNSUPPORTED;
}

static void emit(struct check *c, enum fault_kind kind, uint64_t at,
		 const char *text)
{
	c->stats.faults++;
	if (c->options->fault)
		c->options->fault(c->options->arg, kind, at, text);
}

void fault(struct check *c, enum fault_kind kind, uint64_t at, const char *fmt,
	   ...)
{
	char text[sizeof(((struct err *)0)->text)];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	emit(c, kind, at, text);
}

/* With the path in front, or the number where there is no path. */
static void emit_node(struct check *c, enum fault_kind kind, uint32_t node,
		      uint64_t at, const char *text)
{
	const char *path = node_path(c, node);
	char name[NAME_TEXT_LEN];

	if (!path)
		fault(c, kind, at, "inode %" PRIu32 ": %s",
		      c->nodes[node].number, text);
	else if (!*path)
		fault(c, kind, at, "root directory: %s", text);
	else
		fault(c, kind, at, "%s: %s",
		      name_text(path, strlen(path), name), text);
}

/* Keeps a fault; false if it cannot be kept. */
static bool hold(struct check *c, enum fault_kind kind, uint32_t node,
		 uint64_t at, const char *text)
{
	struct held *held;

	if (c->held_count >= HELD_MAX ||
	    array_reserve(&c->held, &c->held_cap, c->held_count + 1,
			  sizeof(*c->held), NULL) < 0)
		return false;
	held = &c->held[c->held_count];
	*held = (struct held){ kind, node, at, c->held_text.len };
	if (buffer_append(&c->held_text, text, strlen(text) + 1, NULL) < 0)
		return false;
	c->held_count++;
	return true;
}

void release_held(struct check *c)
{
	c->is_holding = false;
	for (size_t i = 0; i < c->held_count; i++) {
		const struct held *h = &c->held[i];

		emit_node(c, h->kind, h->node, h->at,
			  (const char *)c->held_text.data + h->text);
	}
	c->held_count = 0;
}

void node_fault(struct check *c, enum fault_kind kind, uint32_t node,
		uint64_t at, const char *fmt, ...)
{
	char text[sizeof(((struct err *)0)->text)];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (c->is_holding) {
		if (hold(c, kind, node, at, text))
			return;
		release_held(c); /* those before it come before it */
	}
	emit_node(c, kind, node, at, text);
}

int window_get(struct check *c, uint64_t at, void *buf, size_t len,
	       struct err *err)
{
	uint64_t used = c->super->bytes_used;
	struct err damage = { 0 };

	if (at < c->window_at || at + len > c->window_at + c->window_len) {
		size_t n = at < used && used - at < WINDOW_LEN
				   ? (size_t)(used - at)
				   : WINDOW_LEN;

		c->window_len = 0;
		c->window_at = at;
		if (at > used || len > n ||
		    image_read(c->image, at, c->window, n, &damage) < 0) {
			if (damage.code == ERR_NONE)
				err_set(&damage, ERR_CORRUPT,
					"the image ends at byte %" PRIu64,
					used);
			if (is_damage(&damage)) {
				fault(c, FAULT_TABLE, at, "%s", damage.text);
				return 1;
			}
			*err = damage;
			return -1;
		}
		c->window_len = n;
	}
	copy_bytes(buf, c->window + (at - c->window_at), len);
	return 0;
}

static int check_root(struct check *c, struct err *err)
{
	struct meta_ref ref = image_root(c->image);
	uint32_t node = NONE;
	uint64_t pos;

	if (stream_find(&c->inodes, ref.block, ref.offset, &pos)) {
		node = find_node(c, pos);
		if (node == NONE && c->is_broken) {
			if (walk_inodes(c, pos, err) < 0)
				return -1;
			node = find_node(c, pos);
		}
	}
	c->root = node;
	if (node == NONE)
		fault(c, FAULT_SUPER, AT_ROOT,
		      "super block: the root inode at %" PRIu64
		      ":%u is none that begins there",
		      ref.block, ref.offset);
	else if (c->nodes[node].type != INODE_DIR)
		fault(c, FAULT_SUPER, AT_ROOT,
		      "super block: the root inode %" PRIu32
		      " is no directory",
		      c->nodes[node].number);
	return 0;
}

static void check_count(struct check *c)
{
	if (!c->is_broken && c->node_count != c->super->inode_count)
		fault(c, FAULT_SUPER, AT_COUNT,
		      "super block: %" PRIu32
		      " inodes are told, %zu are there",
		      c->super->inode_count, c->node_count);
}

static int run_check(struct check *c, struct err *err)
{
	if (check_super(c, err) < 0 || open_tables(c, err) < 0)
		return -1;
	c->is_holding = true;
	if (walk_inodes(c, 0, err) < 0 || check_root(c, err) < 0 ||
	    check_directories(c, err) < 0 || check_links(c, err) < 0)
		return -1;
	release_held(c);
	check_count(c);
	if (stream_rest(c, &c->inodes, err) < 0 ||
	    stream_rest(c, &c->directories, err) < 0)
		return -1;
	if (c->export.count > 0 && check_lookup(c, &c->export, err) < 0)
		return -1;
	if (check_xattrs(c, err) < 0)
		return -1;
	return check_data(c, err);
}

static void cleanup(struct check *c)
{
	decoder_cleanup(&c->decoder);
	free(c->window);
	stream_cleanup(&c->inodes);
	stream_cleanup(&c->directories);
	stream_cleanup(&c->pairs);
	free(c->nodes);
	free(c->segments);
	free(c->dirs);
	free(c->words);
	free(c->runs);
	free(c->need);
	free(c->held);
	buffer_cleanup(&c->held_text);
	buffer_cleanup(&c->path);
}

int check_image(struct image *image, const struct check_options *options,
		struct check_stats *out, struct err *err)
{
	struct check c = { .image = image,
			   .super = image_super(image),
			   .options = options,
			   .root = NONE,
			   .path_dir = NONE };
	int ret = -1;

	c.window = malloc(WINDOW_LEN);
	if (!c.window) {
		err_nomem(err);
		goto out;
	}
	if (decoder_init(&c.decoder, image, err) < 0 ||
	    run_check(&c, err) < 0)
		goto out;
	c.stats.inodes = c.node_count;
	c.stats.directories = c.dir_count;
	*out = c.stats;
	ret = 0;
out:
	cleanup(&c);
	return ret;
}
