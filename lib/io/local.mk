libsqfskit_a_SOURCES += \
	include/io/fd.h lib/io/fd.c \
	include/io/input.h lib/io/input.c \
	include/io/output.h lib/io/output.c \
	include/io/reader.h lib/io/reader.c \
	include/io/stream.h lib/io/stream.c \
	include/io/writer.h lib/io/writer.c \
	lib/io/ahead.h lib/io/ahead.c \
	lib/io/decode.h lib/io/decode.c \
	lib/io/decoder.h \
	lib/io/feed.h lib/io/feed.c \
	lib/io/format.h lib/io/format.c \
	lib/io/frames.h lib/io/frames.c \
	lib/io/stream_fd.h \
	lib/io/writer_codec.h \
	lib/io/writer_out.h lib/io/writer_out.c \
	lib/io/writer_parts.h lib/io/writer_parts.c

if WITH_ZLIB
libsqfskit_a_SOURCES += lib/io/decode_gzip.c lib/io/writer_gzip.c
else
if WITH_LIBDEFLATE
libsqfskit_a_SOURCES += lib/io/writer_gzip.c
endif
endif
if WITH_BZIP2
libsqfskit_a_SOURCES += lib/io/decode_bzip2.c lib/io/writer_bzip2.c
endif
if WITH_LZMA
libsqfskit_a_SOURCES += lib/io/decode_lzma.c lib/io/writer_xz.c
endif
if WITH_ZSTD
libsqfskit_a_SOURCES += lib/io/decode_zstd.c lib/io/writer_zstd.c
endif
if WITH_LZ4
libsqfskit_a_SOURCES += lib/io/decode_lz4.c lib/io/writer_lz4.c
endif

unit_tests += tests/unit/io/reader
check_PROGRAMS += tests/unit/io/reader
tests_unit_io_reader_SOURCES = tests/unit/io/reader.c
tests_unit_io_reader_LDADD = $(sqfskit_libs)
unit_tests += tests/unit/io/output
check_PROGRAMS += tests/unit/io/output
tests_unit_io_output_SOURCES = tests/unit/io/output.c
tests_unit_io_output_LDADD = $(sqfskit_libs)
unit_tests += tests/unit/io/input
check_PROGRAMS += tests/unit/io/input
tests_unit_io_input_SOURCES = tests/unit/io/input.c tests/unit/io/compress.h
tests_unit_io_input_CFLAGS = $(AM_CFLAGS) $(input_test_cflags)
tests_unit_io_input_LDADD = $(sqfskit_libs)
input_test_cflags = $(ZLIB_CFLAGS) $(BZIP2_CFLAGS) $(LZMA_CFLAGS) \
	$(ZSTD_CFLAGS) $(LZ4_CFLAGS)
unit_tests += tests/unit/io/ahead
check_PROGRAMS += tests/unit/io/ahead
tests_unit_io_ahead_SOURCES = tests/unit/io/ahead.c tests/unit/io/compress.h
tests_unit_io_ahead_CFLAGS = $(AM_CFLAGS) $(input_test_cflags)
tests_unit_io_ahead_LDADD = $(sqfskit_libs)
unit_tests += tests/unit/io/writer
check_PROGRAMS += tests/unit/io/writer
tests_unit_io_writer_SOURCES = tests/unit/io/writer.c
tests_unit_io_writer_LDADD = $(sqfskit_libs)
