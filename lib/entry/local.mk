libsqfskit_a_SOURCES += \
	include/entry/chain.h include/entry/contexts.h \
	include/entry/entry.h include/entry/filter.h \
	include/entry/ids.h include/entry/lines.h include/entry/mode.h \
	include/entry/order.h include/entry/path.h include/entry/pattern.h \
	include/entry/select.h include/entry/sink.h include/entry/source.h \
	include/entry/xattr_file.h include/entry/xattrs.h \
	lib/entry/chain.c lib/entry/change.c lib/entry/change.h \
	lib/entry/context_spec.c lib/entry/context_spec.h lib/entry/contexts.c \
	lib/entry/entry.c lib/entry/filter.c lib/entry/ids.c \
	lib/entry/implied.c lib/entry/implied.h \
	lib/entry/leads.c lib/entry/leads.h lib/entry/lines.c \
	lib/entry/mode.c lib/entry/moves.c lib/entry/moves.h \
	lib/entry/order.c lib/entry/path.c lib/entry/path_map.c \
	lib/entry/path_map.h lib/entry/pattern.c \
	lib/entry/regex.c lib/entry/regex.h lib/entry/select.c \
	lib/entry/sort_file.c lib/entry/sort_file.h \
	lib/entry/xattr_file.c lib/entry/xattr_value.c \
	include/entry/xattr_value.h lib/entry/xattrs.c

unit_tests += tests/unit/entry/contexts
check_PROGRAMS += tests/unit/entry/contexts
tests_unit_entry_contexts_SOURCES = tests/unit/entry/contexts.c \
	tests/unit/entry/contexts_model.h tests/unit/entry/file.h
tests_unit_entry_contexts_CFLAGS = $(AM_CFLAGS) $(PCRE2_CFLAGS)
tests_unit_entry_contexts_LDADD = $(sqfskit_libs)

unit_tests += tests/unit/entry/entry
check_PROGRAMS += tests/unit/entry/entry
tests_unit_entry_entry_SOURCES = tests/unit/entry/entry.c
tests_unit_entry_entry_LDADD = $(sqfskit_libs)

unit_tests += tests/unit/entry/filter
check_PROGRAMS += tests/unit/entry/filter
tests_unit_entry_filter_SOURCES = tests/unit/entry/filter.c
tests_unit_entry_filter_LDADD = $(sqfskit_libs)

unit_tests += tests/unit/entry/order
check_PROGRAMS += tests/unit/entry/order
tests_unit_entry_order_SOURCES = tests/unit/entry/order.c
tests_unit_entry_order_LDADD = $(sqfskit_libs)

unit_tests += tests/unit/entry/rules
check_PROGRAMS += tests/unit/entry/rules
tests_unit_entry_rules_SOURCES = tests/unit/entry/rules.c
tests_unit_entry_rules_LDADD = $(sqfskit_libs)

unit_tests += tests/unit/entry/xattr_file
check_PROGRAMS += tests/unit/entry/xattr_file
tests_unit_entry_xattr_file_SOURCES = tests/unit/entry/xattr_file.c \
	tests/unit/entry/file.h
tests_unit_entry_xattr_file_LDADD = $(sqfskit_libs)
