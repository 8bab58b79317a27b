libsqfskit_a_SOURCES += \
	include/io/fd.h lib/io/fd.c \
	include/io/output.h lib/io/output.c \
	include/io/reader.h lib/io/reader.c \
	include/io/stream.h lib/io/stream.c

unit_tests += tests/unit/io/reader
check_PROGRAMS += tests/unit/io/reader
tests_unit_io_reader_SOURCES = tests/unit/io/reader.c
tests_unit_io_reader_LDADD = $(sqfskit_libs)
unit_tests += tests/unit/io/output
check_PROGRAMS += tests/unit/io/output
tests_unit_io_output_SOURCES = tests/unit/io/output.c
tests_unit_io_output_LDADD = $(sqfskit_libs)
