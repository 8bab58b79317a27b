libsqfskit_a_SOURCES += \
	include/check/check.h \
	lib/check/batch.c lib/check/batch.h lib/check/check.c \
	lib/check/data.c lib/check/decoder.c lib/check/inode.c \
	lib/check/internal.h lib/check/links.c lib/check/listing.c \
	lib/check/lookup.c lib/check/path.c lib/check/stream.c \
	lib/check/super.c lib/check/xattr.c

unit_tests += tests/unit/check/check
check_PROGRAMS += tests/unit/check/check
tests_unit_check_check_SOURCES = tests/unit/check/check.c \
	tests/unit/check/images.h
tests_unit_check_check_LDADD = $(sqfskit_libs)

EXTRA_DIST += doc/check.md
