libsqfskit_a_SOURCES += \
	include/dir/dir.h \
	include/dir/files.h \
	include/dir/scan.h \
	include/dir/source.h \
	lib/dir/attr.c lib/dir/attr.h \
	lib/dir/end.c \
	lib/dir/files.c \
	lib/dir/holes.c lib/dir/holes.h \
	lib/dir/internal.h \
	lib/dir/links.c \
	lib/dir/list.c lib/dir/list.h \
	lib/dir/look.c lib/dir/look.h \
	lib/dir/make.c \
	lib/dir/names.c lib/dir/names.h \
	lib/dir/paths.c \
	lib/dir/scan.c \
	lib/dir/sink.c \
	lib/dir/source.c \
	lib/dir/walk.c lib/dir/walk.h \
	lib/dir/write.c

unit_tests += tests/unit/dir/tree
check_PROGRAMS += tests/unit/dir/tree
tests_unit_dir_tree_SOURCES = tests/unit/dir/tree.c tests/unit/dir/plant.h
tests_unit_dir_tree_LDADD = $(sqfskit_libs)
unit_tests += tests/unit/dir/safe
check_PROGRAMS += tests/unit/dir/safe
tests_unit_dir_safe_SOURCES = tests/unit/dir/safe.c tests/unit/dir/plant.h
tests_unit_dir_safe_LDADD = $(sqfskit_libs)
unit_tests += tests/unit/dir/fault
check_PROGRAMS += tests/unit/dir/fault
tests_unit_dir_fault_SOURCES = tests/unit/dir/fault.c tests/unit/dir/plant.h
tests_unit_dir_fault_LDADD = $(sqfskit_libs)
unit_tests += tests/unit/dir/source
check_PROGRAMS += tests/unit/dir/source
tests_unit_dir_source_SOURCES = tests/unit/dir/source.c
tests_unit_dir_source_LDADD = $(sqfskit_libs)
unit_tests += tests/unit/dir/memory
check_PROGRAMS += tests/unit/dir/memory
tests_unit_dir_memory_SOURCES = tests/unit/dir/memory.c tests/unit/dir/plant.h
tests_unit_dir_memory_LDADD = $(sqfskit_libs)
