/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * Access control lists, as far as a mode needs them that must do without.
 * Format: doc/tar.md, "Attributes".
 */
#include "acl.h"

#include <stdint.h>
#include <string.h>

#include "pax.h"
#include "util/num.h"

/* Linux's form: a version, then tag, permissions and id of each entry. */
#define ACL_VERSION    2
#define ACL_HEADER_LEN 4
#define ACL_ENTRY_LEN  8
#define ACL_TAG_GROUP  0x04
#define ACL_TAG_MASK   0x10

struct found {
	bool has_group, has_mask;
	unsigned group, mask;
};

static bool conclude(const struct found *found, unsigned *bits)
{
	if (!found->has_group || !found->has_mask)
		return false;
	*bits = found->group & found->mask;
	return true;
}

/* "rwx" with "-" for what is not allowed. */
static bool parse_bits(const char *text, size_t len, unsigned *out)
{
	static const char letters[] = "rwx";
	unsigned bits = 0;

	if (len < 3)
		return false;
	for (size_t i = 0; i < 3; i++) {
		if (text[i] == letters[i])
			bits |= 4u >> i;
		else if (text[i] != '-')
			return false;
	}
	*out = bits;
	return true;
}

static bool begins_with(const char *text, size_t len, const char *with)
{
	size_t with_len = strlen(with);

	return len >= with_len && memcmp(text, with, with_len) == 0;
}

/* One entry: "group::r-x", "mask::rwx", or one of no interest. */
static bool parse_entry(const char *text, size_t len, struct found *found)
{
	while (len > 0 && (*text == ' ' || *text == '\t')) {
		text++;
		len--;
	}
	if (begins_with(text, len, "group::")) {
		found->has_group = true;
		return parse_bits(text + 7, len - 7, &found->group);
	}
	if (begins_with(text, len, "mask:")) {
		size_t skip = begins_with(text, len, "mask::") ? 6 : 5;

		found->has_mask = true;
		return parse_bits(text + skip, len - skip, &found->mask);
	}
	return true;
}

bool acl_group_bits(const struct pax_text *words, unsigned *bits)
{
	struct found found = { 0 };
	size_t begin = 0;

	for (size_t i = 0; i <= words->len; i++) {
		if (i < words->len && words->data[i] != '\n' &&
		    words->data[i] != ',')
			continue;
		if (!parse_entry(words->data + begin, i - begin, &found))
			return false;
		begin = i + 1;
	}
	return conclude(&found, bits);
}

bool acl_group_bits_binary(const struct pax_text *value, unsigned *bits)
{
	const uint8_t *raw = (const uint8_t *)value->data;
	struct found found = { 0 };

	if (value->len < ACL_HEADER_LEN || get_le32(raw) != ACL_VERSION ||
	    (value->len - ACL_HEADER_LEN) % ACL_ENTRY_LEN != 0)
		return false;
	for (size_t i = ACL_HEADER_LEN; i < value->len; i += ACL_ENTRY_LEN) {
		unsigned tag = get_le16(raw + i);
		unsigned allowed = get_le16(raw + i + 2) & 7;

		if (tag == ACL_TAG_GROUP) {
			found.has_group = true;
			found.group = allowed;
		} else if (tag == ACL_TAG_MASK) {
			found.has_mask = true;
			found.mask = allowed;
		}
	}
	return conclude(&found, bits);
}
