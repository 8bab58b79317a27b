/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMON_PROGRESS_H
#define COMMON_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct message;
struct sink;
struct source;

/* One line on the terminal that tells how far the tool is. */
struct progress {
	struct message *message;
	const struct source *source;
	const struct sink *sink; /* a pack sink, or NULL */
	uint64_t begun, shown;	 /* nanoseconds of a steady clock */
	unsigned columns;	 /* of the terminal */
};

/* True if standard error is a terminal that can go back in its line. */
bool progress_is_possible(void);

/*
 * Begins to count the time. All is borrowed.
 *
 * sink     a pack sink; NULL: there is no ratio to be told
 */
void progress_init(struct progress *progress, struct message *message,
		   const struct source *source, const struct sink *sink);

/*
 * Draws the line afresh, five times a second at most. For flow_options, with
 * the struct progress as arg.
 */
void progress_update(void *arg, uint64_t content);

#define PROGRESS_LINE_LEN 160
#define PROGRESS_NO_RATIO UINT64_MAX

/*
 * The line: "1.2G  52%  310.5M/s  ratio 41%  0:12 left"; returns out.
 *
 * content  bytes of content dealt with so far
 * stored   bytes stored for them; PROGRESS_NO_RATIO: that is not told
 * done     bytes of the input read so far
 * total    its length; 0: unknown, then nothing depends on it
 * spent    nanoseconds since the begin
 */
const char *progress_line(uint64_t content, uint64_t stored, uint64_t done,
			  uint64_t total, uint64_t spent,
			  char out[PROGRESS_LINE_LEN]);

#endif
