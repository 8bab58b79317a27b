/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stands in for the fuzzer: runs a target once over each file that it is given,
 * or over each file of a folder, so that what a fuzzer found stays tested.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static unsigned long runs;

static int run_file(const char *path, off_t len)
{
	uint8_t *data = malloc((size_t)len + 1);
	FILE *f = fopen(path, "rb");

	if (!data || !f || fread(data, 1, (size_t)len, f) != (size_t)len) {
		perror(path);
		return -1;
	}
	fclose(f);

	/* As long as the input, so that a sanitizer sees a byte too far. */
	uint8_t *exact = malloc((size_t)len ? (size_t)len : 1);

	if (!exact)
		return -1;
	memcpy(exact, data, (size_t)len);
	free(data);
	LLVMFuzzerTestOneInput(exact, (size_t)len);
	free(exact);
	runs++;
	return 0;
}

static int run(const char *path)
{
	struct stat st;
	struct dirent *e;
	int ret = 0;

	if (stat(path, &st) < 0) {
		perror(path);
		return -1;
	}
	if (!S_ISDIR(st.st_mode))
		return run_file(path, st.st_size);

	DIR *dir = opendir(path);

	if (!dir) {
		perror(path);
		return -1;
	}
	while (ret == 0 && (e = readdir(dir))) {
		char below[4096];

		if (e->d_name[0] == '.')
			continue;
		snprintf(below, sizeof(below), "%s/%s", path, e->d_name);
		ret = run(below);
	}
	closedir(dir);
	return ret;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (run(argv[i]) < 0)
			return 1;
	printf("%lu inputs\n", runs);
	return runs == 0;
}
