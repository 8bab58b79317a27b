/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * From a header, and what came before it, to an entry. Format: doc/tar.md,
 * "Headers", "Extended headers", "Times", "Attributes".
 */
#include <inttypes.h>
#include <string.h>

#include "acl.h"
#include "entry/entry.h"
#include "entry/path.h"
#include "state.h"
#include "util/account.h"
#include "util/err.h"

#define MODE_MASK 07777

/* The records' number for a field, if there is one. */
static bool pax_number(const struct tar *tar, enum pax_number number,
		       int64_t *out)
{
	unsigned bit = 1u << number;

	if (tar->pax.set & bit) {
		*out = tar->pax.numbers[number];
		return true;
	}
	if (!(tar->global.set & bit) || (tar->pax.emptied & bit))
		return false;
	*out = tar->global.numbers[number];
	return true;
}

/* A field is not even looked at where a record stands for it. */
static int number(const struct tar *tar, const uint8_t *block,
		  enum pax_number pax, enum header_field field, int64_t min,
		  int64_t max, int64_t *out, struct err *err)
{
	if (pax_number(tar, pax, out))
		return 0;
	return header_number(block, field, min, max, out, err);
}

int member_size(const struct tar *tar, const uint8_t block[TAR_BLOCK],
		uint64_t *out, struct err *err)
{
	int64_t size;

	if (number(tar, block, PAX_SIZE, FIELD_SIZE, 0, INT64_MAX, &size, err) <
	    0)
		return -1;
	*out = (uint64_t)size;
	return 0;
}

static int take_ids(const struct tar *tar, const uint8_t *block,
		    struct entry *entry, struct err *err)
{
	int64_t mode, uid, gid, mtime;

	if (header_number(block, FIELD_MODE, 0, INT64_MAX, &mode, err) < 0 ||
	    number(tar, block, PAX_UID, FIELD_UID, 0, UINT32_MAX, &uid, err) <
		    0 ||
	    number(tar, block, PAX_GID, FIELD_GID, 0, UINT32_MAX, &gid, err) <
		    0 ||
	    number(tar, block, PAX_MTIME, FIELD_MTIME, INT64_MIN, INT64_MAX,
		   &mtime, err) < 0)
		return -1;
	entry->mode = (uint16_t)(mode & MODE_MASK);
	entry->uid = (uint32_t)uid;
	entry->gid = (uint32_t)gid;
	entry->mtime = mtime;
	return 0;
}

static int take_device(const struct tar *tar, const uint8_t *block,
		       struct entry *entry, struct err *err)
{
	int64_t major, minor;

	if (number(tar, block, PAX_MAJOR, FIELD_MAJOR, 0, UINT32_MAX, &major,
		   err) < 0 ||
	    number(tar, block, PAX_MINOR, FIELD_MINOR, 0, UINT32_MAX, &minor,
		   err) < 0)
		return -1;
	entry->major = (uint32_t)major;
	entry->minor = (uint32_t)minor;
	return 0;
}

/* An access control list is lost, but shall not leave the group more rights. */
static int take_acl(const struct tar *tar, struct entry *entry, struct err *err)
{
	const struct pax *pax = &tar->pax;
	bool known = false;
	unsigned bits = 0;

	if (!pax->has_acl && !tar->global.has_acl && !pax->acl_binary.data)
		return 0;
	if (pax->acl.len > 0)
		known = acl_group_bits(&pax->acl, &bits);
	else if (pax->acl_binary.data)
		known = acl_group_bits_binary(&pax->acl_binary, &bits);
	if (known)
		entry->mode = (uint16_t)((entry->mode & ~070) | bits << 3);
	if (!pax->has_acl && !tar->global.has_acl)
		return 0; /* the attribute is told of by itself */
	return place_warn(&tar->place, WARN_ACL, err,
			  known ? "access control list is left out, mode is "
				  "%04o by its mask"
				: "access control list is left out, mode is "
				  "%04o",
			  (unsigned)entry->mode);
}

static int take_attrs(const struct tar *tar, struct entry *entry,
		      struct err *err)
{
	struct attr_set set;

	if (tar->pax.attr_count == 0 && tar->global_attrs.count == 0)
		return 0;
	if (attr_set_build(tar->pax.attrs, tar->pax.attr_count,
			   &tar->global_attrs, &tar->place, &set, err) < 0)
		return -1;
	entry->xattrs = set.items;
	entry->xattr_count = set.count;
	return 0;
}

/* The name in the header, put together from both its parts. */
static void join_name(struct tar *tar, const uint8_t *block,
		      enum header_dialect dialect)
{
	size_t name_len = header_text_len(block + HEADER_NAME, HEADER_NAME_LEN);
	size_t used = 0;

	if (dialect == DIALECT_USTAR || dialect == DIALECT_STAR)
		used = header_text_len(block + HEADER_PREFIX,
				       dialect == DIALECT_STAR
					       ? HEADER_STAR_LEN
					       : HEADER_PREFIX_LEN);
	if (used > 0) {
		copy_bytes(tar->joined, block + HEADER_PREFIX, used);
		if (name_len > 0 && tar->joined[used - 1] != '/')
			tar->joined[used++] = '/';
	}
	copy_bytes(tar->joined + used, block + HEADER_NAME, name_len);
	tar->place.name = tar->joined;
	tar->place.name_len = used + name_len;
}

static bool text_differs(const struct pax_text *text,
			 const struct long_text *other)
{
	return text->len != other->text.len ||
	       memcmp(text->data, other->text.data, text->len) != 0;
}

/* Finds the name, for the entry and for messages alike. */
static int select_name(struct tar *tar, const uint8_t *block,
		       enum header_dialect dialect, struct err *err)
{
	const struct pax_text *sparse = &tar->pax.sparse.name;
	const struct pax_text *path = &tar->pax.path;
	struct place *place = &tar->place;

	if (!sparse->data && !path->data && !tar->long_name.is_set) {
		join_name(tar, block, dialect);
		return 0;
	}
	if (sparse->data || path->data) {
		place->name = sparse->data ? sparse->data : path->data;
		place->name_len = sparse->data ? sparse->len : path->len;
	} else {
		place->name = (const char *)tar->long_name.text.data;
		place->name_len = tar->long_name.text.len;
	}
	if (path->data && tar->long_name.is_set &&
	    text_differs(path, &tar->long_name))
		return place_warn(place, WARN_HEADER, err,
				  "GNU long name differs from the extended "
				  "header's path, which holds");
	return 0;
}

/* Finds the target of a link. */
static int select_link(struct tar *tar, const uint8_t *block,
		       struct pax_text *out, struct err *err)
{
	const struct pax_text *link = &tar->pax.linkpath;
	const struct long_text *long_link = &tar->long_link;

	if (link->data) {
		*out = *link;
		if (long_link->is_set && text_differs(link, long_link) &&
		    place_warn(&tar->place, WARN_HEADER, err,
			       "GNU long link differs from the extended "
			       "header's linkpath, which holds") < 0)
			return -1;
		return 0;
	}
	if (long_link->is_set) {
		out->data = (const char *)long_link->text.data;
		out->len = long_link->text.len;
		return 0;
	}
	out->data = (const char *)block + HEADER_LINK;
	out->len = header_text_len(block + HEADER_LINK, HEADER_LINK_LEN);
	return 0;
}

/* What a flag stands for; of a file the name decides besides. */
static int select_type(struct tar *tar, const uint8_t *block,
		       enum entry_type *out, struct err *err)
{
	const char flag = (char)block[HEADER_TYPE];
	const struct place *place = &tar->place;
	char text[NAME_TEXT_LEN];

	*out = ENTRY_FILE;
	switch (flag) {
	case '1':
		*out = ENTRY_HARDLINK;
		return 0;
	case '2':
		*out = ENTRY_SYMLINK;
		return 0;
	case '3':
		*out = ENTRY_CHAR_DEVICE;
		return 0;
	case '4':
		*out = ENTRY_BLOCK_DEVICE;
		return 0;
	case '5':
	case 'D':
		*out = ENTRY_DIR;
		return 0;
	case '6':
		*out = ENTRY_FIFO;
		return 0;
	case '\0':
	case '0':
	case '7':
	case 'S':
		break;
	default:
		if (place_warn(place, WARN_TYPE, err,
			       "unknown type flag is taken for a file, \"%s\"",
			       name_text(&flag, 1, text)) < 0)
			return -1;
	}
	/* The old custom; content_locate refuses one with content. */
	if (place->name_len > 0 && place->name[place->name_len - 1] == '/')
		*out = ENTRY_DIR;
	return 0;
}

/* Cleans the path and refuses what no file can be called. */
static int clean_name(struct tar *tar, struct entry *entry, struct err *err)
{
	bool absolute;

	if (path_clean(entry->path, &absolute, err) < 0)
		return -1;
	if (entry->path[0] == '\0')
		return entry->type == ENTRY_DIR
			       ? 0
			       : err_set(err, ERR_CORRUPT,
					 "empty name for a %s",
					 entry_type_name(entry->type));
	if (absolute && place_warn(&tar->place, WARN_NAME, err,
				   "leading '/' is left out") < 0)
		return -1;
	if (entry->type != ENTRY_FILE)
		return 0;

	const char *slash = strrchr(entry->path, '/');
	const char *base = slash ? slash + 1 : entry->path;

	if (strncmp(base, ".wh.", 4) == 0)
		return place_warn(&tar->place, WARN_WHITEOUT, err,
				  "whiteout of a container layer is kept as a "
				  "file");
	return 0;
}

static int check_link(struct entry *entry, size_t link_len, struct err *err)
{
	if (link_len == 0)
		return err_set(err, ERR_CORRUPT, "%s without a target",
			       entry_type_name(entry->type));
	if (entry->type == ENTRY_SYMLINK) {
		if (link_len > TAR_SYMLINK_MAX)
			return err_set(err, ERR_LIMIT,
				       "target of a symlink is longer than %d "
				       "bytes, %zu",
				       TAR_SYMLINK_MAX, link_len);
		return 0;
	}
	if (path_clean(entry->link, NULL, err) < 0)
		return err_in(err, "target of the hard link");
	return 0;
}

static int fill(struct tar *tar, const uint8_t *block, struct entry *entry,
		struct err *err)
{
	if (clean_name(tar, entry, err) < 0 ||
	    take_ids(tar, block, entry, err) < 0 ||
	    take_acl(tar, entry, err) < 0 || take_attrs(tar, entry, err) < 0)
		return -1;
	if (entry->type == ENTRY_CHAR_DEVICE ||
	    entry->type == ENTRY_BLOCK_DEVICE)
		return take_device(tar, block, entry, err);
	return 0;
}

int member_create(struct tar *tar, const uint8_t block[TAR_BLOCK],
		  struct entry **out, struct err *err)
{
	enum header_dialect dialect = header_dialect(block);
	struct pax_text link = { NULL, 0 };
	struct entry *entry;
	enum entry_type type;

	if (select_name(tar, block, dialect, err) < 0)
		return -1;
	if (dialect == DIALECT_UNKNOWN &&
	    place_warn(&tar->place, WARN_HEADER, err,
		       "unknown magic, read as an old header") < 0)
		return -1;
	if (select_type(tar, block, &type, err) < 0)
		return -1;
	if ((type == ENTRY_SYMLINK || type == ENTRY_HARDLINK) &&
	    select_link(tar, block, &link, err) < 0)
		return -1;
	if (entry_create_named(tar->place.name, tar->place.name_len, link.data,
			       link.len, &entry, err) < 0)
		return -1;
	entry->type = type;
	entry->input_offset =
		tar->has_first ? tar->first_offset : tar->place.offset;
	if ((link.data && check_link(entry, link.len, err) < 0) ||
	    fill(tar, block, entry, err) < 0) {
		entry_destroy(entry);
		return -1;
	}
	*out = entry;
	return 0;
}
