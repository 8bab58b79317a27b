/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TEST_MAN_PAGE_H
#define TEST_MAN_PAGE_H

/* That the man page of a tool and its --help say what its options are. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "common/opt.h"

/* ".It Fl j , -num-jobs Ar COUNT" or ".It Fl -du Ns Op = Ns Ar DEPTH": how a
 * man page writes a row. */
static inline void man_item(const struct opt *row, char item[128])
{
	const char *arg = row->arg ? row->arg : "";
	const char *ar = *arg ? " Ar " : "", *end = strchr(arg, ']');
	char letter[8] = "";

	if (strncmp(arg, "[=", 2) == 0) {
		ar = " Ns Op = Ns Ar ";
		arg += 2;
	}
	if (row->letter)
		snprintf(letter, sizeof(letter), "%c , ", row->letter);
	snprintf(item, 128, ".It Fl %s-%s%s%.*s\n", letter, row->name, ar,
		 end ? (int)(end - arg) : (int)strlen(arg), arg);
}

/*
 * Checks that a page in doc/ has the rows of the table, all of them, in the
 * same order.
 */
static inline void check_man_page(const struct opt *rows, const char *page)
{
	const char *dir = getenv("srcdir");
	const struct opt *row = rows;
	char path[512], line[512], item[128];

	snprintf(path, sizeof(path), "%s/doc/%s", dir ? dir : ".", page);

	FILE *file = fopen(path, "r");

	check(file != NULL);
	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		if (strncmp(line, ".It Fl ", 7) != 0)
			continue;
		check(row->name != NULL);
		if (!row->name)
			break;
		man_item(row, item);
		check_str(line, item);
		row++;
	}
	check(row->name == NULL);
	fclose(file);
}

/* Checks that --help fits a terminal of 80 columns. */
static inline void check_help_width(const struct opt *rows)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	check(out != NULL);
	if (!out)
		return;
	opt_print(rows, out);
	fclose(out);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		if (strlen(line) > 79)
			check_str(line, "a shorter line");
	check(len > 0);
	free(text);
}

#endif
