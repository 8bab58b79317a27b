/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef DIR_INTERNAL_H
#define DIR_INTERNAL_H

/* The including file has included config.h. */

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "attr.h"
#include "dir/dir.h"
#include "entry/sink.h"
#include "list.h"
#include "util/err.h"
#include "util/hash.h"
#include "walk.h"

struct block;
struct piece;

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

/* What became of a name. */
enum outcome {
	OUTCOME_OPEN, /* nothing yet */
	OUTCOME_MADE,
	OUTCOME_KEPT,	  /* something was there and stayed */
	OUTCOME_LEFT_OUT, /* by the options */
	OUTCOME_LOST,	  /* losses.device says why */
	OUTCOME_FAILED	  /* was told */
};

/*
 * What is known about an entry from announce to end; entry->of_sink. Those in
 * use are chained, for stop to find them.
 */
struct made {
	struct made *next, *prev; /* next only: one that is free */

	/* set in announce, read-only from then on */
	bool is_shared; /* a file of several pieces, which has been made */
	int fd;		/* of a shared file; -1: workers open it again */
	dev_t dev;
	ino_t ino;
	char *path; /* of a shared file */
	size_t path_cap;
	struct err *fault; /* why it could not be made; or NULL */

	/* of a shared file the main thread's, else the worker's that makes it,
	 * then the main thread's */
	enum outcome outcome;
	struct losses losses;
};

/* What a worker has for itself. */
struct worker {
	struct walk walk;
	uint64_t holes; /* bytes that were not written */
};

struct dir_sink {
	struct sink sink; /* first */
	struct dir_sink_options options;
	int root; /* borrowed */
	struct flow *flow;
	mode_t umask;
	uid_t uid; /* of this process, */
	gid_t gid; /* and so of what it makes */

	struct worker *workers;
	unsigned worker_count;
	struct walk walk;    /* the main thread's */
	struct walk targets; /* as well: of hard links */

	struct made *made;  /* those in use */
	struct made *spare; /* those that are not */
	unsigned open_count, open_max; /* shared files with a descriptor */
	bool has_failed; /* the entry that was begun */

	struct dir_list dirs;

	/* Digests of paths that are not there, with an enum outcome: for hard
	 * links to them. */
	struct hash_key key;
	struct digest_map missing;

	struct dir_sink_stats stats;
};

/*
 * Says that a call about the output failed, by errno. ERR_WRITE, with the path
 * in front, if there is no use in going on; else ERR_IO.
 */
int out_failed(const char *path, struct err *err, const char *fmt, ...)
	ERR_PRINTF(3, 4);

/* True if a failure ends the run; else one entry is left out. */
bool is_fatal(const struct err *err);

/* What an entry wants restored. */
void attrs_of(const struct dir_sink *sink, const struct entry *entry,
	      struct attrs *out);

/*
 * make.c: makes a directory or a shared file, in announce. Not being able to
 * is noted in made.
 */
int make_early(struct dir_sink *sink, const struct entry *entry,
	       struct made *made, struct err *err);

/* make.c: makes what one worker makes alone; its only piece is given. */
int make_alone(struct dir_sink *sink, struct worker *worker, unsigned index,
	       const struct block *b, const struct piece *piece,
	       struct made *made, struct err *err);

/* make.c: makes a hard link. */
int make_link(struct dir_sink *sink, const struct entry *entry,
	      enum outcome *outcome, struct err *err);

/* make.c: opens a shared file again, for writing. */
int shared_open(struct walk *walk, const struct made *made, int *fd,
		struct err *err);

/* make.c: closes a shared file, if it is open. */
void shared_close(struct dir_sink *sink, struct made *made);

/* make.c: removes a shared file that is not complete. */
void shared_remove(struct dir_sink *sink, struct made *made);

/*
 * end.c: tells that the entry which was begun is left out, once. The failure
 * has the entry's name in front. -1 if it is fatal.
 */
int leave_out(struct dir_sink *sink, struct err *err);

/* end.c: completes an entry, counts it and tells of what was lost. */
int end_entry(struct dir_sink *sink, const struct entry *entry,
	      struct made *made, struct err *err);

/* write.c: puts a piece where it belongs; index is the worker's. */
int write_piece(struct dir_sink *sink, struct worker *worker, unsigned index,
		int fd, const struct block *b, const struct piece *piece,
		struct err *err);

#endif
