/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ENTRY_CHAIN_H
#define ENTRY_CHAIN_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct source;

/* Several inputs that are read one after the other. */
struct chain_options {
	size_t count;

	/*
	 * What each is called, in front of failures about its entries; or NULL.
	 * Borrowed for the chain's life.
	 */
	const char *const *names;

	/*
	 * Opens one of them when its turn has come; the source is the chain's
	 * from then on. A failure need not name the input.
	 */
	int (*open)(void *arg, size_t index, struct source **out,
		    struct err *err);

	/* After a source that open made was destroyed. NULL: nothing. */
	void (*close)(void *arg, size_t index);

	/*
	 * From here on entries of an input are read, and with NULL: no longer.
	 * So that warnings can be told where they come from. NULL: nothing.
	 */
	void (*enter)(void *arg, const char *name);
	void *arg;

	uint64_t total; /* bytes of all inputs, or 0: for a progress display */
};

/*
 * A source of the entries of all inputs, in their order, each with its input as
 * its origin: content is to be read from that, as it may be a file or a stream.
 *
 * An input is open from its turn on until its last entry is destroyed, or, if
 * it only goes forward, until the turn of the next. So as many are open as have
 * entries in flight, and one more.
 *
 * options  copied
 * fails    ERR_NOMEM. next: as open and the inputs
 */
int chain_create(const struct chain_options *options, struct source **out,
		 struct err *err);

#endif
