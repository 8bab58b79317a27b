libsqfskit_a_SOURCES += \
	include/flow/block.h include/flow/flow.h \
	lib/flow/cut.c lib/flow/flow.c lib/flow/free.c lib/flow/internal.h \
	lib/flow/read.c

unit_tests += tests/unit/flow/flow
check_PROGRAMS += tests/unit/flow/flow
tests_unit_flow_flow_SOURCES = tests/unit/flow/flow.c
tests_unit_flow_flow_LDADD = $(sqfskit_libs)
