/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "common/progress.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "common/message.h"
#include "common/size_text.h"
#include "entry/source.h"
#include "pack/pack.h"

#define SECOND	 UINT64_C(1000000000)
#define INTERVAL (SECOND / 5)

/* Before this much time has gone a guess of what is left is idle. */
#define GUESS_AFTER SECOND

static uint64_t now(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_MONOTONIC, &ts) < 0)
		return 0;
	return (uint64_t)ts.tv_sec * SECOND + (uint64_t)ts.tv_nsec;
}

static unsigned terminal_columns(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
		return 80;
	return size.ws_col;
}

bool progress_is_possible(void)
{
	const char *term = getenv("TERM");

	return term && *term && strcmp(term, "dumb") != 0 &&
	       isatty(STDERR_FILENO);
}

void progress_init(struct progress *progress, struct message *message,
		   const struct source *source, const struct sink *sink)
{
	*progress = (struct progress){
		.message = message,
		.source = source,
		.sink = sink,
		.begun = now(),
		.columns = terminal_columns(),
	};
	progress->shown = progress->begun;
}

/* part * by / per, near enough for a display; 0 where per is. */
static uint64_t scale(uint64_t part, uint64_t by, uint64_t per)
{
	return per ? (uint64_t)((double)part * (double)by / (double)per) : 0;
}

const char *progress_line(uint64_t content, uint64_t stored, uint64_t done,
			  uint64_t total, uint64_t spent,
			  char out[PROGRESS_LINE_LEN])
{
	char amount[SIZE_TEXT_LEN], rate[SIZE_TEXT_LEN];
	char percent[16] = "", ratio[24] = "", left[32] = "";

	size_text(content, amount);
	size_text(scale(content, SECOND, spent), rate);
	if (total > 0 && done <= total) {
		uint64_t wait = scale(total - done, spent, done) / SECOND;

		snprintf(percent, sizeof(percent), "  %u%%",
			 percent_of(done, total));
		if (done > 0 && spent >= GUESS_AFTER)
			snprintf(left, sizeof(left),
				 "  %" PRIu64 ":%02u left", wait / 60,
				 (unsigned)(wait % 60));
	}
	if (stored != PROGRESS_NO_RATIO)
		snprintf(ratio, sizeof(ratio), "  ratio %u%%",
			 percent_of(stored, content));
	snprintf(out, PROGRESS_LINE_LEN, "%s%s  %s/s%s%s", amount, percent,
		 rate, ratio, left);
	return out;
}

void progress_update(void *arg, uint64_t content)
{
	struct progress *progress = arg;
	char line[PROGRESS_LINE_LEN];
	uint64_t time = now(), done = 0, total = 0;

	if (time - progress->shown < INTERVAL)
		return;
	progress->shown = time;
	if (progress->source->ops->progress)
		progress->source->ops->progress(progress->source, &done,
						&total);
	progress_line(content,
		      progress->sink ? pack_stats(progress->sink)->bytes_stored
				     : PROGRESS_NO_RATIO,
		      done, total, time - progress->begun, line);
	fprintf(stderr, "\r%.*s\033[K", (int)progress->columns - 1, line);
	progress->message->line_open = true;
}
