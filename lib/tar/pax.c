/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * Extended headers: records of the form LEN KEYWORD=VALUE. A record's length
 * alone says where it ends: a value may hold any byte. Format: doc/tar.md,
 * "Extended headers".
 */
#include "pax.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "place.h"
#include "tar/tar.h"
#include "util/err.h"
#include "util/hash.h"

struct record {
	struct pax_text key, value;
};

enum action {
	SKIP, /* of no meaning for an image */
	NUMBER,
	TIME,
	NAME,
	LINK,
	SPARSE_NAME,
	SPARSE_MAP,
	SPARSE_OFFSET,
	SPARSE_LEN,
	SPARSE_SIZE,
	SPARSE_REAL_SIZE,
	SPARSE_COUNT,
	SPARSE_MAJOR,
	SPARSE_MINOR,
	STAR_SIZE,
	ACL,
	ACL_OTHER,
	SELINUX,
	CHARSET,
	USER_NAME,
	VOLUME
};

static const struct keyword {
	const char *name;
	enum action action;
	enum pax_number number;
	uint64_t max; /* of a number */
} keywords[] = {
	{ "path", NAME, 0, 0 },
	{ "linkpath", LINK, 0, 0 },
	{ "size", NUMBER, PAX_SIZE, INT64_MAX },
	{ "uid", NUMBER, PAX_UID, UINT32_MAX },
	{ "gid", NUMBER, PAX_GID, UINT32_MAX },
	{ "mtime", TIME, PAX_MTIME, 0 },
	{ "atime", SKIP, 0, 0 },
	{ "ctime", SKIP, 0, 0 },
	{ "uname", USER_NAME, 0, 0 },
	{ "gname", USER_NAME, 0, 0 },
	{ "comment", SKIP, 0, 0 },
	{ "charset", SKIP, 0, 0 },
	{ "hdrcharset", CHARSET, 0, 0 },
	{ "GNU.sparse.name", SPARSE_NAME, 0, 0 },
	{ "GNU.sparse.map", SPARSE_MAP, 0, 0 },
	{ "GNU.sparse.offset", SPARSE_OFFSET, 0, 0 },
	{ "GNU.sparse.numbytes", SPARSE_LEN, 0, 0 },
	{ "GNU.sparse.size", SPARSE_SIZE, 0, 0 },
	{ "GNU.sparse.realsize", SPARSE_REAL_SIZE, 0, 0 },
	{ "GNU.sparse.numblocks", SPARSE_COUNT, 0, 0 },
	{ "GNU.sparse.major", SPARSE_MAJOR, 0, 0 },
	{ "GNU.sparse.minor", SPARSE_MINOR, 0, 0 },
	{ "GNU.dumpdir", SKIP, 0, 0 },
	{ "GNU.volume.label", SKIP, 0, 0 },
	{ "GNU.volume.filename", VOLUME, 0, 0 },
	{ "GNU.volume.size", VOLUME, 0, 0 },
	{ "GNU.volume.offset", VOLUME, 0, 0 },
	{ "RHT.security.selinux", SELINUX, 0, 0 },
	{ "SCHILY.acl.access", ACL, 0, 0 },
	{ "SCHILY.acl.default", ACL_OTHER, 0, 0 },
	{ "SCHILY.acl.ace", ACL_OTHER, 0, 0 },
	{ "SCHILY.devmajor", NUMBER, PAX_MAJOR, UINT32_MAX },
	{ "SCHILY.devminor", NUMBER, PAX_MINOR, UINT32_MAX },
	{ "SUN.devmajor", NUMBER, PAX_MAJOR, UINT32_MAX },
	{ "SUN.devminor", NUMBER, PAX_MINOR, UINT32_MAX },
	{ "SUN.holesdata", SKIP, 0, 0 },
	{ "SCHILY.realsize", STAR_SIZE, 0, 0 },
	{ "SCHILY.dev", SKIP, 0, 0 },
	{ "SCHILY.ino", SKIP, 0, 0 },
	{ "SCHILY.nlink", SKIP, 0, 0 },
	{ "SCHILY.filetype", SKIP, 0, 0 },
	{ "SCHILY.fflags", SKIP, 0, 0 },
	{ "SCHILY.tarfiletype", SKIP, 0, 0 },
	{ "LIBARCHIVE.creationtime", SKIP, 0, 0 },
	{ "LIBARCHIVE.symlinktype", SKIP, 0, 0 },
	{ "LIBARCHIVE.pad", SKIP, 0, 0 },
};

static bool text_is(const struct pax_text *text, const char *want)
{
	return text->len == strlen(want) &&
	       memcmp(text->data, want, text->len) == 0;
}

static bool has_nul(const struct pax_text *text)
{
	return text->len > 0 && memchr(text->data, '\0', text->len);
}

/* Cuts the record that begins at body; *used is its length. */
static int cut_record(const char *body, size_t len, struct record *out,
		      size_t *used, struct err *err)
{
	size_t i = 0, all = 0;

	for (; i < len && body[i] >= '0' && body[i] <= '9'; i++) {
		all = all * 10 + (size_t)(body[i] - '0');
		if (all > len)
			return err_set(err, ERR_CORRUPT,
				       "record is longer than the extended "
				       "header, which has %zu bytes more",
				       len);
	}
	if (i == 0 || i == len || body[i] != ' ')
		return err_set(err, ERR_CORRUPT,
			       "record does not begin with its length");
	i++;
	/* The least there is: a keyword of one byte, "=" and a line feed. */
	if (all < i + 3)
		return err_set(err, ERR_CORRUPT,
			       "length of a record is too short, %zu", all);
	if (body[all - 1] != '\n')
		return err_set(err, ERR_CORRUPT,
			       "record of %zu bytes does not end in a line "
			       "feed",
			       all);

	const char *key = body + i;
	size_t room = all - 1 - i;
	const char *equals = memchr(key, '=', room);

	if (!equals || equals == key)
		return err_set(err, ERR_CORRUPT, "record without a keyword");
	out->key = (struct pax_text) { key, (size_t)(equals - key) };
	out->value = (struct pax_text) { equals + 1, room - out->key.len - 1 };
	if (out->key.len > TAR_KEYWORD_MAX)
		return err_set(err, ERR_LIMIT,
			       "keyword is longer than %d bytes, %zu",
			       TAR_KEYWORD_MAX, out->key.len);
	if (has_nul(&out->key))
		return err_set(err, ERR_CORRUPT, "keyword with a NUL");
	*used = all;
	return 0;
}

/* A path; an empty one takes earlier ones back. */
static int take_name(const struct record *r, const char *what,
		     struct pax_text *out, struct err *err)
{
	if (has_nul(&r->value))
		return err_set(err, ERR_CORRUPT, "the record %s has a NUL",
			       what);
	if (r->value.len > TAR_NAME_MAX)
		return err_set(err, ERR_LIMIT,
			       "the record %s is longer than %d bytes, %zu",
			       what, TAR_NAME_MAX, r->value.len);
	*out = r->value.len > 0 ? r->value : (struct pax_text) { NULL, 0 };
	return 0;
}

static int take_number(struct pax *pax, const struct keyword *word,
		       const struct record *r, struct err *err)
{
	unsigned bit = 1u << word->number;
	uint64_t value;

	if (r->value.len == 0) {
		pax->set &= ~bit;
		pax->emptied |= bit;
		return 0;
	}
	if (word->action == TIME) {
		if (number_time(r->value.data, r->value.len, word->name,
				&pax->numbers[word->number], err) < 0)
			return -1;
	} else {
		if (number_decimal(r->value.data, r->value.len, word->max,
				   word->name, &value, err) < 0)
			return -1;
		pax->numbers[word->number] = (int64_t)value;
	}
	pax->set |= bit;
	pax->emptied &= ~bit;
	return 0;
}

static int take_attr(struct pax *pax, enum pax_form form, const char *name,
		     size_t name_len, const struct record *r, struct err *err)
{
	if (pax->no_xattr)
		return 0;
	if (pax->attr_count >= TAR_XATTR_COUNT_MAX)
		return err_set(err, ERR_LIMIT, "more than %d attributes",
			       TAR_XATTR_COUNT_MAX);
	if (array_reserve(&pax->attrs, &pax->attr_cap, pax->attr_count + 1,
			  sizeof(*pax->attrs), err) < 0)
		return -1;
	pax->attrs[pax->attr_count++] = (struct pax_attr) {
		.form = form, .name = { name, name_len }, .value = r->value
	};
	return 0;
}

/* A number of a sparse file; an empty one is as none. */
static int take_sparse_number(const struct keyword *word,
			      const struct record *r, bool *has, uint64_t *out,
			      struct err *err)
{
	if (r->value.len == 0) {
		*has = false;
		return 0;
	}
	if (number_decimal(r->value.data, r->value.len, INT64_MAX, word->name,
			   out, err) < 0)
		return -1;
	*has = true;
	return 0;
}

/* The offset of a segment, or its length, which must follow. */
static int take_sparse_pair(struct pax_sparse *s, const struct keyword *word,
			    const struct record *r, struct err *err)
{
	bool is_offset = word->action == SPARSE_OFFSET;
	uint64_t value;

	if (number_decimal(r->value.data, r->value.len, INT64_MAX, word->name,
			   &value, err) < 0)
		return -1;
	if (is_offset == s->has_offset)
		return err_set(err, ERR_CORRUPT, "the record %s is out of turn",
			       word->name);
	if (s->pair_count >= 2 * (size_t)TAR_SEGMENT_MAX)
		return err_set(err, ERR_LIMIT,
			       "sparse file of more than %d segments",
			       TAR_SEGMENT_MAX);
	if (array_reserve(&s->pairs, &s->pair_cap, s->pair_count + 1,
			  sizeof(*s->pairs), err) < 0)
		return -1;
	s->pairs[s->pair_count++] = value;
	s->has_offset = is_offset;
	return 0;
}

static int take_sparse(struct pax_sparse *s, const struct keyword *word,
		       const struct record *r, struct err *err)
{
	s->is_used = true;
	switch (word->action) {
	case SPARSE_NAME:
		return take_name(r, word->name, &s->name, err);
	case SPARSE_MAP:
		s->map = r->value;
		return 0;
	case SPARSE_SIZE:
		return take_sparse_number(word, r, &s->has_size, &s->size, err);
	case SPARSE_REAL_SIZE:
		return take_sparse_number(word, r, &s->has_real_size,
					  &s->real_size, err);
	case SPARSE_COUNT:
		return take_sparse_number(word, r, &s->has_count, &s->count,
					  err);
	case SPARSE_MAJOR:
		return take_sparse_number(word, r, &s->has_major, &s->major,
					  err);
	case SPARSE_MINOR:
		return take_sparse_number(word, r, &s->has_minor, &s->minor,
					  err);
	default:
		return take_sparse_pair(s, word, r, err);
	}
}

/* What would name or cut every entry that follows. */
static int refuse_global(const struct keyword *word, const struct record *r,
			 struct err *err)
{
	switch (word->action) {
	case NUMBER:
		if (word->number != PAX_SIZE)
			return 0;
		break;
	case NAME:
	case LINK:
	case SPARSE_NAME:
	case SPARSE_MAP:
	case SPARSE_OFFSET:
	case SPARSE_LEN:
	case SPARSE_SIZE:
	case SPARSE_REAL_SIZE:
	case SPARSE_COUNT:
	case SPARSE_MAJOR:
	case SPARSE_MINOR:
	case STAR_SIZE:
		break;
	case VOLUME:
		return err_set(err, ERR_UNSUPPORTED,
			       "the first file began on another volume; join "
			       "the volumes first");
	default:
		return 0;
	}
	if (r->value.len == 0)
		return 0;
	return err_set(err, ERR_CORRUPT,
		       "the record %s in a global header would hold for all "
		       "entries",
		       word->name);
}

static int take_charset(const struct record *r, const struct place *place,
			struct err *err)
{
	char text[NAME_TEXT_LEN];

	if (r->value.len == 0 || text_is(&r->value, "BINARY") ||
	    text_is(&r->value, "ISO-IR 10646 2000 UTF-8"))
		return 0;
	return place_warn(place, WARN_KEYWORD, err,
			  "names are taken as they are, not as %s",
			  name_text(r->value.data, r->value.len, text));
}

static int take_known(struct pax *pax, const struct keyword *word,
		      const struct record *r, const struct place *place,
		      struct err *err)
{
	static const char selinux[] = "security.selinux";
	struct pax_text unused;

	if (pax->is_global && refuse_global(word, r, err) < 0)
		return -1;
	switch (word->action) {
	case SKIP:
	case VOLUME:
		return 0;
	case NUMBER:
	case TIME:
		return take_number(pax, word, r, err);
	case NAME:
		return take_name(r, word->name, &pax->path, err);
	case LINK:
		return take_name(r, word->name, &pax->linkpath, err);
	case USER_NAME:
		return take_name(r, word->name, &unused, err);
	case STAR_SIZE:
		pax->has_star_size = r->value.len > 0;
		return 0;
	case ACL:
		pax->acl = r->value;
		pax->has_acl = pax->has_acl || r->value.len > 0;
		return 0;
	case ACL_OTHER:
		pax->has_acl = pax->has_acl || r->value.len > 0;
		return 0;
	case SELINUX:
		return take_attr(pax, PAX_FORM_SCHILY, selinux,
				 sizeof(selinux) - 1, r, err);
	case CHARSET:
		return take_charset(r, place, err);
	default:
		return take_sparse(&pax->sparse, word, r, err);
	}
}

static int take_record(struct pax *pax, const struct record *r,
		       const struct place *place, struct err *err)
{
	static const char schily[] = "SCHILY.xattr.";
	static const char libarchive[] = "LIBARCHIVE.xattr.";
	const size_t schily_len = sizeof(schily) - 1;
	const size_t libarchive_len = sizeof(libarchive) - 1;
	const struct pax_text *key = &r->key;
	char text[NAME_TEXT_LEN];

	if (key->len >= schily_len &&
	    memcmp(key->data, schily, schily_len) == 0) {
		if (text_is(key, "SCHILY.xattr.system.posix_acl_access"))
			pax->acl_binary = r->value;
		return take_attr(pax, PAX_FORM_SCHILY, key->data + schily_len,
				 key->len - schily_len, r, err);
	}
	if (key->len >= libarchive_len &&
	    memcmp(key->data, libarchive, libarchive_len) == 0)
		return take_attr(pax, PAX_FORM_LIBARCHIVE,
				 key->data + libarchive_len,
				 key->len - libarchive_len, r, err);

	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
		if (text_is(key, keywords[i].name))
			return take_known(pax, &keywords[i], r, place, err);
	return place_warn(place, WARN_KEYWORD, err,
			  "record with the keyword %s is ignored",
			  name_text(key->data, key->len, text));
}

int pax_parse(struct pax *pax, struct place *place, struct err *err)
{
	const char *body = (const char *)pax->body.data;
	size_t len = pax->body.len;

	while (len > 0) {
		struct record r;
		size_t used = 0;

		/* Some writers round the size up to whole blocks. */
		if (body[0] == '\0' && mem_is_zero(body, len))
			break;
		if (cut_record(body, len, &r, &used, err) < 0 ||
		    take_record(pax, &r, place, err) < 0)
			return -1;
		pax->is_used = true;
		body += used;
		len -= used;
		place->offset += used;
	}
	if (pax->sparse.has_offset)
		return err_set(err, ERR_CORRUPT,
			       "the record GNU.sparse.offset has no "
			       "GNU.sparse.numbytes");
	return 0;
}

/* A buffer that one large header left behind is not kept for small ones. */
#define KEEP_LEN (1024 * 1024)

void pax_reset(struct pax *pax)
{
	struct pax_sparse *s = &pax->sparse;

	if (pax->body.cap > KEEP_LEN)
		buffer_cleanup(&pax->body);
	if (!pax->is_used)
		return;
	if (s->pair_cap > KEEP_LEN / sizeof(*s->pairs)) {
		free(s->pairs);
		s->pairs = NULL;
		s->pair_cap = 0;
	}

	struct pax kept = {
		.is_global = pax->is_global,
		.no_xattr = pax->no_xattr,
		.body = pax->body,
		.sparse = { .pairs = s->pairs, .pair_cap = s->pair_cap },
		.attrs = pax->attrs,
		.attr_cap = pax->attr_cap,
	};

	*pax = kept;
}

void pax_cleanup(struct pax *pax)
{
	buffer_cleanup(&pax->body);
	free(pax->sparse.pairs);
	free(pax->attrs);
	*pax = (struct pax) { 0 };
}
