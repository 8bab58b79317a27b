/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMON_HELP_H
#define COMMON_HELP_H

/* Prints the name, the version and the licence of a program. */
void help_version(const char *program);

/*
 * Prints what ends the help of a packer: compressors, what the defaults come to
 * in memory on this machine, how numbers are written, exit status.
 */
void help_packer(void);

#endif
