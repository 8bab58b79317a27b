libsqfskit_a_SOURCES += \
	include/diff/diff.h \
	lib/diff/content.c \
	lib/diff/diff.c \
	lib/diff/held.c \
	lib/diff/internal.h \
	lib/diff/judge.c \
	lib/diff/links.c \
	lib/diff/piece.c \
	lib/diff/side.c
