/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMON_MACHINE_H
#define COMMON_MACHINE_H

#include <stdint.h>

/* What this process may use of the machine. */
struct machine {
	unsigned cpus;	     /* 1 to MACHINE_CPUS_MAX */
	uint64_t memory_max; /* bytes that its control group allows; 0: any */
};

#define MACHINE_CPUS_MAX 1024

/*
 * Asks the system: the processors that this process may run on, less if the
 * quota of one of its control groups, version 1 or 2, is below that. What
 * cannot be read does not limit.
 *
 * root     in front of /proc and /sys: "" but in tests
 */
void machine_look(const char *root, struct machine *out);

#endif
