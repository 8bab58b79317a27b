libsqfskit_a_SOURCES += \
	include/unpack/unpack.h include/unpack/walk.h \
	lib/unpack/cache.c lib/unpack/internal.h \
	lib/unpack/source.c \
	lib/unpack/unpacker.c \
	lib/unpack/walk.c

unit_tests += tests/unit/unpack/source
check_PROGRAMS += tests/unit/unpack/source
tests_unit_unpack_source_SOURCES = tests/unit/unpack/source.c tests/unit/unpack/made.h
tests_unit_unpack_source_LDADD = $(sqfskit_libs)
