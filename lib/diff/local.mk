libsqfskit_a_SOURCES += \
	include/diff/diff.h \
	lib/diff/content.c \
	lib/diff/diff.c \
	lib/diff/held.c \
	lib/diff/internal.h \
	lib/diff/judge.c \
	lib/diff/links.c \
	lib/diff/piece.c \
	lib/diff/side.c \
	lib/diff/work.c

unit_tests += tests/unit/diff/diff
check_PROGRAMS += tests/unit/diff/diff
tests_unit_diff_diff_SOURCES = tests/unit/diff/diff.c tests/unit/unpack/made.h
tests_unit_diff_diff_LDADD = $(sqfskit_libs)
