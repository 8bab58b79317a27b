/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TAR_ACL_H
#define TAR_ACL_H

#include <stdbool.h>

struct pax_text;

/*
 * What the owning group may do by an access control list that has a mask: the
 * group bits of the mode hold the mask instead.
 *
 * bits     0 to 7
 * returns  false if the list has no mask or cannot be read
 * format   doc/tar.md, "Attributes"
 */
bool acl_group_bits(const struct pax_text *words, unsigned *bits);

/* The same of a list in the form that Linux keeps. */
bool acl_group_bits_binary(const struct pax_text *value, unsigned *bits);

#endif
