/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "common/machine.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/fd.h"

/* Files of the kernel are read whole; longer ones are no use to us. */
#define TEXT_LEN 8192

/* Where a version 1 control group tells its limits; version 2 has one tree. */
struct controller {
	const char *name;   /* in /proc/self/cgroup; "" for version 2 */
	const char *folder; /* below /sys/fs/cgroup */
};

static const struct controller cpu_trees[] = {
	{ "", "" },
	{ "", "/unified" },
	{ "cpu", "/cpu" },
	{ "cpu", "/cpu,cpuacct" },
	{ NULL, NULL },
};

static const struct controller memory_trees[] = {
	{ "", "" },
	{ "", "/unified" },
	{ "memory", "/memory" },
	{ NULL, NULL },
};

/* Fills text with what a file holds; false if it cannot be read. */
static bool read_text(const char *path, char text[TEXT_LEN])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t got = 0;
	bool ok;

	if (fd < 0)
		return false;
	ok = fd_read(fd, text, TEXT_LEN - 1, &got, NULL) == 0;
	close(fd);
	text[got] = '\0';
	return ok;
}

/* True if name is one of the words between commas in list, or both are "". */
static bool list_has(const char *list, size_t list_len, const char *name)
{
	size_t name_len = strlen(name);

	if (name_len == 0)
		return list_len == 0;
	for (size_t i = 0; i + name_len <= list_len; i++)
		if ((i == 0 || list[i - 1] == ',') &&
		    memcmp(list + i, name, name_len) == 0 &&
		    (i + name_len == list_len || list[i + name_len] == ','))
			return true;
	return false;
}

/*
 * The group of this process in the tree of a controller, from the lines
 * "number:controllers:path" of groups. "" if it is the root of the tree, not
 * there, or out of what this name space shows.
 */
static void group_path(const char *groups, const char *name,
		       char path[PATH_MAX])
{
	path[0] = '\0';
	for (const char *line = groups; *line;) {
		size_t len = strcspn(line, "\n");
		const char *list = memchr(line, ':', len);
		const char *at = list ? memchr(list + 1, ':',
					       len - (size_t)(list + 1 - line))
				      : NULL;

		if (at && list_has(list + 1, (size_t)(at - list - 1), name)) {
			size_t path_len = len - (size_t)(at + 1 - line);

			if (path_len >= PATH_MAX)
				return;
			memcpy(path, at + 1, path_len);
			path[path_len] = '\0';
			if (strcmp(path, "/") == 0 || strstr(path, ".."))
				path[0] = '\0';
			return;
		}
		line += len + (line[len] == '\n');
	}
}

/* Processors that a group's quota amounts to, rounded up; 0: no quota. */
static uint64_t quota_cpus(const char *quota, const char *period)
{
	uint64_t us = strtoull(quota, NULL, 10);
	uint64_t per = strtoull(period, NULL, 10);

	/* "max", -1 and nonsense */
	if (quota[0] < '0' || quota[0] > '9' || us == 0 || per == 0)
		return 0;
	return us / per + (us % per != 0);
}

static uint64_t read_cpu_limit(const char *folder)
{
	char path[PATH_MAX + 64], quota[TEXT_LEN], period[TEXT_LEN];

	snprintf(path, sizeof(path), "%s/cpu.max", folder);
	if (read_text(path, quota)) {
		const char *space = strchr(quota, ' ');

		return space ? quota_cpus(quota, space + 1) : 0;
	}
	snprintf(path, sizeof(path), "%s/cpu.cfs_quota_us", folder);
	if (!read_text(path, quota))
		return 0;
	snprintf(path, sizeof(path), "%s/cpu.cfs_period_us", folder);
	return read_text(path, period) ? quota_cpus(quota, period) : 0;
}

static uint64_t read_memory_limit(const char *folder)
{
	char path[PATH_MAX + 64], text[TEXT_LEN];

	snprintf(path, sizeof(path), "%s/memory.max", folder);
	if (!read_text(path, text)) {
		snprintf(path, sizeof(path), "%s/memory.limit_in_bytes",
			 folder);
		if (!read_text(path, text))
			return 0;
	}
	if (text[0] < '0' || text[0] > '9')
		return 0; /* "max" */

	uint64_t limit = strtoull(text, NULL, 10);

	/* Version 1 writes no limit as one that nobody reaches. */
	return limit < (uint64_t)1 << 60 ? limit : 0;
}

/*
 * The lowest limit of this process' groups, for the limit of a group holds for
 * all below it; 0 if there is none. In a container the own group may be named
 * as outside and still be mounted as the root: so the root is asked as well.
 */
static uint64_t lowest_limit(const char *root, const char *groups,
			     const struct controller *trees,
			     uint64_t (*read_limit)(const char *folder))
{
	char group[PATH_MAX], folder[PATH_MAX];
	uint64_t lowest = 0;

	for (; trees->name; trees++) {
		group_path(groups, trees->name, group);
		for (;;) {
			int len = snprintf(folder, sizeof(folder),
					   "%s/sys/fs/cgroup%s%s", root,
					   trees->folder, group);
			uint64_t limit = len < (int)sizeof(folder)
						 ? read_limit(folder)
						 : 0;
			char *slash = strrchr(group, '/');

			if (limit > 0 && (lowest == 0 || limit < lowest))
				lowest = limit;
			if (!slash)
				break;
			*slash = '\0';
		}
	}
	return lowest;
}

/* Processors that this process may be run on. */
static unsigned usable_cpus(void)
{
#ifdef HAVE_SCHED_GETAFFINITY
	cpu_set_t *set = CPU_ALLOC(MACHINE_CPUS_MAX * 8);
	size_t len = CPU_ALLOC_SIZE(MACHINE_CPUS_MAX * 8);
	int count = 0;

	if (set && sched_getaffinity(0, len, set) == 0)
		count = CPU_COUNT_S(len, set);
	CPU_FREE(set);
	if (count > 0)
		return (unsigned)count;
#endif
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	return online > 0 ? (unsigned)online : 1;
}

void machine_look(const char *root, struct machine *out)
{
	char path[PATH_MAX], groups[TEXT_LEN];
	uint64_t quota;

	snprintf(path, sizeof(path), "%s/proc/self/cgroup", root);
	if (!read_text(path, groups))
		groups[0] = '\0';
	out->cpus = usable_cpus();
	quota = lowest_limit(root, groups, cpu_trees, read_cpu_limit);
	if (quota > 0 && quota < out->cpus)
		out->cpus = (unsigned)quota;
	if (out->cpus > MACHINE_CPUS_MAX)
		out->cpus = MACHINE_CPUS_MAX;
	out->memory_max =
		lowest_limit(root, groups, memory_trees, read_memory_limit);
}
