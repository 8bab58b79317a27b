/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef UTIL_ERR_H
#define UTIL_ERR_H

/*
 * How a function that failed says why. It allocates nothing, so that it can
 * report that memory ran out.
 */
enum err_code {
	ERR_NONE = 0,
	ERR_NOMEM,	 /* memory ran out, or the memory limit is too low */
	ERR_IO,		 /* a system call failed; sys holds errno */
	ERR_WRITE,	 /* one that writes did: the output is at fault */
	ERR_CORRUPT,	 /* the input contradicts its format */
	ERR_LIMIT,	 /* more than the format or a stated limit allows */
	ERR_UNSUPPORTED, /* sound, but not built in or not handled */
	ERR_USAGE,	 /* the user's words are off */
	ERR_EXISTS,	 /* something is there already */
	ERR_SKIPPED	 /* a warning that was asked to be an error */
};

struct err {
	enum err_code code;
	int sys;	/* errno of the failing call, or 0 */
	char text[512]; /* "place: place: fault", cut to fit, one line */
};

#define ERR_PRINTF(f, a) __attribute__((format(printf, f, a)))

/*
 * Sets code and text; a later call replaces an earlier one.
 *
 * err      may be NULL: then nothing is kept
 * returns  -1, so that callers can return it
 */
int err_set(struct err *err, enum err_code code, const char *fmt, ...)
	ERR_PRINTF(3, 4);

/* As err_set with ERR_IO, ": " and the words for errno; keeps errno in sys. */
int err_sys(struct err *err, const char *fmt, ...) ERR_PRINTF(2, 3);

/* "memory ran out"; returns -1. */
int err_nomem(struct err *err);

/* Puts a place in front of the text: "fmt: text". Returns -1. */
int err_in(struct err *err, const char *fmt, ...) ERR_PRINTF(2, 3);

#define NAME_TEXT_LEN 208

/*
 * A name fit for a message: bytes below 32, 127 and the backslash become
 * \ooo, a long name loses its middle.
 *
 * name     len bytes
 * out      NAME_TEXT_LEN bytes, always terminated
 * returns  out
 */
const char *name_text(const char *name, unsigned long len,
		      char out[NAME_TEXT_LEN]);

#endif
