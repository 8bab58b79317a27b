libsqfskit_a_SOURCES += \
	include/list/list.h \
	lib/list/extras.c lib/list/extras.h \
	lib/list/glob.c lib/list/glob.h \
	lib/list/line.c lib/list/line.h \
	lib/list/list.c \
	lib/list/seen.c lib/list/seen.h \
	lib/list/words.c lib/list/words.h

unit_tests += tests/unit/list/list
check_PROGRAMS += tests/unit/list/list
tests_unit_list_list_SOURCES = tests/unit/list/list.c
tests_unit_list_list_LDADD = $(sqfskit_libs)
