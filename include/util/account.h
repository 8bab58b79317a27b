/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef UTIL_ACCOUNT_H
#define UTIL_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * What a run costs: bytes copied, allocations and processor time by stage.
 * Nothing is counted until account_start, and then the price of a counter is
 * one branch that is always taken the same way.
 *
 * Copied is what our own code moves from memory to memory and what grows with
 * content or entries: parts of the input that go from a window to a block's
 * buffer, tail-ends that go into and come out of a fragment block, headers and
 * small files that are gathered for one write, names, paths, lists of blocks,
 * metadata, small arrays that move as they grow. Not counted is what a
 * compressor writes and what a hash reads, what the kernel copies or moves by
 * pages, filling memory with one value, what is encoded or decoded field by
 * field, and options, messages and rules.
 *
 * Allocations are those of our code, through the wrapped functions of
 * account_wrap.c. What the C library or a compressor allocates for itself is
 * not ours to avoid; tests/bench/mallocs.c sees all of it.
 */
enum account_counter {
	ACCOUNT_COPIED,	     /* bytes */
	ACCOUNT_ALLOCATIONS, /* calls; a realloc is one */
	ACCOUNT_ALLOCATED,   /* bytes asked for */
	ACCOUNT_ENTRIES,     /* of the source */
	ACCOUNT_COUNTER_COUNT
};

/* What processor time goes into, system calls included. */
enum account_stage {
	ACCOUNT_READ,	  /* a block is read and, from an image, decompressed */
	ACCOUNT_WORK,	  /* all else that a worker does with a block */
	ACCOUNT_TAIL_ENDS, /* the same with a block of tail-ends */
	ACCOUNT_FRAGMENT, /* a fragment block is compressed */
	ACCOUNT_WRITE,	  /* a run of blocks is written */
	ACCOUNT_INPUT,	  /* a part of the input is decompressed */
	ACCOUNT_OUTPUT,	  /* a part of the output is compressed */
	ACCOUNT_TABLES,	  /* what follows the last block of an image */
	ACCOUNT_STAGE_COUNT
};

struct account {
	uint64_t counters[ACCOUNT_COUNTER_COUNT];
	struct account_cost {
		uint64_t count;
		uint64_t cpu_ns;
	} stages[ACCOUNT_STAGE_COUNT];
};

/*
 * The one piece of mutable state of file scope, with the counters behind it:
 * an allocation or a copy has no object at hand that it could be told to, and a
 * parameter through every room would cost those who do not count. Written once,
 * before there are threads.
 */
extern bool account_is_on;

/* Begins to count. Thread: main, before any other is started. */
void account_start(void);

/* Adds to a counter. Thread: any. */
void account_add(enum account_counter counter, uint64_t n);

/* Processor time of the calling thread, nanoseconds. */
uint64_t account_thread_ns(void);

/* Adds to a stage what went by since begun; returns account_thread_ns. */
uint64_t account_add_stage(enum account_stage stage, uint64_t begun);

/* All counters; nothing changes them while other threads rest. */
void account_get(struct account *out);

static inline void account_count(enum account_counter counter, uint64_t n)
{
	if (account_is_on)
		account_add(counter, n);
}

static inline void account_copied(uint64_t len)
{
	account_count(ACCOUNT_COPIED, len);
}

/* memcpy and memmove, counted. */
static inline void copy_bytes(void *to, const void *from, size_t len)
{
	account_copied(len);
	memcpy(to, from, len);
}

static inline void move_bytes(void *to, const void *from, size_t len)
{
	account_copied(len);
	memmove(to, from, len);
}

/* The begin of a stage, for account_end. */
static inline uint64_t account_begin(void)
{
	return account_is_on ? account_thread_ns() : 0;
}

/* Ends a stage in the thread that it began in; the next may begin there. */
static inline uint64_t account_end(enum account_stage stage, uint64_t begun)
{
	return account_is_on ? account_add_stage(stage, begun) : 0;
}

#endif
