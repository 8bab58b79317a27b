/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "list/list.h"

/*
 * Descriptions as entries. What each kind of line makes, and that any damage to
 * a list is told with its line or makes another list, and never more.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "dir/files.h"
#include "entry/entry.h"
#include "entry/source.h"
#include "util/err.h"

/* An open file with that content. */
static int text_file(const void *text, size_t len)
{
	FILE *f = tmpfile();
	int fd;

	if (!f || fwrite(text, 1, len, f) != len || fflush(f))
		abort();
	fd = dup(fileno(f));
	fclose(f);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

/*
 * Reads a list to its end, or to where it fails.
 *
 * out      what came, in words; or NULL
 */
static int read_list(const void *text, size_t len, char *out, size_t room,
		     struct err *err)
{
	const struct files_options none = { .keep_changed = false };
	struct list_options options = { .name = "LIST",
					.base = ".",
					.default_mtime = 42 };
	struct source *src = NULL;
	struct entry *e;
	int fd = text_file(text, len), ret;

	if (files_create(&none, &options.files, NULL) < 0)
		abort();
	if (out)
		*out = '\0';
	ret = list_source_create(fd, &options, &src, err);
	while (ret == 0) {
		ret = source_next(src, &e, err);
		if (ret != 0)
			break;
		check(e->path[0] != '/' && !strstr(e->path, "//"));
		check(e->mode <= 07777);
		if (out) {
			size_t at = strlen(out);

			snprintf(out + at, room - at,
				 "%d:%s:%o:%u:%u:%lld:%s:%u,%u:%zu\n", e->type,
				 e->path, e->mode, e->uid, e->gid,
				 (long long)e->mtime, e->link ? e->link : "",
				 e->major, e->minor, e->xattr_count);
		}
		entry_destroy(e);
	}
	source_destroy(src);
	files_destroy(options.files);
	close(fd);
	return ret;
}

static void check_kinds(void)
{
	static const char text[] = "  # comment\n"
				   "\n"
				   "dir / 0755 1 2\n"
				   "dir\t/a \t 7777 4294967295 0\n"
				   "slink a/l 0 0 0 \"to \\\"it\\\\\"\n"
				   "nod /a/c 600 1 2 c 3 4\n"
				   "nod /a/b 600 1 2 B 5 6\n"
				   "pipe \"/a/ p\" 0622 7 8\n"
				   "sock //a/./s 01 0 0 \n"
				   "link h - x - /a/c\n"
				   "xattr / user.a 1\n"
				   "time /a/c 7\n"
				   "time a//c 8\n"
				   "xattr a/c user.b \"\"\n"
				   "xattr a/c user.c 0x00\n"
				   "file \"n\\012\\n\\377\" 0 0 0 /dev/null";
	static const char want[] = "1::755:1:2:42::0,0:1\n"
				   "1:a:7777:4294967295:0:42::0,0:0\n"
				   "2:a/l:777:0:0:42:to \"it\\:0,0:0\n"
				   "5:a/c:600:1:2:8::3,4:2\n"
				   "4:a/b:600:1:2:42::5,6:0\n"
				   "6:a/ p:622:7:8:42::0,0:0\n"
				   "7:a/s:1:0:0:42::0,0:0\n"
				   "3:h:0:0:0:42:a/c:0,0:0\n"
				   "0:n\n\n\377:0:0:0:42::0,0:0\n";
	char out[2048];
	struct err err = { .code = ERR_NONE };

	check(read_list(text, sizeof(text) - 1, out, sizeof(out), &err) == 1);
	check_str(out, want);
}

/* A list as long as it gets in the tests, with all that lines can be. */
static const char *const lines[] = {
	"dir / 0755 0 0",
	"file /f 0644 0 0 \"/dev/null\"",
	"slink \"/s\\n\\001\" 0777 0 0 target",
	"link /l - - - /f",
	"nod /n 0600 0 0 b 8 1",
	"pipe /p 0600 0 0",
	"sock /k 0600 0 0",
	"glob /g * 1 * -type f -name x* -path /g/y -keeptime -- .",
	"time /f 4294967295",
	"xattr /f user.k \"v\\\"\"",
	"xattr /f user.h 0x0aff",
	"xattr /f user.b 0saGk=",
};

#define LINE_COUNT (sizeof(lines) / sizeof(lines[0]))

static size_t all_lines(char *text)
{
	*text = '\0';
	for (size_t i = 0; i < LINE_COUNT; i++) {
		strcat(text, lines[i]);
		strcat(text, "\n");
	}
	return strlen(text);
}

/* It is read, or told what is wrong and where. */
static void check_damaged(const char *text, size_t len)
{
	struct err err = { .code = ERR_NONE };
	int ret = read_list(text, len, NULL, 0, &err);

	check(ret == 1 || (ret == -1 && err.code != ERR_NONE));
	if (ret == -1)
		check(strncmp(err.text, "LIST: line ", 11) == 0);
}

static void check_damage(void)
{
	char text[2048], copy[2048];
	size_t len = all_lines(text);

	check_damaged(text, len);
	for (size_t i = 0; i < len; i++)
		check_damaged(text, i);
	for (size_t i = 0; i < len; i++) {
		static const char bytes[] = "\0\n \"\\9#/.\xff";

		memcpy(copy, text, len);
		for (size_t j = 0; j < sizeof(bytes) - 1; j++) {
			copy[i] = bytes[j];
			check_damaged(copy, len);
		}
	}
}

/* Each word left out of each line, and one too many. */
static void check_words(void)
{
	char text[256];

	for (size_t i = 0; i < LINE_COUNT; i++) {
		for (const char *p = lines[i]; (p = strchr(p, ' ')); p++) {
			const char *end = strchr(p + 1, ' ');

			snprintf(text, sizeof(text), "%.*s%s",
				 (int)(p - lines[i]), lines[i], end ? end : "");
			check_damaged(text, strlen(text));
		}
		snprintf(text, sizeof(text), "%s more", lines[i]);

		struct err err = { .code = ERR_NONE };

		check(read_list(text, strlen(text), NULL, 0, &err) == -1);
	}
}

/* The mistake, and how its message begins. */
static void check_told(const char *text, const char *want)
{
	struct err err = { .code = ERR_NONE };
	char out[4096];

	check(read_list(text, strlen(text), out, sizeof(out), &err) == -1);
	check(err.code == ERR_USAGE);
	if (strncmp(err.text, want, strlen(want)) != 0)
		check_str(err.text, want);
	else
		check(true);
}

static void check_mistakes(void)
{
	check_told("dir /a 0755 0 0\n\ndirs /b 0 0 0\n",
		   "LIST: line 3: word 1, \"dirs\": ");
	check_told("dir /a 0798 0 0", "LIST: line 1: word 3, \"0798\": ");
	check_told("dir /a/../b 0 0 0", "LIST: line 1: word 2, \"/a/../b\": ");
	check_told("pipe /a 0 0 0\ndir a/b 0 0 0",
		   "LIST: line 2: word 2, \"a/b\": \"a\" is no directory: "
		   "line 1");
	check_told("dir /a 0 0 0\ndir /a 0 0 0",
		   "LIST: line 2: word 2, \"a\": is there already: line 1");
	check_told("time /a 1\ndir /b 0 0 0", "LIST: line 1: no line makes");
	check_told("xattr /a user.k 0sa\ndir /a 0 0 0",
		   "LIST: line 1: word 4, \"0sa\": ");
	check_told("\"dir\" /a 0 0 0", "LIST: line 1: word 1, \"dir\": ");
	check_told("slink /a 0 0 0", "LIST: line 1: 5 words are too few: ");
	check_told("file /a 0 0 0 a b", "LIST: line 1: word 7, \"b\": ");
	check_told("dir /a 010000 0 0", "LIST: line 1: word 3, \"010000\": ");
	check_told("dir /a 0 0 x", "LIST: line 1: word 5, \"x\": ");
	check_told("dir \"\" 0 0 0", "LIST: line 1: word 2, \"\": is empty");
	check_told("nod /a 0 0 0 c 1 y", "LIST: line 1: word 8, \"y\": ");
	check_told("link /a - - - ..", "LIST: line 1: word 6, \"..\": ");
	check_told("dir \"a\"b 0 0 0", "LIST: line 1: word 2: something");
	check_told("dir \"a\\400\" 0 0 0", "LIST: line 1: word 2: behind a");
	check_told("file /a 0 0 0 .", "LIST: line 1: word 6, \".\": ");
}

/* A time and an attribute for each of many, behind all of them. */
static void check_many(void)
{
	enum { COUNT = 20000 };
	size_t room = COUNT * 64, len = 0;
	char *text = malloc(room);
	struct err err = { .code = ERR_NONE };

	if (!text)
		abort();
	for (int i = 0; i < COUNT; i++)
		len += (size_t)snprintf(text + len, room - len,
					"pipe d%d/p%d 0600 0 0\n", i % 7, i);
	for (int i = 0; i < COUNT; i++)
		len += (size_t)snprintf(text + len, room - len,
					"time d%d/p%d %d\n", i % 7, i, i);
	check(read_list(text, len, NULL, 0, &err) == 1);
	len += (size_t)snprintf(text + len, room - len, "pipe d3/p3 0 0 0\n");
	check(read_list(text, len, NULL, 0, &err) == -1);
	check(strstr(err.text, "line 40001: ") && strstr(err.text, "line 4"));
	free(text);
}

int main(void)
{
	char path[64] = "/tmp/sqfskit-unit.XXXXXX";

	if (!mkdtemp(path) || chdir(path) < 0)
		abort();
	check_kinds();
	check_damage();
	check_words();
	check_mistakes();
	check_many();
	if (rmdir(path) < 0)
		abort();
	return check_report();
}
