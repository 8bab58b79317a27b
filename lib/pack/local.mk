libsqfskit_a_SOURCES += \
	include/pack/pack.h \
	lib/pack/content.c lib/pack/fragment.c lib/pack/internal.h \
	lib/pack/pack.c lib/pack/queue.c lib/pack/tables.c lib/pack/tables.h \
	lib/pack/work.c lib/pack/writer.c lib/pack/writer.h

unit_tests += tests/unit/pack/pack
check_PROGRAMS += tests/unit/pack/pack
tests_unit_pack_pack_SOURCES = tests/unit/pack/pack.c
tests_unit_pack_pack_LDADD = $(sqfskit_libs)

unit_tests += tests/unit/pack/tables
check_PROGRAMS += tests/unit/pack/tables
tests_unit_pack_tables_SOURCES = tests/unit/pack/tables.c
tests_unit_pack_tables_LDADD = $(sqfskit_libs)
