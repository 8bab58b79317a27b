libsqfskit_a_SOURCES += \
	include/tree/tree.h lib/tree/inside.h \
	lib/tree/link.c \
	lib/tree/node.c \
	lib/tree/sort.c \
	lib/tree/table.h lib/tree/table.c \
	lib/tree/tree.c \
	lib/tree/walk.c
unit_tests += tests/unit/tree/rules
check_PROGRAMS += tests/unit/tree/rules
tests_unit_tree_rules_SOURCES = tests/unit/tree/rules.c tests/unit/tree/plant.h
tests_unit_tree_rules_LDADD = $(sqfskit_libs)
