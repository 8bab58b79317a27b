/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/message.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *kind_words(enum warn_kind kind)
{
	switch (kind) {
	case WARN_END:
		return "odd or missing end of the archive";
	case WARN_TRAILING:
		return "bytes after the end of the archive";
	case WARN_TYPE:
		return "entry of an unknown type, taken for a file";
	case WARN_HEADER:
		return "odd header";
	case WARN_KEYWORD:
		return "keyword that is ignored";
	case WARN_XATTR:
		return "attribute that cannot be stored";
	case WARN_ACL:
		return "access control list that cannot be stored";
	case WARN_TIME:
		return "time outside of 1970 to 2106";
	case WARN_NAME:
		return "name that was cleaned up";
	case WARN_REPLACED:
		return "replaced file whose content stays in the image";
	case WARN_LINK:
		return "hard link that was left out";
	case WARN_WHITEOUT:
		return "whiteout stored as a plain file";
	case WARN_SOCKET:
		return "socket that was left out";
	case WARN_FORMAT:
		return "what this tar format cannot hold";
	case WARN_OWNER:
		return "owner that could not be set";
	case WARN_MODE:
		return "mode that could not be set";
	case WARN_SET_TIME:
		return "time that could not be set";
	case WARN_SET_XATTR:
		return "attribute that could not be set";
	case WARN_DEVICE:
		return "file that could not be made";
	case WARN_KIND_COUNT:
		break;
	}
	return "warning";
}

static void print_warning(void *arg, enum warn_kind kind, const char *text)
{
	struct message *m = arg;
	const char *input = m->input ? m->input : "";
	char name[NAME_TEXT_LEN];

	(void)kind;
	message_clear_line(m);
	fprintf(stderr, "%s: warning: %s%s%s\n", m->program,
		name_text(input, strlen(input), name), *input ? ": " : "",
		text);
}

void message_init(struct message *m, const char *program)
{
	*m = (struct message){ .program = program };
	m->warner.emit = print_warning;
	m->warner.arg = m;
}

void message_clear_line(struct message *m)
{
	if (m->line_open)
		fputs("\r\033[K", stderr);
	m->line_open = false;
}

int message_fail(struct message *m, const struct err *err)
{
	message_clear_line(m);
	fprintf(stderr, "%s: %s\n", m->program, err->text);
	return err->code == ERR_USAGE ? 2 : 1;
}

void message_warn(struct message *m, const char *fmt, ...)
{
	va_list ap;

	message_clear_line(m);
	fprintf(stderr, "%s: warning: ", m->program);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

void message_warnings_end(struct message *m)
{
	message_clear_line(m);
	for (int kind = 0; kind < WARN_KIND_COUNT; kind++)
		if (m->warner.count[kind] > 1)
			fprintf(stderr,
				"%s: warning: %" PRIu64
				" more of this kind (%s)\n",
				m->program, m->warner.count[kind] - 1,
				kind_words((enum warn_kind)kind));
}
