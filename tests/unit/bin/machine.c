/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "common/machine.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

/* Limits of control groups, from trees of files made up like the kernel's. */

static char root[] = "/tmp/sqfskit-machine-XXXXXX";

/* Writes a file below root, with the folders that it needs. */
static void put(const char *path, const char *text)
{
	char full[512];
	FILE *file;

	snprintf(full, sizeof(full), "%s%s", root, path);
	for (char *p = full + strlen(root) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(full, 0700);
		*p = '/';
	}
	file = fopen(full, "w");
	check(file != NULL);
	if (!file)
		return;
	fputs(text, file);
	fclose(file);
}

static void clear(void)
{
	char command[256];

	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	check(system(command) == 0);
	check(mkdir(root, 0700) == 0);
}

static struct machine look(void)
{
	struct machine machine;

	machine_look(root, &machine);
	return machine;
}

static void check_version_2(unsigned cpus)
{
	put("/proc/self/cgroup", "0::/a/b\n");
	put("/sys/fs/cgroup/cpu.max", "max 100000\n");
	put("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
	put("/sys/fs/cgroup/a/b/memory.max", "max\n");
	check_u64(look().cpus, cpus);
	check_u64(look().memory_max, 0);

	/* The limit of a group above holds too, and the lowest counts. */
	put("/sys/fs/cgroup/a/cpu.max", "50000 100000\n");
	put("/sys/fs/cgroup/a/memory.max", "2000000\n");
	put("/sys/fs/cgroup/a/b/memory.max", "3000000\n");
	check_u64(look().cpus, 1);
	check_u64(look().memory_max, 2000000);

	/* Rounded up. */
	put("/sys/fs/cgroup/a/cpu.max", "100001 100000\n");
	check_u64(look().cpus, cpus < 2 ? cpus : 2);
	clear();

	/* A container: the group has a name that is not mounted there. */
	put("/proc/self/cgroup", "0::/docker/123\n");
	put("/sys/fs/cgroup/cpu.max", "100000 100000\n");
	put("/sys/fs/cgroup/memory.max", "1048576\n");
	check_u64(look().cpus, 1);
	check_u64(look().memory_max, 1048576);
	clear();
}

static void check_version_1(unsigned cpus)
{
	put("/proc/self/cgroup", "12:pids:/x\n11:memory:/m\n"
				 "3:cpu,cpuacct:/c/d\n2:cpuset:/other\n"
				 "0::/unified\n");
	put("/sys/fs/cgroup/cpu/c/d/cpu.cfs_quota_us", "-1\n");
	put("/sys/fs/cgroup/cpu/c/d/cpu.cfs_period_us", "100000\n");
	put("/sys/fs/cgroup/memory/m/memory.limit_in_bytes",
	    "9223372036854771712\n");
	check_u64(look().cpus, cpus);
	check_u64(look().memory_max, 0);
	put("/sys/fs/cgroup/cpu/c/d/cpu.cfs_quota_us", "20000\n");
	put("/sys/fs/cgroup/memory/m/memory.limit_in_bytes", "67108864\n");
	check_u64(look().cpus, 1);
	check_u64(look().memory_max, 67108864);
	clear();
}

/* Odd text does not limit, nor crash. */
static void check_nonsense(unsigned cpus)
{
	static const char *const texts[] = { "",      "\n",	 "x y\n",
					     "0 0\n", "5 0\n",	 "-3 100\n",
					     "100",   " 100 1\n" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		put("/proc/self/cgroup", texts[i]);
		put("/sys/fs/cgroup/cpu.max", texts[i]);
		check_u64(look().cpus, cpus);
	}
	put("/proc/self/cgroup", "0::/../..\n:\n::\n1:\n7:cpu");
	check_u64(look().cpus, cpus);
	clear();
}

int main(void)
{
	check(mkdtemp(root) != NULL);

	unsigned cpus = look().cpus;

	check(cpus >= 1 && cpus <= MACHINE_CPUS_MAX);
	check_u64(look().memory_max, 0);
	check_version_2(cpus);
	check_version_1(cpus);
	check_nonsense(cpus);
	check(rmdir(root) == 0);
	return check_report();
}
