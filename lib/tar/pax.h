/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TAR_PAX_H
#define TAR_PAX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/array.h"

struct err;
struct place;

/* What a record may say in the place of a header's field. */
enum pax_number {
	PAX_SIZE,
	PAX_UID,
	PAX_GID,
	PAX_MTIME,
	PAX_MAJOR,
	PAX_MINOR,
	PAX_NUMBER_COUNT
};

/* A value where it stands in the body; data is NULL if there is none. */
struct pax_text {
	const char *data;
	size_t len;
};

enum pax_form {
	PAX_FORM_SCHILY,    /* name nearly as it is, value as it is */
	PAX_FORM_LIBARCHIVE /* name percent-encoded, value in base 64 */
};

struct pax_attr {
	enum pax_form form;
	struct pax_text name, value;
};

/* The records of GNU's sparse files, decided on when all are known. */
struct pax_sparse {
	bool is_used; /* any of them was there */
	bool has_major, has_minor, has_count, has_size, has_real_size;
	bool has_offset; /* one that waits for its length */
	uint64_t major, minor, count;
	uint64_t size;	    /* of GNU.sparse.size */
	uint64_t real_size; /* of GNU.sparse.realsize */
	uint64_t offset;
	struct pax_text name, map;
	uint64_t *pairs;	     /* heap: offset and length in turn */
	size_t pair_count, pair_cap; /* numbers, not pairs */
};

/*
 * The records that hold for an entry, or, of global headers, for all that
 * follow. Texts are borrowed from body, which lives until the next header.
 */
struct pax {
	bool is_global;
	bool no_xattr; /* attributes are passed over */
	bool is_used;  /* something was set, emptied or collected */
	struct buffer body;
	int64_t numbers[PAX_NUMBER_COUNT];
	unsigned set;	  /* bit n: numbers[n] holds */
	unsigned emptied; /* bit n: the global one does not hold either */
	struct pax_text path, linkpath;
	struct pax_text acl;	    /* access control list in words */
	struct pax_text acl_binary; /* the same as Linux keeps it */
	bool has_acl;		    /* one of any kind that gets lost */
	bool has_star_size;	    /* star's size of a sparse file */
	struct pax_sparse sparse;
	struct pax_attr *attrs; /* heap */
	size_t attr_count, attr_cap;
};

/*
 * Takes all records of pax->body.
 *
 * place    offset is that of the body's first byte; moved to the record at
 *	    fault on failure
 * fails    ERR_CORRUPT, ERR_LIMIT, ERR_UNSUPPORTED, ERR_NOMEM, ERR_SKIPPED
 * format   doc/tar.md, "Extended headers"
 */
int pax_parse(struct pax *pax, struct place *place, struct err *err);

/* Forgets the records of an entry, but keeps body, which may be in use. */
void pax_reset(struct pax *pax);

void pax_cleanup(struct pax *pax);

#endif
