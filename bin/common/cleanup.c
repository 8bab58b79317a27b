/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "common/cleanup.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static const int signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM,
				SIGXCPU };

#define SIGNAL_COUNT (sizeof(signals) / sizeof(signals[0]))

/* A signal handler has no argument to find it by. Written while the signals
 * are held back, and by nobody else. */
static char temporary[PATH_MAX];
static volatile sig_atomic_t begun_fd = -1;

static void remove_and_die(int sig)
{
	if (temporary[0])
		unlink(temporary);
	if (begun_fd >= 0 && ftruncate(begun_fd, 0) < 0)
		begun_fd = -1; /* nothing else can be done about it */

	/* SA_RESETHAND has put the default back; it strikes on return. */
	raise(sig);
}

static void signal_set(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < SIGNAL_COUNT; i++)
		sigaddset(set, signals[i]);
}

/* A signal that was ignored on start, as by nohup, stays ignored. */
static void catch(int sig)
{
	struct sigaction action = { 0 };

	if (sigaction(sig, NULL, &action) < 0 ||
	    action.sa_handler == SIG_IGN)
		return;
	action = (struct sigaction){ .sa_handler = remove_and_die,
				     .sa_flags = (int)SA_RESETHAND };
	signal_set(&action.sa_mask);
	sigaction(sig, &action, NULL);
}

void cleanup_hold(sigset_t *old)
{
	sigset_t set;

	signal_set(&set);
	sigprocmask(SIG_BLOCK, &set, old);
}

void cleanup_release(const sigset_t *old, const char *path, int fd)
{
	size_t len = path ? strlen(path) : 0;

	if (len >= sizeof(temporary))
		len = 0;
	if (len > 0)
		memcpy(temporary, path, len);
	temporary[len] = '\0';
	begun_fd = fd;
	for (size_t i = 0; i < SIGNAL_COUNT; i++)
		catch(signals[i]);
	sigprocmask(SIG_SETMASK, old, NULL);
}
