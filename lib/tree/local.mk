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
unit_tests += tests/unit/tree/links
check_PROGRAMS += tests/unit/tree/links
tests_unit_tree_links_SOURCES = tests/unit/tree/links.c tests/unit/tree/plant.h
tests_unit_tree_links_LDADD = $(sqfskit_libs)
unit_tests += tests/unit/tree/large
check_PROGRAMS += tests/unit/tree/large
tests_unit_tree_large_SOURCES = tests/unit/tree/large.c tests/unit/tree/plant.h
tests_unit_tree_large_LDADD = $(sqfskit_libs)
unit_tests += tests/unit/tree/model
check_PROGRAMS += tests/unit/tree/model
tests_unit_tree_model_SOURCES = tests/unit/tree/model.c tests/unit/tree/plant.h
tests_unit_tree_model_LDADD = $(sqfskit_libs)
unit_tests += tests/unit/tree/memory
check_PROGRAMS += tests/unit/tree/memory
tests_unit_tree_memory_SOURCES = tests/unit/tree/memory.c tests/unit/tree/plant.h
tests_unit_tree_memory_LDADD = $(sqfskit_libs)
