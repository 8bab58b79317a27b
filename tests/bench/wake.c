/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What it takes to wake a thread that sleeps at a condition: prints the
 * nanoseconds of processor time that the waker spends, those until the other
 * runs, and the processor time that the other spends each time. The first two
 * are medians of many tries, the last is their mean.
 */
#include "config.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define TRIES 500
#define PAUSE 200 /* microseconds, enough for the other to fall asleep */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;
static int given, taken;
static uint64_t ran_at, slept;

static uint64_t now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void *sleeper(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&mutex);
	for (int i = 1; i <= TRIES; i++) {
		while (given < i)
			pthread_cond_wait(&turn, &mutex);
		ran_at = now(CLOCK_MONOTONIC);
		taken = i;
	}
	slept = now(CLOCK_THREAD_CPUTIME_ID) / TRIES;
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t median(uint64_t *values)
{
	qsort(values, TRIES, sizeof(*values), by_value);
	return values[TRIES / 2];
}

static bool has_taken(int number)
{
	pthread_mutex_lock(&mutex);

	bool done = taken == number;

	pthread_mutex_unlock(&mutex);
	return done;
}

int main(void)
{
	static uint64_t spent[TRIES], late[TRIES];
	pthread_t thread;

	if (pthread_create(&thread, NULL, sleeper, NULL)) {
		fputs("wake: no thread\n", stderr);
		return 1;
	}
	for (int i = 0; i < TRIES; i++) {
		usleep(PAUSE);

		uint64_t wall = now(CLOCK_MONOTONIC);
		uint64_t cpu = now(CLOCK_THREAD_CPUTIME_ID);

		pthread_mutex_lock(&mutex);
		given = i + 1;
		pthread_cond_signal(&turn);
		pthread_mutex_unlock(&mutex);
		spent[i] = now(CLOCK_THREAD_CPUTIME_ID) - cpu;
		while (!has_taken(i + 1))
			usleep(PAUSE / 10);
		late[i] = ran_at - wall;
	}
	pthread_join(thread, NULL);
	printf("wake_ns %llu latency_ns %llu sleep_ns %llu\n",
	       (unsigned long long)median(spent),
	       (unsigned long long)median(late), (unsigned long long)slept);
	return 0;
}
