/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "diff/diff.h"

/*
 * Both sides go along together in the order of the tree. A path that is not
 * settled at once is a finding, and waits in a queue: findings are told in the
 * order of their paths, whenever it is that their content turns out.
 */
#include <stdlib.h>
#include <string.h>

#include "entry/entry.h"
#include "entry/path.h"
#include "internal.h"
#include "util/err.h"

/* Findings that may wait: what holds them up is a large file in front. */
#define FINDINGS_MAX	  4096
#define FINDINGS_COST_MAX ((size_t)16 << 20) /* bytes of their entries */

struct finding {
	struct finding *next;
	struct item old, new;
	bool has_old, has_new;
	unsigned what;
	const struct link_name *old_first, *new_first; /* or NULL */
	struct group *group; /* of the old side, or NULL */
	bool is_of_group;    /* its content is what was found for the group */
	struct content old_content, new_content;
	struct outcome outcome;
	char path[];
};

struct diff {
	const struct diff_options *options;
	struct diff_counts *counts;
	struct digest_key key;
	struct side old, new;
	struct links links;
	struct buffer old_first, new_first; /* texts for a change */

	struct finding *first, *last; /* the queue */
	size_t finding_count, finding_cost;
	bool is_over; /* nothing more is to be told */

	struct work *work;
};

static void finding_destroy(struct finding *f)
{
	entry_destroy(f->old.entry);
	entry_destroy(f->new.entry);
	free(f);
}

static int make_entry(struct side *side, struct item *item, struct err *err)
{
	struct content content;

	if (item->node.type != ENTRY_FILE || item->entry)
		return 0;
	return side_content(side, item, &content, err);
}

static int set_first(const struct link_name *name, struct buffer *buffer,
		     struct diff_node *node, struct err *err)
{
	if (!name)
		return 0;
	if (link_name_text(name, buffer, err) < 0)
		return -1;
	node->first = (const char *)buffer->data;
	return 0;
}

static int tell(struct diff *d, struct finding *f, struct diff_change *change,
		struct err *err)
{
	const struct diff_options *o = d->options;
	int ret;

	if (set_first(f->old_first, &d->old_first, &f->old.node, err) < 0 ||
	    set_first(f->new_first, &d->new_first, &f->new.node, err) < 0)
		return -1;
	if (!o->entries)
		return o->change(o->arg, change, err);
	if ((change->old && make_entry(&d->old, &f->old, err) < 0) ||
	    (change->new && make_entry(&d->new, &f->new, err) < 0))
		return -1;
	if (f->old.node.type == ENTRY_FILE)
		change->old_entry = f->old.entry;
	if (f->new.node.type == ENTRY_FILE)
		change->new_entry = f->new.entry;
	ret = o->change(o->arg, change, err);
	/* What was taken is not ours any more. */
	if (f->old.node.type == ENTRY_FILE)
		f->old.entry = change->old_entry;
	if (f->new.node.type == ENTRY_FILE)
		f->new.entry = change->new_entry;
	return ret;
}

/* Tells of the first finding, which nothing is pending of, and forgets it. */
static int release_first(struct diff *d, struct err *err)
{
	struct finding *f = d->first;
	struct diff_change change = {
		.path = f->path,
		.old = f->has_old ? &f->old.node : NULL,
		.new = f->has_new ? &f->new.node : NULL,
	};
	int ret = 0;

	if (f->is_of_group)
		f->outcome = f->group->outcome;
	else if (f->group)
		f->group->outcome = f->outcome;
	if (f->outcome.differs) {
		f->what |= DIFF_CONTENT;
		change.differs_at = f->outcome.differs_at;
		change.differs_span = f->outcome.differs_span;
	}
	change.what = f->what;
	if (!change.old)
		d->counts->added++;
	else if (!change.new)
		d->counts->removed++;
	else if (change.what)
		d->counts->changed++;
	if (!change.old || !change.new || change.what)
		ret = tell(d, f, &change, err);
	d->first = f->next;
	if (!d->first)
		d->last = NULL;
	d->finding_count--;
	d->finding_cost -= f->old.cost + f->new.cost;
	finding_destroy(f);
	return ret;
}

/* Tells of what is settled. 1: change wants no more. */
static int release(struct diff *d, struct err *err)
{
	int ret = 0;

	while (ret == 0 && d->first && d->first->outcome.pending == 0) {
		if (d->first->outcome.is_failed) {
			*err = *work_failure(d->work);
			ret = -1;
		} else {
			ret = release_first(d, err);
		}
	}
	if (ret != 0)
		d->is_over = true;
	return ret;
}

/*
 * Cuts the content of a finding into pieces, but for what is a hole on both
 * sides. The finding counts as pending meanwhile, so that it stays.
 */
static int cut(struct diff *d, struct finding *f, struct err *err)
{
	const struct content *old = &f->old_content, *new = &f->new_content;
	size_t old_at = 0, new_at = 0, old_rank = 0, new_rank = 0;
	struct piece piece = {
		.old = old,
		.new = new,
		.old_side = &d->old,
		.new_side = &d->new,
	};
	uint64_t offset = 0;
	int ret = 0;

	while (ret == 0 && !f->outcome.differs) {
		uint64_t a = content_next(old, offset, &old_at);
		uint64_t b = content_next(new, offset, &new_at);
		uint64_t next = a < b ? a : b;

		if (next >= old->size)
			break;
		next -= next % PIECE_LEN;
		if (next > offset)
			offset = next;
		piece.offset = offset;
		piece.len = old->size - offset;
		if (piece.len > PIECE_LEN)
			piece.len = PIECE_LEN;
		piece.old_digest = old->digests ? old_rank : 0;
		piece.new_digest = new->digests ? new_rank : 0;
		if (!work_has_room(d->work)) {
			work_collect(d->work);
			ret = release(d, err);
		}
		if (ret == 0)
			work_add(d->work, &piece, &f->outcome);
		old_rank += content_touched(old, offset, piece.len, &old_at);
		new_rank += content_touched(new, offset, piece.len, &new_at);
		offset += piece.len;
	}
	return ret;
}

static int compare_content(struct diff *d, struct finding *f, struct err *err)
{
	int ret;

	if (side_content(&d->old, &f->old, &f->old_content, err) < 0 ||
	    side_content(&d->new, &f->new, &f->new_content, err) < 0)
		return -1;
	f->outcome.pending++;
	ret = cut(d, f, err);
	f->outcome.pending--;
	return ret;
}

/*
 * Finds out which names of one inode come before, on either side.
 *
 * known    set if the content of both was compared there
 */
static int compare_links(struct diff *d, struct finding *f, bool *known,
			 struct err *err)
{
	struct group *old = NULL, *new = NULL;
	bool old_begins = true, new_begins = true;

	if (f->old.has_names &&
	    links_find(&d->links, &d->links.old, f->old.inode, f->path, &old,
		       &old_begins, err) < 0)
		return -1;
	if (f->new.has_names &&
	    links_find(&d->links, &d->links.new, f->new.inode, f->path, &new,
		       &new_begins, err) < 0)
		return -1;
	f->old_first = old_begins ? NULL : old->first;
	f->new_first = new_begins ? NULL : new->first;
	if (!d->options->no_links && f->old_first != f->new_first)
		f->what |= DIFF_LINKS;
	*known = f->old_first && f->old_first == f->new_first;
	f->group = *known || (old && old_begins) ? old : NULL;
	return 0;
}

static int compare_both(struct diff *d, struct finding *f, struct err *err)
{
	bool known = false;

	f->what = judge(d->options, &f->old, &f->new);
	if (f->what & DIFF_TYPE || f->old.node.type == ENTRY_DIR)
		return 0;
	if (compare_links(d, f, &known, err) < 0)
		return -1;
	if (f->old.node.type != ENTRY_FILE || f->what & DIFF_SIZE ||
	    d->options->no_contents)
		return 0;
	if (known) {
		f->is_of_group = true;
		return 0;
	}
	return compare_content(d, f, err);
}

/* Puts one path, or the same path of both sides, into the queue. */
static int add_finding(struct diff *d, struct item *old, struct item *new,
		       struct err *err)
{
	const char *path = old ? old->path : new->path;
	size_t len = strlen(path) + 1;
	struct finding *f = calloc(1, sizeof(*f) + len);

	if (!f)
		return err_nomem(err);
	memcpy(f->path, path, len);
	if (old) {
		f->old = *old;
		f->old.path = f->path;
		f->has_old = true;
		*old = (struct item){ 0 };
	}
	if (new) {
		f->new = *new;
		f->new.path = f->path;
		f->has_new = true;
		*new = (struct item){ 0 };
	}
	if (d->last)
		d->last->next = f;
	else
		d->first = f;
	d->last = f;
	d->finding_count++;
	d->finding_cost += f->old.cost + f->new.cost;
	return old && new ? compare_both(d, f, err) : 0;
}

/*
 * Waits for the first findings until the rest is no more than max, and takes
 * no more memory than it may.
 */
static int make_room(struct diff *d, size_t max, struct err *err)
{
	int ret = release(d, err);

	while (ret == 0 && d->first &&
	       (d->finding_count > max ||
		d->finding_cost > FINDINGS_COST_MAX)) {
		work_collect(d->work);
		ret = release(d, err);
	}
	return ret;
}

/* A path that one of both sides or both have. */
struct pair {
	struct item old, new;
	bool has_old, has_new; /* an item waits */
	bool old_ended, new_ended;
};

static int fetch(struct side *side, struct item *item, bool *has, bool *ended,
		 struct err *err)
{
	int ret;

	if (*has || *ended)
		return 0;
	ret = side_next(side, item, err);
	if (ret < 0)
		return -1;
	*has = ret == 0;
	*ended = ret != 0;
	return 0;
}

static enum diff_pick pick(const struct diff *d, const struct item *item)
{
	const struct diff_options *o = d->options;

	if (!o->pick || !*item->path)
		return DIFF_TAKE;
	return o->pick(o->pick_arg, item->path, item->node.type == ENTRY_DIR);
}

/* Leaves out the item that the side gave last. */
static void drop(struct side *side, struct item *item, enum diff_pick pick)
{
	if (pick == DIFF_LEAVE_BELOW && item->node.type == ENTRY_DIR)
		side_prune(side);
	entry_destroy(item->entry);
	*item = (struct item){ 0 };
}

static int step(struct diff *d, struct pair *p, struct err *err)
{
	int order = !p->has_old ? 1 : !p->has_new ? -1
		    : path_compare(p->old.path, p->new.path);
	struct item *old = order <= 0 ? &p->old : NULL;
	struct item *new = order >= 0 ? &p->new : NULL;
	enum diff_pick old_pick = old ? pick(d, old) : DIFF_TAKE;
	enum diff_pick new_pick = new ? pick(d, new) : DIFF_TAKE;
	int ret;

	if (old)
		p->has_old = false;
	if (new)
		p->has_new = false;
	if (old_pick != DIFF_TAKE || new_pick != DIFF_TAKE) {
		if (old)
			drop(&d->old, old, old_pick);
		if (new)
			drop(&d->new, new, new_pick);
		return 0;
	}
	d->counts->paths++;
	ret = add_finding(d, old, new, err);
	return ret == 0 ? make_room(d, FINDINGS_MAX, err) : ret;
}

static int compare_rest(struct diff *d, struct pair *p, struct err *err)
{
	int ret = 0;

	while (ret == 0) {
		if (fetch(&d->old, &p->old, &p->has_old, &p->old_ended, err) <
			    0 ||
		    fetch(&d->new, &p->new, &p->has_new, &p->new_ended, err) <
			    0)
			return -1;
		if (!p->has_old && !p->has_new)
			return make_room(d, 0, err);
		ret = step(d, p, err);
	}
	return ret;
}

static int compare_all(struct diff *d, struct err *err)
{
	struct pair pair = { .has_old = false };
	int ret = compare_rest(d, &pair, err);

	entry_destroy(pair.old.entry);
	entry_destroy(pair.new.entry);
	if (ret < 0 && !d->is_over) {
		/* What was found before is told, and may fail itself. */
		struct err why = *err;

		ret = make_room(d, 0, err);
		if (ret == 0) {
			*err = why;
			ret = -1;
		}
	}
	return ret;
}

static void diff_destroy(struct diff *d)
{
	struct finding *f;

	work_destroy(d->work);
	while ((f = d->first)) {
		d->first = f->next;
		finding_destroy(f);
	}
	side_cleanup(&d->old);
	side_cleanup(&d->new);
	links_cleanup(&d->links);
	buffer_cleanup(&d->old_first);
	buffer_cleanup(&d->new_first);
	free(d);
}

int diff_run(const struct diff_options *options, struct diff_counts *out,
	     struct err *err)
{
	struct diff *d = calloc(1, sizeof(*d));
	int ret = -1;

	if (!d)
		return err_nomem(err);
	*out = (struct diff_counts){ 0 };
	d->options = options;
	d->counts = out;
	d->links.key = &d->key;
	if (digest_key_draw(&d->key, err) == 0 &&
	    work_create(options->jobs, &d->key, &d->work, err) == 0 &&
	    side_init(&d->old, options, &options->old, &d->key, err) == 0 &&
	    side_init(&d->new, options, &options->new, &d->key, err) == 0)
		ret = compare_all(d, err);
	diff_destroy(d);
	return ret;
}
