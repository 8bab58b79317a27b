libsqfskit_a_SOURCES += \
	include/entry/chain.h include/entry/entry.h include/entry/filter.h \
	include/entry/path.h include/entry/sink.h include/entry/source.h \
	lib/entry/chain.c lib/entry/entry.c lib/entry/filter.c \
	lib/entry/path.c

unit_tests += tests/unit/entry/entry
check_PROGRAMS += tests/unit/entry/entry
tests_unit_entry_entry_SOURCES = tests/unit/entry/entry.c
tests_unit_entry_entry_LDADD = $(sqfskit_libs)

unit_tests += tests/unit/entry/filter
check_PROGRAMS += tests/unit/entry/filter
tests_unit_entry_filter_SOURCES = tests/unit/entry/filter.c
tests_unit_entry_filter_LDADD = $(sqfskit_libs)
