/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "diff/diff.h"

/*
 * Both sides go along together in the order of the tree. A path that is not
 * settled at once is a finding, and waits in a queue: findings are told in the
 * order of their paths, whenever their content turns out. Content is cut into
 * pieces; a task is as many of them as are worth a worker's while.
 */
#include <stdlib.h>
#include <string.h>

#include "entry/entry.h"
#include "internal.h"
#include "pool/pool.h"
#include "util/err.h"

#define TASK_PIECES   64
#define TASKS_PER_JOB 4

/* Findings that may wait: what holds them up is a large file in front. */
#define FINDINGS_MAX 4096

struct finding {
	struct finding *next;
	struct item old, new;
	bool has_old, has_new;
	unsigned what;
	struct group *group; /* of the old side, or NULL */
	bool is_of_group;    /* its content is what was found for the group */
	struct content old_content, new_content;
	size_t pending; /* pieces in tasks */
	bool is_failed; /* the failure is struct diff's */
	bool differs;
	uint64_t differs_at, differs_span;
	char path[];
};

struct task {
	struct job job; /* first */
	struct diff *diff;

	/* set before submit, read-only from then on but for the results */
	struct piece pieces[TASK_PIECES];
	struct finding *findings[TASK_PIECES]; /* of the main thread */
	size_t count;
	uint64_t len; /* of all pieces */

	/* the worker's from submit to collect, then the main thread's */
	struct err err;
	size_t err_piece;
};

struct diff {
	const struct diff_options *options;
	struct diff_counts *counts;
	struct hash_key key;
	struct side old, new;
	struct links old_links, new_links;

	struct finding *first, *last; /* the queue */
	size_t finding_count;
	struct err failure; /* of the first finding that failed */
	bool is_over; /* nothing more is to be told */

	struct pool *pool;
	struct task *tasks; /* a ring of task_count */
	size_t task_count, task_next;
	struct task *open; /* being filled, or NULL */
	struct piece_kit *kits; /* one for each worker, the last is main's */
	unsigned kit_count;
	struct pairs pairs;
};

/* In the order of the tree, where a directory comes before what it holds. */
static int compare_paths(const char *a, const char *b)
{
	const uint8_t *x = (const uint8_t *)a, *y = (const uint8_t *)b;

	while (*x && *x == *y) {
		x++;
		y++;
	}
	if (*x == *y)
		return 0;
	if (!*x || !*y)
		return *x ? 1 : -1;
	if (*x == '/' || *y == '/')
		return *x == '/' ? -1 : 1;
	return *x < *y ? -1 : 1;
}

static void run_pieces(struct task *task, size_t from, struct piece_kit *kit)
{
	struct diff *d = task->diff;

	for (size_t i = from; i < task->count; i++)
		if (piece_compare(&task->pieces[i], &d->key, &d->pairs, kit,
				  &task->err) < 0) {
			task->err_piece = i;
			return;
		}
}

static void run_task(struct job *job, unsigned worker)
{
	struct task *task = (struct task *)job;

	run_pieces(task, 0, &task->diff->kits[worker]);
}

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

static int tell(struct diff *d, struct finding *f, struct diff_change *change,
		struct err *err)
{
	const struct diff_options *o = d->options;
	int ret;

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

	if (f->is_of_group) {
		f->differs = f->group->differs;
		f->differs_at = f->group->differs_at;
		f->differs_span = f->group->differs_span;
	} else if (f->group && f->differs) {
		f->group->differs = true;
		f->group->differs_at = f->differs_at;
		f->group->differs_span = f->differs_span;
	}
	if (f->differs) {
		f->what |= DIFF_CONTENT;
		change.differs_at = f->differs_at;
		change.differs_span = f->differs_span;
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
	finding_destroy(f);
	return ret;
}

/* Tells of what is settled. 1: change wants no more. */
static int release(struct diff *d, struct err *err)
{
	int ret = 0;

	while (ret == 0 && d->first && d->first->pending == 0) {
		if (d->first->is_failed) {
			*err = d->failure;
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
 * What a piece showed. Behind the first difference of a file nothing counts,
 * not even a failure: how many pieces were begun there is a matter of timing.
 */
static void settle(struct diff *d, struct task *task, size_t i)
{
	const struct piece *piece = &task->pieces[i];
	struct finding *f = task->findings[i];
	bool is_failed = task->err.code != ERR_NONE && task->err_piece <= i;

	f->pending--;
	if (is_failed && f->differs && task->err_piece == i) {
		task->err.code = ERR_NONE;
		run_pieces(task, i + 1, &d->kits[d->kit_count]);
	} else if (is_failed) {
		/* Those behind it in the task were not looked at, and are not
		 * going to be told of. */
		f->is_failed = true;
		if (d->failure.code == ERR_NONE)
			d->failure = task->err;
	} else if (piece->differs && !f->differs) {
		f->differs = true;
		f->differs_at = piece->differs_at;
		f->differs_span = piece->differs_span;
	}
}

/* Takes back the oldest task. */
static void collect(struct diff *d)
{
	struct task *task = (struct task *)pool_collect(d->pool);

	for (size_t i = 0; i < task->count; i++)
		settle(d, task, i);
}

static void submit(struct diff *d)
{
	if (!d->open)
		return;
	pool_submit(d->pool, &d->open->job);
	d->open = NULL;
}

/* A task with room for one more piece. */
static int open_task(struct diff *d, struct err *err)
{
	int ret;

	if (d->open)
		return 0;
	if (pool_is_full(d->pool))
		collect(d);
	ret = release(d, err);
	if (ret != 0)
		return ret;
	d->open = &d->tasks[d->task_next];
	d->task_next = (d->task_next + 1) % d->task_count;
	d->open->count = 0;
	d->open->len = 0;
	d->open->err.code = ERR_NONE;
	return 0;
}

static int add_piece(struct diff *d, struct finding *f,
		     const struct piece *piece, struct err *err)
{
	struct task *task;
	int ret = open_task(d, err);

	if (ret != 0)
		return ret;
	task = d->open;
	task->pieces[task->count] = *piece;
	task->findings[task->count++] = f;
	task->len += piece->len;
	f->pending++;
	if (task->count == TASK_PIECES || task->len >= PIECE_LEN)
		submit(d);
	return 0;
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

	while (ret == 0 && !f->differs) {
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
		ret = add_piece(d, f, &piece, err);
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
	f->pending++;
	ret = cut(d, f, err);
	f->pending--;
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
	const char *a, *b;

	if (f->old.has_names &&
	    links_find(&d->old_links, f->old.inode, f->path, &old, &old_begins,
		       err) < 0)
		return -1;
	if (f->new.has_names &&
	    links_find(&d->new_links, f->new.inode, f->path, &new, &new_begins,
		       err) < 0)
		return -1;
	a = f->old.node.first = old_begins ? NULL : old->path;
	b = f->new.node.first = new_begins ? NULL : new->path;
	if (!d->options->no_links && (a || b) &&
	    (!a || !b || strcmp(a, b) != 0))
		f->what |= DIFF_LINKS;
	*known = a && b && strcmp(a, b) == 0;
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
	return old && new ? compare_both(d, f, err) : 0;
}

/* Waits until the first finding is settled, if too many are behind it. */
static int make_room(struct diff *d, size_t max, struct err *err)
{
	int ret = release(d, err);

	while (ret == 0 && d->finding_count > max) {
		submit(d);
		collect(d);
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
		    : compare_paths(p->old.path, p->new.path);
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

static int make_pool(struct diff *d, struct err *err)
{
	const size_t depth = d->options->jobs > 0
				     ? (size_t)d->options->jobs * TASKS_PER_JOB
				     : 1;

	/* One is filled while all others are in the pool. */
	d->task_count = depth + 1;
	d->tasks = calloc(d->task_count, sizeof(*d->tasks));
	if (!d->tasks)
		return err_nomem(err);
	for (size_t i = 0; i < d->task_count; i++) {
		d->tasks[i].diff = d;
		d->tasks[i].job.run = run_task;
	}
	if (pool_create(d->options->jobs, depth, &d->pool, err) < 0)
		return -1;
	d->kit_count = pool_worker_count(d->pool);
	if (d->kit_count == 0)
		d->kit_count = 1;
	d->kits = calloc(d->kit_count + 1, sizeof(*d->kits));
	return d->kits ? 0 : err_nomem(err);
}

static void diff_destroy(struct diff *d)
{
	struct finding *f;

	if (d->pool) {
		pool_cancel(d->pool);
		while (pool_collect(d->pool))
			;
	}
	pool_destroy(d->pool);
	while ((f = d->first)) {
		d->first = f->next;
		finding_destroy(f);
	}
	for (size_t i = 0; d->kits && i <= d->kit_count; i++) {
		free(d->kits[i].old);
		free(d->kits[i].new);
	}
	free(d->kits);
	free(d->tasks);
	side_cleanup(&d->old);
	side_cleanup(&d->new);
	links_cleanup(&d->old_links);
	links_cleanup(&d->new_links);
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
	d->old_links.key = d->new_links.key = &d->key;
	if (hash_key_draw(&d->key, err) == 0 && make_pool(d, err) == 0 &&
	    side_init(&d->old, options, &options->old, &d->key, err) == 0 &&
	    side_init(&d->new, options, &options->new, &d->key, err) == 0)
		ret = compare_all(d, err);
	diff_destroy(d);
	return ret;
}
