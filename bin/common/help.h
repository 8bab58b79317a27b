/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMON_HELP_H
#define COMMON_HELP_H

/* Prints the name, the version and the licence of a program. */
void help_version(const char *program);

/* Prints what the defaults of a packer come to in memory, on this machine. */
void help_memory(void);

#endif
